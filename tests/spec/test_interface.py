"""The spec says what the interface document says, no more and no less.

Both are turned into facts, one short text per place, and the two sets of facts are compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pytest

from tests import interface
from tests.codegen.specs import DELETED, REAL, Tree, changed, root, tree
from tests.interface import METHODS, Fields
from tests.spec.description import FOREIGN, Described, operations_of

Facts = dict[str, str]
SPEC = tree(REAL)


def field_facts(where: str, fields: Fields) -> Facts:
    facts: Facts = {}
    for field in fields:
        at = f"{where}.{field.name}"
        need = "required" if field.required else "optional"
        null, limit = "or null" if field.nullable else "", str(field.limit or "")
        words = (field.type, null, need, field.default, limit, field.source)
        facts |= {at: " ".join(filter(None, words))} | field_facts(at, field.fields)
        facts |= {f"{at} unit": field.unit} if field.unit else {}
    return facts


def operation_facts(operation: Described) -> Facts:
    name = operation.name
    facts = {
        operation.place: operation.signed,
        f"{name} pagination": str(sorted(operation.pagination.items())),
        f"{name} rules": str([sorted(rule) for rule in operation.exactly_one_at_least_one]),
        f"{name} prose": str(operation.has_prose),
    }
    facts |= field_facts(f"{name} request", operation.request)
    facts |= field_facts(f"{name} query", operation.query)
    for status, body in operation.responses.items():
        facts[f"{name} {status}"] = "not shown" if body is None else "shown"
        facts |= field_facts(f"{name} {status}", body or ())
    return facts


def documented(operation: interface.Operation) -> Iterator[Described]:
    """What the table says of an operation, and of the action of a batch that it is."""
    name, signed = operation.name, f"{operation.name} {operation.signing_type}"
    request, rules = request_of(operation), (operation.exactly_one, operation.at_least_one)
    if operation.endpoint:
        shown = {**operation.errors, "200": operation.result}
        yield Described(
            f"{operation.verb} {operation.path}",
            name,
            f"{signed} ({operation.source})",
            request,
            operation.query,
            {status: shown.get(status) for status in operation.statuses},
            interface.PAGINATION if operation.is_paginated else {},
            rules,
        )
    if operation.action:
        # That it is signed as its endpoint is was observed (note 7).
        place = f"action {operation.action}"
        yield Described(place, place, f"{signed} (observed)", request, (), {}, {}, rules)


def request_of(operation: interface.Operation) -> Fields:
    signed = interface.SIGNED_FIELDS if operation.signing_type else ()
    return (*signed, *operation.request)


def facts_of(operations: Iterable[Described], enums: Mapping[str, Any], keys: str) -> Facts:
    facts = {f"enum {name}": " ".join(sorted(values)) for name, values in enums.items()}
    for operation in operations:
        facts |= operation_facts(operation)
    return facts | {"API key": keys}


def spec_facts(spec: Tree) -> Facts:
    schemas = spec["components"]["schemas"]
    # The document has no table of reasons: the texts are what was seen, and what the sandbox says.
    schemas = {name: schema for name, schema in schemas.items() if "x-reasons" not in schema}
    enums = {name: schema["enum"] for name, schema in schemas.items() if "enum" in schema}
    keys = [f"{k['in']} {k['name']}" for k in spec["components"]["securitySchemes"].values()]
    used = re.findall(r"'#/components/schemas/(\w+)'", str(spec))
    facts = facts_of(operations_of(root(spec)), enums, ", ".join(keys))
    return facts | {f"schema {name}": "used nowhere" for name in schemas.keys() - set(used)}


def differences(spec: Tree) -> Iterator[str]:
    operations = (each for operation in METHODS.values() for each in documented(operation))
    left = facts_of(operations, interface.ENUMS, f"header {interface.API_KEY_HEADER}")
    right = spec_facts(spec)
    for place in sorted(left.keys() | right.keys()):
        ours, theirs = left.get(place, "nothing"), right.get(place, "nothing")
        # Of what only others show, the spec may name a unit as well.
        row = right.get(place.removesuffix(" unit"), "")
        more = place.endswith(" unit") and ours == "nothing" and row.endswith(FOREIGN)
        if ours != theirs and not more:
            yield f"{place}: the document says {ours!r}, the spec {theirs!r}"


def test_the_spec_says_what_the_document_says() -> None:
    assert "\n".join(differences(SPEC)) == ""


EDIT = "/paths/~1api~1v1~1orders~1edit"
S = "/components/schemas"
SENT = f"{S}/TransferFunds/properties/amount"
CREATE = f"{S}/CreateOrder/properties"


@pytest.mark.parametrize(
    ("pointer", "value", "place"),
    [
        (EDIT, DELETED, "POST /api/v1/orders/edit"),
        ("/paths/~1api~1v1~1orders~1all", {"get": {"responses": {}}}, "GET /api/v1/orders/all"),
        (f"{EDIT}/post/responses/404", {}, "orders.edit 404"),
        (f"{EDIT}/post/x-signing-type", "edit", "POST /api/v1/orders/edit"),
        ("/components/parameters/Limit/schema/default", 50, "trades.history query.limit"),
        ("/components/parameters/Cursor/in", "header", "funding.history query.header cursor"),
        ("/components/securitySchemes/apiConfigKey/name", "KEY", "API key"),
        (f"{S}/Order/properties/symbol", DELETED, "orders.history 200.data.symbol"),
        (f"{S}/Order/properties/tax", {}, "orders.history 200.data.tax"),
        (f"{S}/Order/required", [], "orders.history 200.data.symbol"),
        (f"{S}/Trade/properties/fee/x-source", DELETED, "200.data.fee unit"),
        (f"{SENT}/x-source", {"x-unit": "assumed"}, "transfer request.amount unit"),
        (f"{SENT}/x-unit", "EUR", "subaccounts.transfer request.amount unit"),
        (f"{S}/Side/enum", ["bid", "ask", "both"], "enum Side"),
        (f"{S}/CreateOrder/required", ["symbol"], "orders.create request.price"),
        (f"{CREATE}/symbol/maxLength", 9, "orders.create request.symbol"),
        (f"{CREATE}/builder_code/pattern", "x", "orders.create request.builder_code"),
        (f"{S}/CreateMarketOrder/properties/side/x-source", DELETED, "CreateMarket request.side"),
        (f"{S}/BatchRequest/properties/actions/x-source", DELETED, "orders.batch request.actions"),
        (f"{S}/CancelOrder/oneOf", DELETED, "action Cancel rules"),
        (f"{S}/TpslConfig/anyOf", [{"required": ["limit_price"]}], "create request.take_profit"),
        (f"{S}/EditAction/properties/type/const", "edit", "action Edit"),
        (f"{S}/OrderError/properties/code/type", "string", "orders.create 400.code"),
        (f"{S}/Spare", {"type": "object"}, "schema Spare"),
    ],
)
def test_a_changed_spec_is_told_apart(pointer: str, value: Any, place: str) -> None:
    assert any(f"{place}: " in line for line in differences(changed({pointer: value}, SPEC)))
