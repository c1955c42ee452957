"""The records that the exchange keeps: orders and trades, as the histories list them."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import attrs

from trading_sandbox.engine.commands import Side, TimeInForce
from trading_sandbox.engine.money import ZERO, divide

OrderStatus = Literal["open", "partially_filled", "filled", "cancelled", "rejected"]
OrderReason = Literal[
    "cancel", "force_cancel", "expired", "post_only_rejected", "self_trade_prevented"
]
OrderType = Literal["limit", "market"]
TradeSide = Literal["open_long", "open_short", "close_long", "close_short"]
EventType = Literal["fulfill_taker", "fulfill_maker"]


class Refused(Exception):
    """The exchange does not carry out a command; its text says why. Nothing has changed."""


@attrs.define(kw_only=True)
class Order:
    """An order and what has become of it (interface section 2.1)."""

    order_id: int
    account: str
    symbol: str
    side: Side
    order_type: OrderType
    tif: TimeInForce
    price: Decimal
    initial_price: Decimal
    amount: Decimal
    reduce_only: bool
    client_order_id: str | None
    created_at: int
    updated_at: int
    filled: Decimal = ZERO
    quote: Decimal = ZERO
    """What its fills cost together. USDC."""
    status: OrderStatus = "open"
    reason: OrderReason | None = None

    @property
    def remaining(self) -> Decimal:
        """The part of the amount that has not filled."""
        return self.amount - self.filled

    @property
    def average_price(self) -> Decimal:
        """Volume-weighted average price of the fills; 0 without any."""
        return divide(self.quote, self.filled) if self.filled else ZERO

    def fill(self, amount: Decimal, price: Decimal, now: int) -> None:
        """Add a fill."""
        self.filled += amount
        self.quote += amount * price
        self.status = "partially_filled" if self.remaining else "filled"
        self.updated_at = now

    def end(self, status: OrderStatus, reason: OrderReason, now: int) -> None:
        """Cancel or reject what has not filled."""
        self.status = status
        self.reason = reason
        self.updated_at = now


@attrs.frozen(kw_only=True)
class Trade:
    """One account's side of a fill (interface section 2.2).

    A fill that turns a long position into a short one, or back, is two records: the part that
    closes and the part that opens.
    """

    history_id: int
    order_id: int
    client_order_id: str | None
    symbol: str
    amount: Decimal
    price: Decimal
    """Price at which it executed."""
    fee: Decimal
    pnl: Decimal
    event_type: EventType
    side: TradeSide
    created_at: int
