"""Reprs: parsed JSON that may hold secrets shows nothing of it, and what is not finished shows that."""

from __future__ import annotations

from functools import wraps
from typing import Any, TypeVar

T = TypeVar("T")


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


def safe_repr(cls: type[T]) -> type[T]:
    """A class decorator: an instance whose `__init__` failed can be shown, too.

    A traceback with local variables shows it, and a repr that raises there would hide the error.
    """
    whole = cls.__repr__

    @wraps(whole)
    def shown(self: T) -> str:
        try:
            return whole(self)
        except AttributeError:
            return f"{cls.__name__}(unfinished)"

    cls.__repr__ = shown  # type: ignore[method-assign,assignment]
    return cls
