"""Matching and fills: which orders trade, at which price, and how both accounts change."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from trading_sandbox.engine.commands import Cause, Side
from trading_sandbox.engine.markets import MAKER_FEE, TAKER_FEE
from trading_sandbox.engine.money import ZERO
from trading_sandbox.engine.records import BalanceCause, EventType, Order, Trade, TradeSide
from trading_sandbox.engine.state import Account
from trading_sandbox.engine.venue import Venue

_OPENING: dict[Side, TradeSide] = {"bid": "open_long", "ask": "open_short"}
_CLOSING: dict[Side, TradeSide] = {"bid": "close_short", "ask": "close_long"}
_BALANCE_CAUSES: dict[Cause, BalanceCause] = {
    "normal": "trade",
    "market_liquidation": "market_liquidation",
    "backstop_liquidation": "backstop_liquidation",
    "settlement": "adl_liquidation",
}
_FEES: dict[EventType, Decimal] = {"fulfill_taker": TAKER_FEE, "fulfill_maker": MAKER_FEE}


def enter(venue: Venue, order: Order) -> None:
    """Match a checked order against the book; reject a post-only order that would trade."""
    crossing = venue.books[order.symbol].counterparty(order.side, order.price) is not None
    if crossing and order.tif in ("ALO", "TOB"):
        venue.end(order, "post_only_rejected", "rejected")
    else:
        match(venue, order)
        settle(venue, order)


def match(venue: Venue, taker: Order) -> None:
    """Trade an order against the book as far as its price and amount allow.

    Self-trade prevention: a resting order of the same account is cancelled, and the incoming
    order continues (field note 19).
    """
    book = venue.books[taker.symbol]
    while taker.remaining:
        maker = book.counterparty(taker.side, taker.price)
        if maker is None:
            return
        if maker.account == taker.account:
            venue.end(maker, "self_trade_prevented")
            continue
        amount = min(fillable(venue, taker), fillable(venue, maker))
        if not amount:
            return
        fill(venue, taker, maker, amount, maker.price)


def settle(venue: Venue, order: Order) -> None:
    """Cancel the part of an incoming order that did not trade, or let it rest in the book."""
    if not order.remaining:
        return
    if order.reduce_only and not fillable(venue, order):
        venue.end(order, "force_cancel")
    elif order.tif == "IOC":
        venue.end(order, "expired")
    else:
        venue.open(order)


def fillable(venue: Venue, order: Order) -> Decimal:
    """Return how much of an order can fill; a reduce-only order at most closes the position."""
    if not order.reduce_only:
        return order.remaining
    position = venue.account(order.account).position(order.symbol)
    return min(order.remaining, position.closable(order.side))


def fill(venue: Venue, taker: Order, maker: Order, amount: Decimal, price: Decimal) -> None:
    """Fill two orders against each other; the maker order need not be in the book."""
    # Backstop takeovers and deleveraging happen outside the market and set no last price.
    in_market = taker.cause in ("normal", "market_liquidation")
    anonymous = venue.account(taker.account).is_house_account
    for order, event_type in _roles(taker, maker):
        order.fill(amount, price, venue.now)
        is_market = order.order_type.endswith("market")
        venue.record(order, "fulfill_market" if is_market else "fulfill_limit", price)
        is_public = in_market and (anonymous or event_type == "fulfill_taker")
        _book_fill(venue, order, event_type, amount, price, is_public=is_public)
    if in_market:
        venue.market(taker.symbol).last_price = price
    if maker.order_id in venue.state.orders:
        venue.account(maker.account).change_resting(maker, -amount)
        if not maker.remaining:
            venue.remove(maker)
    for address in (taker.account, maker.account):
        venue.accounts_at_risk[address] = None
        cancel_useless_reduce_only(venue, venue.account(address), taker.symbol)


def house_order(
    venue: Venue,
    address: str,
    symbol: str,
    side: Side,
    price: Decimal,
    amount: Decimal,
    **more: Any,
) -> Order:
    """Return an order that the exchange makes, of a house account or to close a position. No check applies to it."""
    order = Order(
        order_id=venue.new_order_id(),
        account=address,
        symbol=symbol,
        side=side,
        price=price,
        amount=amount,
        created_at=venue.now,
        **more,
    )
    venue.record(order, "make")
    return order


def _book_fill(
    venue: Venue,
    order: Order,
    event_type: EventType,
    amount: Decimal,
    price: Decimal,
    *,
    is_public: bool,
) -> None:
    account = venue.account(order.account)
    position = account.position(order.symbol)
    parts: list[tuple[TradeSide, Decimal, Decimal, Decimal]] = []
    closing = min(amount, position.closable(order.side))
    if closing:
        entry = position.entry_price
        pnl = position.close(order.side, closing, price, venue.now)
        parts.append((_CLOSING[order.side], closing, entry, pnl))
    if opened := amount - closing:
        position.grow(order.side, opened, price, venue.now)
        parts.append((_OPENING[order.side], opened, position.entry_price, ZERO))
    # Liquidated and deleveraged accounts pay no fee, nor do house accounts.
    free = account.is_house_account or order.cause != "normal"
    for side, part, entry, pnl in parts:
        fee = ZERO if free else part * price * _FEES[event_type]
        venue.change_balance(account, pnl - fee, _BALANCE_CAUSES[order.cause])
        venue.state.fees += fee
        if not account.is_house_account:
            record_trade(
                venue,
                order,
                amount=part,
                price=price,
                entry_price=entry,
                fee=fee,
                pnl=pnl,
                event_type=event_type,
                side=side,
                created_at=venue.now,
                is_public=is_public,
            )


def record_trade(venue: Venue, order: Order, **fields: Any) -> None:
    """Record a trade of an order; the other fields of `Trade` are given."""
    venue.changes.trades.append(
        Trade(
            history_id=venue.state.next_history_id,
            account=order.account,
            order_id=order.order_id,
            client_order_id=order.client_order_id,
            symbol=order.symbol,
            cause=order.cause,
            li=venue.state.li,
            **fields,
        )
    )
    venue.state.next_history_id += 1


def cancel_useless_reduce_only(venue: Venue, account: Account, symbol: str) -> None:
    """Cancel an account's resting reduce-only orders that have no position left to reduce."""
    position = account.position(symbol)
    for order in list(account.open_reduce_only.values()):
        if order.symbol == symbol and not position.closable(order.side):
            venue.end(order, "force_cancel")


def _roles(taker: Order, maker: Order) -> tuple[tuple[Order, EventType], ...]:
    return ((taker, "fulfill_taker"), (maker, "fulfill_maker"))
