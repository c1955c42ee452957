"""The venue: the state with its order books, trigger books and pending follow-ups."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, TypeVar

from trading_sandbox.engine.books import Book, TriggerBook
from trading_sandbox.engine.commands import Command, OrderRef
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import (
    USDC,
    BalanceCause,
    BalanceEvent,
    Changes,
    Order,
    OrderEvent,
    OrderEventKind,
    OrderReason,
    OrderStatus,
    Refused,
    Reply,
)
from trading_sandbox.engine.state import FIRST_ORDER_ID, Account, MarketState, State


class Venue:
    """The state, and the lookups derived from it, which every command handler works on."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.books = {symbol: Book() for symbol in MARKETS}
        self.trigger_books = {symbol: TriggerBook() for symbol in MARKETS}
        self.changes = Changes()
        self.moved_markets: dict[str, dict[str, None]] = {}
        """Markets in which a price may have moved since stop orders were last checked.

        Each with the accounts whose orders or position in it have changed, as an ordered set.
        """
        self.accounts_at_risk: dict[str, None] = {}
        """Accounts that may have lost money since margins were last checked, as an ordered set."""
        with exact_arithmetic():
            for order in state.orders.values():
                self._enter(order)

    @property
    def now(self) -> int:
        """Time of the command that is being executed, in ms."""
        return self.state.now

    def account(self, address: str) -> Account:
        """Return an account.

        Raises:
            Refused: no account has this address.
        """
        account = self.state.accounts.get(address)
        if account is None:
            raise no_account(address)
        return account

    def market(self, symbol: str) -> MarketState:
        """Return the current prices of a market."""
        return self.state.markets[symbol]

    def current_price(self, symbol: str) -> Decimal:
        """Return the mid price, or the mark price while a side of the book is empty."""
        return self.books[symbol].mid_price() or self.market(symbol).mark_price

    def new_order_id(self) -> int:
        """Take the next unused order id."""
        order_id = self.state.next_order_id
        self.state.next_order_id += 1
        return order_id

    def change_balance(self, account: Account, change: Decimal, cause: BalanceCause) -> None:
        """Credit the USDC of an account, or debit it if the change is negative, and record it."""
        account.balance += change
        if change and not account.is_house_account:
            self.record_balance(account, USDC, change, account.balance, cause)

    def record_balance(
        self, account: Account, symbol: str, change: Decimal, balance: Decimal, cause: BalanceCause
    ) -> None:
        """Record a change of a balance."""
        self.changes.balance_events.append(
            BalanceEvent(
                event_id=self.state.next_event_id,
                account=account.address,
                symbol=symbol,
                amount=change,
                balance=balance,
                event_type=cause,
                created_at=self.now,
            )
        )
        self.state.next_event_id += 1

    # -- orders --------------------------------------------------------------------------------

    def open_order(self, ref: OrderRef, *, untriggered: bool = False) -> Order:
        """Return the open order that a command names; with `untriggered`, only one not yet triggered.

        Raises:
            Refused: the account has no such order, or the command gives no id, or two ids where
                it may give only one.
        """
        account = self.account(ref.account)
        ids = [one for one in (ref.order_id, ref.client_order_id) if one is not None]
        # Only the cancel of a stop order may give both (interface sections 4.3 and 4.4).
        if not ids or len(ids) > (2 if untriggered else 1):
            need = "At least one" if untriggered else "Exactly one"
            raise Refused(f"{need} of order_id and client_order_id is needed")
        if ref.order_id is not None:
            order = account.open_orders.get(ref.order_id)
        else:
            order = account.open_by_client_id.get(ref.client_order_id or "")
        if order is None or not _fits(order, ref) or (untriggered and not order.in_trigger_book):
            named = " with client_order_id ".join(map(str, ids))
            what, state = ("Stop order", "waiting") if untriggered else ("Order", "open")
            raise Refused(
                f"{what} not found: {named} is no {state} {ref.symbol} order of this account",
                *self._unknown(ref),
            )
        return order

    def _unknown(self, ref: OrderRef) -> tuple[int, str]:
        """Return code and text of the live service for an order that is not open."""
        if ref.order_id is None:
            return 37, f"Unused client order id: {ref.client_order_id}"
        if FIRST_ORDER_ID <= ref.order_id < self.state.next_order_id:
            return 5, "Failed to cancel order"
        return 6, f"Order not found for {ref.symbol}: {ref.order_id}"

    def check_client_id(
        self, account: Account, client_order_id: str | None, replaced: Order | None = None
    ) -> None:
        """Refuse an id that the account's open orders have, or whose forced outcome is `refused`.

        `replaced` is the open order that the new one replaces; it may have the id.
        """
        holder = account.open_by_client_id.get(client_order_id or "")
        forced = self.state.forced_outcomes.get(client_order_id or "")
        if forced is not None and forced.status == "refused":
            raise Refused(forced.reason or "Refused by the sandbox as asked")
        if holder is not None and holder is not replaced:
            raise Refused(
                f"Duplicate client_order_id: order {holder.order_id} is open with it",
                36,
                f"Duplicate client order id: {client_order_id}",
            )

    def open(self, order: Order) -> None:
        """Add an order to its order book, or to the trigger book if it waits for its stop price."""
        self.state.orders[order.order_id] = order
        self._enter(order)

    def remove(self, order: Order) -> None:
        """Remove an open order from its order book or trigger book."""
        del self.state.orders[order.order_id]
        if order.in_trigger_book:
            self.trigger_books[order.symbol].remove(order)
        else:
            self.books[order.symbol].remove(order)
        self.account(order.account).remove_open(order)

    def end(self, order: Order, reason: OrderReason, status: OrderStatus = "cancelled") -> None:
        """Cancel or reject an order that is open or about to enter the book."""
        if order.order_id in self.state.orders:
            self.remove(order)
        order.end(status, reason, self.now)
        self.record(order, reason)

    def record(self, order: Order, kind: OrderEventKind, last_price: Decimal | None = None) -> None:
        """Record what happened to an order, for the histories and the check of stop orders."""
        self.moved_markets.setdefault(order.symbol, {})[order.account] = None
        self.number(order, kind, last_price)

    def number(self, order: Order, kind: OrderEventKind, last_price: Decimal | None = None) -> None:
        """Number an event of an order, and keep it unless the order is of a house account."""
        self.state.li += 1
        if not self.account(order.account).is_house_account:
            self.changes.orders[order.order_id] = order
            event = OrderEvent.of(order, kind, self.state.li, last_price)
            self.changes.order_events.append(event)

    def _enter(self, order: Order) -> None:
        if order.in_trigger_book:
            self.trigger_books[order.symbol].add(order)
        else:
            self.books[order.symbol].add(order)
        self.account(order.account).add_open(order)

    # -- prices --------------------------------------------------------------------------------

    def set_mark_price(self, symbol: str, price: Decimal) -> None:
        """Set a mark price, and mark the accounts that hold the market or asset as at risk."""
        self.market(symbol).mark_price = price
        self.moved_markets.setdefault(symbol, {})
        for account in self.state.accounts.values():
            if account.position(symbol).size or account.spot.get(symbol):
                self.accounts_at_risk[account.address] = None


def no_account(address: str) -> Refused:
    """Return the refusal of a command of an account that there is not."""
    return Refused(
        f"Account not found: {address} has no account in this sandbox",
        1,
        f"Account not found: {address}",
    )


def _fits(order: Order, ref: OrderRef) -> bool:
    """Whether an order has the symbol that a command gives, and its client id if it gives one."""
    return order.symbol == ref.symbol and ref.client_order_id in (None, order.client_order_id)


# -- the handlers of commands ----------------------------------------------------------------------

_Handler = TypeVar("_Handler", bound=Callable[[Venue, Any], Reply])

HANDLERS: dict[type[Command], Callable[[Venue, Any], Reply]] = {}
"""The handler of each command. A handler that raises `Refused` has changed nothing."""


def handles(kind: type[Command]) -> Callable[[_Handler], _Handler]:
    """Mark a function as the one that carries out a command."""

    def mark(handler: _Handler) -> _Handler:
        HANDLERS[kind] = handler
        return handler

    return mark
