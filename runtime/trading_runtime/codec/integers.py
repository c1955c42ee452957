"""Integers of 64 and of 32 bits, and those that stand in JSON as a text."""

from __future__ import annotations

import re

from trading_runtime.checks import as_integer
from trading_runtime.codec.fields import IntegerLike, expected
from trading_runtime.errors import RequestError

_TEXT = re.compile("[-+]?[0-9]{1,100}")


class IntegerText(int):
    """An integer that stands in JSON as a text, like `"12"`. It is used like any other."""

    __slots__ = ()


def to_integer(value: IntegerLike) -> int:
    """An integer of 64 bits."""
    return _bounded(value, 64)


def to_optional_integer(value: IntegerLike | None) -> int | None:
    """An integer; None stands for omitted."""
    return None if value is None else to_integer(value)


def to_int32(value: IntegerLike) -> int:
    """An integer of 32 bits."""
    return _bounded(value, 32)


def to_integer_text(value: IntegerLike) -> IntegerText:
    """An integer of 64 bits, which is sent as a text."""
    return IntegerText(_bounded(value, 64))


def to_int32_text(value: IntegerLike) -> IntegerText:
    """An integer of 32 bits, which is sent as a text."""
    return IntegerText(_bounded(value, 32))


def integer_in(text: str) -> IntegerText:
    """The integer in a received text.

    Raises:
        ValueError: it is none of 64 bits.
    """
    if not _TEXT.fullmatch(text) or not -(2**63) <= int(text) < 2**63:
        raise ValueError(f"{text[:60]!r} is not an integer of 64 bits")
    return IntegerText(text)


def _bounded(value: IntegerLike, bits: int) -> int:
    found = as_integer(value)
    if found is None:
        raise TypeError(expected("an integer", value))
    if not -(2 ** (bits - 1)) <= found < 2 ** (bits - 1):
        raise RequestError(f"an integer of more than {bits} bits cannot be sent")
    return found
