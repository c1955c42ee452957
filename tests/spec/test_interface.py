"""The spec says what the interface document says, no more and no less.

Both are turned into facts, one short text per place, and the two sets of facts are compared.
"""

from __future__ import annotations

import copy
import operator
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.spec import interface
from tests.spec.interface import Field, Fields, Limit, Route

Tree = dict[str, Any]
Facts = dict[str, str]
SPEC: Tree = yaml.safe_load((Path(__file__).parents[2] / "spec" / "openapi.yaml").read_bytes())
JSON, NULL = "application/json", {"type": "null"}
# A field with any other word is reported together with its type.
UNDERSTOOD = re.compile(
    r"x-.*|type|format|enum|const|default|description|required|properties|items|\$ref"
    r"|minimum|maximum|minLength|maxLength|minItems|maxItems|pattern|externalDocs"
)


class Operation(NamedTuple):
    """What either side says about one operation or batch action."""

    route: Route
    body: str
    request: Fields
    query: Fields
    responses: Mapping[str, Fields | None]
    pagination: Facts
    exactly_one_at_least_one: tuple[tuple[str, ...], tuple[str, ...]]
    has_prose: bool = True


# Formats that say how to hold a value, not what it may be; the document has no word for either.
NO_MORE_SAID = {("integer", "int64"), ("string", "password")}


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


