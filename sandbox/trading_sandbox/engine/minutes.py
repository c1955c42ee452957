"""The trades of a market by the minute, added up as they come.

Candles and the volume of a day are made of them, so they cost the same however many trades there were.
"""

from __future__ import annotations

from bisect import bisect_left
from decimal import Decimal

import attrs

MINUTE_MS = 60_000


@attrs.frozen
class Minute:
    """The trades of a market in one minute, of which there is at least one."""

    begins_at: int
    open: Decimal
    close: Decimal
    high: Decimal
    low: Decimal
    volume: Decimal
    """Tokens."""
    value: Decimal
    """Of each trade its price times its amount, added up. USDC."""
    trades: int

    @classmethod
    def of_trade(cls, price: Decimal, amount: Decimal, created_at: int) -> Minute:
        """Return the minute of a single trade."""
        begins_at = created_at - created_at % MINUTE_MS
        return cls(begins_at, price, price, price, price, amount, price * amount, 1)

    def followed_by(self, later: Minute) -> Minute:
        """Return this minute with the trades of another one that came later, or later in the same minute."""
        return Minute(
            self.begins_at,
            self.open,
            later.close,
            max(self.high, later.high),
            min(self.low, later.low),
            self.volume + later.volume,
            self.value + later.value,
            self.trades + later.trades,
        )


class Minutes:
    """The minutes of one market that have a trade, oldest first."""

    def __init__(self) -> None:
        self._kept: list[Minute] = []

    def add(self, price: Decimal, amount: Decimal, created_at: int) -> None:
        """Add a trade, which is not older than the one before."""
        minute = Minute.of_trade(price, amount, created_at)
        if self._kept and self._kept[-1].begins_at == minute.begins_at:
            self._kept[-1] = self._kept[-1].followed_by(minute)
        else:
            self._kept.append(minute)

    def cut(self, end: int) -> None:
        """Forget the minutes that begin at `end` or later."""
        del self._kept[bisect_left(self._kept, end, key=_begin_of) :]

    def between(self, start: int, end: int) -> list[Minute]:
        """Return the minutes that begin at `start` or later, and before `end`."""
        first, last = (bisect_left(self._kept, at, key=_begin_of) for at in (start, end))
        return self._kept[first:last]

    def last_before(self, end: int) -> Minute | None:
        """Return the last minute that begins before `end`; None if there is none."""
        count = bisect_left(self._kept, end, key=_begin_of)
        return self._kept[count - 1] if count else None


def _begin_of(minute: Minute) -> int:
    return minute.begins_at
