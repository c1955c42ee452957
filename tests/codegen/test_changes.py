"""`codegen.changes`: each kind of change is told, with whom it breaks, and each is documented."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import attrs
import pytest

from codegen import ir
from codegen.changes import rules
from codegen.changes.compare import compare
from tests.codegen.kinds import kinds, tables
from tests.codegen.specs import ROOT

STRING, INTEGER = ir.Type(kind="string"), ir.Type(kind="integer")
SIDE = ir.Type(kind="enum", name="Side")
LEVEL = ir.Type(kind="integer_enum", name="Level")
INT32, AS_TEXT = ir.Type(kind="integer", bits=32), ir.Type(kind="integer", as_text=True)
EMAIL = ir.Type(kind="string", format="email")
PLACED, LIST = (
    ir.Type(kind="model", name="Placed"),
    ir.Type(kind="list", items=ir.Type(kind="model", name="Placed")),
)


NULL = ir.Type(kind="string", nullable=True)
MS, SECONDS = (ir.Type(kind="integer", unit=unit) for unit in ("ms", "s"))


def held(type_: ir.Type) -> ir.Type:
    return ir.Type(kind="list", items=type_)


def tupled(*members: ir.Type) -> ir.Type:
    return ir.Type(kind="tuple", members=members)


A_PRICE = ir.Type(kind="string", description="A price.")
PAIR = tupled(MS, STRING)


def a_field(name: str = "price", **members: Any) -> ir.Field:
    given = {"type": STRING, "required": False, "nullable": False, "description": "A price."}
    return ir.Field(**{"name": name, **given, **members})


def a_model(name: str, role: ir.Role, *fields: ir.Field, **members: Any) -> ir.Model:
    return ir.Model(name=name, description="It.", role=role, section=None, fields=fields, **members)


METHOD: dict[str, Any] = {
    "group": "orders",
    "method": "create",
    "summary": "Do it.",
    "description": "",
    "section": "Section 1",
    "retry": "never",
    "key": None,
}


def an_operation(**members: Any) -> ir.Operation:
    given = {"id": "create", "http_method": "POST", "path": "/create", "statuses": (200,)}
    return ir.Operation(**{**METHOD, **given, **members})


def an_action(**members: Any) -> ir.Action:
    signing = ir.Signing(type="create_order", source="documented")
    given = {"type": "Create", "signing": signing, "model": "Create", "standalone": False}
    return ir.Action(**{**METHOD, **given, **members})


def an_api(*parts: Any, **members: Any) -> ir.Api:
    """A service of the parts given."""
    of = {
        name: tuple(each for each in parts if isinstance(each, class_))
        for name, class_ in (
            ("groups", ir.Group),
            ("enums", ir.Enum),
            ("models", ir.Model),
            ("unions", ir.Union),
            ("operations", ir.Operation),
            ("actions", ir.Action),
        )
    }
    given = {
        "title": "A",
        "version": "1",
        "spec_sha256": "",
        "api_key_header": None,
        "rate_scale": 1,
    }
    return ir.Api(**{**given, **of, **members})


class Row(NamedTuple):
    """A kind of change, whom it breaks, and two services that differ by it."""

    id: str
    breaks: str
    old: ir.Api
    new: ir.Api


def sent(**members: Any) -> ir.Api:
    return an_api(a_model("Create", "request", a_field(**members)))


def received(**members: Any) -> ir.Api:
    return an_api(a_model("Placed", "response", a_field(**members)))


def doing(**members: Any) -> ir.Api:
    return an_api(an_operation(**members))


def acting(**members: Any) -> ir.Api:
    return an_api(an_action(**members))


def sending(**members: Any) -> ir.Api:
    return an_api(a_model("Create", "request", **members))


def receiving(**members: Any) -> ir.Api:
    return an_api(a_model("Placed", "response", **members))


def a_union(role: ir.Role, discriminator: str = "kind", **models: str) -> ir.Api:
    variants = tuple(ir.Variant(name=n, model=m) for n, m in {"a": "A", **models}.items())
    union = ir.Union(
        name="Trigger",
        description="It.",
        role=role,
        discriminator=discriminator,
        variants=variants,
    )
    return an_api(union)


def enum(*values: str, **members: Any) -> ir.Enum:
    return ir.Enum(name="Side", description="A side.", values=values, **members)


def refusing(**members: Any) -> ir.Api:
    """A service that refuses for one reason."""
    return an_api(reasons=(ir.Reason(name="late", enum="Side", description="Late.", **members),))


BID_DEPRECATED = an_api(enum("bid", deprecated=("bid",)))


def paged(**names: Any) -> ir.Api:
    given: dict[str, Any] = {
        "items": "data",
        "cursor": "cursor",
        "next_cursor": "next",
        "has_more": "more",
    }
    return doing(pagination=ir.Pagination(**{**given, **names}))


def batched(**members: Any) -> ir.Api:
    given = {"field": "actions", "min_items": 1, "max_items": 10, "actions": ("Create",)}
    return doing(batch=ir.Batch(**{**given, **members}))


def returning(type_: ir.Type = PLACED, **members: Any) -> ir.Api:
    return doing(result=ir.Result(type=type_, description="It.", **members))


def signed(type_: str = "create_order") -> ir.Api:
    return doing(signing=ir.Signing(type=type_, source="documented"))


def traced(made_at: str) -> ir.Api:
    return doing(trace=ir.Trace(lists=("orders.history",), made_at=made_at))


def countersigned(signs: str = "agreed") -> ir.Api:
    other = ir.Countersigner(address="agent", signature="agent_signature", signs="account")
    own = ir.Countersigner(address="account", signature="signature", signs=signs)
    return doing(countersigned=ir.Countersigned(other_type="bind_agent", other=other, own=own))


def placed(*, in_query: bool = False) -> ir.Api:
    parameter = ir.Parameter(field="price", place="query", name="Price")
    given = an_operation(params="Create", parameters=(parameter,) if in_query else ())
    return an_api(given, a_model("Create", "request", a_field(name="price")))


def served(url: str = "https://a.example", name: str | None = "main") -> ir.Api:
    return an_api(servers=(ir.Server(name=name, url=url, description="It."),))


GROUP = ir.Group(name="orders", title="Orders", description="Orders.")
NOTHING = an_api()
ROLE = "callers wire answers ports"
SEND, ANSWER, BOTH = "callers wire ports", "answers ports", "callers answers ports"

NEEDS_B, NEEDS_C = (ir.Condition(field="a", needs=(name,)) for name in "bc")
CHOICE = (sending(exactly_one=("a", "b")), sending(at_least_one=("b", "a")))

ROWS = [
    Row("text-changed", "", doing(), doing(summary="Do that.")),
    # Methods as a whole
    Row("method-added", "", NOTHING, doing()),
    Row("method-removed", "callers", doing(), NOTHING),
    Row("method-renamed", "callers", doing(), doing(method="place")),
    Row("method-kind-changed", "wire ports", acting(), doing()),
    Row("method-returns-changed", BOTH, acting(), returning()),
    Row("method-parameter-moved", "wire ports", placed(), placed(in_query=True)),
    # Members of operations and actions
    Row("method-has-body-on", "wire ports", doing(), doing(has_body=True)),
    Row("method-has-body-off", "wire ports", doing(has_body=True), doing()),
    Row("method-retry-changed", "", doing(), doing(retry="safe")),
    Row("method-key-added", "", doing(), doing(key="id")),
    Row("method-key-removed", SEND, doing(key="id"), doing()),
    Row("method-key-changed", "wire ports", doing(key="id"), doing(key="key")),
    Row("method-trace-added", "", doing(), traced("at")),
    Row("method-trace-removed", "", traced("at"), doing()),
    Row("method-trace-changed", "", traced("at"), traced("created_at")),
    Row("method-echoes-changed", "", doing(), doing(echoes={"symbol": "symbol"})),
    Row("method-new-id-changed", "", doing(), doing(new_id="order_id")),
    Row("method-deprecated-on", "", doing(), doing(deprecated=True)),
    Row("method-deprecated-off", "", doing(deprecated=True), doing()),
    Row("method-outcome-added", "callers", doing(), doing(outcome="Placed")),
    Row("method-outcome-removed", "callers", doing(outcome="Placed"), doing()),
    Row("method-outcome-changed", "callers", doing(outcome="Placed"), doing(outcome="Done")),
    Row("method-ignores-data-on", "", doing(), doing(ignores_data=True)),
    Row("method-ignores-data-off", ANSWER, doing(ignores_data=True), doing()),
    Row("method-id-changed", "", doing(), doing(id="place")),
    Row("method-http-method-changed", "wire ports", doing(), doing(http_method="GET")),
    Row("method-path-changed", "wire ports", doing(), doing(path="/v2/create")),
    Row("method-status-added", "", doing(), doing(statuses=(200, 422))),
    Row("method-status-removed", "", doing(statuses=(200, 422)), doing()),
    Row("method-status-range-added", "", doing(), doing(status_ranges=("4XX",))),
    Row("method-status-range-removed", "", doing(status_ranges=("4XX",)), doing()),
    Row("method-errors-changed", ANSWER, doing(), doing(errors=ir.ErrorBody(text=("detail",)))),
    Row("method-type-changed", "wire ports", acting(), acting(type="Place")),
    Row("method-standalone-on", "", acting(), acting(standalone=True)),
    Row("method-standalone-off", "wire ports", acting(standalone=True), acting()),
    Row("method-signing-added", SEND, doing(), signed()),
    Row("method-signing-removed", "wire ports", signed(), doing()),
    Row("signing-type-changed", "wire ports", signed(), signed("place_order")),
    Row("method-result-added", ANSWER, doing(), returning()),
    Row("method-result-removed", "callers", returning(), doing()),
    Row("result-type-changed", BOTH, returning(LIST), returning(PLACED)),
    Row("result-key-added", ANSWER, returning(), returning(key="results")),
    Row("result-key-removed", ANSWER, returning(key="results"), returning()),
    Row("result-key-changed", ANSWER, returning(key="results"), returning(key="orders")),
    Row("result-nullable-on", "callers", returning(), returning(nullable=True)),
    Row("result-nullable-off", ANSWER, returning(nullable=True), returning()),
    Row("result-secret-on", "", returning(), returning(secret=True)),
    Row("result-secret-off", "", returning(secret=True), returning()),
    Row("method-pagination-added", BOTH, doing(), paged()),
    Row("method-pagination-removed", BOTH, paged(), doing()),
    Row("pagination-says-success-on", "answers ports", paged(), paged(says_success=True)),
    Row("pagination-says-success-off", "", paged(says_success=True), paged()),
    Row("pagination-integers-on", "answers ports", paged(), paged(integers=True)),
    Row("pagination-integers-off", "answers ports", paged(integers=True), paged()),
    Row("pagination-items-changed", ANSWER, paged(), paged(items="items")),
    Row("pagination-cursor-changed", SEND, paged(), paged(cursor="after")),
    *(
        row
        for name in ("next_cursor", "has_more")
        for start in [f"pagination-{name.replace('_', '-')}"]
        for without, other in [(paged(**{name: None}), paged(**{name: "other"}))]
        for row in (
            Row(f"{start}-added", ANSWER, without, paged()),
            Row(f"{start}-removed", ANSWER, paged(), without),
            Row(f"{start}-changed", ANSWER, paged(), other),
        )
    ),
    Row("pagination-limit-added", "", paged(), paged(limit="limit")),
    Row("pagination-limit-removed", "", paged(limit="limit"), paged()),
    Row("pagination-limit-changed", "", paged(limit="limit"), paged(limit="size")),
    Row("pagination-max-limit-added", "", paged(), paged(max_limit=10)),
    Row("pagination-max-limit-removed", "", paged(max_limit=10), paged()),
    Row("pagination-max-limit-changed", "", paged(max_limit=10), paged(max_limit=20)),
    Row("method-batch-added", SEND, doing(), batched()),
    Row("method-batch-removed", SEND, batched(), doing()),
    Row("batch-field-changed", "wire ports", batched(), batched(field="messages")),
    Row("batch-min-items-tightened", SEND, batched(), batched(min_items=2)),
    Row("batch-min-items-loosened", "", batched(min_items=2), batched()),
    Row("batch-max-items-tightened", SEND, batched(), batched(max_items=5)),
    Row("batch-max-items-loosened", "", batched(), batched(max_items=20)),
    Row("batch-action-added", "", batched(), batched(actions=("Create", "Cancel"))),
    Row("batch-action-removed", SEND, batched(actions=("Create", "Cancel")), batched()),
    Row("method-countersigned-added", SEND, doing(), countersigned()),
    Row("method-countersigned-removed", SEND, countersigned(), doing()),
    Row("method-countersigned-changed", SEND, countersigned(), countersigned("handle_by")),
    # The service
    Row("api-api-key-header-added", "", NOTHING, an_api(api_key_header="X-KEY")),
    Row("api-api-key-header-removed", SEND, an_api(api_key_header="X-KEY"), NOTHING),
    Row(
        "api-api-key-header-changed",
        "wire ports",
        an_api(api_key_header="X-KEY"),
        an_api(api_key_header="X-API-KEY"),
    ),
    Row("api-rate-scale-changed", ANSWER, NOTHING, an_api(rate_scale=10)),
    Row("server-added", "", NOTHING, served()),
    Row("server-removed", "callers", served(), NOTHING),
    Row("server-url-changed", "", served(), served("https://b.example")),
    Row("group-added", "", NOTHING, an_api(GROUP)),
    Row("group-removed", "callers", an_api(GROUP), NOTHING),
    Row("enum-added", "", NOTHING, an_api(enum("bid"))),
    Row("enum-removed", "callers", an_api(enum("bid")), NOTHING),
    Row("reason-added", "", NOTHING, refusing()),
    Row("reason-removed", "callers", refusing(), NOTHING),
    Row("reason-text-added", "", refusing(), refusing(texts=("Late",))),
    Row("reason-text-removed", "", refusing(texts=("Late",)), refusing()),
    Row("reason-codes-changed", "", refusing(), refusing(codes={"things.make": 5})),
    Row("reason-operations-changed", "", refusing(), refusing(operations=("things.make",))),
    Row("reason-status-added", "", refusing(), refusing(statuses=(409,))),
    Row("reason-status-removed", "", refusing(statuses=(409,)), refusing()),
    Row("reason-as-status-added", "callers", refusing(), refusing(as_status=401)),
    Row("reason-as-status-removed", "callers", refusing(as_status=401), refusing()),
    Row("reason-as-status-changed", "callers", refusing(as_status=401), refusing(as_status=403)),
    Row(
        "enum-names-changed",
        "callers",
        an_api(enum("bid", names={"bid": "BUY"})),
        an_api(enum("bid")),
    ),
    Row("enum-deprecated-value-added", "", an_api(enum("bid")), BID_DEPRECATED),
    Row("enum-deprecated-value-removed", "", BID_DEPRECATED, an_api(enum("bid"))),
    # Models
    Row("request-union-added", "", NOTHING, a_union("request")),
    Row("request-union-removed", "callers", a_union("request"), NOTHING),
    Row("response-union-added", "", NOTHING, a_union("response")),
    Row("response-union-removed", "callers", a_union("response"), NOTHING),
    Row("request-union-role-changed", ROLE, a_union("request"), a_union("response")),
    Row("response-union-role-changed", ROLE, a_union("response"), a_union("request")),
    Row("request-union-discriminator-changed", SEND, a_union("request"), a_union("request", "by")),
    Row(
        "response-union-discriminator-changed", BOTH, a_union("response"), a_union("response", "by")
    ),
    Row("request-variant-added", "", a_union("request"), a_union("request", b="B")),
    Row("request-variant-removed", SEND, a_union("request", b="B"), a_union("request")),
    Row("request-variant-model-changed", SEND, a_union("request"), a_union("request", a="B")),
    Row("response-variant-added", "", a_union("response"), a_union("response", b="B")),
    Row("response-variant-removed", "callers", a_union("response", b="B"), a_union("response")),
    Row("response-variant-model-changed", BOTH, a_union("response"), a_union("response", a="B")),
    Row("request-model-added", "", NOTHING, sending()),
    Row("request-model-removed", "callers", sending(), NOTHING),
    Row("response-model-added", "", NOTHING, receiving()),
    Row("response-model-removed", "callers", receiving(), NOTHING),
    Row(
        "request-model-role-changed",
        "callers wire answers ports",
        sending(),
        an_api(a_model("Create", "response")),
    ),
    Row(
        "response-model-role-changed",
        "callers wire answers ports",
        receiving(),
        an_api(a_model("Placed", "request")),
    ),
    *(
        row
        for name, first, second in (
            ("exactly_one", ("a", "b"), ("a", "c")),
            ("at_least_one", ("a", "b"), ("a", "c")),
            ("conditions", (NEEDS_B,), (NEEDS_C,)),
        )
        for label in [name.replace("_", "-")]
        for one, two in [({name: first}, {name: second})]
        for row in (
            Row(f"request-model-{label}-added", SEND, sending(), sending(**one)),
            Row(f"request-model-{label}-removed", "", sending(**one), sending()),
            Row(f"request-model-{label}-changed", SEND, sending(**one), sending(**two)),
            Row(f"response-model-{label}-changed", "", receiving(), receiving(**one)),
        )
    ),
    Row("request-model-choice-widened", "", *CHOICE),
    Row("request-model-choice-narrowed", SEND, *reversed(CHOICE)),
    # Fields that are sent
    Row("request-field-added", "", sending(), sent()),
    Row("request-field-added-required", SEND, sending(), sent(required=True)),
    Row("request-field-removed", SEND, sent(), sending()),
    Row("request-field-type-widened", "", sent(type=SIDE), sent(type=STRING)),
    Row("request-field-type-changed", SEND, sent(type=STRING), sent(type=INTEGER)),
    Row("request-field-type-widened", "", sent(type=LEVEL), sent(type=INTEGER)),
    Row("request-field-type-widened", "", sent(type=INT32), sent(type=INTEGER)),
    Row("request-field-type-changed", SEND, sent(type=INTEGER), sent(type=INT32)),
    Row("request-field-type-changed", SEND, sent(type=INTEGER), sent(type=AS_TEXT)),
    Row("text-changed", "", sent(type=STRING), sent(type=EMAIL)),
    Row("request-field-type-widened", "", sent(type=held(SIDE)), sent(type=held(STRING))),
    Row("request-field-type-widened", "", sent(type=held(held(SIDE))), sent(type=held(held(NULL)))),
    Row("request-field-type-changed", SEND, sent(type=held(NULL)), sent(type=held(STRING))),
    Row("request-field-type-changed", SEND, sent(type=held(STRING)), sent(type=STRING)),
    Row("request-field-type-changed", SEND, sent(type=held(MS)), sent(type=held(SECONDS))),
    Row("text-changed", "", sent(type=held(INTEGER)), sent(type=held(MS))),
    Row("request-field-required-on", SEND, sent(), sent(required=True)),
    Row("request-field-required-off", "", sent(required=True), sent()),
    Row("request-field-nullable-on", "", sent(), sent(nullable=True)),
    Row("request-field-nullable-off", SEND, sent(nullable=True), sent()),
    Row("request-field-unit-added", "", sent(), sent(unit="ms")),
    Row("request-field-unit-removed", "", sent(unit="ms"), sent()),
    Row("request-field-unit-changed", SEND, sent(unit="ms"), sent(unit="s")),
    Row("request-field-default-added", "", sent(), sent(default="1")),
    Row("request-field-deprecated-on", "", sent(), sent(deprecated=True)),
    Row("request-field-deprecated-off", "", sent(deprecated=True), sent()),
    Row("request-field-default-removed", SEND, sent(default="1"), sent()),
    Row("request-field-default-changed", SEND, sent(default="1"), sent(default="2")),
    Row("request-field-auto-added", "", sent(), sent(auto="uuid")),
    Row("request-field-auto-removed", SEND, sent(auto="uuid"), sent()),
    Row("request-field-auto-changed", SEND, sent(auto="uuid"), sent(auto="account")),
    Row("request-field-not-before-added", SEND, sent(), sent(not_before="b")),
    Row("request-field-not-before-removed", "", sent(not_before="b"), sent()),
    Row("request-field-not-before-changed", SEND, sent(not_before="b"), sent(not_before="c")),
    Row("request-field-secret-on", "", sent(), sent(secret=True)),
    Row("request-field-secret-off", "", sent(secret=True), sent()),
    Row("request-field-x-name-changed", "callers", sent(), sent(x_name="limit")),
    Row("request-field-pattern-added", SEND, sent(), sent(pattern="a")),
    Row("request-field-pattern-removed", "", sent(pattern="a"), sent()),
    Row("request-field-pattern-changed", SEND, sent(pattern="a"), sent(pattern="b")),
    Row("request-field-multiple-of-added", SEND, sent(), sent(multiple_of=2)),
    Row("request-field-multiple-of-removed", "", sent(multiple_of=2), sent()),
    Row("request-field-multiple-of-changed", SEND, sent(multiple_of=2), sent(multiple_of=4)),
    Row("response-field-multiple-of-changed", "", received(), received(multiple_of=2)),
    *(
        row
        for name, tight in (
            ("minimum", 2),
            ("maximum", 1),
            ("exclusive_minimum", 2),
            ("exclusive_maximum", 1),
            ("min_length", 2),
            ("max_length", 1),
            ("min_items", 2),
            ("max_items", 1),
        )
        for label in [name.replace("_", "-")]
        for loose in [3 - tight]
        for row in (
            Row(
                f"request-field-{label}-tightened",
                SEND,
                sent(**{name: loose}),
                sent(**{name: tight}),
            ),
            Row(f"request-field-{label}-tightened", SEND, sent(), sent(**{name: loose})),
            Row(
                f"request-field-{label}-loosened",
                "",
                sent(**{name: tight}),
                sent(**{name: loose}),
            ),
            Row(f"request-field-{label}-loosened", "", sent(**{name: tight}), sent()),
            Row(f"response-field-{label}-changed", "", received(), received(**{name: 1})),
        )
    ),
    # Fields that are received
    Row("response-field-added", "", receiving(), received()),
    Row("response-field-added-required", ANSWER, receiving(), received(required=True)),
    Row("response-field-removed", "callers", received(), receiving()),
    Row("response-field-type-changed", BOTH, received(), received(type=INTEGER)),
    Row("response-field-type-changed", BOTH, received(type=PAIR), received(type=tupled(MS))),
    Row("text-changed", "", received(type=PAIR), received(type=tupled(MS, A_PRICE))),
    Row("response-field-required-on", ANSWER, received(), received(required=True)),
    Row("response-field-required-off", "callers", received(required=True), received()),
    Row("response-field-nullable-on", "callers", received(), received(nullable=True)),
    Row("response-field-nullable-off", ANSWER, received(nullable=True), received()),
    Row("response-field-unit-added", "", received(), received(unit="ms")),
    Row("response-field-unit-removed", "", received(unit="ms"), received()),
    Row("response-field-unit-changed", BOTH, received(unit="ms"), received(unit="s")),
    Row("response-field-deprecated-on", "", received(), received(deprecated=True)),
    Row("response-field-deprecated-off", "", received(deprecated=True), received()),
    Row("response-field-default-changed", "", received(), received(default="1")),
    Row("response-field-auto-changed", "", received(), received(auto="uuid")),
    Row("response-field-not-before-changed", "", received(), received(not_before="b")),
    Row("response-field-secret-on", "", received(), received(secret=True)),
    Row("response-field-secret-off", "", received(secret=True), received()),
    Row("response-field-x-name-changed", "callers", received(x_name="a"), received(x_name="b")),
    Row("response-field-pattern-changed", "", received(), received(pattern="a")),
]

ASKS = a_model("Ask", "request", a_field(type=SIDE))
TELLS = a_model("Tell", "response", a_field(type=SIDE))
ENUMS = [
    Row(
        "enum-value-removed",
        breaks,
        an_api(enum("bid", "buy"), *models),
        an_api(enum("bid"), *models),
    )
    for breaks, models in (
        ("callers wire answers ports", (ASKS, TELLS)),
        (SEND, (ASKS,)),
        (SEND, (a_model("Ask", "request", a_field(type=held(held(SIDE)))),)),
        (BOTH, (TELLS,)),
    )
]
ENUMS += [
    Row(
        "enum-value-added",
        "",
        an_api(enum("bid"), ASKS, TELLS),
        an_api(enum("bid", "ask"), ASKS, TELLS),
    )
]


def test_an_operation_and_the_action_of_its_name_are_told_apart() -> None:
    alone, both = an_api(an_operation()), an_api(an_operation(), an_action(standalone=True))
    other = an_api(an_operation(), an_action(standalone=True, type="Place", model="Place"))

    assert compare(alone, both) == ()
    (change,) = compare(both, other)
    assert (change.place, change.text) == ("orders.create in a batch", 'type: "Create" -> "Place"')


def test_an_answer_that_loses_its_body_breaks_those_who_read_it() -> None:
    for old, new in (((200,), (204,)), ((204,), (200,))):
        found = compare(doing(statuses=old), doing(statuses=new))
        assert any("answers" in each.effect.breaks for each in found)


def test_a_batch_action_with_another_name_is_the_same_action() -> None:
    (change,) = compare(acting(), acting(method="place"))

    assert (change.id, change.place) == ("method-renamed", "orders.create")
    assert change.text == "it is `orders.place` now"


def test_an_action_that_became_an_operation_with_an_outcome_returns_that() -> None:
    found = compare(acting(), doing(outcome="RuleResult"))

    (change,) = [each for each in found if each.id == "method-returns-changed"]
    assert change.text == "it returns: none -> RuleResult"


def test_a_type_is_told_with_what_it_holds() -> None:
    rates = ir.Type(kind="map", items=tupled(MS, NULL))

    (change,) = compare(received(type=held(SIDE)), received(type=rates))

    assert change.text == "type: list of Side -> map of tuple of integer (ms), string or null"


def test_an_argument_of_a_method_is_told_though_its_model_has_another_name() -> None:
    old = an_api(an_operation(params="Create"), a_model("Create", "request", a_field()))
    new = an_api(
        an_operation(params="Place"), a_model("Place", "request", a_field(), a_field("symbol"))
    )

    told = [(each.id, each.place) for each in compare(old, new)]

    assert told == [
        ("request-field-added", "orders.create.symbol"),
        ("request-model-removed", "Create"),
        ("request-model-added", "Place"),
    ]


def test_a_server_without_a_name_concerns_nobody() -> None:
    assert compare(served(name=None), served("https://b.example", name=None)) == ()


def test_a_value_of_an_enum_that_comes_with_a_name_breaks_nobody() -> None:
    more = an_api(enum("bid", "+", names={"+": "UP"}))

    assert [each.id for each in compare(an_api(enum("bid")), more)] == ["enum-value-added"]


def test_the_removal_of_what_was_deprecated_still_breaks_and_says_so() -> None:
    def told(old: ir.Api, new: ir.Api) -> list[tuple[str, bool]]:
        return [(each.text, each.is_breaking) for each in compare(old, new)]

    assert told(doing(deprecated=True), NOTHING) == [
        ("the method is gone; it was deprecated", True)
    ]
    assert told(sent(deprecated=True), sending()) == [
        ("the field of a request is gone; it was deprecated", True)
    ]
    gone = told(an_api(enum("bid", "ask", deprecated=("ask",))), an_api(enum("bid")))
    assert gone == [("value removed: ask; it was deprecated", True)]


def test_exactly_one_that_became_at_least_one_of_the_same_fields_is_one_change() -> None:
    def told(old: ir.Api, new: ir.Api) -> list[str]:
        return [each.id.removeprefix("request-model-") for each in compare(old, new)]

    one, any_ = CHOICE
    assert (told(one, any_), told(any_, one)) == (["choice-widened"], ["choice-narrowed"])
    others = sending(at_least_one=("a", "c"))
    assert told(one, others) == ["exactly-one-removed", "at-least-one-added"]
    both = sending(exactly_one=("a", "b"), at_least_one=("c", "d"))
    turned = sending(exactly_one=("c", "d"), at_least_one=("a", "b"))
    assert told(both, turned) == ["exactly-one-changed", "at-least-one-changed"]


@pytest.mark.parametrize("row", [pytest.param(row, id=row.id) for row in [*ROWS, *ENUMS]])
def test_each_kind_of_change_is_told_with_whom_it_breaks(row: Row) -> None:
    (change,) = [each for each in compare(row.old, row.new) if each.id == row.id]

    assert " ".join(each for each in rules_order(change.effect.breaks)) == row.breaks
    assert change.effect.breaks <= change.effect.concerns
    assert change.is_breaking == bool(row.breaks)


def rules_order(audiences: frozenset[str]) -> list[str]:
    return [each for each in ("callers", "wire", "answers", "ports") if each in audiences]


def test_nothing_is_told_of_two_equal_services() -> None:
    for row in ROWS:
        assert compare(row.old, row.old) == ()
        assert compare(row.old, row.new)


def test_every_kind_of_change_has_a_row_here() -> None:
    assert {row.id for row in [*ROWS, *ENUMS]} == kinds()


def test_every_member_of_the_ir_has_a_rule() -> None:
    for class_, _, table in tables():
        assert list(table) == [each.name for each in attrs.fields(class_)], class_.__name__
    compared = {class_ for class_, *_ in tables()}
    # These are compared as a whole; a method is what operations and actions share.
    whole = {ir.Type, ir.Trace, ir.Target, ir.Countersigned, ir.Countersigner, ir.Method}
    whole |= {ir.Parameter, ir.ErrorBody, ir.Condition}
    # These say what holds for every spec that the rules let through.
    whole |= {ir.Conventions, ir.SignedBody, ir.SignedText, ir.Envelope, ir.Values}
    classes = {
        each
        for each in vars(ir).values()
        if attrs.has(each) and each.__module__.startswith(ir.__name__)
    }
    assert compared | whole == classes


def test_the_documentation_lists_every_kind() -> None:
    text = (ROOT / "docs" / "spec-changes.md").read_text("utf-8")
    documented = re.findall(r"^\| `([a-z-]+)` \| (.*?) \|", text, re.M)
    told = {
        row.id: row.breaks.replace(" ", ", ") or "nobody" for row in [*ENUMS[3:], *ENUMS[:1], *ROWS]
    }
    assert dict(documented) == told
    assert len(documented) == len(told)


def test_the_rules_name_no_audience_that_does_not_exist() -> None:
    for row in ROWS:
        for change in compare(row.old, row.new):
            assert change.effect.concerns <= {"callers", "wire", "answers", "ports"}
    assert rules.TEXT_KIND in kinds()