def operation_facts(operation: Operation) -> Facts:
    route = operation.route
    name = f"action {route.path}" if route.verb == "action" else route.method
    facts = {
        f"{route.verb} {route.path}": f"{route.method} {route.signing_type} ({route.source})",
        f"{name} body": operation.body,
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


def documented_operation(route: Route) -> Operation:
    method, is_action = route.method, route.verb == "action"
    signed = interface.SIGNED if route.signing_type else ()
    shown = {**interface.ERRORS, f"{method} 200": interface.RESULTS.get(method)}
    statuses = () if is_action else interface.STATUSES[method]
    return Operation(
        route if is_action else route._replace(path=interface.PREFIX + route.path),
        JSON if route.verb == "POST" else "",
        (*signed, *interface.REQUESTS.get(method, ())),
        interface.QUERIES.get(method, ()),
        {status: shown.get(f"{method} {status}") for status in statuses},
        interface.PAGINATION if method in interface.PAGINATED else {},
        (interface.EXACTLY_ONE.get(method, ()), interface.AT_LEAST_ONE.get(method, ())),
    )


def facts_of(operations: Iterable[Operation], enums: Mapping[str, Any], keys: str) -> Facts:
    facts = {f"enum {name}": " ".join(sorted(values)) for name, values in enums.items()}
    for operation in operations:
        facts |= operation_facts(operation)
    return facts | {"API key": keys}


def target(spec: Tree, node: Tree) -> Tree:
    if "$ref" not in node:
        return node
    return target(spec, reduce(operator.getitem, node["$ref"].split("/")[1:], spec))


def fold(first: Tree, second: Tree) -> Tree:
    """Join two schemas that both have to hold."""
    whole = {**first, **second}
    old, new = first.get("properties", {}), second.get("properties", {})
    both = {name: {"allOf": [old[name], new[name]]} for name in old.keys() & new.keys()}
    whole["properties"] = {**old, **new, **both}
    for word in ("required", "oneOf", "anyOf"):
        whole[word] = [*first.get(word, ()), *second.get(word, ())]
    return whole


def merged(spec: Tree, schema: Tree) -> Tree:
    """Follow `$ref`, fold `allOf` and take `null` out of the types and choices.

    `x-null` says that null was there; `x-home` is the source that a named schema gives its rows.
    """
    own = {word: value for word, value in schema.items() if word not in ("allOf", "$ref")}
    parts = list(schema.get("allOf", ()))
    for word, null in (("type", "null"), ("oneOf", NULL), ("anyOf", NULL)):
        if isinstance(own.get(word), list) and null in own[word]:
            left = [choice for choice in own.pop(word) if choice != null]
            parts += [{"type": choice} for choice in left] if word == "type" else left
            own["x-null"] = True
    whole: Tree = {}
    for part in parts:
        whole = fold(whole, merged(spec, part))
    if "$ref" in schema:
        named = merged(spec, target(spec, schema))
        # Beside x-batch-action, x-source speaks of the signing type and not of the fields.
        home = None if "x-batch-action" in named else named.get("x-source")
        whole = fold(whole, {**named, "x-home": home, "$ref": schema["$ref"]})
    return fold(whole, own)


def kind(spec: Tree, whole: Tree) -> str:
    name = str(whole.get("type", "any"))
    if "enum" in whole and name == "string":
        name = whole.get("$ref", str(whole["enum"])).rpartition("/")[2]
    elif "const" in whole and name == "boolean":
        name = str(whole["const"]).lower()
    elif name == "array":
        items = merged(spec, whole.get("items", {}))
        inner = "object" if items["oneOf"] else kind(spec, items)
        name = name if inner == "object" else f"{inner}[]"
    elif "format" in whole and (name, whole["format"]) not in NO_MORE_SAID:
        name = whole["format"] if name == "string" else f"{name} {whole['format']}"
    strange = sorted(word for word in whole if whole[word] and not UNDERSTOOD.fullmatch(word))
    return f"{name} with {strange}" if strange else name


def limit_of(whole: Tree) -> Limit | None:
    """Read the bounds; a text or list that is not empty, a number from 0 or 1 on is no limit."""
    least = whole.get("minimum", whole.get("minLength", whole.get("minItems", 0)))
    most, alphabet = whole.get("maximum", whole.get("maxLength", whole.get("maxItems"))), "any"
    if pattern := whole.get("pattern"):
        found = re.fullmatch(r"\^\[A-Za-z0-9\]\{(\d+),(\d+)\}\$", pattern)
        alphabet = "alphanumeric" if found else pattern
        least, most = map(int, found.groups()) if found else (least, most)
    limit = Limit(least if least not in (0, 1) else None, most, alphabet)
    return None if limit == Limit() else limit


def field_of(spec: Tree, name: str, schema: Tree, required: bool, source: str) -> Field:
    whole = merged(spec, schema)
    rows = fields_of(spec, merged(spec, whole["items"]) if "items" in whole else whole)
    default, unit = str(whole.get("default", "")), whole.get("x-unit", "")
    type_, source = kind(spec, whole), whole.get("x-source") or source
    null, limit = "x-null" in whole, limit_of(whole)
    return Field(name, type_, required, null, default, limit, unit, source, rows)


def fields_of(spec: Tree, whole: Tree, source: str | None = None) -> Fields:
    home: str = source or whole.get("x-home") or "documented"
    return tuple(
        field_of(spec, name, schema, name in whole["required"], home)
        for name, schema in whole["properties"].items()
        if whole.get("type", "object") == "object"
    )


def shown(spec: Tree, node: Tree, method: str) -> Iterator[tuple[str, Fields | None]]:
    beside = (*interface.OBSERVED_STATUSES, *interface.ASSUMED_STATUSES.get(method, ()))
    for status, response in node.get("responses", {}).items():
        response = target(spec, response)
        source, content = response.get("x-source"), response.get("content")
        if source in (None, "documented") or status not in beside:
            body = merged(spec, content[JSON]["schema"]) if content else None
            yield status, None if body is None else fields_of(spec, body, source)


def parameters(spec: Tree, node: Tree) -> Fields:
    given = [target(spec, parameter) for parameter in node.get("parameters", ())]
    named = [(p["name"] if p["in"] == "query" else f"{p['in']} {p['name']}", p) for p in given]
    rows = {name: p["schema"] | {"x-source": p.get("x-source")} for name, p in named}
    needed = [name for name, p in named if p.get("required")]
    return fields_of(spec, merged(spec, {"properties": rows, "required": needed}))


def names(choices: list[Tree]) -> tuple[str, ...]:
    return tuple("+".join(choice.get("required", [str(choice)])) for choice in choices)


def operation_of(spec: Tree, path: str, verb: str, node: Tree, schema: Tree) -> Operation:
    """Read an operation, or the data of a batch action; `schema` is what is sent."""
    method, whole = f"{node.get('x-group')}.{node.get('x-method')}", merged(spec, schema)
    words = " ".join(f"{node.get('summary')} {node.get('description')}".split())
    return Operation(
        Route(method, verb, path, node.get("x-signing-type"), node.get("x-source", "documented")),
        " ".join(node.get("requestBody", {}).get("content", ())),
        fields_of(spec, whole),
        parameters(spec, node),
        dict(shown(spec, node, method)),
        node.get("x-pagination", {}),
        (names(whole["oneOf"]), names(whole["anyOf"])),
        re.search(interface.PROSE.get(method, ""), words) is not None or verb == "action",
    )


def operations_of(spec: Tree) -> Iterator[Operation]:
    methods: dict[str, Tree] = {}
    for path, item in spec["paths"].items():
        for verb, node in item.items():
            body = node.get("requestBody", {})
            schema = body["content"][JSON]["schema"] if body.get("required") else {}
            methods[str(schema)] = {word: node.get(word) for word in ("x-group", "x-method")}
            yield operation_of(spec, path, verb.upper(), node, schema)
    actions = spec["components"]["schemas"]["BatchRequest"]["properties"]["actions"]
    for wrapper in actions["items"]["oneOf"]:
        shape = merged(spec, wrapper)
        type_, schema = shape["properties"]["type"]["const"], shape["properties"]["data"]
        data = merged(spec, schema)
        action = data["x-batch-action"]
        plain = action["type"] == type_ and sorted(shape["required"]) == ["data", "type"]
        node = data | methods.get(str(schema), {}) | {"x-signing-type": action["signing-type"]}
        yield operation_of(spec, type_ if plain else str(shape), "action", node, schema)


def spec_facts(spec: Tree) -> Facts:
    schemas = spec["components"]["schemas"]
    enums = {name: schema["enum"] for name, schema in schemas.items() if "enum" in schema}
    keys = [f"{k['in']} {k['name']}" for k in spec["components"]["securitySchemes"].values()]
    used = re.findall(r"'#/components/schemas/(\w+)'", str(spec))
    facts = facts_of(operations_of(spec), enums, ", ".join(keys))
    return facts | {f"schema {name}": "used nowhere" for name in schemas.keys() - set(used)}


def differences(spec: Tree) -> Iterator[str]:
    routes = map(documented_operation, (*interface.ROUTES, *interface.ACTIONS))
    left = facts_of(routes, interface.ENUMS, f"header {interface.API_KEY_HEADER}")
    right = spec_facts(spec)
    for place in sorted(left.keys() | right.keys()):
        ours, theirs = left.get(place, "nothing"), right.get(place, "nothing")
        # The spec may name the unit of an amount where the document names none.
        more = place.endswith(" unit") and ours == "nothing" and theirs != "ms"
        if ours != theirs and not more:
            yield f"{place}: the document says {ours!r}, the spec {theirs!r}"


def test_the_spec_says_what_the_document_says() -> None:
    assert "\n".join(differences(SPEC)) == ""


S = "components schemas"
CHANGES: list[tuple[str, Any, str]] = [
    ("paths /api/v1/orders/edit", "/api/v1/orders/change", "POST /api/v1/orders/change"),
    ("paths /api/v1/orders/edit", None, "POST /api/v1/orders/edit"),
    ("paths /api/v1/orders/all", {"get": {}}, "GET /api/v1/orders/all"),
    ("paths /api/v1/orders/history get responses 404", {}, "orders.history 404"),
    ("paths /api/v1/orders/edit post x-signing-type", "edit", "POST /api/v1/orders/edit"),
    ("components parameters Limit schema default", 50, "trades.history query.limit"),
    ("components parameters Cursor in", "header", "funding.history query.header cursor"),
    ("components securitySchemes apiConfigKey name", "KEY", "API key"),
    (f"{S} Order properties symbol", None, "orders.history 200.data.symbol"),
    (f"{S} Order properties tax", {}, "orders.history 200.data.tax"),
    (f"{S} Order properties price x-unit", "ms", "orders.history 200.data.price unit"),
    (f"{S} Side enum", ["bid", "ask", "both"], "enum Side"),
    (f"{S} CreateOrder required", ["symbol"], "orders.create request.price"),
    (f"{S} CreateOrder properties builder_code pattern", "x", "orders.create request.builder_code"),
    (f"{S} BatchRequest properties actions maxItems", 11, "orders.batch request.actions"),
    (f"{S} CancelOrder oneOf", None, "action Cancel rules"),
    (f"{S} TpslConfig anyOf", [{}], "orders.create request.take_profit"),
    (f"{S} EditAction properties type const", "edit", "action Edit"),
    (f"{S} OrderError properties code type", "string", "orders.create 400.code"),
    (f"{S} Spare", {"type": "object"}, "schema Spare"),
]


@pytest.mark.parametrize(("pointer", "value", "place"), CHANGES)
def test_a_changed_spec_is_told_apart(pointer: str, value: Any, place: str) -> None:
    spec = copy.deepcopy(SPEC)
    *way, last = pointer.split()
    parent = reduce(operator.getitem, way, spec)
    old = parent.pop(last, None)
    if value is not None:
        parent |= {value: old} if str(value).startswith("/") else {last: value}
    found = set(differences(spec)) - set(differences(SPEC))
    assert any(line.startswith(f"{place}:") for line in found)
