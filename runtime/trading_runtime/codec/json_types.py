"""Types of received JSON that no model describes, and `to_dict`, which makes plain data of any record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from functools import cache, singledispatch
from typing import Annotated, Any, TypeVar, get_args, get_origin
from uuid import UUID

import attrs
from attrs import frozen

from trading_runtime.codec.fields import UNSET, IntegerText, decimal_text, expected, json_name
from trading_runtime.codec.times import written
from trading_runtime.shown import Shown

V_co = TypeVar("V_co", covariant=True)
TEXTS: Mapping[type[Any], Callable[[Any], str]] = {
    Decimal: decimal_text,
    UUID: str,
    IntegerText: int.__repr__,
    datetime: written,
}
"""Classes whose values stand in JSON as texts."""


# -- parsed JSON that may hold secrets --------------------------------------------------------


class HiddenJson:
    """The type of a result that is handed over as parsed JSON and may hold secrets, like API keys.

    Objects are a `dict`, lists a `list` and texts a `str`, at every depth; numbers are as they are.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "<hidden, it may hold secrets>"


class _Object(HiddenJson, dict[str, Any]):
    __slots__ = ()


class _List(HiddenJson, list[Any]):
    __slots__ = ()


class _Text(HiddenJson, str):
    __slots__ = ()


def hidden(value: Any) -> Any:
    """A copy of parsed JSON whose repr shows nothing, at any depth."""
    if isinstance(value, dict):
        return _Object({name: hidden(each) for name, each in value.items()})
    if isinstance(value, list):
        return _List([hidden(each) for each in value])
    return _Text(value) if isinstance(value, str) else value


# -- objects whose names are data -------------------------------------------------------------


class FrozenMap(Mapping[str, V_co]):
    """A received map. It equals a dict with the same items, and is hashable if they are.

    It is no `dict`, so `json.dumps` needs `dict(it)`, or a model that holds it, unstructured.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, V_co]) -> None:
        """Keep a copy of the items."""
        self._items = dict(items)

    def __getitem__(self, name: str) -> V_co:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._items})"


# -- objects of several kinds -----------------------------------------------------------------


@frozen(eq=False, repr=False)
class Discriminator(Shown):
    """The field that names the kind of an object. A union has one: `Annotated[A | B, Discriminator(...)]`."""

    field: str
    """Field of the object that names its kind."""

    models: Mapping[str, Any]
    """Value of that field -> the class of such an object."""


class UnknownObject(FrozenMap[Any]):
    """An object of a kind that this version does not know, with everything that was received.

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
    """The discriminator of a union; None for any other type."""
    return get_args(type_)[1] if get_origin(type_) is Annotated else None


# -- records as plain data --------------------------------------------------------------------


def to_dict(record: object) -> dict[str, Any]:
    """A model, a page, a settlement or the result of a batch as plain data, which `json.dumps` takes.

    The names and the texts are those of JSON: a Decimal and a UUID are texts, an enum is its value, a
    time stays in ms. None stays; what is UNSET is left out. Nothing is hidden: a secret that a model
    keeps out of its repr stands in the dict.

    Of several records, `map(to_dict, records)`.

    Raises:
        TypeError: the record is no model.
    """
    made = plain_value(record)
    if not isinstance(made, dict):
        raise TypeError(expected("a model; of several records map(to_dict, records)", record))
    return made


@singledispatch
def plain_value(value: Any) -> Any:
    """A value as plain data. Other modules register classes of theirs that are no models."""
    if not attrs.has(type(value)):
        raise TypeError(expected("a model; of several records map(to_dict, records)", value))
    given = ((name, getattr(value, attribute)) for attribute, name in _names(value.__class__))
    return {name: plain_value(each) for name, each in given if each is not UNSET}


@cache
def _names(model: Any) -> list[tuple[str, str]]:
    """The attributes of a model, each with its name in JSON."""
    return [(field.name, json_name(field)) for field in attrs.fields(model)]


def _itself(value: Any) -> Any:
    return value


def _items(values: Any) -> list[Any]:
    return [plain_value(each) for each in values]


def _members(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: plain_value(each) for name, each in values.items()}


_WRITERS: dict[Any, Callable[[Any], Any]] = {
    type(None): _itself,
    bool: _itself,
    int: int,
    float: _itself,
    str: str.__str__,
    **TEXTS,
    list: _items,
    tuple: _items,
    Mapping: _members,
    # Parsed JSON is plain. A copy of it would no longer hide its values.
    HiddenJson: _itself,
}
for _type, _write in _WRITERS.items():
    plain_value.register(_type, _write)
