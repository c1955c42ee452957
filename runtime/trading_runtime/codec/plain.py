"""Records as plain data: for JSON, for a table, for whatever knows none of our classes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from decimal import Decimal
from functools import cache, singledispatch
from typing import Any
from uuid import UUID

import attrs

from trading_runtime.codec.fields import UNSET, expected, json_name
from trading_runtime.codec.hidden import HiddenJson
from trading_runtime.codec.integers import IntegerText
from trading_runtime.codec.requests import plain
from trading_runtime.codec.times import written


def to_dict(record: object) -> dict[str, Any]:
    """Any model as plain data that `json.dumps` takes; also a page, a settlement, the result of a batch.

    The names and the texts are those of JSON: a Decimal and a UUID are texts, an enum is its value, a
    time stays in ms. None stays; what is UNSET is left out. Nothing is hidden: a secret that a model
    keeps out of its repr stands in the dict.

    Of several records, `map(to_dict, records)`.

    Raises:
        TypeError: it is no model.
    """
    made = plain_value(record)
    if not isinstance(made, dict):
        raise TypeError(expected("a model; of several records map(to_dict, records)", record))
    return made


@singledispatch
def plain_value(value: Any) -> Any:
    """A value as plain data. Other modules register what is neither a model nor a value of a field."""
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
    IntegerText: int.__repr__,
    Decimal: plain,
    UUID: str,
    datetime: written,
    list: _items,
    tuple: _items,
    Mapping: _members,
    # Parsed JSON is plain; a copy of it would show in its repr what this one hides.
    HiddenJson: _itself,
}
for _type, _write in _WRITERS.items():
    plain_value.register(_type, _write)
