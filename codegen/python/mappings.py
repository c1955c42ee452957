"""The types of the mappings that callers may give in the place of models.

They are classes of `TypedDict`, one for each model of a request, for type checkers. To make them takes time
at every import, so they stand in a module of their own, which nothing imports before a user does.
"""

from __future__ import annotations

import keyword

from attrs import frozen

from codegen import ir
from codegen.ir.names import action_name, batch_name, mapping_name
from codegen.python import syntax
from codegen.python.converters import needed


@frozen(kw_only=True)
class MappingType:
    """The type of the mapping of a model."""

    name: str

    doc: str
    """What it is."""

    types: dict[str, str]
    """The type of each of its keys."""

    is_class: bool
    """Whether all keys can stand in the body of a class."""


def mappings(api: ir.Api) -> list[MappingType]:
    """The mapping of every model of a request, and of every action of a batch."""
    models = [_mapping(model) for model in api.models if model.role == "request"]
    return [*models, *map(_action, api.actions)]


def batches(api: ir.Api) -> dict[str, list[str]]:
    """The name for all mappings that a batch takes as actions -> those of each action."""
    return {
        batch_name(each.group, each.method): list(map(action_name, each.batch.actions))
        for each in api.operations
        if each.batch
    }


def _mapping(model: ir.Model) -> MappingType:
    return MappingType(
        name=mapping_name(model.name),
        doc=f"`{model.name}` as a mapping. The model describes its keys.",
        types={field.name: _key_type(field) for field in model.fields},
        is_class=all(_can_stand_in_a_class(field.name) for field in model.fields),
    )


def _action(action: ir.Action) -> MappingType:
    return MappingType(
        name=action_name(action.model),
        doc=f"`{action.model}` as an action of a batch, as on the wire.",
        types={
            "type": f"Literal[{action.type!r}]",
            "data": f"{action.model} | {mapping_name(action.model)}",
        },
        is_class=True,
    )


def _key_type(field: ir.Field) -> str:
    type_, default = syntax.taken(field)
    return f"NotRequired[{type_}]" if default else type_


def _can_stand_in_a_class(key: str) -> bool:
    # In a class Python gives another name to what begins with two underscores.
    return key.isidentifier() and not keyword.iskeyword(key) and not key.startswith("__")


def likes(api: ir.Api) -> list[str]:
    """The types of what callers may give for enums, models and unions, like `SideLike`."""
    names = {each.type.name for each in needed(api)}
    return [f"{name}Like" for name in api.type_names if name in names]


def stand_ins(api: ir.Api, package: str) -> str:
    """The mappings that fields take, as the module of the models has them.

    A type checker imports them. While a program runs they are any mapping, so that the import stays quick
    and `typing.get_type_hints` finds what it looks for.
    """
    return stand_in(_of_fields(api), package)


def stand_in(names: list[str], package: str) -> str:
    """Some mappings, as a module has them that nobody imports for their keys."""
    text = (
        "if TYPE_CHECKING:\n"
        f"    from {package}.mappings import {', '.join(names)}\n"
        "else:  # Their classes are made when a user imports them.\n"
        f"    {' = '.join(names)} = Mapping[str, Any]\n\n\n"
    )
    return text if names else ""


def _of_fields(api: ir.Api) -> list[str]:
    """The mappings that fields take. Those of whole requests are for the functions of users."""
    named = {each.type.name for each in needed(api)}
    unions = [union for union in api.unions if union.name in named]
    named |= {variant.model for union in unions for variant in union.variants}
    return sorted(mapping_name(each.name) for each in api.models if each.name in named)
