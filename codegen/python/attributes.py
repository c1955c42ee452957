"""What the attributes of models are assigned: their defaults, converters and validators, as texts."""

from __future__ import annotations

from collections.abc import Iterator

from codegen import ir
from codegen.python import syntax
from codegen.python.converters import of_field

LIMITS = {
    "pattern": "matches_re",
    "minimum": "ge",
    "maximum": "le",
    "min_length": "min_len",
    "min_items": "min_len",
    "max_length": "max_len",
    "max_items": "max_len",
}
"""The validator of each limit of a field."""


def assigned(field: ir.Field, role: ir.Role) -> str:
    """What follows the type of an attribute: a default, a call of attrs' `field`, or nothing."""
    given = _sent(field) if role == "request" else _received(field)
    if field.secret:
        given["repr"] = "False"
    if syntax.name_of(field) != field.name or "alias" in given:
        given["metadata"] = repr({"json": field.name})
    if given.keys() <= {"default"}:
        return "".join(f" = {default}" for default in given.values())
    return f" = field({', '.join(f'{name}={text}' for name, text in given.items())})"


def is_settable(field: ir.Field) -> bool:
    """Whether null means something else than leaving the field out."""
    return field.nullable and not field.required and field.auto is None


def _received(field: ir.Field) -> dict[str, str]:
    given = {}
    if field.type.kind == "list" and not field.required:
        given["default"] = "()"
    elif field.nullable or not field.required:
        given["default"] = "None"
    if field.deprecated:
        # The name is that of a property, which warns.
        given["alias"] = repr(syntax.name_of(field))
    return given


def _sent(field: ir.Field) -> dict[str, str]:
    converter = of_field(field).name
    given = {}
    if field.auto == "uuid":
        # The converter mints the id, whether it is left out here or passed on as UNSET.
        given["factory"] = converter
    elif field.cursor or is_settable(field):
        given["default"] = "UNSET"
    elif not field.required:
        given["default"] = "None"
    given["converter"] = converter
    if validator := _validator(field):
        given["validator"] = validator
    return given


def _validator(field: ir.Field) -> str:
    """What checks the value, and warns of a deprecated field. Empty if nothing does."""
    checks = list(_limits(field))
    if checks and (field.cursor or is_settable(field)):
        checks = [f"if_given({', '.join(checks)})"]
    elif checks and (field.nullable or not field.required):
        checks = [f"optional({_all(checks)})"]
    if field.deprecated:
        checks = ["warn_if_given", _all(checks)] if checks else ["warn_if_given"]
    return _all(checks)


def _limits(field: ir.Field) -> Iterator[str]:
    """The validators of the limits, as calls."""
    for limit, validator in LIMITS.items():
        if (value := getattr(field, limit)) is not None:
            yield f"{validator}({value!r})"
    if field.unit == syntax.PERCENT and field.type.kind == "decimal":
        yield "warn_of_fraction"


def _all(validators: list[str]) -> str:
    """Several validators as one. Empty without any."""
    return (
        validators[0]
        if len(validators) == 1
        else f"[{', '.join(validators)}]"
        if validators
        else ""
    )
