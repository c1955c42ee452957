"""Fills: which orders trade, at which price, and what that does to both accounts."""

from __future__ import annotations

from decimal import Decimal
from itertools import count

from trading_sandbox.engine.accounts import Account
from trading_sandbox.engine.book import Book
from trading_sandbox.engine.commands import Side
from trading_sandbox.engine.markets import MAKER_FEE, MARKETS, TAKER_FEE
from trading_sandbox.engine.money import ZERO
from trading_sandbox.engine.records import EventType, Order, OrderReason, Trade, TradeSide

_OPENING: dict[Side, TradeSide] = {"bid": "open_long", "ask": "open_short"}
_CLOSING: dict[Side, TradeSide] = {"bid": "close_short", "ask": "close_long"}
_FEES: dict[EventType, Decimal] = {"fulfill_taker": TAKER_FEE, "fulfill_maker": MAKER_FEE}


class Matcher:
    """The books, the accounts, and the fills between them."""

    def __init__(self, accounts: dict[str, Account], first_history_id: int) -> None:
        self._accounts = accounts
        self._history_ids = count(first_history_id)
        self.books: dict[str, Book] = {symbol: Book() for symbol in MARKETS}
        self.fees_collected = ZERO

    def match(self, taker: Order, now: int) -> None:
        """Let an order trade as far as its price and amount go.

        A resting order of the same account is cancelled and the incoming one goes on (field
        note 19).
        """
        book = self.books[taker.symbol]
        while taker.remaining:
            maker = book.counterparty(taker.side, taker.price)
            if maker is None:
                return
            if maker.account == taker.account:
                self.cancel(maker, "self_trade_prevented", now)
                continue
            amount = min(self._fillable(taker), self._fillable(maker))
            if not amount:
                return
            self._fill(taker, maker, amount, now)

    def settle(self, order: Order, now: int) -> None:
        """Decide what becomes of the part of an incoming order that did not trade."""
        if not order.remaining:
            return
        if order.reduce_only and not self._fillable(order):
            order.end("cancelled", "force_cancel", now)
        elif order.tif == "IOC":
            order.end("cancelled", "expired", now)
        else:
            self.books[order.symbol].add(order)
            self._accounts[order.account].add_open(order)

    def cancel(self, order: Order, reason: OrderReason, now: int) -> None:
        """Take an open order out of the book."""
        self._take_out(order)
        order.end("cancelled", reason, now)

    def _take_out(self, order: Order) -> None:
        self.books[order.symbol].remove(order)
        self._accounts[order.account].remove_open(order)

    def _fillable(self, order: Order) -> Decimal:
        if not order.reduce_only:
            return order.remaining
        position = self._accounts[order.account].position(order.symbol)
        return min(order.remaining, position.closable(order.side))

    def _fill(self, taker: Order, maker: Order, amount: Decimal, now: int) -> None:
        for order, event_type in _roles(taker, maker):
            order.fill(amount, maker.price, now)
            self._book_fill(order, event_type, amount, maker.price, now)
        self._accounts[maker.account].change_resting(maker, -amount)
        if not maker.remaining:
            self._take_out(maker)
        for account in (taker.account, maker.account):
            self._cancel_useless_reduce_only(self._accounts[account], taker.symbol, now)

    def _book_fill(
        self, order: Order, event_type: EventType, amount: Decimal, price: Decimal, now: int
    ) -> None:
        account = self._accounts[order.account]
        position = account.position(order.symbol)
        closing = min(amount, position.closable(order.side))
        parts: list[tuple[TradeSide, Decimal, Decimal]] = []
        if closing:
            pnl = position.close(order.side, closing, price)
            parts.append((_CLOSING[order.side], closing, pnl))
        if amount - closing:
            position.grow(order.side, amount - closing, price)
            parts.append((_OPENING[order.side], amount - closing, ZERO))
        for side, part, pnl in parts:
            fee = part * price * _FEES[event_type]
            account.balance += pnl - fee
            self.fees_collected += fee
            account.trades.append(
                Trade(
                    history_id=next(self._history_ids),
                    order_id=order.order_id,
                    client_order_id=order.client_order_id,
                    symbol=order.symbol,
                    amount=part,
                    price=price,
                    fee=fee,
                    pnl=pnl,
                    event_type=event_type,
                    side=side,
                    created_at=now,
                )
            )

    def _cancel_useless_reduce_only(self, account: Account, symbol: str, now: int) -> None:
        position = account.position(symbol)
        for order in list(account.open_reduce_only.values()):
            if order.symbol == symbol and not position.closable(order.side):
                self.cancel(order, "force_cancel", now)


def _roles(taker: Order, maker: Order) -> tuple[tuple[Order, EventType], ...]:
    return ((taker, "fulfill_taker"), (maker, "fulfill_maker"))
