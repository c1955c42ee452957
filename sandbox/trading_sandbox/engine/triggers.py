"""Trigger and cancel orders of the trigger book: stop orders, take-profits and stop-losses.

An order that the exchange cancels has the reason `force_cancel`; one that a user cancels has
`cancel`.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import get_args

from trading_sandbox.engine import forced_outcomes
from trading_sandbox.engine.books import stop_of
from trading_sandbox.engine.commands import TriggerPriceType
from trading_sandbox.engine.margin import require_margin
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.records import InsufficientBalance, Order
from trading_sandbox.engine.venue import Venue

_TRIGGER_PRICES: tuple[TriggerPriceType, ...] = get_args(TriggerPriceType)

STOP_SLIPPAGE = Decimal(5)
"""Slippage bound of a triggered market order, from the current price. Percent."""


def trigger_price(venue: Venue, symbol: str, kind: TriggerPriceType) -> Decimal | None:
    """Return the price that stop orders of this kind compare with; None while there is none."""
    if kind == "mid_price":
        return venue.books[symbol].mid_price()
    market = venue.market(symbol)
    return market.last_price if kind == "last_trade_price" else market.mark_price


def trigger_reached(venue: Venue, symbol: str, accounts: Iterable[str]) -> None:
    """Trigger the orders whose stop price is reached; cancel the legs with nothing left to close.

    `accounts` are those whose orders or positions in this market have changed; only their legs
    are checked. An order whose stop price is reached is triggered even if an earlier one of the
    same round moves the price back. Rounds come to an end: each one that moves a price uses up a
    waiting order.
    """
    book = venue.trigger_books[symbol]
    for leg in _oldest_first(leg for account in accounts for leg in book.legs(account)):
        _cancel_idle_leg(venue, leg)
    reached: list[Order] = []
    for kind in _TRIGGER_PRICES:
        price = trigger_price(venue, symbol, kind)
        if price is not None:
            reached += book.reached(kind, price)
    for order in _oldest_first(reached):
        if order.order_id in venue.state.orders and _is_armed(venue, order):
            _trigger(venue, order)


def _oldest_first(orders: Iterable[Order]) -> list[Order]:
    return sorted(orders, key=lambda order: order.order_id)


def _cancel_idle_leg(venue: Venue, order: Order) -> None:
    """Cancel a leg with nothing left to close; else set its amount to what its order filled.

    A leg whose order is still open stays as it is.
    """
    stop = stop_of(order)
    if stop.parent in venue.state.orders:
        return
    ended = venue.changes.orders.get(stop.parent or 0)
    if ended is not None:
        closes = stop.earlier + ended.filled
        if not closes:
            venue.end(order, "force_cancel")
            return
        if closes != order.amount:
            order.amount = closes
            order.updated_at = venue.now
            venue.record(order, "adjust")
    if not _closable(venue, order):
        venue.end(order, "force_cancel")


def _is_armed(venue: Venue, order: Order) -> bool:
    """Whether an order may trigger: a leg needs something to close, a plain stop order does not."""
    return stop_of(order).kind == "stop" or bool(_closable(venue, order))


def _closable(venue: Venue, order: Order) -> Decimal:
    """Return how much of the position a waiting order could close if it were triggered now."""
    stop = stop_of(order)
    position = venue.account(order.account).position(order.symbol).closable(order.side)
    if stop.whole_position:
        return position
    parent = venue.state.orders.get(stop.parent or 0)
    return min(position, order.amount if parent is None else stop.earlier + parent.filled)


def _trigger(venue: Venue, order: Order) -> None:
    """Send a triggered order to the book, or cancel it if it cannot be executed.

    It is cancelled with `force_cancel` if it is reduce-only without a position, or if its margin
    is not covered. The interface has no separate reason for missing margin.
    """
    stop = stop_of(order)
    _cancel_others(venue, order)
    closable = _closable(venue, order)
    if order.reduce_only and not closable:
        venue.end(order, "force_cancel")
        return
    venue.remove(order)
    stop.untriggered = False
    order.updated_at = venue.now
    if stop.whole_position or stop.parent is not None:
        order.amount = closable
    if stop.limit_price is None:
        current = venue.current_price(order.symbol)
        market = MARKETS[order.symbol]
        order.price = market.slippage_bound(order.side, current, STOP_SLIPPAGE)
    try:
        require_margin(venue, venue.account(order.account), order)
    except InsufficientBalance:
        venue.end(order, "force_cancel")
    else:
        forced_outcomes.enter(venue, order)


def _cancel_others(venue: Venue, order: Order) -> None:
    """Cancel the take-profit when its stop-loss is triggered, and the other way round."""
    for other in venue.trigger_books[order.symbol].legs(order.account):
        if other is not order and _exclude_each_other(order, other):
            venue.end(other, "force_cancel")


def _exclude_each_other(order: Order, other: Order) -> bool:
    one, two = stop_of(order), stop_of(other)
    if one.kind == "stop" or one.parent != two.parent:
        return False
    return one.parent is not None or (one.whole_position and two.whole_position)
