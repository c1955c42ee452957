"""Candles: the bars of a market, put together by intervals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from functools import reduce

import attrs

from trading_sandbox.engine.minutes import Bar

_DAY_MS = 86_400_000
_EPOCH = date(1970, 1, 1)
_MONDAY_MS = 4 * _DAY_MS
"""The first Monday, since the epoch."""
INTERVALS = {
    **{f"{minutes}m": minutes * 60_000 for minutes in (1, 3, 5, 15, 30)},
    **{f"{hours}h": hours * 3_600_000 for hours in (1, 2, 4, 8, 12)},
    "1d": _DAY_MS,
    "1w": 7 * _DAY_MS,
    "1M": 31 * _DAY_MS,
}
"""The lengths of candles, in ms, by their names; of a month, the most that it has."""


@attrs.frozen
class Candle:
    """The trades of an interval, or its mark prices."""

    begins_at: int
    ends_at: int
    open: Decimal
    close: Decimal
    high: Decimal
    low: Decimal
    volume: Decimal
    """Tokens."""
    trades: int


def interval_of(name: str, moment: int) -> tuple[int, int]:
    """Return begin and end of the interval that a moment is in, in ms: UTC, weeks from Monday."""
    if name == "1M":
        day = datetime.fromtimestamp(moment / 1000, timezone.utc).date().replace(day=1)
        months = (day, (day + timedelta(days=31)).replace(day=1))
        begin, end = ((each - _EPOCH).days * _DAY_MS for each in months)
        return begin, end
    begin = moment - (moment - _MONDAY_MS) % INTERVALS[name]
    return begin, begin + INTERVALS[name]


def candles(bars: Iterable[Bar], interval: str, start: int) -> Iterator[Candle]:
    """Yield the candles of bars, which come oldest first, that begin at `start` or later.

    No bar reaches over an interval.
    """
    begin = end = 0
    inside: list[Bar] = []
    for bar in bars:
        if bar.opened_at >= end:
            if inside and begin >= start:
                yield _candle(begin, end, inside)
            begin, end = interval_of(interval, bar.opened_at)
            inside = []
        inside.append(bar)
    if inside and begin >= start:
        yield _candle(begin, end, inside)


def _candle(begin: int, end: int, bars: list[Bar]) -> Candle:
    all_ = reduce(Bar.joined, bars)
    prices = (all_.open, all_.close, all_.high, all_.low)
    return Candle(begin, end, *prices, all_.volume, all_.trades)
