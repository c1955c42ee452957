"""Views of accounts and markets for tests, beyond what the interface shows."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, NoReturn

import attrs

from trading_sandbox.engine import checks, margin
from trading_sandbox.engine.house_accounts import BACKSTOP
from trading_sandbox.engine.money import (
    ROUNDING,
    USDC_QUANTUM,
    ZERO,
    exact_arithmetic,
    floor_to,
    plain,
)
from trading_sandbox.engine.state import Account
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
    """Initial margin; half of it is the maintenance margin. USDC."""
    isolated: bool
    leverage: int


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
    positions: Mapping[str, PositionView]
    """By market, without flat ones."""
    spot: Mapping[str, Decimal]
    """By asset. Tokens."""


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


def account_view(venue: Venue, address: str) -> AccountView:
    """Return the balances, margins and positions of an account.

    Raises:
        Refused: there is no such account, or it is a house account.
    """
    account = checks.customer(venue, address)
    with exact_arithmetic():
        positions = {
            symbol: _position_view(venue, account, symbol)
            for symbol, position in account.positions.items()
            if position.size
        }
        isolated = (p.unrealised for p in positions.values() if p.isolated)
        return AccountView(
            balance=plain(account.balance),
            debt_paid=plain(account.debt_paid),
            equity=plain(sum(isolated, margin.funds(venue, account))),
            free=_rounded(max(ZERO, margin.free_funds(venue, account))),
            withdrawable=plain(floor_to(margin.withdrawable(venue, account), USDC_QUANTUM)),
            positions=positions,
            spot={symbol: plain(amount) for symbol, amount in account.spot.items()},
        )


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
        margin=_rounded(margin.position_margin(account, symbol)),
        isolated=account.is_isolated(symbol),
        leverage=account.leverage(symbol),
    )


def _rounded(value: Decimal) -> Decimal:
    return plain(value.quantize(ROUNDING))
