"""Accounts and their positions."""

from __future__ import annotations

from decimal import Decimal

import attrs

from trading_sandbox.engine.commands import Side
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.money import ROUNDING, ZERO, divide
from trading_sandbox.engine.records import Order, Trade


@attrs.define
class Position:
    """What an account holds of one market.

    It keeps what it cost rather than an average price, so that no rounding is ever lost: the sum
    of all balances, less the cost of all positions, plus all fees, is what was deposited.
    """

    size: Decimal = ZERO
    """Positive when long, negative when short. Tokens."""
    cost: Decimal = ZERO
    """Size times average entry price, with the sign of the size. USDC."""

    @property
    def entry_price(self) -> Decimal:
        """Average entry price; 0 without a position."""
        return divide(self.cost, self.size) if self.size else ZERO

    def unrealised(self, mark_price: Decimal) -> Decimal:
        """Profit or loss if the position were closed at the mark price."""
        return self.size * mark_price - self.cost

    def closable(self, side: Side) -> Decimal:
        """How much an order of this side can close."""
        return max(ZERO, self.size if side == "ask" else -self.size)

    def grow(self, side: Side, amount: Decimal, price: Decimal) -> None:
        """Open the position, or add to it."""
        signed = amount if side == "bid" else -amount
        self.size += signed
        self.cost += signed * price

    def close(self, side: Side, amount: Decimal, price: Decimal) -> Decimal:
        """Close a part of the position; return what it realised."""
        released = self.cost
        if amount != abs(self.size):
            released = (self.cost * amount / abs(self.size)).quantize(ROUNDING)
        signed = amount if side == "bid" else -amount
        self.size += signed
        self.cost -= released
        return -signed * price - released


@attrs.define
class Resting:
    """What the open orders of one market and side add up to, reduce-only ones aside."""

    amount: Decimal = ZERO
    notional: Decimal = ZERO

    def add(self, amount: Decimal, price: Decimal) -> None:
        """Add an amount at a price; take it away when negative."""
        self.amount += amount
        self.notional += amount * price


def _flat_positions() -> dict[str, Position]:
    return {symbol: Position() for symbol in MARKETS}


def _nothing_resting() -> dict[tuple[str, Side], Resting]:
    sides: tuple[Side, ...] = ("bid", "ask")
    return {(symbol, side): Resting() for symbol in MARKETS for side in sides}


@attrs.define
class Account:
    """The money, positions, orders and trades of one account."""

    address: str
    balance: Decimal
    """Deposits plus realised pnl less fees. USDC."""
    positions: dict[str, Position] = attrs.field(factory=_flat_positions)
    orders: list[Order] = attrs.field(factory=list)
    """Every order it placed, oldest first."""
    trades: list[Trade] = attrs.field(factory=list)
    """Oldest first."""
    open_orders: dict[int, Order] = attrs.field(factory=dict)
    open_by_client_id: dict[str, Order] = attrs.field(factory=dict)
    open_reduce_only: dict[int, Order] = attrs.field(factory=dict)
    _resting: dict[tuple[str, Side], Resting] = attrs.field(factory=_nothing_resting)

    def position(self, symbol: str) -> Position:
        """Return the position in a market, which may be flat."""
        return self.positions[symbol]

    def resting(self, symbol: str, side: Side) -> Resting:
        """Return what its open orders of a market and side add up to."""
        return self._resting[symbol, side]

    def add_open(self, order: Order) -> None:
        """Note that an order rests in the book."""
        self.open_orders[order.order_id] = order
        if order.client_order_id is not None:
            self.open_by_client_id[order.client_order_id] = order
        if order.reduce_only:
            self.open_reduce_only[order.order_id] = order
        self.change_resting(order, order.remaining)

    def remove_open(self, order: Order) -> None:
        """Note that an order has left the book."""
        del self.open_orders[order.order_id]
        if order.client_order_id is not None:
            del self.open_by_client_id[order.client_order_id]
        self.open_reduce_only.pop(order.order_id, None)
        self.change_resting(order, -order.remaining)

    def change_resting(self, order: Order, amount: Decimal) -> None:
        """Note that an open order can fill so much more, or less when negative."""
        if not order.reduce_only:
            self.resting(order.symbol, order.side).add(amount, order.price)
