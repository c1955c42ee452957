"""Python: the fields of models, with their types, converters and validators."""

from __future__ import annotations

from attrs import frozen

from codegen import ir
from codegen.languages import python
from codegen.languages.python_converters import of_field


@frozen(kw_only=True)
class Attribute:
    """A field of a model as Python text."""

    name: str
    annotation: str

    default: str
    """What follows the annotation."""


def attribute(field: ir.Field, role: ir.Role) -> Attribute:
    """A field of an attrs class."""
    type_ = python.annotation(field.type, role)
    is_empty_list = role == "response" and field.type.kind == "list"
    if role == "request" and _is_settable(field):
        type_ += " | Unset | None"
    elif field.nullable or not (field.required or is_empty_list):
        type_ += " | None"
    return Attribute(
        name=python.name_of(field),
        annotation=type_,
        default=_checked(field) if role == "request" else _received(field),
    )


def _is_settable(field: ir.Field) -> bool:
    """Whether null means something else than leaving the field out."""
    return field.nullable and not field.required and field.auto is None


def _received(field: ir.Field) -> str:
    default = "None" if field.nullable or not field.required else ""
    if field.type.kind == "list" and not field.required:
        default = "()"
    if special := _special(field):
        parts = [f"default={default}"] if default else []
        return f" = field({', '.join([*parts, *special])})"
    return f" = {default}" if default else ""


def _special(field: ir.Field) -> list[str]:
    """What the runtime must know of a field beside its type and its limits."""
    secret = ["repr=False"] if field.secret else []
    renamed = (
        [f"metadata={{'json': {field.name!r}}}"] if python.name_of(field) != field.name else []
    )
    return secret + renamed


def _checked(field: ir.Field) -> str:
    convert = of_field(field).name
    parts = []
    if field.auto == "uuid":
        # The converter mints the id, whether it is left out here or passed on as UNSET.
        parts.append(f"factory={convert}")
    elif _is_settable(field):
        parts.append("default=UNSET")
    elif not field.required:
        parts.append("default=None")
    parts.append(f"converter={convert}")
    if validators := _validators(field):
        rules = ", ".join(validators)
        rule = validators[0] if len(validators) == 1 else f"[{rules}]"
        if _is_settable(field):
            rule = f"if_given({rules})"
        elif field.nullable or not field.required:
            rule = f"optional({rule})"
        parts.append(f"validator={rule}")
    return f" = field({', '.join([*parts, *_special(field)])})"


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
    return [f"{name}({value!r})" for name, value in limits if value is not None]
