"""What the spec says about every operation and batch action, in the words of the table.

It is read as the generator reads it. The rules refuse any word that is not read, so no word of the spec is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from codegen import ir
from codegen.read.load import Node
from codegen.read.models import model
from codegen.read.operations import (
    action_of,
    json_schema,
    operations,
    parameter_field,
    parameters,
    source_of,
    standalone_actions,
    wrappers,
)
from codegen.read.schemas import properties, without_null
from tests import interface
from tests.interface import OPERATIONS, Field, Fields, Limit
from tests.trees import at

FOREIGN = ("observed", "assumed")
TOLD = ("required", "null", "type", "enum")
"""Words about a row whose source the table tells."""
LEAST, MOST = ("minimum", "minLength", "minItems"), ("maximum", "maxLength", "maxItems")


class Described(NamedTuple):
    """What either side says about one operation or batch action."""

    place: str
    """Verb and path; of an action, `action` and its `type` on the wire."""
    name: str
    """On the client; of an action, its place."""
    signed: str
    """Its name on the client, the type it is signed as, and the source of that."""
    request: Fields
    query: Fields
    responses: Mapping[str, Fields | None]
    pagination: Mapping[str, str]
    exactly_one_at_least_one: tuple[tuple[str, ...], tuple[str, ...]]
    has_prose: bool = True


def rows_of(schema: Node, home: str = "") -> Fields:
    """The rows of an object, each with those of the objects in it; `home` is the source of what holds it."""
    # What stands beside a reference to it speaks of the field that refers.
    own = Node(at(schema.root, schema.pointer), schema.pointer, schema.root)
    inside = properties(own)
    return tuple(row(each, inside[each.name], home) for each in model("", own, "response").fields)


def row(field: ir.Field, schema: Node, home: str) -> Field:
    plain, _ = without_null(schema)
    if field.source != "documented":
        home = field.source
    return Field(
        field.name,
        kind(field.type, plain),
        field.required,
        field.nullable,
        str(told(field, "default") or ""),
        limit_of(field),
        # The document does not tell a duration from a moment.
        str(told(field, "x-unit") or "").removeprefix("duration in "),
        of_words(field.sources) or home or "documented",
        rows_of(plain.child("items") or plain),
    )


def of_words(sources: Mapping[str, str]) -> str:
    """The sources of those words about a row that the table tells."""
    return " ".join(f"{word}:{sources[word]}" for word in TOLD if word in sources)


def kind(type_: ir.Type, schema: Node) -> str:
    if type_.kind == "list" and type_.items:
        inner = kind(type_.items, schema.child("items") or schema)
        return "array" if inner == "object" else f"{inner}[]"
    if "const" in schema:
        return str(schema.get("const")).lower()
    if type_.kind == "model":
        whole = model("", schema, "response")
        return f"object {whole.exactly_one or ''}{whole.at_least_one or ''}".strip()
    return str(schema.get("type", "any")) if type_.kind == "json" else type_.name or type_.kind


def told(field: ir.Field, word: str) -> Any:
    """What a word says of a field, if the document stands for it; of others there is a source."""
    # That a text or a list is not empty goes without saying in what only others show.
    is_empty = word in LEAST and field.source in FOREIGN and not field.sources
    if is_empty or field.sources.get(word) in FOREIGN:
        return None
    member = re.sub("[A-Z]", lambda it: f"_{it[0].lower()}", word.removeprefix("x-"))
    return getattr(field, member)


def limit_of(field: ir.Field) -> Limit | None:
    pattern = told(field, "pattern") or "any"
    if found := re.fullmatch(r"\^\[A-Za-z0-9\]\{(\d+),(\d+)\}\$", pattern):
        return Limit(int(found[1]), int(found[2]), "alphanumeric")
    least, most = (
        next((it for word in words if (it := told(field, word)) is not None), None)
        for words in (LEAST, MOST)
    )
    limit = Limit(least, most, pattern)
    return None if limit == Limit() else limit


def shown(operation: Node, method: str) -> Iterator[tuple[str, Fields | None]]:
    known = OPERATIONS.get(method)
    beside = (*interface.OBSERVED_STATUSES, *(known.assumed_statuses if known else ()))
    for status, response in operation["responses"].items():
        given, body = response.get("x-source", ""), json_schema(response)
        home = of_words(given) if isinstance(given, dict) else given
        if home not in FOREIGN or status not in beside:
            yield status, None if body is None else rows_of(body, home)


def query_of(operation: Node) -> Fields:
    named = {
        "header " * (each.get("in") == "header") + each.get("name"): each
        for each in parameters(operation)
    }
    schema = {
        "properties": {name: parameter_field(each).value for name, each in named.items()},
        "required": [name for name, each in named.items() if each.get("required")],
    }
    return rows_of(Node(schema, "#/query", {**operation.root, "query": schema}))


def name_of(node: Node) -> str:
    return f"{node.get('x-group')}.{node.get('x-method')}"


def choices(schema: Node) -> tuple[tuple[str, ...], tuple[str, ...]]:
    whole = model("", schema, "request")
    return whole.exactly_one, whole.at_least_one


def operations_of(root: Node) -> Iterator[Described]:
    alone = standalone_actions(root)
    for path, verb, node in operations(root):
        name, body = name_of(node), json_schema(node.child("requestBody")) or Node({}, "#", {})
        words = " ".join(f"{node.get('summary')} {node.get('description')}".split())
        prose = OPERATIONS[name].prose if name in OPERATIONS else ""
        source = source_of(node, "x-signing-type")
        yield Described(
            f"{verb.upper()} {path}",
            name,
            f"{name} {node.get('x-signing-type')} ({source})",
            rows_of(body),
            query_of(node),
            dict(shown(node, name)),
            node.get("x-pagination", {}),
            choices(body),
            re.search(prose, words) is not None,
        )
        for wrapper in wrappers(node):
            members, own = properties(wrapper), action_of(wrapper)
            assert own is not None, "the rules ask for it"
            name, source = name_of(alone.get(own.pointer, own)), source_of(own, "x-batch-action")
            type_, data = f"action {members['type'].get('const')}", members["data"]
            route = f"{name} {own.get('x-batch-action')['signing-type']} ({source})"
            yield Described(type_, type_, route, rows_of(data), (), {}, {}, choices(data))
