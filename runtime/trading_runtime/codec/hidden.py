"""Parsed JSON that may hold secrets: it is used like any other, and its repr shows nothing of it."""

from __future__ import annotations

from typing import Any


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
    """Parsed JSON of which no part has a telling repr."""
    if isinstance(value, dict):
        return _Object({name: hidden(each) for name, each in value.items()})
    if isinstance(value, list):
        return _List([hidden(each) for each in value])
    return _Text(value) if isinstance(value, str) else value
