"""Between Python and JSON: what is sent, and what an answer is taken for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from decimal import Decimal
from enum import Enum
from typing import Any, Union, get_args, get_origin
from uuid import UUID

import attrs
import pytest
from attrs import field, frozen
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from trading_runtime import strict_json, wire
from trading_runtime.convert import UNSET, OpenEnum, Unset
from trading_runtime.errors import ApiError, BadRequestError, DecodeError, RequestError
from trading_runtime.operation import (
    Action,
    Batch,
    BatchOperation,
    ListOperation,
    Operation,
    Pagination,
)
from trading_runtime.transport import Response
from trading_sdk.operations import API

ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"


class Colour(OpenEnum):
    RED = "red"
    BLUE = "blue"


@frozen(kw_only=True)
class Leg:
    size: Decimal
    made: UUID | None = field(factory=lambda: UUID(int=1))


@frozen(kw_only=True)
class Thing:
    name: str
    count: int
    ready: bool
    colour: Colour | str
    mood: Colour | str | None = None
    id: UUID | None = None
    legs: Sequence[Leg] = ()
    flag: bool | Unset | None = UNSET


THING = {"name": "a", "count": 1, "ready": True, "colour": "red"}

GET: Operation[Thing] = Operation(name="things.get", method="GET", path="/thing", result=Thing)
DONE: Operation[None] = Operation(name="things.done", method="POST", path="/done")
KEYED: Operation[Sequence[Thing]] = Operation(
    name="things.all", method="GET", path="/all", result=Sequence[Thing], result_key="things"
)
ANY: Operation[Any] = Operation(name="things.any", method="GET", path="/any", result=Any)
LIST: ListOperation[Thing] = ListOperation(
    name="things.list",
    method="GET",
    path="/list",
    result=Thing,
    pagination=Pagination(items="rows", cursor="at", next_cursor="then", has_more="more"),
)
BATCH: BatchOperation[Leg] = BatchOperation(
    name="things.batch",
    method="POST",
    path="/batch",
    result=Leg,
    result_key="results",
    batch=Batch(field="steps", max_items=2, actions={}),
)


def response(payload: Any, status: int = 200) -> Response:
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return Response(status, {}, body)


def thing(**fields: Any) -> Any:
    return wire.decode(GET, response({**THING, **fields}))


def unusable(operation: Operation[Any], payload: Any) -> DecodeError:
    with pytest.raises(DecodeError) as caught:
        wire.decode(operation, response(payload))
    return caught.value


def refusal(payload: Any, status: int, operation: Operation[Any] = GET) -> ApiError:
    with pytest.raises(ApiError) as caught:
        wire.decode(operation, response(payload, status))
    return caught.value


# Python to JSON


def model_values(model: type[Any]) -> st.SearchStrategy[Any]:
    """Instances of a request model, from the types of its fields."""
    fields = attrs.fields(attrs.resolve_types(model))
    required = {f.name: values(f) for f in fields if f.default is attrs.NOTHING}
    optional = {f.name: values(f) for f in fields if f.default is not attrs.NOTHING}

    def build(arguments: dict[str, Any]) -> Any:
        try:
            return model(**arguments)
        except RequestError as error:
            # Which of its optional fields go together is a rule of the model as a whole.
            assert "is needed" in str(error)
            return None

    arguments = st.fixed_dictionaries(required, optional=optional)
    return arguments.map(build).filter(lambda instance: instance is not None)


def values(argument: attrs.Attribute[Any]) -> st.SearchStrategy[Any]:
    if argument.name == "builder_code":
        return st.none() | st.from_regex(r"[A-Za-z0-9]{3,16}", fullmatch=True)
    return values_of(argument.type)


def values_of(type_: Any) -> st.SearchStrategy[Any]:
    if get_origin(type_) is Sequence:
        return st.lists(values_of(get_args(type_)[0]), max_size=3)
    if arguments := get_args(type_):
        return st.one_of([values_of(argument) for argument in arguments])
    if attrs.has(type_):
        return model_values(type_)
    if issubclass(type_, Enum):
        return st.sampled_from(type_)
    plain: dict[Any, st.SearchStrategy[Any]] = {
        str: st.text(min_size=1, max_size=5),
        int: st.integers(min_value=1, max_value=4000),
        bool: st.booleans(),
        type(None): st.none(),
        UUID: st.uuids(),
        Decimal: st.decimals(allow_nan=False, allow_infinity=False, places=9),
    }
    return plain[type_]


REQUESTS: list[Operation[Any] | Action] = [*API.operations.values(), *API.actions.values()]
MODELS = {each.params.__name__: each.params for each in REQUESTS if each.params is not None}


def leaves(value: Any) -> list[Any]:
    if isinstance(value, (list, dict)):
        items = value.values() if isinstance(value, dict) else value
        return [leaf for item in items for leaf in leaves(item)]
    return [value]


@pytest.mark.parametrize("name", MODELS)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_every_request_model_is_sent_as_plain_json_and_comes_back(
    name: str, data: st.DataObject
) -> None:
    model = data.draw(model_values(MODELS[name]))

    sent = wire.unstructure(model)

    assert [key for key, value in sent.items() if value is None] in ([], ["disabled"])
    assert {type(leaf) for leaf in leaves(sent)} <= {str, int, bool, type(None)}
    assert wire.structure(json.loads(json.dumps(sent)), type(model)) == model


@settings(deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_a_decimal_is_written_plainly_and_exactly(value: Decimal) -> None:
    assume(abs(value.adjusted()) < 200)
    text = wire.plain(value)
    assert "E" not in text.upper()
    assert Decimal(text) == value


def test_what_was_not_given_is_not_sent() -> None:
    sent = wire.unstructure(Thing(name="a", count=1, ready=True, colour=Colour.RED))
    assert sent == {"name": "a", "count": 1, "ready": True, "colour": "red", "legs": []}


def test_what_is_sent_is_written_by_what_it_is_also_of_classes_that_were_never_sent_before() -> (
    None
):
    class Mark(OpenEnum):
        NEW = "new"

    class Size(Decimal):
        pass

    class Name(UUID):
        pass

    @frozen
    class Inner:
        size: Decimal

    @frozen
    class Outer:
        mark: Mark
        size: Decimal
        name: UUID
        inner: Inner
        texts: tuple[str, ...]
        many: tuple[Inner, ...]
        count: int

    sent = wire.unstructure(
        Outer(
            Mark.NEW,
            Size("1E+2"),
            Name(int=0),
            Inner(Decimal("1.50")),
            ("a", "b"),
            (Inner(Decimal(2)),),
            3,
        )
    )
    assert sent == {
        "mark": "new",
        "size": "100",
        "name": "00000000-0000-0000-0000-000000000000",
        "inner": {"size": "1.50"},
        "texts": ["a", "b"],
        "many": [{"size": "2"}],
        "count": 3,
    }
    assert [type(value) for value in sent.values()] == [str, str, str, dict, list, list, int]


@pytest.mark.parametrize("flag", [True, False, None])
def test_null_is_sent_where_it_has_a_meaning(flag: bool | None) -> None:
    sent = wire.unstructure(Thing(name="a", count=1, ready=True, colour="new", flag=flag))
    assert sent["flag"] is flag
    assert sent["colour"] == "new"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, ""),
        ({"a": 1}, "?a=1"),
        ({"a": True, "b": False}, "?a=true&b=false"),
        ({"at": "x/?&=#% +", "b": "../"}, "?at=x%2F%3F%26%3D%23%25+%2B&b=..%2F"),
        ({"a": "\r\n\0"}, "?a=%0D%0A%00"),
        ({"a": "é"}, "?a=%C3%A9"),
    ],
)
def test_a_query_is_encoded(fields: dict[str, Any], text: str) -> None:
    assert wire.query(fields) == text


def test_a_query_that_is_no_text_is_refused() -> None:
    with pytest.raises(RequestError, match=r"^an argument holds half a surrogate pair"):
        wire.query({"a": "\ud800"})


# JSON to Python


def test_an_answer_becomes_a_typed_result() -> None:
    found = thing(mood="blue", id=ID, legs=[{"size": "1.50"}], flag=None, new={"x": 1})
    assert found == Thing(
        name="a",
        count=1,
        ready=True,
        colour=Colour.RED,
        mood=Colour.BLUE,
        id=UUID(ID),
        legs=(Leg(size=Decimal("1.50"), made=None),),
        flag=None,
    )
    assert type(found.colour) is type(found.mood) is Colour
    assert thing().flag is UNSET


def test_an_unknown_enum_value_survives_as_itself() -> None:
    found = thing(colour="violet", mood="")
    assert (found.colour, found.mood) == ("violet", "")
    assert type(found.colour) is str


def test_what_the_sender_did_not_mint_is_not_minted_by_the_reader() -> None:
    assert Leg(size=Decimal(1)).made == UUID(int=1)
    assert wire.structure({"size": "1"}, Leg).made is None
    assert wire.structure({"size": "1", "made": ID}, Leg).made == UUID(ID)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.50", "1.50"),
        ("-0", "-0"),
        ("+1", "1"),
        ("1e-7", "1E-7"),
        ("007", "7"),
        ("9" * 5000, None),
    ],
)
def test_a_decimal_keeps_every_digit(text: str, value: str | None) -> None:
    assert str(wire.structure(text, Decimal)) == (value or text)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"count": "1"}, "expected an integer, not a string @ $.count"),
        ({"count": 1.0}, "expected an integer, not a fraction @ $.count"),
        ({"count": True}, "expected an integer, not a boolean @ $.count"),
        ({"count": None}, "expected an integer, not null @ $.count"),
        ({"name": 1}, "expected a string, not an integer @ $.name"),
        ({"name": ["a"]}, "expected a string, not a list @ $.name"),
        ({"ready": "true"}, "expected a boolean, not a string @ $.ready"),
        ({"ready": 1}, "expected a boolean, not an integer @ $.ready"),
        ({"colour": None}, "expected a string, not null @ $.colour"),
        ({"colour": 1}, "expected a string, not an integer @ $.colour"),
        ({"mood": {}}, "expected a string, not an object @ $.mood"),
        ({"flag": "x"}, "expected a boolean, not a string @ $.flag"),
        ({"id": 1}, "expected a string, not an integer @ $.id"),
        ({"id": "x"}, "badly formed hexadecimal UUID string @ $.id"),
        ({"legs": {}}, "expected a list, not an object @ $.legs"),
        ({"legs": ""}, "expected a list, not a string @ $.legs"),
        ({"legs": None}, "expected a list, not null @ $.legs"),
        ({"legs": [[]]}, "expected an object, not a list @ $.legs[0]"),
        ({"legs": [{"size": "1"}, {}]}, "required field missing @ $.legs[1].size"),
        ({"legs": [{"size": 1}]}, "expected a string, not an integer @ $.legs[0].size"),
        *(
            ({"legs": [{"size": text}]}, f"{text!r} is not a decimal @ $.legs[0].size")
            for text in ("", "NaN", "Infinity", " 1", "1_0", "1e9999", "0x1", "\u0661", "1\n")
        ),
    ],
)
def test_a_field_of_the_wrong_shape_is_named(fields: dict[str, Any], reason: str) -> None:
    assert unusable(GET, {**THING, **fields}).reason == reason


def test_up_to_three_faults_are_listed_each_with_its_place() -> None:
    names = ["name", "count", "ready", "colour"]
    faults = [f"required field missing @ $.{name}" for name in names]
    assert unusable(GET, {"colour": "red"}).reason == "; ".join(faults[:3])
    assert unusable(GET, {}).reason == "; ".join(faults[:3]) + "; and 1 more"


def test_of_a_list_only_the_first_faults_are_looked_for() -> None:
    three = "; ".join(f"required field missing @ $.legs[{index}].size" for index in range(3))
    for count in (3, 4, 9):
        assert unusable(GET, {**THING, "legs": [{}] * count}).reason == three
    everything = unusable(KEYED, {"things": [{}] * 4000})
    assert len(str(everything)) < 300


DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "Expecting value"),
        (b"<html>oops</html>", "Expecting value"),
        (b'{"count":1', "Expecting"),
        (b'{"count":1} x', "Extra data"),
        (b"\xff\xfe", "can't decode byte 0xff"),
        (b'\xef\xbb\xbf{"count":1}', "BOM"),
        (DEEP, "nested too deep"),
        (b'{"new":' + DEEP + b"}", "nested too deep"),
        (b'{"new":NaN}', "NaN is not a JSON number"),
        (b'{"new":[-Infinity]}', "-Infinity is not a JSON number"),
        (b'{"new":1e400}', "1e400 is out of range"),
        (b'{"new":-1' + b"0" * 9999 + b".0}", "000 is out of range"),
        (b'{"count":' + b"9" * 5000 + b"}", "limit"),
        (b"null", "expected an object, not null"),
        (b"[]", "expected an object, not a list"),
        (b'"text"', "expected an object, not a string"),
    ],
    ids=range(16),
)
@pytest.mark.parametrize("operation", [GET, KEYED, LIST])
def test_a_body_that_cannot_be_used_is_kept_whole(
    operation: Operation[Any], body: bytes, reason: str
) -> None:
    with pytest.raises(DecodeError) as caught:
        if isinstance(operation, ListOperation):
            wire.decode_page(operation, response(body))
        else:
            wire.decode(operation, response(body))
    error = caught.value
    assert error.body == body
    assert error.operation == operation.name
    assert reason in error.reason
    assert len(str(error)) < 400
    assert error.__cause__ is None and error.__suppress_context__


@settings(deadline=None)
@given(st.binary(max_size=40) | st.text(alphabet='{}[]":,0123456789.eE-ntfurlas ').map(str.encode))
def test_no_body_escapes_the_error_tree(body: bytes) -> None:
    for status in (200, 400, 503):
        try:
            wire.decode(ANY, response(body, status))
        except (ApiError, DecodeError) as error:
            assert error.body == body


def test_of_duplicate_keys_the_last_one_wins() -> None:
    assert strict_json.parse(b'{"a":1,"a":2}') == {"a": 2}


# Envelopes


@pytest.mark.parametrize(
    "payload",
    [
        THING,
        {"data": THING},
        {"success": True, "data": THING},
        {"success": True, "data": THING, "error": None, "code": None},
        {"success": True, "data": THING, "error": None, "code": None, "trace": "new"},
        {"success": True, "data": THING, "count": 1},
        {**THING, "data": {"unknown": 1}},
    ],
)
def test_an_envelope_is_taken_off_wherever_one_appears(payload: Any) -> None:
    assert wire.decode(GET, response(payload)) == thing()


@pytest.mark.parametrize(
    "payload", [{"things": [THING]}, {"success": True, "data": {"things": [THING]}}]
)
def test_a_result_under_a_key_is_found_with_and_without_an_envelope(payload: Any) -> None:
    things: Sequence[Thing] = wire.decode(KEYED, response(payload))
    assert things == (thing(),)


@pytest.mark.parametrize("payload", [{}, {"data": None}, {"data": {}}, {"data": {"things": {}}}])
def test_a_result_that_is_not_under_its_key_cannot_be_used(payload: Any) -> None:
    assert "expected" in unusable(KEYED, payload).reason


def test_an_answer_without_a_described_shape_is_handed_over_as_it_is() -> None:
    assert wire.decode(ANY, response({"data": [1, 2.5, {"x": None}]})) == [1, 2.5, {"x": None}]
    assert wire.decode(ANY, response({"keys": []})) == {"keys": []}


@pytest.mark.parametrize(
    "payload",
    [
        {"success": True},
        {"success": True, "data": None, "error": None, "code": None},
        {"success": True, "data": {"success": True, "error": None}},
    ],
)
def test_success_without_a_result_is_none(payload: Any) -> None:
    assert wire.decode(DONE, response(payload)) is None


UNTOLD: list[Any] = [{}, [], False, "failed", {"status": "x"}]


@pytest.mark.parametrize(
    "payload",
    [
        *({}, [], None, {"success": 1}, {"success": "true"}, {"ok": True}),
        *({"success": True, "data": data} for data in UNTOLD),
    ],
)
def test_an_answer_that_does_not_say_success_is_none(payload: Any) -> None:
    assert unusable(DONE, payload).reason in (
        "expected an object with success: true",
        "success is neither true nor false",
    )


@pytest.mark.parametrize("operation", [DONE, GET])
@pytest.mark.parametrize(
    "payload",
    [
        {"success": True, "data": {"error": "insufficient"}, "error": None, "code": None},
        {"success": True, "data": {"success": None, "error": "boom"}},
        {"success": True, "data": {"id": 5}, "error": "Insufficient", "code": 5},
        {"success": None, "data": {"id": 5}, "error": "boom", "code": 400},
        {"success": True, "error": "boom", "code": 5},
        {"id": 5, "error": "boom"},
    ],
)
def test_an_answer_that_contradicts_itself_is_neither_a_success_nor_a_refusal(
    operation: Operation[Any], payload: Any
) -> None:
    assert unusable(operation, payload).reason in (
        "there is an error beside a success",
        "success is neither true nor false",
    )


@pytest.mark.parametrize("said", [1, 0, "true", "false", None, {}])
def test_a_result_beside_a_success_that_is_no_boolean_cannot_be_used(said: Any) -> None:
    for payload in (
        {**THING, "success": said},
        {"success": said, "data": THING},
        {"success": True, "data": {**THING, "success": said}},
    ):
        assert unusable(GET, payload).reason == "success is neither true nor false"


# Pages and batches


@pytest.mark.parametrize("end", [{"more": False}, {"more": False, "then": None}])
def test_a_page_is_read_by_the_names_of_its_operation(end: dict[str, Any]) -> None:
    page = wire.decode_page(LIST, response({"success": True, "rows": [THING, THING], **end}))
    assert list(page) == [thing(), thing()]
    assert (page.next_cursor, page.has_more) == (None, False)


def test_a_page_hands_over_its_cursor_unchanged() -> None:
    page = wire.decode_page(LIST, response({"rows": [], "more": True, "then": " a/+=\n"}))
    assert (list(page), page.next_cursor, page.has_more) == ([], " a/+=\n", True)


@pytest.mark.parametrize("said", [{}, {"success": True}])
def test_a_page_under_the_name_of_an_envelope_needs_no_word_of_success(said: Any) -> None:
    listing = attrs.evolve(LIST, pagination=attrs.evolve(LIST.pagination, items="data"))
    page = wire.decode_page(listing, response({**said, "data": [THING], "more": False}))
    assert list(page) == [thing()]


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ({"more": False}, "expected a list, not null @ $.rows"),
        ({"rows": {}, "more": False}, "expected a list, not an object @ $.rows"),
        ({"rows": "", "more": False}, "expected a list, not a string @ $.rows"),
        (
            {"rows": [{**THING, "count": ""}], "more": False},
            "expected an integer, not a string @ $.rows[0].count",
        ),
        ({"rows": []}, "expected a boolean, not null @ $.more"),
        ({"rows": [], "more": 1}, "expected a boolean, not an integer @ $.more"),
        ({"rows": [], "more": True, "then": 7}, "expected a string, not an integer @ $.then"),
    ],
)
def test_a_page_of_the_wrong_shape_cannot_be_used(payload: Any, reason: str) -> None:
    with pytest.raises(DecodeError) as caught:
        wire.decode_page(LIST, response(payload))
    assert caught.value.reason == reason


def test_a_refused_page_is_an_error_even_if_it_looks_like_one() -> None:
    payload = {"success": False, "rows": [], "more": False, "error": "no"}
    with pytest.raises(ApiError, match=r"things\.list: 200: no"):
        wire.decode_page(LIST, response(payload))


@pytest.mark.parametrize("wrapped", [True, False])
def test_the_results_of_a_batch_come_in_their_order(wrapped: bool) -> None:
    results = {"results": [{"size": "2"}, {"size": "1"}]}
    payload = {"success": True, "data": results} if wrapped else results
    found = wire.decode_batch(BATCH, response(payload))
    assert [leg.size for leg in found] == [2, 1]


@pytest.mark.parametrize("payload", [{}, {"data": {"results": {}}}, {"results": [None]}])
def test_the_results_of_a_batch_must_be_a_list_of_results(payload: Any) -> None:
    with pytest.raises(DecodeError):
        wire.decode_batch(BATCH, response(payload))


def test_what_a_batch_carried_out_is_told_even_if_the_whole_is_called_a_failure() -> None:
    payload = {"success": False, "data": {"results": [{"size": "2"}]}, "error": "1 of 2 failed"}
    assert [leg.size for leg in wire.decode_batch(BATCH, response(payload))] == [2]


@pytest.mark.parametrize("data", [None, {}, {"results": []}, {"results": None}])
def test_a_batch_without_results_that_is_called_a_failure_was_refused(data: Any) -> None:
    with pytest.raises(ApiError, match=r"things\.batch: 200: no"):
        wire.decode_batch(BATCH, response({"success": False, "data": data, "error": "no"}))


# Refusals


@pytest.mark.parametrize(
    ("payload", "error", "code"),
    [
        ({"error": "no", "code": 400}, "no", 400),
        ({"success": False, "error": "no", "code": 5}, "no", 5),
        ({"success": False, "data": None, "error": "no", "code": None}, "no", None),
        ({"success": False, "data": {"error": "no", "code": 7}}, "no", 7),
        ({"error": "outer", "data": {"error": "inner"}, "code": True}, "outer", None),
        ({"error": {"x": 1}}, '{"error": {"x": 1}}', None),
        ({"error": "no", "code": "E7"}, "no", None),
        ([1], "[1]", None),
        (None, "null", None),
        (b"<html>bad\xff", "<html>bad\ufffd", None),
        (b"", "", None),
        (DEEP, DEEP.decode(), None),
    ],
    ids=range(12),
)
def test_a_refusal_carries_the_words_of_the_service(
    payload: Any, error: str, code: int | None
) -> None:
    found = refusal(payload, 400)
    assert isinstance(found, BadRequestError)
    assert (found.error, found.code, found.status, found.operation) == (error, code, 400, GET.name)
    assert found.body == response(payload).body


@pytest.mark.parametrize("status", [100, 199, 300, 302, 404, 418, 500, 599])
@pytest.mark.parametrize("operation", [GET, KEYED])
def test_no_status_but_2xx_is_a_success(operation: Operation[Any], status: int) -> None:
    assert refusal({**THING, "success": True}, status, operation).status == status


PLACE: Operation[Thing] = Operation(name="things.place", method="POST", path="/p", result=Thing)


@pytest.mark.parametrize(
    ("operation", "status", "payload"),
    [
        (DONE, 404, {"success": True}),
        (DONE, 404, {"success": True, "data": None}),
        (DONE, 300, {"success": True, "data": None}),
        (DONE, 200, {"success": False, "data": {"success": True}}),
        (PLACE, 400, {"success": True, "data": THING}),
        (PLACE, 409, THING),
        (PLACE, 409, {"data": THING}),
        (PLACE, 200, {"success": False, "data": {**THING, "success": True}}),
        (PLACE, 200, {"success": True, "data": {**THING, "success": False}}),
        (PLACE, 200, {"success": False, "data": THING}),
        (BATCH, 422, {"success": False, "data": {"results": [{"size": "1"}]}}),
    ],
)
def test_a_post_that_is_refused_and_done_at_once_is_neither(
    operation: Operation[Any], status: int, payload: Any
) -> None:
    decode: Any = wire.decode_batch if operation is BATCH else wire.decode
    with pytest.raises(DecodeError) as caught:
        decode(operation, response(payload, status))
    assert caught.value.reason == "it is called a failure and yet says success, or holds a result"
    assert (caught.value.status, caught.value.body) == (status, response(payload).body)


@pytest.mark.parametrize("operation", [DONE, PLACE, BATCH])
@pytest.mark.parametrize("payload", [{"error": "no", "code": 5}, [], None, {"success": False}])
def test_a_post_that_is_only_refused_is_refused(operation: Operation[Any], payload: Any) -> None:
    assert refusal(payload, 400, operation).status == 400


@pytest.mark.parametrize("status", [200, 201, 299])
@pytest.mark.parametrize(
    "payload",
    [
        {**THING, "success": False, "error": "no"},
        {"success": False, "data": THING, "error": "no"},
        {"success": True, "data": {**THING, "success": False, "error": "no"}},
    ],
)
def test_success_false_is_a_refusal_under_any_2xx(payload: Any, status: int) -> None:
    found = refusal(payload, status)
    assert (type(found), found.status, found.error) == (ApiError, status, "no")


@pytest.mark.parametrize("status", [200, 201, 299])
@pytest.mark.parametrize("operation", [DONE, PLACE])
def test_an_envelope_of_success_around_a_refusal_is_a_refusal(
    operation: Operation[Any], status: int
) -> None:
    payload = {"success": True, "data": {"success": False, "error": "no", "code": 5}}
    found = refusal(payload, status, operation)
    assert (type(found), found.status, found.error, found.code) == (ApiError, status, "no", 5)


def test_types_written_as_unions_are_read_alike() -> None:
    either: Any = Union[Colour, str]  # noqa: UP007
    assert wire.structure("red", either) is Colour.RED
