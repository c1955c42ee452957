"""The fields of models, with their types, converters and validators."""

from __future__ import annotations

from attrs import frozen

from codegen import ir
from codegen.python import syntax
from codegen.python.converters import of_field


@frozen(kw_only=True)
class Attribute:
    """A field of a model as Python text."""

    name: str
    annotation: str

    default: str
    """What follows the annotation."""

    warns_as: str = ""
    """The name of the property that warns whoever reads it, and then reads this attribute."""


def attribute(field: ir.Field, role: ir.Role) -> Attribute:
    """A field of an attrs class. What is deprecated and received is read through a property."""
    type_ = syntax.annotation(field.type, role)
    is_empty_list = role == "response" and field.type.kind == "list"
    if field.cursor:
        type_ += " | Unset"
    elif role == "request" and _is_settable(field):
        type_ += " | Unset | None"
    elif field.nullable or not (field.required or is_empty_list):
        type_ += " | None"
    name = syntax.name_of(field)
    warns_as = name if field.deprecated and role == "response" else ""
    return Attribute(
        name=f"_{name}" if warns_as else name,
        annotation=type_,
        default=_checked(field) if role == "request" else _received(field),
        warns_as=warns_as,
    )


def _is_settable(field: ir.Field) -> bool:
    """Whether null means something else than leaving the field out."""
    return field.nullable and not field.required and field.auto is None


def _received(field: ir.Field) -> str:
    default = "None" if field.nullable or not field.required else ""
    if field.type.kind == "list" and not field.required:
        default = "()"
    alias = [f"alias={syntax.name_of(field)!r}"] if field.deprecated else []
    if special := [*alias, *_special(field, is_renamed=field.deprecated)]:
        parts = [f"default={default}"] if default else []
        return f" = field({', '.join([*parts, *special])})"
    return f" = {default}" if default else ""


def _special(field: ir.Field, *, is_renamed: bool = False) -> list[str]:
    """What the runtime must know of a field beside its type and its limits."""
    secret = ["repr=False"] if field.secret else []
    is_renamed = is_renamed or syntax.name_of(field) != field.name
    return [*secret, f"metadata={{'json': {field.name!r}}}"] if is_renamed else secret


def _checked(field: ir.Field) -> str:
    convert = of_field(field).name
    parts = []
    if field.auto == "uuid":
        # The converter mints the id, whether it is left out here or passed on as UNSET.
        parts.append(f"factory={convert}")
    elif field.cursor or _is_settable(field):
        parts.append("default=UNSET")
    elif not field.required:
        parts.append("default=None")
    parts.append(f"converter={convert}")
    if rule := _rule(field):
        parts.append(f"validator={f'[warn_if_given, {rule}]' if field.deprecated else rule}")
    elif field.deprecated:
        parts.append("validator=warn_if_given")
    return f" = field({', '.join([*parts, *_special(field)])})"


def _rule(field: ir.Field) -> str:
    """The validator of a field's limits. Empty if it has none."""
    validators = _validators(field)
    rules = ", ".join(validators)
    rule = rules if len(validators) < 2 else f"[{rules}]"
    if rules and (field.cursor or _is_settable(field)):
        return f"if_given({rules})"
    if rules and (field.nullable or not field.required):
        return f"optional({rule})"
    return rule


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
        ("max_len", field.max_items if field.type.kind == "list" else field.max_length),
    )
    checks = [f"{name}({value!r})" for name, value in limits if value is not None]
    is_percent = field.unit == syntax.PERCENT and field.type.kind == "decimal"
    return [*checks, "warn_of_fraction"] if is_percent else checks
