"""The tape of a market: its mark prices and the prints of the background maker, computed when asked for.

They follow from the seed, the market, the time and the pins of its mark price. Nothing of them is stored,
so there is a past from the first look, and a long one costs nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from decimal import Decimal
from operator import attrgetter
from typing import ClassVar

import attrs

from trading_sandbox.engine.candles import interval_of
from trading_sandbox.engine.commands import Cause
from trading_sandbox.engine.markets import MARKETS, Market
from trading_sandbox.engine.minutes import MINUTE_MS, Bar
from trading_sandbox.engine.money import ZERO
from trading_sandbox.engine.records import TradeSide
from trading_sandbox.engine.seeded import (
    PRINT_MS,
    Moves,
    extremes,
    minute_bytes,
    path_moves,
    price_of,
    print_moves,
    seeded_bytes,
    to_base58,
)
from trading_sandbox.engine.state import Pin, State

PAST_MS = 7 * 86_400_000
"""How long before the opening of the exchange a tape begins."""
MARK_MS = 300_000
"""Time between two looks at the mark price inside of a candle, counted from the opening of the exchange."""
_IN_MINUTE = MINUTE_MS // PRINT_MS
_NOTIONAL = 20_000
"""Value of a print at the first mark price, on average. USD."""
_SIDES: tuple[TradeSide, ...] = ("open_long", "open_short", "close_long", "close_short")


@attrs.frozen
class Print:
    """A trade of the background maker with a stranger."""

    symbol: str
    price: Decimal
    amount: Decimal
    side: TradeSide
    """Of the taker."""
    created_at: int
    li: int = 0
    """Sequence number of the exchange's latest event before it, where it is sent as an event."""
    cause: ClassVar[Cause] = "normal"

    @property
    def history_id(self) -> int:
        """A number that no other trade has: those of the exchange count from five million."""
        return self.created_at + list(MARKETS).index(self.symbol)

    @property
    def account(self) -> str:
        """The address of the taker, whom nobody has a key of."""
        return to_base58(seeded_bytes(self.history_id, "stranger")[:32])


