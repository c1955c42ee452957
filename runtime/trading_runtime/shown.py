"""One repr and one comparison for all attrs classes of the SDK, and what awaiting a result says.

attrs would compile a repr and a comparison for each class. Those that all classes share take a tenth off an import
of the whole package.
"""

from __future__ import annotations

import warnings
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from attrs import Attribute, fields


class Shown:
    """Shows its fields as attrs would, but for fields with `repr=False`. For classes of `@frozen(repr=False)`.

    An instance whose `__init__` failed can be shown, too: a traceback with local variables does that, and a
    repr that raises there would hide the error.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        name = type(self).__name__
        try:
            values = [
                f"{each.name}={getattr(self, each.name)!r}" for each in fields_of(self) if each.repr
            ]
        except AttributeError:
            return f"{name}(unfinished)"
        return f"{name}({', '.join(values)})"


class Compared(Shown):
    """Shown, and compared and hashed by its fields, as attrs would. For classes of `@frozen(eq=False, repr=False)`."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return _values(self) == _values(other)

    def __hash__(self) -> int:
        return hash(_values(self))


class Result:
    """The base class of what calls return. Awaiting a result by mistake warns, and returns the result.

    An error in place of it would hide an order that was placed, and helpers that await whatever they can
    would raise it.
    """

    __slots__ = ()

    # Hidden from type checkers, which would take calls for coroutines.
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


def fields_of(instance: Any) -> tuple[Attribute[Any], ...]:
    """The fields of an object of an attrs class."""
    found: tuple[Attribute[Any], ...] = fields(type(instance))
    return found


def _values(instance: object) -> tuple[Any, ...]:
    return tuple([getattr(instance, each.name) for each in fields_of(instance) if each.eq])
