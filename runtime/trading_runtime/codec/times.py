"""Moments as RFC 3339 writes them (`date-time`), and as Python has them: aware datetimes."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from trading_runtime.codec.fields import expected
from trading_runtime.errors import RequestError

_RFC_3339 = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(?:\.(\d+))?(?:([Zz])|([-+]\d\d:\d\d))", re.ASCII
)


def to_date_time(value: datetime) -> datetime:
    """A moment. It is an aware datetime, because a naive one means another moment elsewhere."""
    if not isinstance(value, datetime):
        raise TypeError(expected("an aware datetime", value))
    if value.utcoffset() is None:
        raise RequestError(
            f"{value!r} has no time zone; give an aware datetime, like datetime.now(timezone.utc)"
        )
    try:
        moment = value.astimezone(timezone.utc)
    except OverflowError:
        raise RequestError(f"{value!r} is out of the range of datetimes in UTC") from None
    # A subclass may have a text of its own.
    return datetime.combine(moment.date(), moment.time(), timezone.utc)


def written(moment: datetime) -> str:
    """A moment as it is sent: in UTC, like `2027-01-31T12:00:00.5Z` with six digits."""
    return f"{moment.astimezone(timezone.utc).replace(tzinfo=None).isoformat()}Z"


def moment_in(text: str) -> datetime:
    """The moment in a received text, with the offset that it has there.

    Digits of a second after the sixth are cut off. A leap second is the second after it.

    Raises:
        ValueError: it is not RFC 3339, or out of the range of datetimes.
    """
    found = _RFC_3339.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:60]!r} is not a date-time of RFC 3339")
    day, minute, second, fraction, _, offset = found.groups()
    is_leap = second == "60"
    plain = f"{day}T{minute}:{'59' if is_leap else second}.{(fraction or '')[:6]:0<6}"
    try:
        moment = datetime.fromisoformat(f"{plain}{offset or '+00:00'}")
        return moment + timedelta(seconds=is_leap)
    except (ValueError, OverflowError):
        raise ValueError(f"{text[:60]!r} is no moment that a datetime can be") from None
