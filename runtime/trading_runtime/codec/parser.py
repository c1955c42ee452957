"""Bytes to parsed JSON: how deep it may nest, and its numbers as they are written."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import (
    Clamped,
    Context,
    Decimal,
    Inexact,
    InvalidOperation,
    Overflow,
    Rounded,
    Subnormal,
    Underflow,
)
from typing import Any

import msgspec

MAX_DEPTH = 100
"""How deep lists and objects may nest. Without a limit, that of the Python at hand would hold."""
MIN_INTEGER, MAX_INTEGER = -(2**63), 2**63 - 1
MAX_DIGITS, MAX_EXPONENT = 100, 999
"""Limits of a decimal in scientific notation. To write or to add longer decimals could take all memory."""

_ALL = bytes(range(256))
_NOT_OPENING = _ALL.translate(None, b"[{")
_NO_BRACKETS = _ALL.translate(None, b"[]{}")
_AS_BRACES = bytes.maketrans(b"[]", b"{}")
_STRINGS = re.compile(rb'"[^"]*"?')
"""Strings without escapes. Each quote begins a match, so no byte is looked at twice."""
_LONG_INTEGERS = re.compile(
    r'"(?:[^"\\]+|\\.)*"?|(?<![0-9.eE+])(?<![eE]-)[0-9]{20,}(?![0-9.eE])', re.DOTALL
)
"""Strings, whose digits are no numbers, and integers of 20 digits or more."""

bounded = Context(
    prec=MAX_DIGITS,
    Emin=-MAX_EXPONENT,
    Emax=MAX_EXPONENT,
    clamp=0,
    traps=[Clamped, Inexact, InvalidOperation, Overflow, Rounded, Subnormal, Underflow],
).plus
"""Raises an ArithmeticError for a Decimal of too many digits, or with too large an exponent."""


class Number:
    """A number with a fraction, an exponent or thousands of digits, as it is written in the JSON.

    No subclass of `str`, because msgspec would take that for a text.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        """Keep a number in this text."""
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.text == other.text


_parser = msgspec.json.Decoder(float_hook=Number)


def parse(body: bytes) -> Any:
    """Parse JSON in UTF-8. Of duplicate keys the last one wins.

    Raises:
        ValueError: the body is not JSON, or nests too deep.
    """
    text = body.decode()
    if nests_too_deep(body):
        raise ValueError("nested too deep")
    try:
        return _parsed(text)
    except msgspec.DecodeError as error:
        raise ValueError(str(error)) from None


def _parsed(text: str) -> Any:
    try:
        return _parser.decode(text)
    except msgspec.ValidationError:
        # An integer of thousands of digits. It may stand in a field that nobody reads.
        return _parser.decode(_LONG_INTEGERS.sub(_with_exponent, text))


def _with_exponent(found: re.Match[str]) -> str:
    """A string as it is, but an integer with an exponent, so that it is read as a `Number`."""
    return found[0] if found[0].startswith('"') else f"{found[0]}e0"


def nests_too_deep(body: bytes, beside: int = 0) -> bool:
    """Whether JSON nests deeper than `MAX_DEPTH`.

    Opening brackets bound the depth and are quick to count. The caller knows that `beside` of them do not
    nest, but stand side by side.
    """
    if len(body.translate(None, _NOT_OPENING)) - beside <= MAX_DEPTH:
        return False
    for escape in (b"\\\\", b'\\"'):
        body = body.replace(escape, b"")
    levels = _STRINGS.sub(b"", body).translate(_AS_BRACES, _NO_BRACKETS)
    for _ in range(MAX_DEPTH):
        levels = levels.replace(b"{}", b"")
    return bool(levels)


def check_decimals(found: Iterable[Decimal]) -> None:
    """Refuse decimals that nobody could compute with.

    Raises:
        ValueError, ArithmeticError: a decimal is not finite, or has too many digits or too large an exponent.
    """
    if not all(map(Decimal.is_finite, map(bounded, found))):
        raise ValueError


def plain_json(value: Any) -> Any:
    """Parsed JSON for a user: each `Number` in it becomes a float.

    Raises:
        ValueError: a number is out of range.
    """
    if isinstance(value, dict):
        return {name: plain_json(each) for name, each in value.items()}
    if isinstance(value, list):
        return [plain_json(each) for each in value]
    if not isinstance(value, Number):
        return value
    number = float(value.text)
    if math.isinf(number):
        raise ValueError(f"{value.text[:60]} is out of range")
    return number
