"""The background maker: it quotes both sides of every market around the mark price."""

from __future__ import annotations

from decimal import Decimal

from trading_sandbox.engine import checks
from trading_sandbox.engine.commands import SIDES, SetMaker, SetMarkPrice, Side
from trading_sandbox.engine.markets import MARKETS, Market
from trading_sandbox.engine.matching import enter, house_order
from trading_sandbox.engine.money import floor_to
from trading_sandbox.engine.records import Order
from trading_sandbox.engine.seeded import path_price
from trading_sandbox.engine.state import MAKER
from trading_sandbox.engine.venue import Venue, handles

LEVELS = 5
"""Number of price levels quoted on each side."""
DISTANCE = Decimal("0.0001")
"""Distance from the mark price to the first level and between levels: a fraction of that price."""
LEVEL_NOTIONAL = Decimal(50_000)
"""Value of the order at each level. USD."""


@handles(SetMaker)
def set_maker(venue: Venue, command: SetMaker) -> None:
    """Turn the background maker and the price paths on or off."""
    venue.state.maker_on = command.on
    if command.on:
        step(venue)
    else:
        for order in list(venue.account(MAKER).open_orders.values()):
            venue.end(order, "cancel")
    for market in venue.state.markets.values():
        market.pin(venue.now, command.on)


@handles(SetMarkPrice)
def set_mark_price(venue: Venue, command: SetMarkPrice) -> None:
    """Pin a mark price; without a price, let it follow its price path again."""
    market = checks.market_of(command.symbol)
    if command.price is not None:
        checks.check_price(market, command.price)
        venue.set_mark_price(market.symbol, command.price)
    venue.market(market.symbol).pinned = command.price is not None
    if venue.state.maker_on:
        _follow_path(venue, market)
        _quote(venue, market)
    venue.market(market.symbol).pin(venue.now, venue.state.maker_on)


def step(venue: Venue) -> None:
    """Move the unpinned mark prices along their paths to now, then quote around them."""
    for market in MARKETS.values():
        _follow_path(venue, market)
    for market in MARKETS.values():
        _quote(venue, market)
    venue.state.stepped_at = venue.now


def _follow_path(venue: Venue, market: Market) -> None:
    moving = venue.market(market.symbol)
    price = path_price(venue.state.seed, market, venue.now - venue.state.started_at)
    if not moving.pinned and price != moving.mark_price:
        venue.set_mark_price(market.symbol, price)


def _quote(venue: Venue, market: Market) -> None:
    """Bring the maker's quotes in a market up to date; correct quotes stay."""
    missing = _wanted(market, venue.market(market.symbol).mark_price)
    # Outdated quotes are cancelled first; otherwise a new bid could trade with an old ask.
    for order in list(venue.account(MAKER).open_orders.values()):
        if order.symbol != market.symbol:
            continue
        if missing.get((order.side, order.price)) == order.remaining:
            del missing[order.side, order.price]
        else:
            venue.end(order, "cancel")
    for side in SIDES:
        _trade_through(venue, market, side)
    for (side, price), amount in missing.items():
        enter(venue, house_order(venue, MAKER, market.symbol, side, price, amount))


def _wanted(market: Market, mark_price: Decimal) -> dict[tuple[Side, Decimal], Decimal]:
    distance = max(floor_to(mark_price * DISTANCE, market.tick), market.tick)
    amount = max(floor_to(LEVEL_NOTIONAL / mark_price, market.lot), market.lot)
    steps: dict[Side, Decimal] = {"bid": -distance, "ask": distance}
    return {
        (side, price): amount
        for side, away in steps.items()
        for level in range(1, LEVELS + 1)
        if (price := mark_price + level * away) > 0
    }


def _trade_through(venue: Venue, market: Market, side: Side) -> None:
    """Fill the orders of the opposite side that the mark price has reached or passed.

    They fill completely, however large: a market that moves through an order fills it. The new
    quotes then cross no order when they enter the book.
    """
    book = venue.books[market.symbol]
    mark_price = venue.market(market.symbol).mark_price
    seen: Order | None = None
    while (order := book.counterparty(side, mark_price)) is not None and order is not seen:
        seen = order
        amount = order.remaining
        enter(venue, house_order(venue, MAKER, market.symbol, side, mark_price, amount, tif="IOC"))
