"""Types of received JSON that no model describes, and `to_dict`, which makes plain data of any record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from functools import cache, singledispatch
from math import isinf
from typing import Any
from uuid import UUID

import attrs

from trading_runtime.codec.fields import UNSET, decimal_text, expected, json_name

TEXTS: Mapping[type[Any], Callable[[Any], str]] = {Decimal: decimal_text, UUID: str}
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
    """A copy of parsed JSON whose repr shows nothing, at any depth.

    Raises:
        ValueError: a number is out of the range of floats.
    """
    if isinstance(value, dict):
        return _Object({name: hidden(member) for name, member in value.items()})
    if isinstance(value, list):
        return _List([hidden(item) for item in value])
    if isinstance(value, str):
        return _Text(value)
    if value is None or isinstance(value, int):
        return value
    if isinf(number := float(bytes(value))):
        raise ValueError("a number is out of range")
    return number


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
