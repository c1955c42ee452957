"""How attrs classes are shown, in a function that all of them share.

attrs compiles functions of its own for each class. These are here and in `models` instead: that takes a
tenth off an import of the whole package.
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
                f"{each.name}={getattr(self, each.name)!r}" for each in fields_of(self) if each.repr
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


def fields_of(instance: Any) -> tuple[Attribute[Any], ...]:
    """The fields of an object of an attrs class."""
    found: tuple[Attribute[Any], ...] = fields(type(instance))
    return found
