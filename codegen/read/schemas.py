"""Schemas: the properties of objects, the names of their classes, the types of fields."""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from codegen.dialect import LEARN
from codegen.ir import Type
from codegen.read.load import Node

# -- objects ----------------------------------------------------------------------------------


def properties(schema: Node) -> dict[str, Node]:
    """The properties of an object schema, including those of its allOf."""
    return {name: field for part in parts(schema) for name, field in own_properties(part).items()}


def own_properties(schema: Node) -> dict[str, Node]:
    """The properties of an object schema without those of its allOf."""
    return schema.named("properties")


def required(schema: Node) -> set[str]:
    """The properties that an object always has."""
    return {str(name) for part in parts(schema) for name in part.get("required") or ()}


def parts(schema: Node) -> Iterator[Node]:
    """The schemas that an object consists of: those of its allOf, then itself."""
    for part in schema.each("allOf"):
        yield from parts(part)
    yield schema


# -- the types of fields --------------------------------------------------------------------------


SCALARS: dict[tuple[str, str | None], Type] = {
    ("string", None): Type(kind="string"),
    ("string", "decimal"): Type(kind="decimal"),
    ("string", "uuid"): Type(kind="uuid"),
    ("string", "password"): Type(kind="string"),
    ("integer", None): Type(kind="integer"),
    ("integer", "int64"): Type(kind="integer"),
    ("boolean", None): Type(kind="boolean"),
}
"""Each scalar, by its JSON type and format. Another format is read as if it were not there."""

UNSUPPORTED: dict[tuple[str, str], str] = {
    ("string", "int64"): "an integer in a text; leave out the format, and it is a text",
    ("string", "int32"): "an integer in a text; leave out the format, and it is a text",
    ("integer", "int32"): "an integer of 32 bits; leave out the format, and it has 64",
    ("string", "date-time"): (
        "a date-time; leave out the format, and it is a text as it stands, or write the integer in ms that the service"
        " takes, with x-unit: ms"
    ),
}
"""The formats that are no plain text or integer, and what to write instead."""


PARTS = "only objects consist of parts; beside a $ref a description may stand alone"


def unsupported(what: str) -> ValueError:
    """What the generator does not take, and, behind a semicolon, what to write instead."""
    kind, _, instead = what.partition("; ")
    return ValueError(f"{kind} is not supported; {instead}; {LEARN}")


def field_type(schema: Node) -> Type:
    """The type of a field.

    Raises:
        ValueError: The generator does not support such a field. The message says what to do instead.
    """
    if not isinstance(schema.value, dict):
        raise ValueError("a schema must be a mapping; write { type: ... }, or a $ref")
    schema, _ = without_null(schema)
    kind = schema.quiet.get("type")
    if kind != "null":
        kind = schema.get("type")
    if "allOf" in schema and kind not in (None, "object"):
        raise ValueError(PARTS)
    if kind == "array" and "prefixItems" in schema:
        return _tuple(schema)
    if kind == "array":
        return Type(
            kind="list", items=_inside(schema["items"]) if "items" in schema else Type(kind="json")
        )
    if "enum" in schema or "properties" in schema or properties(schema):
        if schema.schema_name is None:
            told = "an enum or object without a name is not supported"
            raise ValueError(f"{told}; write it as a component schema, and a $ref to it here")
        return Type(kind="enum" if "enum" in schema else "model", name=schema.schema_name)
    return _scalar(schema, kind)


def _tuple(schema: Node) -> Type:
    """The type of a list whose members each have a type of their own."""
    given = schema.value["prefixItems"]
    if not isinstance(given, list) or not given:
        raise ValueError("prefixItems must be a list of schemas")
    members = [
        attrs.evolve(_inside(each), description=str(each.get("description") or "").strip())
        for each in schema["prefixItems"].elements()
    ]
    return Type(kind="tuple", members=tuple(members))


def _inside(schema: Node) -> Type:
    """A type that stands in another one."""
    type_ = field_type(schema)
    plain, is_nullable = without_null(schema)
    unit = (schema.get("x-unit") or plain.get("x-unit")) if has_unit(type_) else None
    return attrs.evolve(type_, nullable=is_nullable, unit=unit)


