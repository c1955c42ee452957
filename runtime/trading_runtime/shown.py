"""One repr for all attrs classes of the SDK, and what awaiting a result says.

attrs would compile a repr for each class. One that all classes share, and the comparison in `codec.models`, take a
tenth off an import of the whole package.
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
