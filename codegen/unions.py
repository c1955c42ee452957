"""Unions: a `oneOf` of objects that a discriminator tells apart."""

from __future__ import annotations

from codegen.load import Node
from codegen.objects import own_properties

WORD = "discriminator"


def is_union(schema: Node) -> bool:
    """Whether a schema is a union. The choice of actions of a batch, which may have the word, is none."""
    found = choices(schema.quiet) if WORD in schema else []
    return bool(found) and not any("data" in own_properties(each) for each in found)


def choices(schema: Node) -> list[Node]:
    """The schemas of the objects, without null."""
    found = schema["oneOf"].elements() if isinstance(schema.quiet.get("oneOf"), list) else ()
    return [each for each in found if each.get("type") != "null"]


def field_of(schema: Node) -> str | None:
    """The property that tells the objects apart. None if the spec does not say it."""
    given = schema.get(WORD)
    name = given.get("propertyName") if isinstance(given, dict) else None
    return name if isinstance(name, str) else None


def values(schema: Node) -> dict[str, str]:
    """Value of that property -> the name of its schema. OpenAPI takes the names where nothing is mapped."""
    given = schema.get(WORD)
    mapping = given.get("mapping") if isinstance(given, dict) else None
    if isinstance(mapping, dict):
        return {str(value): str(name).rpartition("/")[2] for value, name in mapping.items()}
    return {name: name for each in choices(schema) if (name := each.schema_name)}
