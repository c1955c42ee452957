"""The past of an account: orders and trades that were never carried out, only recorded."""

from __future__ import annotations

from itertools import cycle, islice

from trading_sandbox.engine import checks
from trading_sandbox.engine.commands import AddHistory, Side
from trading_sandbox.engine.markets import MAKER_FEE
from trading_sandbox.engine.matching import record_trade
from trading_sandbox.engine.money import ZERO, floor_to
from trading_sandbox.engine.records import Order, TradeSide
from trading_sandbox.engine.seeded import wander
from trading_sandbox.engine.state import Holding
from trading_sandbox.engine.venue import Venue, handles

_ROUND_TRIPS: tuple[tuple[Side, TradeSide], ...] = (
    ("bid", "open_long"),
    ("ask", "close_long"),
    ("ask", "open_short"),
    ("bid", "close_short"),
)
_MINUTE_MS = 60_000
_LOTS = 1000
"""Amount of each order."""


@handles(AddHistory)
def add_history(venue: Venue, command: AddHistory) -> None:
    """Record round trips, long and short in turns, within 1 % of the mark price."""
    account, market = checks.customer(venue, command.account), checks.market_of(command.symbol)
    mark, amount, position = venue.market(market.symbol).mark_price, _LOTS * market.lot, Holding()
    for number, (side, effect) in enumerate(islice(cycle(_ROUND_TRIPS), 2 * command.round_trips)):
        at = command.first_at + number * command.spacing_ms
        move = wander(venue.state.seed, market.symbol, "past", at, _MINUTE_MS) / 100
        price = floor_to(mark * (1 + move), market.tick)
        order = Order(
            order_id=venue.new_order_id(),
            account=account.address,
            symbol=market.symbol,
            side=side,
            order_type="limit",
            tif="ALO",
            price=price,
            amount=amount,
            created_at=at,
        )
        order.fill(amount, price, at)
        venue.number(order, "fulfill_limit", price)
        entry, pnl = position.entry_price or price, ZERO
        if position.size:
            pnl = position.close(side, amount, price, at)
        else:
            position.grow(side, amount, price, at)
        record_trade(
            venue,
            order,
            side=effect,
            event_type="fulfill_maker",
            amount=amount,
            price=price,
            entry_price=entry,
            fee=amount * price * MAKER_FEE,
            pnl=pnl,
            created_at=at,
            is_public=False,
        )
