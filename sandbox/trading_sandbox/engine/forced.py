"""Outcomes of orders that a test decides beforehand, by client order id."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from trading_sandbox.engine.commands import Side
from trading_sandbox.engine.controls import ForcedStatus, ForceOutcome
from trading_sandbox.engine.house import MAKER, house_order
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.matching import fill, fillable, settle
from trading_sandbox.engine.money import floor_to
from trading_sandbox.engine.records import Order, OrderReason, OrderStatus, Refused
from trading_sandbox.engine.venue import Venue

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
"""What an order may say about its end; without a reason, the default."""
_REFUSAL = "Refused by the sandbox as asked"


def force_outcome(venue: Venue, command: ForceOutcome) -> None:
    """Decide what becomes of the next order with a client order id; a second decision replaces it.

    Raises:
        Refused: the reason does not go with the status.
    """
    allowed = _REASONS.get(command.status, {None: None})
    if command.status != "refused" and command.reason not in allowed:
        fitting = ", ".join(reason for reason in allowed if reason) or "none"
        raise Refused(f"Invalid reason: for {command.status} there is {fitting}")
    venue.state.forced[command.client_order_id.lower()] = command


def forced_outcome(venue: Venue, order: Order) -> Callable[[Order], None] | None:
    """Return what carries out the outcome that was decided for an order, if there is one.

    An outcome is gone once it is carried out. A refusal stays, since a refused command changes
    nothing: every order with the id is refused until another outcome is decided.

    Raises:
        Refused: the outcome is to refuse it, or the order is too small to be filled in part.
    """
    key = (order.client_order_id or "").lower()
    forced = venue.state.forced.get(key)
    if forced is None:
        return None
    if forced.status == "refused":
        raise Refused(_REFUSAL if forced.reason is None else forced.reason)
    if forced.status == "partially_filled":
        _half(order)

    def carry_out(order: Order) -> None:
        _carry_out(venue, order, venue.state.forced.pop(key))

    return carry_out


def _carry_out(venue: Venue, order: Order, forced: ForceOutcome) -> None:
    if forced.status == "filled":
        _trade(venue, order, order.amount)
    elif forced.status == "partially_filled":
        _trade(venue, order, _half(order))
    else:
        status: OrderStatus = "rejected" if forced.status == "rejected" else "cancelled"
        venue.end(order, _REASONS[forced.status][forced.reason], status)


def _half(order: Order) -> Decimal:
    lot = MARKETS[order.symbol].lot
    half = floor_to(order.amount / 2, lot)
    if not half:
        raise Refused("Order too small: one lot cannot be filled in part, as the sandbox was asked")
    return half


def _trade(venue: Venue, order: Order, amount: Decimal) -> None:
    """Fill an order at its price against the house, whatever the book holds."""
    other_side: Side = "ask" if order.side == "bid" else "bid"
    amount = min(amount, fillable(venue, order))
    other = house_order(venue, MAKER, order.symbol, other_side, order.price, amount)
    fill(venue, order, other, amount, order.price)
    crossing = venue.books[order.symbol].counterparty(order.side, order.price) is not None
    if order.remaining and crossing:
        # It cannot rest in a crossed book.
        venue.end(order, "expired")
    else:
        settle(venue, order)
