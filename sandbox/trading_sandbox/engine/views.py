"""Views of accounts and markets, for tests and for the public data of a market."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from itertools import groupby, islice
from typing import TYPE_CHECKING, NoReturn

import attrs

from trading_sandbox.engine import checks, margin
from trading_sandbox.engine.commands import Side
from trading_sandbox.engine.funding import impact_price, rate_of
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.money import (
    ROUNDING,
    USDC_QUANTUM,
    ZERO,
    ceil_to,
    exact_arithmetic,
    floor_to,
    plain,
)
from trading_sandbox.engine.records import Order
from trading_sandbox.engine.state import BACKSTOP, Account
from trading_sandbox.engine.tape import Tape
from trading_sandbox.engine.venue import Venue


class View:
    """The result of a control, with attributes."""

    __slots__ = ()

    # Hidden from type checkers, which would think that keys are supported.
    if not TYPE_CHECKING:  # pragma: no branch

        def __getitem__(self, name: object) -> NoReturn:
            names = ", ".join(each.name for each in attrs.fields(type(self)))
            raise TypeError(f"{type(self).__name__} has attributes, not keys: {names}")


@attrs.frozen(kw_only=True)
class PositionView(View):
    """A position of an account."""

    size: Decimal
    """Positive when long, negative when short. Tokens."""
    entry_price: Decimal
    unrealised: Decimal
    """Profit or loss at the mark price. USDC."""
    margin: Decimal
    """Initial margin, of which the maintenance margin is half, and what was added to it. USDC."""
    isolated: bool
    leverage: int
    liquidation_price: Decimal | None
    """Mark price beyond which it is liquidated, other positions at their mark prices; None: at no price."""


@attrs.frozen(kw_only=True)
class AccountView(View):
    """The balances, margins and positions of an account."""

    balance: Decimal
    """Deposits plus realised profit, less fees and losses; with `debt_paid`. USDC."""
    debt_paid: Decimal
    """Debts that the insurance fund has paid for the account. USDC."""
    equity: Decimal
    """Balance, unrealised profit and loss of all positions, and spot collateral. USDC."""
    free: Decimal
    """What is left for new orders once every margin is covered; never negative. USDC."""
    withdrawable: Decimal
    """The most that a transfer can take out, rounded down to 6 decimals. USDC."""
    margin: Decimal
    """Margin of all positions and open orders. USDC."""
    orders_count: int
    """Orders that rest in a book."""
    stop_orders_count: int
    """Orders that wait for a stop price."""
    positions: Mapping[str, PositionView]
    """By market, without flat ones."""
    spot: Mapping[str, Decimal]
    """By asset. Tokens."""


@attrs.frozen(kw_only=True)
class OrderView(View):
    """An order that can still be filled."""

    order_id: int
    client_order_id: str | None
    symbol: str
    side: str
    """`bid` or `ask`."""
    order_type: str
    price: Decimal
    """Limit price, the trigger price of a stop market order. Quote per token."""
    stop_price: Decimal | None
    amount: Decimal
    """With what is filled of it. Tokens."""
    filled: Decimal
    """Tokens."""
    reduce_only: bool
    tif: str


@attrs.frozen(kw_only=True)
class InsuranceFundView(View):
    """The insurance fund, which is the backstop account of the exchange."""

    balance: Decimal
    """Opening balance plus realised profit, less losses and the debts that it paid. USDC."""
    equity: Decimal
    """Balance and unrealised profit and loss of the positions that it took over. USDC."""
    debt_paid: Decimal
    """Debts that it has paid for all accounts. USDC."""


@attrs.frozen(kw_only=True)
class MarketView(View):
    """The prices of a market. A price that does not exist at the moment is None."""

    mark_price: Decimal
    last_price: Decimal | None
    best_bid: Decimal | None
    best_ask: Decimal | None


def account_view(venue: Venue, account: str) -> AccountView:
    """Return the balances, margins and positions of an account.

    Raises:
        Refused: there is no such account, or it is a house account.
    """
    held = checks.customer(venue, account)
    with exact_arithmetic():
        positions = {
            symbol: _position_view(venue, held, symbol)
            for symbol, position in held.positions.items()
            if position.size
        }
        waiting = [order.in_trigger_book for order in held.open_orders.values()]
        isolated = (p.unrealised for p in positions.values() if p.isolated)
        return AccountView(
            balance=plain(held.balance),
            debt_paid=plain(held.debt_paid),
            equity=plain(sum(isolated, margin.funds(venue, held))),
            free=rounded(max(ZERO, margin.free_funds(venue, held))),
            withdrawable=plain(floor_to(margin.withdrawable(venue, held), USDC_QUANTUM)),
            margin=rounded(sum(margin.margins(held).values(), ZERO)),
            orders_count=waiting.count(False),
            stop_orders_count=waiting.count(True),
            positions=positions,
            spot={symbol: plain(amount) for symbol, amount in held.spot.items()},
        )


def orders_view(venue: Venue, account: str) -> list[OrderView]:
    """Return the open orders of an account, the oldest first.

    Raises:
        Refused: there is no such account, or it is a house account.
    """
    return [
        OrderView(
            order_id=each.order_id,
            client_order_id=each.client_order_id,
            symbol=each.symbol,
            side=each.side,
            order_type=each.order_type,
            price=each.price,
            stop_price=each.stop_price,
            amount=each.amount,
            filled=each.filled,
            reduce_only=each.reduce_only,
            tif=each.tif,
        )
        for _, each in sorted(checks.customer(venue, account).open_orders.items())
    ]


def insurance_fund_view(venue: Venue) -> InsuranceFundView:
    """Return the balance of the insurance fund and the debts that it has paid."""
    fund = venue.account(BACKSTOP)
    with exact_arithmetic():
        paid = (account.debt_paid for account in venue.state.accounts.values())
        return InsuranceFundView(
            balance=plain(fund.balance),
            equity=plain(margin.funds(venue, fund)),
            debt_paid=plain(sum(paid, ZERO)),
        )


def market_view(venue: Venue, symbol: str) -> MarketView:
    """Return the prices of a market.

    Raises:
        Refused: there is no such market.
    """
    checks.market_of(symbol)
    market, book = venue.market(symbol), venue.books[symbol]
    return MarketView(
        mark_price=market.mark_price,
        last_price=market.last_price,
        best_bid=book.best_price("bid"),
        best_ask=book.best_price("ask"),
    )


def _position_view(venue: Venue, account: Account, symbol: str) -> PositionView:
    position = account.position(symbol)
    return PositionView(
        size=plain(position.size),
        entry_price=plain(position.entry_price),
        unrealised=plain(position.unrealised(venue.market(symbol).mark_price)),
        margin=rounded(margin.position_margin(account, symbol)),
        isolated=account.is_isolated(symbol),
        leverage=account.leverage(symbol),
        liquidation_price=margin.liquidation_price(venue, account, symbol),
    )


def rounded(value: Decimal) -> Decimal:
    """Return a number with 8 decimals at most."""
    return plain(value.quantize(ROUNDING))


# -- public data: funding rate, open interest, book and mark prices ---------------------------------


@attrs.frozen
class Level:
    """The orders of one price in a book, or of a range of prices."""

    price: Decimal
    amount: Decimal
    """The part of these orders that has not filled. Tokens."""
    orders: int
    """Number of orders."""


def predicted_rate(venue: Venue, symbol: str) -> Decimal:
    """Return the hourly funding rate that would be settled now."""
    bid, ask = impact_price(venue, symbol, "bid"), impact_price(venue, symbol, "ask")
    return rate_of(venue.market(symbol).mark_price, bid, ask)


def open_interest(venue: Venue, symbol: str) -> Decimal:
    """Return the size of all long positions, which is that of all short ones. Tokens."""
    sizes = (account.position(symbol).size for account in venue.state.accounts.values())
    return sum((size for size in sizes if size > 0), ZERO)


def levels(venue: Venue, symbol: str, side: Side, ticks: int, most: int) -> list[Level]:
    """Return one side of a book, the best price first.

    Args:
        venue: The exchange.
        symbol: The market.
        side: The side.
        ticks: How many ticks wide a level is. A bid belongs to the level below it, an ask to the one above.
        most: The most levels to return.
    """
    step, rounded = MARKETS[symbol].tick * ticks, floor_to if side == "bid" else ceil_to

    def price_of(order: Order) -> Decimal:
        return rounded(order.price, step)

    found: list[Level] = []
    for price, grouped in islice(groupby(venue.books[symbol].orders(side), price_of), most):
        amounts = [order.remaining for order in grouped]
        found.append(Level(price, sum(amounts, ZERO), len(amounts)))
    return found


def mark_path(venue: Venue, symbol: str, start: int, points: int) -> list[tuple[int, Decimal]]:
    """Return times and mark prices of a market until now, from `start` or its opening on."""
    state = venue.state
    tape, start = Tape.of(state, MARKETS[symbol]), max(start, state.started_at)
    step = max(1, (state.now - start) // points)
    return [(each, tape.mark(each)) for each in range(start, state.now, step)]
