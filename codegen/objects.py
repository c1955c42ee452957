"""Object schemas: their properties, and which of them are required, those of their `allOf` included."""

from __future__ import annotations

from collections.abc import Iterator

from codegen.load import Node


def properties(schema: Node) -> dict[str, Node]:
    """The properties of an object schema, including those of its allOf."""
    return {name: field for part in parts(schema) for name, field in own_properties(part).items()}


def own_properties(schema: Node) -> dict[str, Node]:
    """The properties of an object schema without those of its allOf."""
    return (
        dict(schema["properties"].items())
        if isinstance(schema.quiet.get("properties"), dict)
        else {}
    )


def required(schema: Node) -> set[str]:
    """The properties that an object always has."""
    return {str(name) for part in parts(schema) for name in part.get("required") or ()}


def parts(schema: Node) -> Iterator[Node]:
    """The schemas that an object consists of: those of its allOf, then itself."""
    if "allOf" in schema:
        for part in schema["allOf"].elements():
            yield from parts(part)
    yield schema
