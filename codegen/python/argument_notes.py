"""What the docs of an argument say of the values that it takes, where its type in `help()` does not show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from codegen import ir
from codegen.python import syntax

Notes: TypeAlias = Mapping[str, str]
"""What fields take, by their names in JSON."""


def notes(api: ir.Api, model: str | None) -> Notes:
    """What each field of a model of a request takes. Nothing is said of what is received."""
    found = [each for each in api.models if each.name == model and each.role == "request"]
    return {field.name: _note(api, field) for each in found for field in each.fields}


def _note(api: ir.Api, field: ir.Field) -> str:
    """What a field takes. Empty if its type and its description say so."""
    if field.cursor:
        return "None, the `next_cursor` of a last page, is refused: leave it out to start at the beginning."
    type_ = syntax.taken_type(field)
    of_each = type_.items if type_.kind in ("list", "map") else None
    told = _values(api, of_each or type_, field.description)
    return (
        f"Each is {told}." if told and of_each else f"{told[:1].upper()}{told[1:]}." if told else ""
    )


def _values(api: ir.Api, type_: ir.Type, description: str) -> str:
    """The values of an enum, the keys of a mapping, or the other form of a time."""
    if syntax.is_time(type_):
        return "an integer, or an aware datetime"
    if type_.kind in syntax.ENUMS:
        (enum,) = (each for each in api.enums if each.name == type_.name)
        values = [f"`{value}`" for value in enum.values]
        return (
            "" if all(value in description for value in values) else f"one of {', '.join(values)}"
        )
    if type_.kind == "model":
        (model,) = (each for each in api.models if each.name == type_.name)
        return f"a {model.name}, or a mapping with {_keys(model)}"
    if type_.kind == "union":
        (union,) = (each for each in api.unions if each.name == type_.name)
        models = " or ".join(dict.fromkeys(each.model for each in union.variants))
        return f"a {models}, or a mapping with the keys of one"
    return ""


def _keys(model: ir.Model) -> str:
    """The keys of a mapping: those that it needs, then those that it may have."""
    by_need = syntax.by_need(model.fields)
    needed = [f"`{field.name}`" for field in by_need if not syntax.taken(field)[1]]
    others = [f"`{field.name}`" for field in by_need if syntax.taken(field)[1]]
    perhaps = f"perhaps {', '.join(others)}" if others else ""
    return ", ".join(filter(None, [", ".join(needed), perhaps])) or "no keys"
