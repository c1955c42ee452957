"""Rules on placeholders: what a part of an answer says of its data, which another part replaces."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.load import Node, Problem
from codegen.rules.place import Place, is_map, members, parts, schema_of
from codegen.rules.places import operation_places


def _placeholders(root: Node) -> Iterator[Problem]:
    """A placeholder has the type of what replaces it, or none: otherwise no answer would be right."""
    for operation in operation_places(Place(root, "#")):
        pages = operation.node.get("x-pagination")
        name = str(pages.get("items")) if is_map(pages) else "data"
        for status, response in operation.named("responses").items():
            schema = schema_of(response) if status.startswith("2") else None
            used = members(schema).get(name) if schema else None
            if schema and used and is_map(used.node.value):
                yield from _replaced(schema, name, used)


def _replaced(schema: Place, name: str, used: Place) -> Iterator[Problem]:
    type_ = "object" if "properties" in used.node else used.node.get("type")
    for part in parts(schema):
        found = part.named("properties").get(name)
        if found and found.pointer != used.pointer and is_map(found.node.value):
            given = found.node.get("type", type_)
            if given != type_:
                advice = f"is replaced by what has type {type_!r}; write that, or leave it out"
                yield Problem(found.at("type"), advice)


RULES = (_placeholders,)
