"""The names, types and values of Python that those of the IR become, as texts."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from codegen import ir
from codegen.ir import names

_NAMES = json.loads(Path(__file__).with_name("names.json").read_text("utf-8"))

EXPORTED: list[str] = _NAMES["exported"]
"""The names of the runtime that users import from the generated package."""

MODULES: dict[str, list[str]] = _NAMES["imports"] | {
    "trading_runtime": [*_NAMES["imports"]["trading_runtime"], *EXPORTED]
}
"""The names that the generated modules may import, by the module that has them."""

# -- names ------------------------------------------------------------------------------------


def name_of(field: ir.Field) -> str:
    """The name of a field: of an attribute, and of an argument."""
    return field.x_name or names.attribute_name(field.name)


def constant(method: ir.Method) -> str:
    """The name of an operation among the constants of its module."""
    return names.constant(method.group, method.method)


def batch_name(operation: ir.Operation) -> str:
    """The name of the type of all mappings that a batch takes as actions."""
    return names.batch_name(operation.group, operation.method)


# -- types -----------------------------------------------------------------------------------

SCALARS = {
    "string": "str",
    "integer": "int",
    "boolean": "bool",
    "decimal": "Decimal",
    "uuid": "UUID",
    "json": "Any",
}
ARGUMENTS = {
    **SCALARS,
    "decimal": "DecimalLike",
    "integer": "IntegerLike",
    "uuid": "UUIDLike",
}
TIME = "ms"
"""The unit of an integer that is a moment. A duration has another one: `duration in ms`."""
PERCENT = "percent"
"""The unit of a decimal of which the log says that it may have been meant as a fraction."""


def annotation(type_: ir.Type, role: ir.Role) -> str:
    """The type of what a model holds, or of what a call returns."""
    held = _holder(type_, lambda part: annotation(part, role), is_received=role == "response")
    return held or type_.name or SCALARS[type_.kind]


def argument_type(type_: ir.Type) -> str:
    """The type of what a caller may pass."""
    if type_.name:
        return f"{type_.name}Like"
    if is_time(type_):
        return "TimeLike"
    return _holder(type_, argument_type) or ARGUMENTS[type_.kind]


def is_time(type_: ir.Type) -> bool:
    """Whether an integer is a moment, by its unit."""
    return type_.kind == "integer" and type_.unit == TIME


def taken_type(field: ir.Field) -> ir.Type:
    """The type of a field of a request, with the unit that makes it a time. A list says that of its items."""
    if field.unit != TIME:
        return field.type
    if field.type.kind == "list" and field.type.items:
        return attrs.evolve(field.type, items=attrs.evolve(field.type.items, unit=TIME))
    return attrs.evolve(field.type, unit=TIME)


def _holder(type_: ir.Type, text: Callable[[ir.Type], str], *, is_received: bool = False) -> str:
    """A list or a tuple. Empty for another type. Received lists are tuples."""
    parts = [f"{text(part)} | None" if part.nullable else text(part) for part in type_.held]
    forms = {"list": "Sequence[{}]", "tuple": "tuple[{}]"}
    if is_received:
        forms["list"] = "tuple[{}, ...]"
    return forms[type_.kind].format(", ".join(parts)) if parts else ""


def member_of(enum: ir.Enum, value: str) -> str:
    """The name of the member of an enum that has this value."""
    return enum.names.get(value) or names.member_name(value)


# -- values -----------------------------------------------------------------------------------


class Name(str):
    """An expression that stands among values as it is."""


def literal(value: object) -> str:
    """A value as an expression. A class of the IR is a call of the runtime's class of that name."""
    if isinstance(value, Name):
        return value
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(key)}: {literal(each)}' for key, each in value.items())}}}"
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    if attrs.has(kind := type(value)):
        return call(
            kind.__name__, {each.name: getattr(value, each.name) for each in attrs.fields(kind)}
        )
    return repr(value)


def call(name: str, members: Mapping[str, object]) -> Name:
    """A call of a class of the runtime. What is empty is left out."""
    given = {key: each for key, each in members.items() if each not in (None, False, {}, ())}
    return Name(f"{name}({', '.join(f'{key}={literal(each)}' for key, each in given.items())})")


# -- arguments of methods ---------------------------------------------------------------------


def taken(field: ir.Field) -> tuple[str, str]:
    """The type of what a caller may give for a field, and the default; empty if it must be given."""
    type_ = argument_type(taken_type(field))
    if field.auto == "account":
        return f"{type_} | None", "None"
    if field.cursor:
        return f"{type_} | Unset", "UNSET"
    if field.auto == "uuid" or (field.nullable and not field.required):
        return f"{type_} | Unset | None", "UNSET"
    if field.required:
        return type_ + (" | None" if field.nullable else ""), ""
    return f"{type_} | None", "None"


def by_need(fields: tuple[ir.Field, ...]) -> list[ir.Field]:
    """Fields in the order of a signature: those that must be given come first."""
    return sorted(fields, key=lambda field: not field.required or field.auto is not None)
