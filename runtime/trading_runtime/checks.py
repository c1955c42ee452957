"""The checks of numbers that callers give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

from trading_runtime.errors import RequestError

MAX_SECONDS = 86_400
"""A day. The socket layer fails, late, on far longer timeouts."""


def is_integer(value: object) -> TypeGuard[int]:
    """Whether a value is an integer, which a bool is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is an integer or a float, which a bool is not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def integer(name: str, value: int, *, minimum: int, unit: str = "") -> int:
    """An integer that is not below a minimum.

    Raises:
        TypeError: it is not an integer.
        RequestError: it is too small.
    """
    of_unit = f" of {unit}" if unit else ""
    if not is_integer(value):
        raise TypeError(f"{name} must be an integer{of_unit}, not {value!r}")
    if value < minimum:
        raise RequestError(f"{name} must be at least {minimum}, not {value}")
    return value


def seconds(name: str, value: float, *, zero: bool = False) -> float:
    """A number of seconds, above 0 (or from 0 on) and up to a day.

    Raises:
        TypeError: it is not a number.
        RequestError: it is out of these bounds, or not finite.
    """
    if not is_number(value):
        raise TypeError(f"{name} must be a number of seconds, not {value!r}")
    enough = value >= 0 if zero else value > 0
    if not (enough and value <= MAX_SECONDS):
        bounds = "at least 0" if zero else "above 0"
        raise RequestError(
            f"{name} must be {bounds} and at most {MAX_SECONDS} seconds, not {value!r}"
        )
    return value


def multiple_of(step: int) -> Callable[[Any, Any, int], None]:
    """A validator of attrs: an integer is a multiple of another one."""

    def check(_: object, attribute: Any, value: int) -> None:
        if value % step:
            raise ValueError(f"{attribute.name!r} must be a multiple of {step}: {value}")

    return check
