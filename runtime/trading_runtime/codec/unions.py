"""Objects of several kinds (`oneOf` with a discriminator): which of them a given one is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin

import attrs
from attrs import frozen

from trading_runtime.codec.fields import expected, json_name, to_model
from trading_runtime.codec.maps import FrozenMap
from trading_runtime.codec.values import Shown
from trading_runtime.errors import RequestError

T = TypeVar("T")


@frozen(eq=False, repr=False)
class Discriminator(Shown):
    """How the kinds are told apart. A type has it as `Annotated[A | B, Discriminator(...)]`."""

    field: str
    """Field of the object that names its kind."""

    models: Mapping[str, Any]
    """Value of that field -> the class of such an object."""


class UnknownObject(FrozenMap[Any]):
    """An object of a kind that this version does not know: all that was received, by its names.

    It is read-only at every depth, and hashable; a list is a tuple. Its repr shows names alone, because
    any value may be a secret.
    """

    __slots__ = ()

    def __init__(self, items: Mapping[str, Any]) -> None:
        """Keep a copy of parsed JSON."""
        super().__init__({name: _kept(value) for name, value in items.items()})

    def __repr__(self) -> str:
        return f"<UnknownObject with {', '.join(self)}>"


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return UnknownObject(value)
    return tuple(map(_kept, value)) if isinstance(value, list) else value


def discriminator_of(type_: Any) -> Discriminator | None:
    """What tells the objects of a type apart; None if it is no union."""
    marks = get_args(type_)[1:] if get_origin(type_) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, Discriminator)), None)


def to_union(value: Any, field: str, models: Mapping[str, type[T]]) -> T:
    """An object of one of several kinds: the model itself, or a mapping with its keys."""
    if isinstance(value, tuple(models.values())):
        model = _model(_told(value, field), field, models)
        if not isinstance(value, model):
            kind = type(value).__name__
            raise RequestError(f"a {kind} whose {field} is that of a {model.__name__}")
        return cast(T, value)
    if not isinstance(value, Mapping):
        names = " or ".join(dict.fromkeys(model.__name__ for model in models.values()))
        raise TypeError(expected(f"a {names}, or a mapping with its keys", value))
    if field not in value:
        raise RequestError(f"{field!r} is missing; it is one of {_listed(models)}")
    return cast(T, to_model(_model(value[field], field, models), value))


def _told(instance: Any, field: str) -> Any:
    """The value of the field with this name in JSON."""
    names = (each.name for each in attrs.fields(type(instance)) if json_name(each) == field)
    return getattr(instance, next(names))


def _model(told: Any, field: str, models: Mapping[str, type[Any]]) -> type[Any]:
    # The plain text: a member of an enum has another hash.
    found = models.get(str.__str__(told)) if isinstance(told, str) else None
    if found is None:
        raise RequestError(f"{field}: {told!r} is not one of {_listed(models)}")
    return found


def _listed(models: Mapping[str, Any]) -> str:
    return ", ".join(map(repr, models))
