"""The converters of request fields, composed from those of the runtime.

A converter is a type and a variant: what it does beside converting. The runtime has those of the usual
scalars, the class of an enum or a model brings its own, and the others are written here.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from codegen import ir
from codegen.ir.names import snake
from codegen.python import syntax
from codegen.python.imports import MODULES
from codegen.python.unions import mapping

OR_NONE = {"": "", "optional_": " | None", "nullable_": " | Unset | None"}
"""What each variant takes beside its type, and passes on."""


@frozen
class Converter:
    """Converts what a caller passes for a type."""

    variant: str
    type: ir.Type

    @property
    def name(self) -> str:
        """The name of its function."""
        kind = _kind(self.type)
        name = f"to_{self.variant}{kind}"
        is_own = self.type.name or name not in MODULES["trading_runtime"]
        return f"_{name}" if is_own else name

    @property
    def is_composed(self) -> bool:
        """Whether neither the runtime nor a class has it."""
        return self.name.startswith("_") and (self.type.name is None or self.type.kind == "union")

    def parts(self) -> list[Converter]:
        """The converters that it calls."""
        if not self.is_composed:
            return []
        if self.variant:
            return [Converter("", self.type)]
        return [
            inner(held) for held in ([self.type.items] if self.type.items else self.type.members)
        ]


def of_field(field: ir.Field) -> Converter:
    """The converter of a field."""
    return Converter(variant_of(field), syntax.taken_type(field))


def inner(held: ir.Type) -> Converter:
    """The converter of what a list, a map or a tuple holds."""
    return Converter("optional_" if held.nullable else "", held)


def variant_of(field: ir.Field) -> str:
    """What the converter does beside converting: passes null or None on, mints an id, or refuses None as a cursor."""
    if field.auto == "uuid":
        return "minted_"
    if field.cursor:
        return "cursor_"
    if field.nullable:
        return "optional_" if field.required else "nullable_"
    return "" if field.required else "optional_"


def needed(api: ir.Api) -> list[Converter]:
    """Every converter that the fields of requests need; those that others call come first."""
    found: dict[Converter, None] = {}

    def add(converter: Converter) -> None:
        for part in converter.parts():
            add(part)
        found[converter] = None

    for model in api.models:
        for field in model.fields if model.role == "request" else ():
            add(of_field(field))
    return list(found)


def composed(api: ir.Api) -> str:
    """The functions that neither the runtime nor a class has."""
    found = {each.name: each for each in needed(api) if each.is_composed}
    unions = {union.name: union for union in api.unions}
    return "".join(f"{_function(each, unions)}\n\n\n" for each in found.values())


def _function(converter: Converter, unions: Mapping[str, ir.Union]) -> str:
    none = OR_NONE[converter.variant]
    takes = f"{syntax.argument_type(converter.type)}{none}"
    returns = f"{syntax.annotation(converter.type, 'request')}{none}"
    head = f"def {converter.name}(value: {takes}) -> {returns}:"
    return f"{head}\n    return {_expression(converter, unions)}"


def _expression(converter: Converter, unions: Mapping[str, ir.Union]) -> str:
    if converter.variant:
        either = "value is None or value is UNSET" if "Unset" in OR_NONE[converter.variant] else ""
        return f"value if {either or 'value is None'} else {converter.parts()[0].name}(value)"
    if converter.type.kind == "union":
        union = unions[str(converter.type.name)]
        return f"to_union(value, {union.discriminator!r}, {mapping(union)})"
    return f"to_{converter.type.kind}(value, {', '.join(each.name for each in converter.parts())})"


def _kind(type_: ir.Type) -> str:
    if type_.name:
        return snake(type_.name)
    if type_.kind == "string":
        return "text"
    if type_.kind == "integer":
        number = "int32" if type_.bits else "integer"
        return f"{'time' if syntax.is_time(type_) else number}{'_text' if type_.as_text else ''}"
    if type_.members:
        # With their number, no other tuple has the name: `tuple2_of_text_and_tuple1_of_text`.
        parts = [f"{part.variant}{_kind(part.type)}" for part in map(inner, type_.members)]
        return f"tuple{len(parts)}_of_{'_and_'.join(parts)}"
    if type_.items is None:
        return type_.kind
    if type_.kind == "list" and type_.items == ir.Type(kind="string"):
        return "texts"
    part = inner(type_.items)
    return f"{type_.kind}_of_{part.variant}{_kind(part.type)}"
