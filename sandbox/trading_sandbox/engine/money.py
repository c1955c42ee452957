"""Decimal arithmetic that does not depend on the decimal context of the thread.

Sums and products are exact: prices and amounts have few digits, and the context has room for all
of them. Only divisions round.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from decimal import (
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_EVEN,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
    Overflow,
    localcontext,
)

ZERO = Decimal(0)
ROUNDING = Decimal("0.00000001")
LARGEST_NUMBER_DIGITS = 12
MOST_DECIMALS = 20
USDC_QUANTUM = Decimal("0.000001")
"""Transfers and vault deposits are multiples of this. USDC."""

_CONTEXT = Context(
    prec=60,
    rounding=ROUND_HALF_EVEN,
    Emin=-999_999,
    Emax=999_999,
    capitals=1,
    clamp=0,
    flags=[],
    traps=[InvalidOperation, DivisionByZero, Overflow],
)
"""Every setting is given: what is left out would come from `decimal.DefaultContext`."""


@contextmanager
def exact_arithmetic() -> Iterator[None]:
    """Use the sandbox's decimal context inside this block, whatever that of the calling thread."""
    with localcontext(_CONTEXT):
        yield


def is_sane(value: Decimal) -> bool:
    """Whether a number from a request is finite and within the limits of size and decimals."""
    if not value.is_finite():
        return False
    exponent = value.as_tuple().exponent
    return (
        isinstance(exponent, int)
        and exponent >= -MOST_DECIMALS
        and value.adjusted() < LARGEST_NUMBER_DIGITS
    )


def divide(dividend: Decimal, divisor: Decimal) -> Decimal:
    """Return the quotient, rounded half even to `ROUNDING`, whatever the thread's context."""
    return _CONTEXT.divide(dividend, divisor).quantize(ROUNDING, context=_CONTEXT)


def is_multiple(value: Decimal, step: Decimal) -> bool:
    """Whether a price is a multiple of the tick, or an amount a multiple of the lot."""
    return value % step == 0


def floor_to(value: Decimal, step: Decimal) -> Decimal:
    """Return the largest multiple of `step` that is not above `value`."""
    return (value / step).to_integral_value(ROUND_FLOOR) * step


def ceil_to(value: Decimal, step: Decimal) -> Decimal:
    """Return the smallest multiple of `step` that is not below `value`."""
    return (value / step).to_integral_value(ROUND_CEILING) * step


def shortest(value: Decimal) -> str:
    """Return a number as text without trailing zeros, an exponent or a minus sign before 0."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def brief(value: Decimal) -> str:
    """Return any number as short text for a message, one that is not sane with an exponent."""
    return shortest(value) if is_sane(value) else format(value, ".6g")


def plain(value: Decimal) -> Decimal:
    """Return the number without trailing zeros and without an exponent."""
    return Decimal(shortest(value))