def has_unit(type_: Type) -> bool:
    """Whether a value is a number, or a list of numbers."""
    one = type_.items if type_.kind == "list" and type_.items else type_
    return one.kind in ("integer", "decimal")


def _scalar(schema: Node, kind: object) -> Type:
    choices = [*schema.quiet.each("oneOf"), *schema.quiet.each("anyOf")]
    if choices and all("const" in each for each in choices):
        raise ValueError("a choice of constants is an enum; write enum: [VALUE, ...] instead")
    is_known = any(kind == type_ for type_, _ in SCALARS)
    format_ = schema.get("format") if is_known else schema.value.get("format")
    if (known := SCALARS.get((str(kind), format_))) is not None:
        return known
    if what := UNSUPPORTED.get((str(kind), str(format_))):
        raise unsupported(what)
    if isinstance(format_, str) and is_known:
        return _unformatted(schema, str(kind), format_)
    if kind == "number":
        raise ValueError(
            "a number of JSON is not exact, so the SDK neither reads nor sends one; write type: string, format: decimal"
            " and an x-unit if the service reads and writes it as a text, else type: integer if it is whole; leave the"
            " operation out if it is neither"
        )
    if kind == "object" and "additionalProperties" in schema:
        raise unsupported(
            "a map; leave out the type and additionalProperties, and it is parsed JSON"
        )
    if kind == "object":
        raise unsupported("an object without properties; leave out the type, and it is parsed JSON")
    if choices:
        raise unsupported("a choice of shapes; leave out the choice, and it is parsed JSON")
    if (kind is None and "allOf" not in schema) or kind == "null":
        return Type(kind="json")
    if "allOf" in schema:
        raise ValueError(PARTS)
    with_format = f" and format {format_!r}" if format_ else ""
    told = f"a field of type {kind!r}{with_format} is not supported"
    raise ValueError(f"{told}; write one type, perhaps beside 'null', or none to get parsed JSON")


def _unformatted(schema: Node, kind: str, format_: str) -> Type:
    """A scalar of a format that the generator does not know, which is read as if it had none."""
    if not re.fullmatch("[A-Za-z0-9][A-Za-z0-9._-]*", format_):
        raise ValueError(f"{format_!r} is not the name of a format")
    if kind == "string" and "x-unit" in schema:
        advice = (
            "a text with an x-unit is a decimal: write format: decimal, or leave out the x-unit"
        )
        raise ValueError(f"the format {format_!r} is not known; {advice}")
    return attrs.evolve(SCALARS[kind, None], format=format_)


def is_secret(schema: Node) -> bool:
    """Whether a value is a secret, or holds one in a list or a tuple."""
    plain, _ = without_null(schema)
    is_text = "password" in (schema.quiet.get("format"), plain.quiet.get("format"))
    return is_text or any(map(is_secret, held(plain)))


def classes_in(schema: Node) -> Iterator[Node]:
    """The schemas of the enums and objects that a value is, or holds in a list or a tuple."""
    plain, _ = without_null(schema)
    type_ = known_type(plain)
    if type_ and type_.name:
        yield plain
    for part in held(plain) if type_ else ():
        yield from classes_in(part)


def held(schema: Node) -> list[Node]:
    """The schemas of what a list or a tuple holds."""
    type_ = known_type(schema)
    if type_ and type_.kind == "tuple":
        return list(schema["prefixItems"].elements())
    return [schema["items"]] if type_ and type_.kind == "list" and "items" in schema else []


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
    kinds = schema.quiet.get("type")
    if isinstance(kinds, list) and "null" in kinds:
        rest = [kind for kind in kinds if kind != "null"]
        value = {**schema.value, "type": rest[0] if len(rest) == 1 else rest}
        return attrs.evolve(schema, value=value), True
    for word in ("oneOf", "anyOf"):
        given = list(schema.quiet[word].elements()) if word in schema else []
        rest = [index for index, each in enumerate(given) if each.get("type") != "null"]
        if len(given) == 2 and len(rest) == 1:
            schema[word][1 - rest[0]].get("type")
            return schema[word][rest[0]], True
    return schema, False
