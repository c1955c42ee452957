"""Python: the names, types and texts that names and types of the IR become."""

from __future__ import annotations

import keyword
import re
from typing import TypeAlias

import attrs
from attrs import frozen

from codegen import ir
from codegen.languages.python_imports import CONVERTERS

# -- names ------------------------------------------------------------------------------------


def snake(name: str) -> str:
    """`TimeInForce` -> `time_in_force`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def attribute_name(name: str) -> str:
    """`from` -> `from_`, `24h-volume` -> `field_24h_volume`. An identifier stays as it is."""
    plain = re.sub("[^A-Za-z0-9_]", "_", name)
    if not plain[:1].isalpha():
        plain = f"field_{plain.lstrip('_')}"
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def name_of(field: ir.Field) -> str:
    """The name of a field: of an attribute, and of an argument."""
    return field.x_name or attribute_name(field.name)


def member_name(value: str) -> str:
    """`lastTrade` -> `LAST_TRADE`, `post-only` -> `POST_ONLY`, `1m` -> `VALUE_1M`."""
    plain = re.sub("[^A-Za-z0-9_]", "_", snake(value)).upper()
    return plain if plain[:1].isalpha() else f"VALUE_{plain.lstrip('_')}"


def pascal(name: str) -> str:
    """`api_keys` -> `ApiKeys`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def constant(group: str, method: str) -> str:
    """`orders`, `create` -> `ORDERS_CREATE`."""
    return f"{group}_{method}".upper()


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
    "json": "Any",
}
ARGUMENTS = {**SCALARS, "decimal": "DecimalLike", "uuid": "UUIDLike"}
Value: TypeAlias = ir.Pagination | ir.Trace | ir.Target | ir.Countersigned | ir.Countersigner


def result_type(type_: ir.Type) -> str:
    """The type of what a call returns."""
    one = type_.name or SCALARS[type_.kind]
    return f"Sequence[{one}]" if type_.many else one


def call_of(operation: ir.Operation) -> dict[str, str]:
    """The class of an operation, its item, the caller's method for it, and what that returns."""
    item = result_type(operation.result.type) if operation.result else "None"
    if operation.result and operation.result.nullable:
        item = f"{item} | None"
    if operation.pagination:
        kind, call, returns = "ListOperation", "paginate", f"Paginator[{item}]"
    elif operation.batch and operation.result and operation.result.type.name:
        item = operation.result.type.name
        kind, call, returns = "BatchOperation", "batch", f"BatchResult[{item}]"
    elif operation.countersigned:
        kind, call, returns = "CountersignedOperation", "countersigned", item
    else:
        kind, call, returns = "Operation", "call", item
    return {"kind": kind, "item": item, "call": call, "returns": returns}


def instance(value: Value) -> str:
    """A value of the IR as a call of the runtime's class of that name. Defaults are left out."""
    given = {
        each.name: getattr(value, each.name)
        for each in attrs.fields(type(value))
        if getattr(value, each.name) not in (None, {}, ())
    }
    texts = [
        f"{name}={instance(part) if attrs.has(type(part)) else repr(part)}"
        for name, part in given.items()
    ]
    return f"{type(value).__name__}({', '.join(texts)})"


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


def argument_type(field: ir.Field) -> str:
    """The type of what a caller may pass for a field."""
    kind, name = field.type.kind, field.type.name
    if kind == "enum":
        one = f"{name}Like"
    elif kind == "model":
        one = f"{name} | Mapping[str, Any]"
    else:
        one = ARGUMENTS[kind]
    return f"Sequence[{one}]" if field.type.many else one


def parameter(field: ir.Field) -> str:
    """A field as a parameter of a method, with its default."""
    type_ = argument_type(field)
    name = name_of(field)
    if field.auto == "account":
        return f"{name}: {type_} | None = None"
    if field.auto == "uuid" or (field.nullable and not field.required):
        return f"{name}: {type_} | Unset | None = UNSET"
    if field.required:
        return f"{name}: {type_}" + (" | None" if field.nullable else "")
    return f"{name}: {type_} | None = None"


