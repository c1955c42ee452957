"""The trading floor: the state, and what follows from it so that commands find it at once."""

from __future__ import annotations

from decimal import Decimal

from trading_sandbox.engine.book import Book
from trading_sandbox.engine.commands import OrderRef
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Changes, Order, OrderReason, OrderStatus, Refused
from trading_sandbox.engine.state import Account, MarketState, State
from trading_sandbox.engine.waiting import Waiting


class Venue:
    """What every handler of a command works on."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.books = {symbol: Book() for symbol in MARKETS}
        self.waiting = {symbol: Waiting() for symbol in MARKETS}
        self.changes = Changes()
        self.moved: dict[str, dict[str, None]] = {}
        """Markets in which a price may have moved since stop orders were last looked at.

        Each with the accounts whose orders or position there have changed.
        """
        self.at_risk: dict[str, None] = {}
        """Accounts that may have lost money since margins were last looked at."""
        with exact_arithmetic():
            for order in state.orders.values():
                self._enter(order)

    @property
    def now(self) -> int:
        """Time of the command that is carried out, in ms."""
        return self.state.now

    def account(self, address: str) -> Account:
        """Return an account.

        Raises:
            Refused: there is none of this address.
        """
        account = self.state.accounts.get(address)
        if account is None:
            raise Refused(f"Account not found: {address} has no account in this sandbox")
        return account

    def market(self, symbol: str) -> MarketState:
        """Return what moves in a market."""
        return self.state.markets[symbol]

    def current_price(self, symbol: str) -> Decimal:
        """Return the mid price, or the mark price while a side of the book is empty."""
        return self.books[symbol].mid_price() or self.market(symbol).mark_price

    def new_order_id(self) -> int:
        """Return an order id that was never used."""
        order_id = self.state.next_order_id
        self.state.next_order_id += 1
        return order_id

    # -- orders --------------------------------------------------------------------------------

    def open_order(self, ref: OrderRef, *, waiting: bool = False) -> Order:
        """Return the open order that a command names; with `waiting`, a stop order that waits.

        Raises:
            Refused: the account has none like it.
        """
        account = self.account(ref.account)
        if (ref.order_id is None) == (ref.client_order_id is None):
            raise Refused("Exactly one of order_id and client_order_id is needed")
        if ref.order_id is not None:
            order = account.open_orders.get(ref.order_id)
        else:
            order = account.open_by_client_id.get(ref.client_order_id or "")
        if order is None or order.symbol != ref.symbol or (waiting and not order.waiting):
            named = ref.order_id if ref.client_order_id is None else ref.client_order_id
            what, state = ("Stop order", "waiting") if waiting else ("Order", "open")
            raise Refused(
                f"{what} not found: {named} is no {state} {ref.symbol} order of this account"
            )
        return order

    def check_client_id(
        self, account: Account, client_order_id: str | None, replaced: Order | None = None
    ) -> None:
        """Refuse a client order id that another open order has, or that a test wants refused.

        An order of the account that the new one replaces may have it.
        """
        holder = account.open_by_client_id.get(client_order_id or "")
        forced = self.state.forced.get(client_order_id or "")
        if forced is not None and forced.status == "refused":
            raise Refused(forced.reason or "Refused by the sandbox as asked")
        if holder is not None and holder is not replaced:
            raise Refused(f"Duplicate client_order_id: order {holder.order_id} is open with it")

    def open(self, order: Order) -> None:
        """Let an order rest in its book behind those of the same price, or wait for its stop."""
        self.state.orders[order.order_id] = order
        self._enter(order)
        self.record(order)

    def remove(self, order: Order) -> None:
        """Take an open order from where it rests or waits."""
        del self.state.orders[order.order_id]
        if order.waiting:
            self.waiting[order.symbol].remove(order)
        else:
            self.books[order.symbol].remove(order)
        self.account(order.account).remove_open(order)

    def end(self, order: Order, reason: OrderReason, status: OrderStatus = "cancelled") -> None:
        """Cancel or reject an order, open or about to be."""
        if order.order_id in self.state.orders:
            self.remove(order)
        order.end(status, reason, self.now)
        self.record(order)

    def record(self, order: Order) -> None:
        """Note that an order has changed."""
        self.moved.setdefault(order.symbol, {})[order.account] = None
        if not self.account(order.account).house:
            self.changes.orders[order.order_id] = order

    def _enter(self, order: Order) -> None:
        if order.waiting:
            self.waiting[order.symbol].add(order)
        else:
            self.books[order.symbol].add(order)
        self.account(order.account).add_open(order)

    # -- prices --------------------------------------------------------------------------------

    def set_mark_price(self, symbol: str, price: Decimal) -> None:
        """Move a mark price; whoever holds a position there may have lost."""
        self.market(symbol).mark_price = price
        self.moved.setdefault(symbol, {})
        for account in self.state.accounts.values():
            if account.position(symbol).size or account.spot.get(symbol):
                self.at_risk[account.address] = None
