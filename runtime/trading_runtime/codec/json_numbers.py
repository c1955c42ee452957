"""Numbers in answers: as they are written, and how large one may be."""

from __future__ import annotations

import math
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

MIN_INTEGER, MAX_INTEGER = -(2**63), 2**63 - 1
MAX_DIGITS, MAX_EXPONENT = 100, 999
"""Of a decimal, written scientifically. To write or to add longer ones could take all memory."""

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

    It is no `str`, which msgspec would take for a text.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        """Keep a number in this text."""
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and self.text == other.text


def check_decimals(found: Iterable[Decimal]) -> None:
    """Look at each Decimal: not each is a number to compute with.

    Raises:
        ValueError, ArithmeticError: one is not finite, has too many digits or too large an exponent.
    """
    if not all(map(Decimal.is_finite, map(bounded, found))):
        raise ValueError


def plain_json(value: Any) -> Any:
    """Parsed JSON to hand over as it is: its numbers are those of Python.

    Raises:
        ValueError: one is out of range.
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