def argument(field: ir.Field) -> str:
    """A parameter as the method passes it on to the model."""
    name = name_of(field)
    if field.auto == "account":
        return f"{name}=self._caller.own_account({name})"
    return f"{name}={name}"


def by_need(fields: tuple[ir.Field, ...]) -> list[ir.Field]:
    """Fields in the order of a signature: those that must be given come first."""
    return sorted(fields, key=lambda field: not field.required or field.auto is not None)


# -- fields of models -------------------------------------------------------------------------


@frozen(kw_only=True)
class Attribute:
    """A field of a model as Python text."""

    name: str
    annotation: str | None
    """Replaces the type that datamodel-code-generator found. None if that one is right."""

    default: str
    """What follows the annotation."""


def attribute(field: ir.Field, role: ir.Role) -> Attribute:
    """A field of an attrs class."""
    unset = role == "request" and _is_settable(field)
    base = field.type.name or SCALARS[field.type.kind]
    return Attribute(
        name=name_of(field),
        annotation=f"{base} | Unset | None" if unset else None,
        default=_checked(field) if role == "request" else _received(field),
    )


def _is_settable(field: ir.Field) -> bool:
    """Whether null means something else than leaving the field out."""
    return field.nullable and not field.required and field.auto is None


def _received(field: ir.Field) -> str:
    default = "None" if field.nullable or not field.required else ""
    if field.type.many and not field.required:
        default = "()"
    if special := _special(field):
        parts = [f"default={default}"] if default else []
        return f" = field({', '.join([*parts, *special])})"
    return f" = {default}" if default else ""


def _special(field: ir.Field) -> list[str]:
    """What the runtime must know of a field beside its type and its limits."""
    secret = ["repr=False"] if field.secret else []
    renamed = [f"metadata={{'json': {field.name!r}}}"] if name_of(field) != field.name else []
    return secret + renamed


def _checked(field: ir.Field) -> str:
    optional = not field.required or field.nullable
    parts = []
    if field.auto == "uuid":
        # The converter mints the id, whether it is left out here or passed on as UNSET.
        parts.append(f"factory={converter(field)}")
    elif _is_settable(field):
        parts.append("default=UNSET")
    elif optional:
        parts.append("default=None")
    parts.append(f"converter={converter(field)}")
    if validators := _validators(field):
        rules = ", ".join(validators)
        rule = validators[0] if len(validators) == 1 else f"[{rules}]"
        parts.append(f"validator=optional({rule})" if optional else f"validator={rule}")
    return f" = field({', '.join([*parts, *_special(field)])})"


def converter(field: ir.Field) -> str:
    """The name of the function that converts a field of a request."""
    variant, name = variant_of(field), field.type.name
    return f"_to_{variant}{snake(name)}" if name else f"to_{variant}{_kind(field)}"


def variant_of(field: ir.Field) -> str:
    """What the converter does beside converting: passes null or None on, or mints an id."""
    if field.auto == "uuid":
        return "minted_"
    return "nullable_" if _is_settable(field) else "" if field.required else "optional_"


def _kind(field: ir.Field) -> str:
    kind = "text" if field.type.kind == "string" else field.type.kind
    return f"{kind}s" if field.type.many else kind


def can_be_sent(field: ir.Field) -> bool:
    """Whether there is a converter for a field of a request."""
    if field.required and field.nullable:
        return False
    if field.auto == "account":
        return field.type == ir.Type(kind="string")
    if field.type.name:
        return not (field.type.many or field.auto or _is_settable(field))
    return variant_of(field) in CONVERTERS.get(_kind(field), ())


def _validators(field: ir.Field) -> list[str]:
    """The limits of a field, as calls of attrs' validators."""
    limits = (
        ("matches_re", field.pattern),
        ("ge", field.minimum),
        ("le", field.maximum),
        ("gt", field.exclusive_minimum),
        ("lt", field.exclusive_maximum),
        ("multiple_of", field.multiple_of),
        ("min_len", field.min_length or field.min_items),
        ("max_len", field.max_items if field.type.many else field.max_length),
    )
    return [f"{name}({value!r})" for name, value in limits if value is not None]
