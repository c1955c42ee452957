"""The names, types and texts that names and types of the IR become."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs

from codegen import ir
from codegen.ir.names import attribute_name, constant, member_name

# -- names ------------------------------------------------------------------------------------


def name_of(field: ir.Field) -> str:
    """The name of a field: of an attribute, and of an argument."""
    return field.x_name or attribute_name(field.name)


def trace_constant(method: ir.Method) -> str:
    """The name of a method's trace. No operation has it, for no group begins with an underscore."""
    return f"_{constant(method.group, method.method)}_TRACE"


# -- types and values -------------------------------------------------------------------------

SCALARS = {
    "string": "str",
    "integer": "int",
    "boolean": "bool",
    "decimal": "Decimal",
    "uuid": "UUID",
    "date_time": "datetime",
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
ENUMS = {"enum": "str", "integer_enum": "int"}
"""What an unknown value of an enum is, by the kind of its type."""
Value: TypeAlias = ir.Pagination | ir.Trace | ir.Target | ir.Countersigned | ir.Countersigner


def annotation(type_: ir.Type, role: ir.Role) -> str:
    """The type of what a model holds, or of what a call returns."""
    if type_.kind in ENUMS and role == "response":
        return f"{type_.name} | {ENUMS[type_.kind]}"
    if type_.as_text:
        return "IntegerText"
    return _holder(type_, lambda part: annotation(part, role)) or type_.name or SCALARS[type_.kind]


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


def _holder(type_: ir.Type, text: Callable[[ir.Type], str]) -> str:
    """A list, a map or a tuple. Empty for another type."""
    held = [type_.items] if type_.items else type_.members
    parts = [f"{text(part)} | None" if part.nullable else text(part) for part in held]
    forms = {"list": "Sequence[{}]", "map": "Mapping[str, {}]", "tuple": "tuple[{}]"}
    return forms[type_.kind].format(", ".join(parts)) if parts else ""


def enum_base(enum: ir.Enum) -> tuple[str, str]:
    """The JSON type of the values of an enum, and the class of the runtime that it extends."""
    if isinstance(enum.values[0], int):
        return "integer", "OpenIntEnum"
    return "string", "OpenEnum"


def call_of(operation: ir.Operation) -> dict[str, str]:
    """The class of an operation, its item, the caller's method for it, and what that returns."""
    result = operation.result.type if operation.result else None
    item = annotation(result, "response") if result else "None"
    if operation.result and (operation.result.nullable or operation.result.type.nullable):
        item = f"{item} | None"
    if operation.pagination:
        kind, call, returns = "ListOperation", "paginate", f"Paginator[{item}]"
    elif operation.batch and result and result.items and result.items.name:
        item = result.items.name
        kind, call, returns = "BatchOperation", "batch", f"BatchResult[{item}]"
    elif operation.countersigned:
        kind, call, returns = "CountersignedOperation", "countersigned", item
    else:
        kind, call, returns = "Operation", "call", operation.outcome or item
    return {"kind": kind, "item": item, "call": call, "returns": returns}


def outside_of_body(operation: ir.Operation) -> list[str]:
    """The arguments of an operation that say which fields of a request stand outside of its body."""
    in_url = tuple(each.field for each in operation.parameters if each.place != "header")
    headers = {each.field: each.name for each in operation.parameters if each.place == "header"}
    has_none = operation.http_method != "GET" and not operation.has_body
    return [
        *(["has_body=False"] if has_none else []),
        *([f"in_url={in_url}"] if in_url and operation.has_body else []),
        *([f"headers={headers}"] if headers else []),
    ]


def instance(value: Value) -> str:
    """A value of the IR as a call of the runtime's class of that name. What is empty is left out."""
    given = {
        each.name: getattr(value, each.name)
        for each in attrs.fields(type(value))
        if getattr(value, each.name) not in (None, False, {}, ())
    }
    texts = [
        f"{name}={instance(part) if attrs.has(type(part)) else repr(part)}"
        for name, part in given.items()
    ]
    return f"{type(value).__name__}({', '.join(texts)})"


def member_of(enum: ir.Enum, value: str | int) -> str:
    """The name of the member of an enum that has this value."""
    return enum.names.get(str(value)) or member_name(value)


def recognition(reason: ir.Reason) -> str:
    """What shows a reason, as a call of the runtime's class. What is empty is left out."""
    names = ("texts", "codes", "statuses", "operations", "as_status")
    given = {name: getattr(reason, name) for name in names if getattr(reason, name)}
    return f"Recognition({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def to_member(enum: ir.Enum) -> str:
    """How the value of an enum that a caller gives is converted."""
    member = f"to_member({enum.name}, value)"
    deprecated = ", ".join(map(repr, enum.deprecated))
    return f"warned({member}, {deprecated})" if deprecated else member


def outcome(method: ir.Method) -> list[str]:
    """The keywords of an operation or action that say what an answer, or none, means. No defaults."""
    given = {
        "retry": repr(method.retry),
        "key": method.key and repr(method.key),
        "trace": method.trace and trace_constant(method),
        "echoes": method.echoes and repr(method.echoes),
        "new_id": method.new_id and repr(method.new_id),
    }
    return [f"{name}={text}" for name, text in given.items() if text]


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


def parameter(field: ir.Field) -> str:
    """A field as a parameter of a method, with its default."""
    type_, default = taken(field)
    return f"{name_of(field)}: {type_}" + (f" = {default}" if default else "")


def argument(field: ir.Field) -> str:
    """A parameter as the method passes it on to the model."""
    name = name_of(field)
    if field.auto == "account":
        return f"{name}=self._caller.own_account({name})"
    return f"{name}={name}"


def overloads(method: ir.Method, fields: list[ir.Field]) -> list[tuple[str, list[ir.Field]]]:
    """The signatures that show a type checker which arguments are deprecated, each with its warning.

    The first one has none of them. A deprecated method has none of its own: it is shown as a whole.
    """
    names = [name_of(field) for field in fields if field.deprecated]
    if method.deprecated or not names:
        return []
    are = "are" if len(names) > 1 else "is"
    warning = f"{' and '.join(names)} of {method.group}.{method.method} {are} deprecated"
    return [("", [field for field in fields if not field.deprecated]), (warning, fields)]


def by_need(fields: tuple[ir.Field, ...]) -> list[ir.Field]:
    """Fields in the order of a signature: those that must be given come first."""
    return sorted(fields, key=lambda field: not field.required or field.auto is not None)
