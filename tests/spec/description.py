"""What the spec says about every operation and batch action, read in the words of the table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tests import interface
from tests.interface import OPERATIONS, Field, Fields, Limit
from tests.trees import at

Tree = dict[str, Any]
Facts = dict[str, str]
JSON, NULL = "application/json", {"type": "null"}
# A field with any other word is reported together with its type.
UNDERSTOOD = re.compile(
    r"x-.*|type|format|enum|const|default|description|required|properties|items|\$ref"
    r"|minimum|maximum|minLength|maxLength|minItems|maxItems|pattern|externalDocs"
)


class Route(NamedTuple):
    """Where an operation stands on the client and on the wire, and the type it is signed as.

    Of a batch action, the verb is `action` and the path is its `type` on the wire.
    """

    method: str
    verb: str
    path: str
    signing_type: str | None = None
    source: str = "documented"


class Described(NamedTuple):
    """What either side says about one operation or batch action."""

    route: Route
    body: str
    request: Fields
    query: Fields
    responses: Mapping[str, Fields | None]
    pagination: Facts
    exactly_one_at_least_one: tuple[tuple[str, ...], tuple[str, ...]]
    has_prose: bool = True


FOREIGN = ("observed", "assumed")
TOLD = ("required", "null", "type", "enum")
"""Words about a row whose source the table tells."""

# Formats that say how to hold a value, not what it may be; the document has no word for either.
NO_MORE_SAID = {("integer", "int64"), ("string", "password"), ("any", "password")}


def target(spec: Tree, node: Tree) -> Tree:
    return target(spec, at(spec, node["$ref"])) if "$ref" in node else node


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

    `x-null` says that null was there. `x-home` of a field is the source of the object that it stands in;
    in an `allOf` that is the part with the field, and no other part speaks for it.
    """
    own = {word: value for word, value in schema.items() if word not in ("allOf", "$ref")}
    if "x-batch-action" in own:  # There, it speaks of the signing type and not of the fields.
        own["x-action-source"] = own.pop("x-source", None)
    parts = list(schema.get("allOf", ()))
    for word, null in (("type", "null"), ("oneOf", NULL), ("anyOf", NULL)):
        if isinstance(own.get(word), list) and null in own[word]:
            left = [choice for choice in own.pop(word) if choice != null]
            parts += [{"type": choice} for choice in left] if word == "type" else left
            own["x-null"] = True
    parts = [merged(spec, part) for part in parts]
    if "$ref" in schema:
        parts.append({**merged(spec, target(spec, schema)), "$ref": schema["$ref"]})
    whole: Tree = {}
    for part in parts:
        whole = fold(whole, part)
    for word in ("x-source", "x-home"):
        if any(part.get(word) != whole.get(word) for part in parts):
            del whole[word]
    whole, given = fold(whole, own), own.get("x-source")
    if isinstance(given, str) and "$ref" not in schema:
        for name, inner in whole["properties"].items():
            whole["properties"][name] = {"x-home": given, **inner}
    return whole


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
    """Read the bounds."""
    least = whole.get("minimum", whole.get("minLength", whole.get("minItems")))
    most, alphabet = whole.get("maximum", whole.get("maxLength", whole.get("maxItems"))), "any"
    if pattern := whole.get("pattern"):
        found = re.fullmatch(r"\^\[A-Za-z0-9\]\{(\d+),(\d+)\}\$", pattern)
        alphabet = "alphanumeric" if found else pattern
        least, most = map(int, found.groups()) if found else (least, most)
    limit = Limit(least, most, alphabet)
    return None if limit == Limit() else limit


def documented(whole: Tree) -> Tree:
    """The words of a field for which the document stands; of others there is a source."""
    given = whole.get("x-source") or whole.get("x-home")
    if given in FOREIGN:
        # That a text or a list is not empty goes without saying there.
        return {k: v for k, v in whole.items() if k not in ("minimum", "minLength", "minItems")}
    sources = given if isinstance(given, dict) else {}
    return {word: value for word, value in whole.items() if sources.get(word) not in FOREIGN}


