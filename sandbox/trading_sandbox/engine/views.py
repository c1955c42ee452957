"""What a test may want to see of accounts and markets, though the interface does not show it."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

import attrs

from trading_sandbox.engine import checks, margin
from trading_sandbox.engine.money import ROUNDING, ZERO, exact_arithmetic, floor_to, plain
from trading_sandbox.engine.state import Account
from trading_sandbox.engine.venue import Venue


@attrs.frozen(kw_only=True)
class PositionView:
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
class AccountView:
    """What an account has."""

    balance: Decimal
    """Deposits plus realised profit, less fees and losses. USDC."""
    equity: Decimal
    """The balance with the profit and loss of all positions, and the spot collateral. USDC."""
    free: Decimal
    """What is left for new orders once every margin is covered. USDC."""
    withdrawable: Decimal
    """What a transfer could take out, to its 6 decimals. USDC."""
    positions: Mapping[str, PositionView]
    """By market; only those that are not flat."""
    spot: Mapping[str, Decimal]
    """By asset. Tokens."""


@attrs.frozen(kw_only=True)
class MarketView:
    """The prices of a market; None for one that there is not."""

    mark_price: Decimal
    last_price: Decimal | None
    best_bid: Decimal | None
    best_ask: Decimal | None


def account_view(venue: Venue, address: str) -> AccountView:
    """Return what an account has.

    Raises:
        Refused: there is no such account.
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
            equity=plain(sum(isolated, margin.funds(venue, account))),
            free=_rounded(max(ZERO, margin.free_funds(venue, account))),
            withdrawable=plain(floor_to(margin.withdrawable(venue, account), checks.USDC_QUANTUM)),
            positions=positions,
            spot={symbol: plain(amount) for symbol, amount in account.spot.items()},
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
