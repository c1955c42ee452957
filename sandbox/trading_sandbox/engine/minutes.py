"""The trades of a market by the minute, added up as they come.

Candles and the volume of a day are made of them, so they cost the same however many trades there were.
"""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal

import attrs

MINUTE_MS = 60_000


@attrs.frozen
class Bar:
    """The trades of a market in some time, of which there is at least one."""

    opened_at: int
    """When the first of them was, in ms."""
    closed_at: int
    """When the last of them was, in ms."""
    open: Decimal
    close: Decimal
    high: Decimal
    low: Decimal
    volume: Decimal
    """Tokens."""
    value: Decimal
    """Of each trade its price times its amount, added up. USDC."""
    trades: int

    @property
    def minute(self) -> int:
        """Begin of the minute of the first trade, in ms."""
        return self.opened_at - self.opened_at % MINUTE_MS

    @classmethod
    def of_trade(cls, price: Decimal, amount: Decimal, at: int) -> Bar:
        """Return the bar of a single trade."""
        return cls(at, at, price, price, price, price, amount, price * amount, 1)

    def joined(self, other: Bar) -> Bar:
        """Return the bar of the trades of both; of two trades at one time this one has the earlier."""
        first = self if self.opened_at <= other.opened_at else other
        last = self if self.closed_at > other.closed_at else other
        return Bar(
            first.opened_at,
            last.closed_at,
            first.open,
            last.close,
            max(self.high, other.high),
            min(self.low, other.low),
            self.volume + other.volume,
            self.value + other.value,
            self.trades + other.trades,
        )


class Minutes:
    """The minutes of one market that have a trade, oldest first."""

    def __init__(self) -> None:
        self._kept: list[Bar] = []

    def add(self, price: Decimal, amount: Decimal, created_at: int) -> None:
        """Add a trade, which is not older than the one before."""
        bar = Bar.of_trade(price, amount, created_at)
        if self._kept and self._kept[-1].minute == bar.minute:
            self._kept[-1] = self._kept[-1].joined(bar)
        else:
            self._kept.append(bar)

    def cut(self, end: int) -> None:
        """Forget the minutes that begin at `end` or later."""
        del self._kept[bisect_left(self._kept, end, key=_minute_of) :]

    def between(self, start: int, end: int) -> list[Bar]:
        """Return the minutes that begin at `start` or later, and before `end`."""
        first, last = (bisect_left(self._kept, at, key=_minute_of) for at in (start, end))
        return self._kept[first:last]

    def last_before(self, end: int) -> Bar | None:
        """Return the last minute that begins before `end`; None if there is none."""
        count = bisect_left(self._kept, end, key=_minute_of)
        return self._kept[count - 1] if count else None


def _minute_of(bar: Bar) -> int:
    return bar.minute