def field_of(spec: Tree, name: str, schema: Tree, required: bool, home: str | None) -> Field:
    whole = merged(spec, schema)
    rows = fields_of(spec, merged(spec, whole["items"]) if "items" in whole else whole)
    source = source_of(whole) or home or whole.get("x-home") or "documented"
    said = documented(whole)
    default, unit = str(said.get("default", "")), document_unit(said.get("x-unit", ""))
    type_, null, limit = kind(spec, whole), "x-null" in whole, limit_of(said)
    return Field(name, type_, required, null, default, limit, unit, source, rows)


def document_unit(unit: str) -> str:
    """A unit as the document writes it: it does not tell a duration from a moment."""
    return unit.removeprefix("duration in ")


def source_of(whole: Tree) -> str:
    """The source of a row, or those of the words about it that the table tells."""
    given = whole.get("x-source") or ""
    if isinstance(given, dict):
        return " ".join(f"{word}:{given[word]}" for word in TOLD if word in given)
    return str(given)


def fields_of(spec: Tree, whole: Tree, source: str | None = None) -> Fields:
    return tuple(
        field_of(spec, name, schema, name in whole["required"], source)
        for name, schema in whole["properties"].items()
        if whole.get("type", "object") == "object"
    )


def shown(spec: Tree, node: Tree, method: str) -> Iterator[tuple[str, Fields | None]]:
    known = OPERATIONS.get(method)
    beside = (*interface.OBSERVED_STATUSES, *(known.assumed_statuses if known else ()))
    for status, response in node.get("responses", {}).items():
        response = target(spec, response)
        source, content = source_of(response) or None, response.get("content")
        if source in (None, "documented") or status not in beside:
            body = merged(spec, content[JSON]["schema"]) if content else None
            yield status, None if body is None else fields_of(spec, body, source)


def parameters(spec: Tree, node: Tree) -> Fields:
    given = [target(spec, parameter) for parameter in node.get("parameters", ())]
    named = [(p["name"] if p["in"] == "query" else f"{p['in']} {p['name']}", p) for p in given]
    rows = {name: parameter_row(p) for name, p in named}
    needed = [name for name, p in named if p.get("required")]
    return fields_of(spec, merged(spec, {"properties": rows, "required": needed}))


def parameter_row(parameter: Tree) -> Tree:
    """The schema of a parameter, with the source that stands beside it."""
    schema, given = parameter["schema"], parameter.get("x-source")
    inner = schema.get("x-source")
    if isinstance(given, dict) and isinstance(inner, dict):
        given = {**inner, **given}
    return {**schema, "x-source": given or inner}


def signing_source(node: Tree) -> str:
    given = node.get("x-action-source") or node.get("x-source", "documented")
    if isinstance(given, dict):
        word = "x-batch-action" if "x-batch-action" in node else "x-signing-type"
        return str(given.get(word, "documented"))  # an operation that is not signed has neither
    return str(given)


def names(choices: list[Tree]) -> tuple[str, ...]:
    return tuple("+".join(choice.get("required", [str(choice)])) for choice in choices)


def operation_of(spec: Tree, path: str, verb: str, node: Tree, schema: Tree) -> Described:
    """Read an operation, or the data of a batch action; `schema` is what is sent."""
    method, whole = f"{node.get('x-group')}.{node.get('x-method')}", merged(spec, schema)
    words = " ".join(f"{node.get('summary')} {node.get('description')}".split())
    prose = OPERATIONS[method].prose if method in OPERATIONS else ""
    return Described(
        Route(method, verb, path, node.get("x-signing-type"), signing_source(node)),
        " ".join(node.get("requestBody", {}).get("content", ())),
        fields_of(spec, whole),
        parameters(spec, node),
        dict(shown(spec, node, method)),
        node.get("x-pagination", {}),
        (names(whole["oneOf"]), names(whole["anyOf"])),
        verb == "action" or re.search(prose, words) is not None,
    )


def operations_of(spec: Tree) -> Iterator[Described]:
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
