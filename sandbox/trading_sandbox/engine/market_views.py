"""The public data of a market: funding rate, open interest, book and candles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby, islice

import attrs

from trading_sandbox.engine.commands import Side
from trading_sandbox.engine.funding import impact_price, rate_of
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.money import ZERO, ceil_to, floor_to
from trading_sandbox.engine.records import Order
from trading_sandbox.engine.venue import Venue

INTERVALS = {
    **{f"{minutes}m": minutes * 60_000 for minutes in (1, 3, 5, 15, 30)},
    **{f"{hours}h": hours * 3_600_000 for hours in (1, 2, 4, 8, 12)},
    "1d": 86_400_000,
}
"""The lengths of candles, in ms, by their names."""


@attrs.frozen
class Level:
    """The orders of one price in a book, or of a range of prices."""

    price: Decimal
    amount: Decimal
    """The part of these orders that has not filled. Tokens."""
    orders: int
    """Number of orders."""


@attrs.frozen
class MarketTrade:
    """A trade as the whole market sees it."""

    price: Decimal
    amount: Decimal
    created_at: int


@attrs.frozen
class Candle:
    """The trades of an interval. Without any, all prices are that of the latest trade before."""

    begins_at: int
    open: Decimal
    close: Decimal
    high: Decimal
    low: Decimal
    volume: Decimal
    """Tokens."""
    trades: int


def predicted_rate(venue: Venue, symbol: str) -> Decimal:
    """Return the hourly funding rate that would be settled now."""
    bid, ask = impact_price(venue, symbol, "bid"), impact_price(venue, symbol, "ask")
    return rate_of(venue.market(symbol).mark_price, bid, ask)


def open_interest(venue: Venue, symbol: str) -> Decimal:
    """Return the size of all long positions, which is that of all short ones. Tokens."""
    sizes = (account.position(symbol).size for account in venue.state.accounts.values())
    return sum((size for size in sizes if size > 0), ZERO)


def levels(venue: Venue, symbol: str, side: Side, ticks: int, most: int) -> list[Level]:
    """Return one side of a book, the best price first.

    Args:
        venue: The exchange.
        symbol: The market.
        side: The side.
        ticks: How many ticks wide a level is. A bid belongs to the level below it, an ask to the one above.
        most: The most levels to return.
    """
    step, rounded = MARKETS[symbol].tick * ticks, floor_to if side == "bid" else ceil_to

    def price_of(order: Order) -> Decimal:
        return rounded(order.price, step)

    found: list[Level] = []
    for price, grouped in islice(groupby(venue.books[symbol].orders(side), price_of), most):
        amounts = [order.remaining for order in grouped]
        found.append(Level(price, sum(amounts, ZERO), len(amounts)))
    return found


def candles(
    trades: Sequence[MarketTrade], last: Decimal | None, beginnings: range
) -> Iterator[Candle]:
    """Yield the candles of consecutive intervals; none before the first trade of the market.

    Args:
        trades: The trades in these intervals, oldest first.
        last: The price of the latest trade before them; None if there is none.
        beginnings: When the intervals begin, in ms; its step is their length.
    """
    left = iter([*trades, None])
    trade = next(left)
    for begins_at in beginnings:
        amounts: list[Decimal] = []
        prices: list[Decimal] = []
        while trade is not None and trade.created_at < begins_at + beginnings.step:
            prices.append(trade.price)
            amounts.append(trade.amount)
            trade = next(left)
        last = prices[-1] if prices else last
        if last is not None:
            seen = prices or [last]
            volume, count = sum(amounts, ZERO), len(prices)
            yield Candle(begins_at, seen[0], last, max(seen), min(seen), volume, count)
