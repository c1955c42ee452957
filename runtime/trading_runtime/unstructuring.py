"""Python to JSON: the models that are sent, and how their fields look there."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cache
from typing import Any
from uuid import UUID

import attrs

from trading_runtime.convert import UNSET, OpenEnum

_Write = Callable[[Any], Any]


def plain(value: Decimal) -> str:
    """A decimal as text, never with an exponent."""
    return format(value, "f")


def unstructure(model: Any) -> dict[str, Any]:
    """The fields of a model as they are sent; what was not given is left out."""
    sent: dict[str, Any] = {}
    for name, absent in _fields(model.__class__):
        value = getattr(model, name)
        if value is not absent:
            write = _WRITERS[type(value)]
            sent[name] = write(value) if write else value
    return sent


@cache
def _fields(model: Any) -> list[tuple[str, Any]]:
    """Its fields, and what stands there for what was not given: None unless null has a meaning."""
    return [
        (field.name, UNSET if field.default is UNSET else None) for field in attrs.fields(model)
    ]


def _each(values: Any) -> list[Any]:
    writers = [(value, _WRITERS[type(value)]) for value in values]
    return [write(value) if write else value for value, write in writers]


class _Writers(dict[type[Any], "_Write | None"]):
    """The writer of each class, found when it is first met; None if a value stays as it is."""

    def __missing__(self, type_: type[Any]) -> _Write | None:
        bases = [base for base in _BASES if issubclass(type_, base)]
        write = unstructure if attrs.has(type_) else _BASES[bases[0]] if bases else None
        self[type_] = write
        return write


_BASES: dict[type[Any], _Write] = {
    Decimal: plain,
    UUID: str,
    OpenEnum: str.__str__,
    list: _each,
    tuple: _each,
}
_WRITERS = _Writers()
