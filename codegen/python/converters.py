"""The converters of what callers give: one function for each type and variant that fields of requests need.

A variant is what a converter does beside converting. The runtime has the converters of the usual scalars. The
others are written here: that of an enum or a model follows its class, all others stand before the classes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from attrs import frozen

from codegen import ir
from codegen.ir.names import mapping_name, snake
from codegen.python import syntax

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
        name = f"to_{self.variant}{_kind(self.type)}"
        is_own = self.type.name or name not in syntax.MODULES["trading_runtime"]
        return f"_{name}" if is_own else name

    @property
    def parts(self) -> list[Converter]:
        """The converter of what a list holds."""
        return [Converter("optional_" if each.nullable else "", each) for each in self.type.held]


def of_field(field: ir.Field) -> Converter:
    """The converter of a field."""
    return Converter(_variant(field), syntax.taken_type(field))


def _variant(field: ir.Field) -> str:
    """Whether null or None is passed on, an id is minted, or None is refused as a cursor."""
    if field.auto == "uuid":
        return "minted_"
    if field.cursor:
        return "cursor_"
    if field.nullable:
        return "optional_" if field.required else "nullable_"
    return "" if field.required else "optional_"


def needed(models: Iterable[ir.Model]) -> list[Converter]:
    """Every converter that the fields of requests need, ordered by their variants."""
    requests = [model for model in models if model.role == "request"]
    waiting = [of_field(field) for model in requests for field in model.fields]
    found: dict[str, Converter] = {}
    while waiting:
        converter = waiting.pop()
        if converter.name not in found:
            found[converter.name] = converter
            waiting += converter.parts
    return sorted(found.values(), key=lambda each: (each.variant, each.name))


def taken_types(api: ir.Api) -> set[str]:
    """The names of the enums and models that callers give."""
    return {each.type.name for each in needed(api.models) if each.type.name}


# -- as texts ---------------------------------------------------------------------------------


def functions(api: ir.Api, shared: Collection[str] = ()) -> defaultdict[str, str]:
    """The converters that the runtime does not have, by the class that they follow; under "" the others.

    What is shared with another package has its converters there.
    """
    texts: defaultdict[str, str] = defaultdict(str)
    for each in needed(model for model in api.models if model.name not in shared):
        if each.name.startswith("_"):
            texts[each.type.name or ""] += f"{_function(api, each)}\n\n\n"
    return texts


def _function(api: ir.Api, converter: Converter) -> str:
    none = OR_NONE[converter.variant]
    takes = f"{syntax.argument_type(converter.type)}{none}"
    returns = f"{syntax.annotation(converter.type, 'request')}{none}"
    converted = _converted(api, converter)
    if converter.variant == "nullable_":
        converted = f"value if value is None or value is UNSET else {converted}"
    elif converter.variant:
        converted = f"None if value is None else {converted}"
    return f"def {converter.name}(value: {takes}) -> {returns}:\n    return {converted}"


def _converted(api: ir.Api, converter: Converter) -> str:
    """The converted value, as an expression."""
    named = api.types.get(converter.type.name or "")
    if isinstance(named, ir.Enum):
        return f"to_member({named.name}, value)"
    if isinstance(named, ir.Model):
        return f"to_model({named.name}, value)"
    if converter.parts:
        return f"to_list(value, {converter.parts[0].name})"
    return f"{Converter('', converter.type).name}(value)"


def like(given: ir.Enum | ir.Model) -> str:
    """The alias of the types of what callers may give for an enum or a model."""
    other = mapping_name(given.name)
    if isinstance(given, ir.Enum):
        other = f"Literal[{', '.join(map(repr, given.values))}]"
    return f"{given.name}Like: TypeAlias = {given.name} | {other}\n"


def _kind(type_: ir.Type) -> str:
    if type_.name:
        return snake(type_.name)
    if type_.kind == "string":
        return "text"
    if type_.kind == "integer":
        return "time" if syntax.is_time(type_) else "integer"
    if type_.kind == "list" and type_.items == ir.Type(kind="string"):
        return "texts"
    kinds = [f"{part.variant}{_kind(part.type)}" for part in Converter("", type_).parts]
    return f"list_of_{kinds[0]}" if kinds else type_.kind
