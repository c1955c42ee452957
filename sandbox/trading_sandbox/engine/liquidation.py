"""Liquidate accounts below their maintenance margin, or on demand (interface 2.2); pay their debts.

A position is closed in up to three steps:

1. Against the order book, at its bankruptcy price or better.
2. By the backstop account, which takes over as much as its own funds cover.
3. By deleveraging: against accounts that hold the opposite position.

Steps 2 and 3 happen outside the book, at one price. Liquidated and deleveraged accounts pay no fee.

That closes a position while it still has equity, or at its bankruptcy price. But an account may also
close a position itself, far from the mark price, and lose more than its funds. The other side of that
trade keeps its profit, so somebody has to pay it: the insurance fund, which is the backstop account.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from trading_sandbox.engine import checks, margin
from trading_sandbox.engine.commands import Cause, Liquidate, Side, opposite
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.matching import fill, house_order, match, settle
from trading_sandbox.engine.money import ZERO, floor_to
from trading_sandbox.engine.records import Order, Refused
from trading_sandbox.engine.state import BACKSTOP, Account
from trading_sandbox.engine.venue import Venue, handles

_CLOSING: dict[str, Any] = {"order_type": "market", "tif": "IOC", "reduce_only": True}


@handles(Liquidate)
def liquidate(venue: Venue, command: Liquidate) -> None:
    """Liquidate positions of an account, whatever its margin; the backstop takes over the rest.

    What is closed outside the book is closed at the mark price. The account's open orders in the
    markets of these positions are cancelled.

    Raises:
        Refused: the account is unknown, or has no such position.
    """
    account = checks.customer(venue, command.account)
    if command.symbol is not None:
        checks.market_of(command.symbol)
    symbols = [s for s in _largest_first(venue, account) if command.symbol in (None, s)]
    if not symbols:
        where = "any market" if command.symbol is None else command.symbol
        raise Refused(f"Position not found: the account holds nothing in {where}")
    for symbol in symbols:
        _cancel_orders(venue, account, (symbol,))
        mark_price = venue.market(symbol).mark_price
        if command.cause == "market_liquidation":
            _close_in_book(venue, account, symbol, _bound_on_demand(venue, account, symbol))
        elif command.cause == "settlement":
            _close_against_others(venue, account, symbol, mark_price)
        _hand_over(venue, account, symbol, mark_price, _held(account, symbol))


def liquidate_unsound(venue: Venue, account: Account) -> None:
    """Liquidate an account that is below its maintenance margin."""
    if account.is_house_account:
        return
    _liquidate_cross(venue, account)
    for symbol in MARKETS:
        if account.is_isolated(symbol) and not margin.isolated_is_sound(venue, account, symbol):
            _cancel_orders(venue, account, (symbol,))
            _close(venue, account, symbol)


def _liquidate_cross(venue: Venue, account: Account) -> None:
    if margin.cross_is_sound(venue, account):
        return
    crossed = [symbol for symbol in MARKETS if not account.is_isolated(symbol)]
    # Open orders use up no equity, but what they would fill could add to the loss.
    _cancel_orders(venue, account, crossed)
    for symbol in _largest_first(venue, account):
        if symbol in crossed and not margin.cross_is_sound(venue, account):
            _close(venue, account, symbol)


def _largest_first(venue: Venue, account: Account) -> list[str]:
    """Return the markets in which an account has a position, the largest value first."""
    held = [symbol for symbol in MARKETS if account.position(symbol).size]
    return sorted(held, key=lambda s: -_held(account, s) * venue.market(s).mark_price)


def _held(account: Account, symbol: str) -> Decimal:
    return abs(account.position(symbol).size)


def _closing_side(account: Account, symbol: str) -> Side:
    return "ask" if account.position(symbol).size > 0 else "bid"


def _cancel_orders(venue: Venue, account: Account, symbols: Iterable[str]) -> None:
    for order in list(account.open_orders.values()):
        # Skip an order that has ended since the list was made.
        if order.symbol in symbols and order.order_id in account.open_orders:
            venue.end(order, "force_cancel")


# -- the three steps -----------------------------------------------------------------------------


def _close(venue: Venue, account: Account, symbol: str) -> None:
    price = margin.bankruptcy_price(venue, account, symbol)
    _close_in_book(venue, account, symbol, price)
    carried = _carried_by_backstop(venue, account, symbol, price)
    _hand_over(venue, account, symbol, price, carried)
    _close_against_others(venue, account, symbol, price)
    # No account is left to deleverage: the backstop takes the rest, and the exchange the loss.
    _hand_over(venue, account, symbol, price, _held(account, symbol))


def _close_in_book(venue: Venue, account: Account, symbol: str, bound: Decimal) -> None:
    side = _closing_side(account, symbol)
    if venue.books[symbol].counterparty(side, bound) is not None:
        order = _closing_order(
            venue, account, symbol, bound, _held(account, symbol), "market_liquidation"
        )
        match(venue, order)
        settle(venue, order)


def _hand_over(
    venue: Venue, account: Account, symbol: str, price: Decimal, amount: Decimal
) -> None:
    """Let the backstop account take over a part of a position."""
    if not amount:
        return
    order = _closing_order(venue, account, symbol, price, amount, "backstop_liquidation")
    other = house_order(venue, BACKSTOP, symbol, opposite(order.side), price, amount)
    fill(venue, order, other, amount, price)


def _close_against_others(venue: Venue, account: Account, symbol: str, price: Decimal) -> None:
    """Deleverage the accounts with the opposite position, the highest relative gain first."""
    side = opposite(_closing_side(account, symbol))
    for other in _opposing(venue, account, symbol):
        amount = min(_held(account, symbol), _affordable(venue, other, symbol, price))
        if not amount:
            continue
        order = _closing_order(venue, account, symbol, price, amount, "settlement")
        if other.is_house_account:
            against = house_order(venue, other.address, symbol, side, price, amount)
        else:
            against = _closing_order(venue, other, symbol, price, amount, "settlement")
        fill(venue, order, against, amount, price)


def _closing_order(
    venue: Venue, account: Account, symbol: str, price: Decimal, amount: Decimal, cause: Cause
) -> Order:
    side = _closing_side(account, symbol)
    return house_order(venue, account.address, symbol, side, price, amount, cause=cause, **_CLOSING)


# -- prices and amounts --------------------------------------------------------------------------


def _bound_on_demand(venue: Venue, account: Account, symbol: str) -> Decimal:
    """Return the bankruptcy price, or the mark price if that is already worse."""
    price = margin.bankruptcy_price(venue, account, symbol)
    mark_price = venue.market(symbol).mark_price
    long = account.position(symbol).size > 0
    return min(price, mark_price) if long else max(price, mark_price)


def _loss(venue: Venue, account: Account, symbol: str, price: Decimal) -> Decimal:
    """Return the loss per token of closing at `price`, against the mark price; negative: a gain."""
    difference = venue.market(symbol).mark_price - price
    return difference if account.position(symbol).size > 0 else -difference


def _carried_by_backstop(venue: Venue, account: Account, symbol: str, price: Decimal) -> Decimal:
    """Return how much of a position the backstop can take over and still cover its own margins."""
    backstop = venue.account(BACKSTOP)
    # Per token: the initial margin, and the backstop's loss at `price` against the mark price.
    needed = price / MARKETS[symbol].leverage + max(ZERO, -_loss(venue, account, symbol, price))
    free = max(ZERO, margin.free_funds(venue, backstop))
    return min(_held(account, symbol), floor_to(free / needed, MARKETS[symbol].lot))


def _affordable(venue: Venue, account: Account, symbol: str, price: Decimal) -> Decimal:
    """Return how much of its position an account can close at `price` without going below zero."""
    held, loss = _held(account, symbol), _loss(venue, account, symbol, price)
    if account.is_house_account or loss <= 0:
        return held
    stake = max(ZERO, margin.at_stake(venue, account, symbol))
    return min(held, floor_to(stake / loss, MARKETS[symbol].lot))


def _opposing(venue: Venue, account: Account, symbol: str) -> list[Account]:
    """Return the accounts with the opposite position: highest relative gain first, house last."""
    size, mark_price = account.position(symbol).size, venue.market(symbol).mark_price

    def rank(other: Account) -> tuple[bool, Decimal, str]:
        position = other.position(symbol)
        gain = position.unrealised(mark_price) / abs(position.cost)
        return other.is_house_account, -gain, other.address

    others = venue.state.accounts.values()
    return sorted((a for a in others if a.position(symbol).size * size < 0), key=rank)


# -- the insurance fund -----------------------------------------------------------------------------


def pay_debt(venue: Venue, account: Account) -> None:
    """Pay the debt of an account without a position: its funds, if they are below zero.

    As long as a position is left, its equity has to cover the loss, or it is liquidated. A negative
    balance that spot collateral covers is no debt.
    """
    if account.is_house_account or any(held.size for held in account.positions.values()):
        return
    debt = -margin.funds(venue, account)
    if debt > 0:
        venue.change_balance(account, debt, "payout")
        account.debt_paid += debt
        venue.account(BACKSTOP).balance -= debt
