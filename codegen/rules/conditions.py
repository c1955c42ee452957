"""Rules on conditions: each says that some fields are required where another one is given, or has a value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from codegen.read.classes import models
from codegen.read.field_types import known_type, without_null
from codegen.read.load import Node, Problem
from codegen.read.schemas import properties, required

IF = "must be {required: [FIELD], properties: {FIELD: {const: VALUE}}}"
THEN = "must be {required: [FIELD, ...]}"
KINDS: dict[str, type] = {
    **dict.fromkeys(("string", "enum"), str),
    **dict.fromkeys(("integer", "integer_enum"), int),
    "boolean": bool,
}
"""The types of field that a condition may compare with a value."""


def _conditions(root: Node) -> Iterator[Problem]:
    for model in models(root)[0].values():
        if model.role == "request":
            yield from _dependent(model.node)
            yield from _if(model.node)


def _dependent(schema: Node) -> Iterator[Problem]:
    pointer = f"{schema.pointer}/dependentRequired"
    given = schema.get("dependentRequired", {})
    if not isinstance(given, dict) or (not given and "dependentRequired" in schema):
        yield Problem(pointer, "must name fields, and the fields that each of them needs")
        return
    for name, needed in given.items():
        yield from _needed(schema, f"{pointer}/{name}", needed, {name})
        if name not in properties(schema):
            yield Problem(f"{pointer}/{name}", f"there is no property {name!r}")


def _if(schema: Node) -> Iterator[Problem]:
    if "if" not in schema and "then" not in schema:
        return
    given, then = schema.get("if"), schema.get("then")
    names = list(given.get("properties") or ()) if isinstance(given, dict) else []
    value = given["properties"][names[0]] if len(names) == 1 else None
    is_const = isinstance(value, dict) and value.keys() == {"const"}
    if not is_const or given != {"required": names, "properties": given["properties"]}:
        yield Problem(f"{schema.pointer}/if", IF)
    else:
        assert isinstance(value, dict), "it has a const"
        yield from _constant(schema, names[0], value["const"])
    if not isinstance(then, dict) or then.keys() != {"required"}:
        yield Problem(f"{schema.pointer}/then", THEN)
    else:
        yield from _needed(schema, f"{schema.pointer}/then/required", then["required"], set(names))


def _constant(schema: Node, name: str, value: Any) -> Iterator[Problem]:
    """The value is one that the field may have."""
    pointer = f"{schema.pointer}/if/properties/{name}"
    field = properties(schema).get(name)
    type_ = known_type(field) if field else None
    if field is None:
        yield Problem(pointer, f"there is no property {name!r}")
    elif type_ is None or type_.as_text or type(value) is not KINDS.get(type_.kind):
        yield Problem(pointer, "a condition compares a text, an enum, an integer or a boolean")
    elif value not in field.get("enum", [value]):
        yield Problem(pointer, f"{value!r} is no value of {name!r}")


def _needed(schema: Node, pointer: str, needed: object, given: set[str]) -> Iterator[Problem]:
    """The fields that are needed are optional ones: the others are always there."""
    fields = properties(schema)
    optional = fields.keys() - required(schema) - given
    if not isinstance(needed, list) or not needed or not set(map(str, needed)) <= optional:
        yield Problem(pointer, "must name optional fields of the schema")
    elif any(without_null(fields[name])[1] for name in [*needed, *given] if name in fields):
        yield Problem(pointer, "a field of a condition cannot be null, which would be given or not")


RULES = (_conditions,)