@attrs.frozen
class Tape:
    """The mark prices and the prints of a market, from a week before the opening until now. Times in ms."""

    seed: int
    market: Market
    opened_at: int
    now: int
    mark_price: Decimal
    """That of now."""
    pins: tuple[Pin, ...]

    @classmethod
    def of(cls, state: State, market: Market) -> Tape:
        """Return the tape of a market; what happens afterwards does not change it."""
        now = state.markets[market.symbol]
        return cls(state.seed, market, state.started_at, state.now, now.mark_price, tuple(now.pins))

    def mark(self, moment: int) -> Decimal:
        """Return the mark price of a moment."""
        pin = self.pins[bisect_right(self.pins, moment, key=attrgetter("since")) - 1]
        return self._mark(pin, moment)

    def prints(self, before: int, since: int = 0) -> Iterator[Print]:
        """Yield the prints before a time, and at another one or after it, newest first."""
        for pin, begin, end in reversed(list(self._parts(since, before))):
            for at in reversed(self._moments(pin, begin, end)):
                index = at // PRINT_MS
                (price,) = self._prices(pin, print_moves, range(at, at + 1))
                side = self._bytes(index)[3] % len(_SIDES)
                yield Print(
                    self.market.symbol,
                    price,
                    self._volume(index, index + 1),
                    _SIDES[side],
                    self.opened_at + at,
                )

    def value(self, begin: int, end: int) -> Decimal:
        """Return the value of the prints of some time, of each hour at its last price. USDC."""
        total = ZERO
        for pin, first, last in self._pieces("1h", begin, end):
            if moments := self._moments(pin, first, last):
                (price,) = self._prices(pin, print_moves, moments[-1:])
                total += price * self._volume(*_indexes(moments))
        return total

    def bars(self, interval: str, begin: int, end: int) -> Iterator[Bar]:
        """Yield the bars of the prints of some time, none of which reaches over an interval."""
        for pin, first, last in self._pieces(interval, begin, end):
            if moments := self._moments(pin, first, last):
                opened, closed, low, high = self._extent(pin, print_moves, moments)
                yield Bar(
                    self.opened_at + moments[0],
                    self.opened_at + moments[-1],
                    opened,
                    closed,
                    high,
                    low,
                    self._volume(*_indexes(moments)),
                    ZERO,
                    len(moments),
                )

    def mark_bars(self, interval: str, begin: int, end: int) -> Iterator[Bar]:
        """Yield bars of the mark prices of some time, none of which reaches over an interval."""
        for pin, first, last in self._pieces(interval, begin, end):
            last = min(last, self.now)
            ends = self._mark(pin, first), self._mark(pin, last)
            inside = _from(first - self.opened_at, last - self.opened_at, MARK_MS)
            prices = *ends, *self._extent(pin, path_moves, inside)
            yield Bar(first, last, *ends, max(prices), min(prices), ZERO, ZERO, 0)

    # -- inside ----------------------------------------------------------------------------------

    def _parts(self, begin: int, end: int) -> Iterator[tuple[Pin, int, int]]:
        """Yield each pin with the part of some time in which it held."""
        begin, end = max(begin, self.opened_at - PAST_MS), min(end, self.now + 1)
        index = bisect_right(self.pins, begin, key=attrgetter("since"))
        while begin < end:
            until = min(end, self.pins[index].since) if index < len(self.pins) else end
            yield self.pins[index - 1], begin, until
            begin, index = until, index + 1

    def _pieces(self, interval: str, begin: int, end: int) -> Iterator[tuple[Pin, int, int]]:
        """Yield the parts of some time, cut where an interval ends."""
        for pin, first, until in self._parts(begin, end):
            while first < until:
                last = min(until, interval_of(interval, first)[1])
                yield pin, first, last
                first = last

    def _moments(self, pin: Pin, begin: int, end: int) -> range:
        """Return when there were prints from `begin` until before `end`, in ms since the opening."""
        if not pin.quoted:
            return range(0)
        return _from(begin - self.opened_at, end - self.opened_at, PRINT_MS)

    def _mark(self, pin: Pin, moment: int) -> Decimal:
        if moment >= self.now:
            return self.mark_price
        since = moment - self.opened_at
        return self._prices(pin, path_moves, range(since, since + 1))[0]

    def _prices(self, pin: Pin, moves: Moves, moments: range) -> list[Decimal]:
        if pin.price is not None:
            return [pin.price for _ in moments]
        found = moves(self.seed, self.market.symbol, moments)
        return [price_of(self.seed, self.market, move) for move in found]

    def _extent(self, pin: Pin, moves: Moves, moments: range) -> list[Decimal]:
        """Return the first, the last, the lowest and the highest price of some moments; none of no moment."""
        if not moments:
            return []
        if pin.price is not None:
            return [pin.price] * 4
        found = extremes(moves, self.seed, self.market.symbol, moments)
        return [price_of(self.seed, self.market, move) for move in found]

    def _volume(self, first: int, last: int) -> Decimal:
        """Return the amount of the prints from an index until before another one.

        A print has the average amount, plus the number of the next one, less its own: a sum needs no terms.
        """
        market = self.market
        average = int(_NOTIONAL / market.first_mark_price / market.lot)
        own, following = (
            int.from_bytes(self._bytes(index)[:2], "big") * average >> 17 for index in (first, last)
        )
        return ((last - first) * average + following - own) * market.lot

    def _bytes(self, index: int) -> bytes:
        """Return some pseudo-random bytes of a print."""
        minute, place = divmod(index, _IN_MINUTE)
        return minute_bytes(self.seed, self.market.symbol, minute)[8 + 8 * place :]


def _from(begin: int, end: int, step: int) -> range:
    """Return the multiples of a step from `begin` until before `end`."""
    return range(-(-begin // step) * step, end, step)


def _indexes(moments: range) -> tuple[int, int]:
    return moments[0] // PRINT_MS, moments[-1] // PRINT_MS + 1
