"""Forced outcomes: a test sets by client order id what becomes of the next order with that id."""

from __future__ import annotations

from decimal import Decimal

from trading_sandbox.engine import matching
from trading_sandbox.engine.commands import ForcedStatus, ForceOutcome, opposite
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.matching import fill, fillable, house_order, settle
from trading_sandbox.engine.money import ZERO, floor_to
from trading_sandbox.engine.records import Order, OrderReason, Refused
from trading_sandbox.engine.state import MAKER
from trading_sandbox.engine.venue import Venue, handles

_REASONS: dict[ForcedStatus, dict[str | None, OrderReason]] = {
    "cancelled": {
        None: "force_cancel",
        "cancel": "cancel",
        "force_cancel": "force_cancel",
        "expired": "expired",
        "self_trade_prevented": "self_trade_prevented",
    },
    "rejected": {None: "post_only_rejected", "post_only_rejected": "post_only_rejected"},
}
"""The reasons that may be given with each forced status. None stands for the default reason."""


@handles(ForceOutcome)
def force_outcome(venue: Venue, command: ForceOutcome) -> None:
    """Force the outcome of the next order with a client order id; a later command replaces it.

    Raises:
        Refused: this status cannot have this reason.
    """
    allowed = _REASONS.get(command.status, {None: None})
    if command.status != "refused" and command.reason not in allowed:
        fitting = ", ".join(reason for reason in allowed if reason) or "none"
        raise Refused(f"Invalid reason: for {command.status} there is {fitting}")
    venue.state.forced_outcomes[command.client_order_id] = command


def check_forced_outcome(venue: Venue, order: Order) -> None:
    """Refuse an order of one lot if its forced outcome is a partial fill."""
    forced = venue.state.forced_outcomes.get(order.client_order_id or "")
    if forced is not None and forced.status == "partially_filled" and not _half(order):
        raise Refused("Order too small: one lot cannot be filled in part, as the sandbox was asked")


def enter(venue: Venue, order: Order) -> None:
    """Give an order its forced outcome, or match it against the book if it has none.

    A forced outcome is removed once it is applied. `refused` stays, because a refused command
    changes nothing: `Venue.check_client_id` refuses every new order with the id until another
    outcome is set. A stop order that was accepted earlier is matched as usual once triggered.
    """
    venue.record(order, "make" if order.stop is None else "stop_triggered")
    key = order.client_order_id or ""
    forced = venue.state.forced_outcomes.get(key)
    if forced is None or forced.status == "refused":
        matching.enter(venue, order)
        return
    del venue.state.forced_outcomes[key]
    if forced.status == "filled":
        _trade(venue, order, order.amount)
    elif forced.status == "partially_filled":
        _trade(venue, order, _half(order))
    else:
        venue.end(order, _REASONS[forced.status][forced.reason], forced.status)


def _half(order: Order) -> Decimal:
    return floor_to(order.amount / 2, MARKETS[order.symbol].lot)


def _trade(venue: Venue, order: Order, amount: Decimal) -> None:
    """Fill an order against the maker's house account, whatever the book holds.

    A limit order trades at its own price, a market order at the current price.
    """
    price = order.price
    if order.order_type.endswith("market"):
        current = venue.current_price(order.symbol)
        price = MARKETS[order.symbol].slippage_bound(order.side, current, ZERO)
    amount = min(amount, fillable(venue, order))
    if amount:
        other = house_order(venue, MAKER, order.symbol, opposite(order.side), price, amount)
        fill(venue, order, other, amount, price)
    crossing = venue.books[order.symbol].counterparty(order.side, order.price) is not None
    if order.remaining and crossing:
        # The rest would cross the book, so it cannot stay there.
        venue.end(order, "expired")
    else:
        settle(venue, order)
