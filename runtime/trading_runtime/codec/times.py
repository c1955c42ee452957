"""Times in ms, and aware datetimes, which Python has for them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TypeAlias

from trading_runtime.checks import as_integer
from trading_runtime.codec.fields import IntegerLike, expected, to_integer
from trading_runtime.errors import RequestError

TimeLike: TypeAlias = datetime | IntegerLike
"""A time: ms since 1970 began in UTC, or an aware datetime.

Microseconds of a datetime are cut off: the service knows whole ms alone. A naive datetime is
refused, and so is an integer that can only be seconds, microseconds or nanoseconds.
"""

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MS = timedelta(milliseconds=1)
_SECONDS = range(10**8, 10**11 + 1)
"""Read as seconds, these are the years from 1973 to 5138. Read as ms, they end in 1973."""
_MICROSECONDS, _NANOSECONDS = 10**14, 10**17
"""The first times, in 1973, that are taken for these units. Read as ms, they are after 5138."""


def to_time(value: TimeLike) -> int:
    """A time in ms, of 64 bits."""
    if isinstance(value, datetime):
        if _is_naive(value):
            told = f"{value!r} has no time zone; in UTC it is {_ms(value.replace(tzinfo=timezone.utc))}"
            raise RequestError(f"{told}: give that, or an aware datetime")
        return _ms(value)
    found = as_integer(value)
    if found is None:
        whole = "ms since 1970, like time.time_ns() // 1_000_000, or an aware datetime"
        raise TypeError(expected(whole, value))
    return in_ms(to_integer(found))


def in_ms(found: int) -> int:
    """The same time in ms. A time that can only be in another unit is refused."""
    if found in _SECONDS:
        unit, ms = "seconds", found * 1_000
    elif found >= _NANOSECONDS:
        unit, ms = "nanoseconds", found // 1_000_000
    elif found >= _MICROSECONDS:
        unit, ms = "microseconds", found // 1_000
    else:
        return found
    raise RequestError(f"{found} is a time in {unit}; in ms it is {ms}")


def to_optional_time(value: TimeLike | None) -> int | None:
    """Like `to_time`; None stands for omitted."""
    return None if value is None else to_time(value)


def _ms(moment: datetime) -> int:
    """The ms since 1970 of an aware datetime; exact, because it counts in integers."""
    try:
        there = moment.astimezone(timezone.utc)
    except OverflowError:
        raise RequestError(f"{moment!r} is out of the range of datetimes in UTC") from None
    # A subclass may count by itself.
    return (datetime.combine(there.date(), there.time(), timezone.utc) - _EPOCH) // _MS


def to_datetime(ms: IntegerLike) -> datetime:
    """The moment of a time in ms since 1970, as records have it: an aware datetime in UTC, exact.

    Raises:
        RequestError: the time is out of the range of datetimes, or can only be in another unit than ms.
        TypeError: the time is no integer.
    """
    found = as_integer(ms)
    if found is None:
        raise TypeError(expected("ms since 1970", ms))
    try:
        return _EPOCH + timedelta(milliseconds=in_ms(found))
    except OverflowError:
        raise RequestError(f"{found} ms since 1970 is out of the range of datetimes") from None


def _is_naive(value: datetime) -> bool:
    try:
        return value.utcoffset() is None
    except ValueError:  # pandas.NaT, which is a datetime without a moment
        raise RequestError(f"{value!r} is no moment; leave out what has none") from None
