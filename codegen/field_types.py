"""The type of a field, read from its JSON schema."""

from __future__ import annotations

from codegen.ir import Scalar, Type
from codegen.load import Node

SCALARS: dict[tuple[str, str | None], Scalar] = {
    ("string", "decimal"): "decimal",
    ("string", "uuid"): "uuid",
    ("string", "password"): "string",
    ("string", None): "string",
    ("integer", "int64"): "integer",
    ("integer", None): "integer",
    ("boolean", None): "boolean",
}
"""Each scalar, by its JSON type and format."""


def field_type(schema: Node) -> Type:
    """The type of a field.

    Raises:
        ValueError: The generator does not support the type.
    """
    schema, _ = without_null(schema)
    if not isinstance(schema.value, dict):
        raise ValueError("a schema must be a mapping")
    kind = schema.get("type")
    if kind == "array":
        items = _item_type(schema)
        return Type(kind=items.kind, name=items.name, many=True)
    if "enum" in schema or "properties" in schema:
        if schema.schema_name is None:
            raise ValueError("enums and objects must be component schemas")
        return Type(kind="enum" if "enum" in schema else "model", name=schema.schema_name)
    return _scalar(schema, kind)


def _item_type(schema: Node) -> Type:
    """The type of the items of a list."""
    if "items" not in schema:
        return Type(kind="json")
    if without_null(schema["items"])[1]:
        instead = "leave out the items, so that they are returned as parsed JSON"
        raise ValueError(f"a list with null among its items is not supported; {instead}")
    items = field_type(schema["items"])
    if items.many:
        raise ValueError("lists of lists are not supported")
    return items


def _scalar(schema: Node, kind: object) -> Type:
    format_ = schema.get("format")
    for known, name in SCALARS.items():
        if known == (kind, format_):
            return Type(kind=name)
    if kind == "number":
        raise ValueError("a number is not exact; use a string with format decimal")
    if kind == "null":
        return Type(kind="json")
    if kind == "object":
        instead = "leave out the type, so that it is returned as parsed JSON"
        raise ValueError(f"an object without properties is not supported; {instead}")
    if kind is None and not {"oneOf", "anyOf", "allOf"} & schema.value.keys():
        return Type(kind="json")
    with_format = f" and format {format_!r}" if format_ else ""
    raise ValueError(f"a field of type {kind!r}{with_format} is not supported")


def known_type(schema: Node) -> Type | None:
    """The type of a field, or None if the generator does not support it.

    For callers that need not report the type, because another rule does.
    """
    try:
        return field_type(schema)
    except ValueError:
        return None


def without_null(schema: Node) -> tuple[Node, bool]:
    """A schema without its null, and whether it had one: in a type list, or as one of two choices."""
    kinds = schema.get("type")
    if isinstance(kinds, list) and "null" in kinds:
        rest = [kind for kind in kinds if kind != "null"]
        value = {**schema.value, "type": rest[0] if len(rest) == 1 else rest}
        return Node(value, schema.pointer, schema.root), True
    for word in ("oneOf", "anyOf"):
        choices = list(schema[word].elements()) if word in schema else []
        rest = [choice for choice in choices if choice.get("type") != "null"]
        if len(choices) == 2 and len(rest) == 1:
            return rest[0], True
    return schema, False
