"""Initial margin (field note 22): size x entry price / leverage, cross over the whole balance.

Open orders reserve margin as well: per market, the side that would need more. What would close
the position reserves nothing (up to its size, at the average price of the orders), nor do
reduce-only orders.
"""

from __future__ import annotations

from decimal import Decimal

from trading_sandbox.engine.accounts import Account, Resting
from trading_sandbox.engine.commands import Side
from trading_sandbox.engine.markets import MARKETS, TAKER_FEE
from trading_sandbox.engine.money import ZERO
from trading_sandbox.engine.records import Order, Refused


def equity(account: Account, mark_prices: dict[str, Decimal]) -> Decimal:
    """Return the balance with the unrealised profit and loss of every position."""
    pnl = (
        position.unrealised(mark_prices[symbol]) for symbol, position in account.positions.items()
    )
    return account.balance + sum(pnl, ZERO)


def market_margin(account: Account, symbol: str, bids: Resting, asks: Resting) -> Decimal:
    """Return the margin that a position and the given open orders of its market take up."""
    position = account.position(symbol)
    opening = max(
        _opening_notional(bids, position.closable("bid")),
        _opening_notional(asks, position.closable("ask")),
    )
    return (abs(position.cost) + opening) / MARKETS[symbol].leverage


def _opening_notional(orders: Resting, closable: Decimal) -> Decimal:
    if not closable:
        return orders.notional
    if orders.amount <= closable:
        return ZERO
    return orders.notional * (orders.amount - closable) / orders.amount


def require_margin(
    account: Account,
    mark_prices: dict[str, Decimal],
    order: Order,
    worst_price: Decimal,
    replaced: Order | None,
) -> None:
    """Refuse an order whose margin and fee the account cannot pay.

    An order that takes up no further margin passes whatever the account is worth, so that a
    position at a loss can always be closed.
    """
    if order.reduce_only:
        return
    margins = {
        symbol: market_margin(
            account, symbol, account.resting(symbol, "bid"), account.resting(symbol, "ask")
        )
        for symbol in MARKETS
    }
    sides: dict[Side, Resting] = {}
    for side in ("bid", "ask"):
        resting = account.resting(order.symbol, side)
        sides[side] = Resting(resting.amount, resting.notional)
    if replaced is not None:
        sides[replaced.side].add(-replaced.remaining, replaced.price)
    sides[order.side].add(order.amount, worst_price)
    after = market_margin(account, order.symbol, sides["bid"], sides["ask"])
    if after <= margins[order.symbol]:
        return
    margins[order.symbol] = after
    fee = worst_price * order.amount * TAKER_FEE
    if sum(margins.values(), fee) > equity(account, mark_prices):
        raise Refused("Insufficient balance: the initial margin of the order is not covered")
