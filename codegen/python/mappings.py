"""The types of the mappings that callers may give in the place of models.

They are classes of `TypedDict`, one for each model of a request, for type checkers. To make them takes time
at every import, so they stand in a module of their own, which nothing imports before a user does.
"""

from __future__ import annotations

import keyword
from collections.abc import Collection

from codegen import ir
from codegen.ir.names import action_name, mapping_name
from codegen.python import syntax
from codegen.python.converters import taken_types


def mappings(api: ir.Api) -> list[str]:
    """The names of the mappings of all requests, all actions, and all that a batch takes."""
    requests = [mapping_name(model.name) for model in api.models if model.role == "request"]
    return [*requests, *(action_name(each.model) for each in api.actions), *batches(api)]


def batches(api: ir.Api) -> dict[str, list[str]]:
    """The mappings of the actions that a batch takes, by the name for all of them."""
    return {
        syntax.batch_name(each): list(map(action_name, each.batch.actions))
        for each in api.operations
        if each.batch
    }


def key_type(field: ir.Field) -> str:
    """The type of a key of a mapping."""
    type_, default = syntax.taken(field)
    return f"NotRequired[{type_}]" if default else type_


def is_class(model: ir.Model) -> bool:
    """Whether all keys of the mapping of a model can stand in the body of a class."""
    # In a class Python gives another name to what begins with two underscores.
    return all(
        key.isidentifier() and not keyword.iskeyword(key) and not key.startswith("__")
        for key in (field.name for field in model.fields)
    )


def of_fields(api: ir.Api, imported: Collection[str] = ()) -> list[str]:
    """The mappings that fields take. Those of whole requests are for the functions of users."""
    named = taken_types(api) - set(imported)
    return sorted(mapping_name(each.name) for each in api.models if each.name in named)


def shared(api: ir.Api, stable: ir.Api, models: Collection[str]) -> list[str]:
    """The mappings that the stable package has, too: those of the models that it has, and of its actions."""
    known = {mapping_name(name) for name in models}
    types = {action.model: action.type for action in stable.actions}
    known |= {
        action_name(each.model)
        for each in api.actions
        if each.model in models and types.get(each.model) == each.type
    }
    old = batches(stable)
    known |= {
        name
        for name, actions in batches(api).items()
        if old.get(name) == actions and known.issuperset(actions)
    }
    return [name for name in mappings(api) if name in known]
