"""How attrs classes are shown and compared, in functions that all of them share.

attrs compiles functions of its own for each class. These are here instead: that takes a tenth off an
import of the whole package.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from attrs import Attribute, fields


class Shown:
    """Shows its fields as attrs would, for classes of `@frozen(repr=False)`: without those of `repr=False`.

    One whose `__init__` failed can be shown, too: a traceback with local variables does that, and a repr
    that raises there would hide the error.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        name = type(self).__name__
        try:
            values = [
                f"{each.name}={getattr(self, each.name)!r}" for each in _fields(self) if each.repr
            ]
        except AttributeError:
            return f"{name}(unfinished)"
        return f"{name}({', '.join(values)})"


class Result:
    """What calls return. Awaiting it by mistake says that the call was carried out, and returns it.

    An error in place of it would hide an order that was placed, and helpers that await whatever they can
    would raise it.
    """

    __slots__ = ()

    # Type checkers would take calls for coroutines.
    if not TYPE_CHECKING:  # pragma: no branch

        def __await__(self) -> Generator[None, None, Result]:
            warnings.warn(
                f"{type(self).__name__} was awaited, and needs no await: this SDK is synchronous, so the call "
                "was carried out before, and the event loop stood still meanwhile; docs/asyncio.md shows "
                "asyncio.to_thread",
                RuntimeWarning,
                stacklevel=2,
            )
            yield from ()  # nothing to wait for
            return self


class BaseModel(Shown, Result):
    """The base class of every generated model: shown, compared and hashed by its fields."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash(_values(self))


def _fields(instance: Any) -> tuple[Attribute[Any], ...]:
    found: tuple[Attribute[Any], ...] = fields(type(instance))
    return found


def _values(instance: object) -> tuple[Any, ...]:
    return tuple([getattr(instance, each.name) for each in _fields(instance)])
