"""Account settings: margin mode, leverage and auto-lending (interface 2.7, 4.17)."""

from __future__ import annotations

from decimal import Decimal

import attrs

from trading_sandbox.engine import checks, margin
from trading_sandbox.engine.commands import (
    AddIsolatedMargin,
    SetAutoLend,
    SetLeverage,
    SetMargin,
    SetMarginMode,
)
from trading_sandbox.engine.markets import Market
from trading_sandbox.engine.money import ZERO, shortest
from trading_sandbox.engine.records import InsufficientBalance, MarginChange, Refused
from trading_sandbox.engine.state import Account, MarginSetting
from trading_sandbox.engine.venue import Venue, handles


@handles(SetAutoLend)
def set_auto_lend(venue: Venue, command: SetAutoLend) -> None:
    """Disable or enable auto-lending, or go back to the default."""
    checks.customer(venue, command.account).auto_lend_disabled = command.disabled


@handles(SetMargin)
def set_margin(venue: Venue, command: SetMargin) -> None:
    """Set the margin mode and leverage of an account in one market.

    Raises:
        InsufficientBalance: with this leverage the margin would not be covered.
    """
    most = checks.market_of(command.symbol).leverage
    leverage = most if command.leverage is None else command.leverage
    _set(venue, command, isolated=command.isolated, leverage=leverage)


@handles(SetLeverage)
def set_leverage(venue: Venue, command: SetLeverage) -> None:
    """Set the leverage of an account in one market, as `set_margin` does."""
    _set(venue, command, leverage=command.leverage)


@handles(SetMarginMode)
def set_margin_mode(venue: Venue, command: SetMarginMode) -> None:
    """Choose cross or isolated margin for an account in one market, as `set_margin` does."""
    _set(venue, command, isolated=command.isolated)


@handles(AddIsolatedMargin)
def add_isolated_margin(venue: Venue, command: AddIsolatedMargin) -> None:
    """Add to the margin of an isolated position; what is closed of it frees its part.

    Raises:
        InsufficientBalance: other margins need the amount, or the account does not have it.
    """
    account, symbol = checks.customer(venue, command.account), command.symbol
    checks.market_of(symbol)
    checks.check_usdc("amount", command.amount)
    position = account.position(symbol)
    if not position.size or not account.is_isolated(symbol):
        raise Refused(
            f"No isolated position in {symbol} to add margin to",
            13,
            f"Position not found for {symbol}",
        )
    if command.amount > margin.free_funds(venue, account):
        raise InsufficientBalance(
            f"Insufficient balance: {shortest(command.amount)} USDC asked for, but "
            f"{margin.usdc_down(margin.free_funds(venue, account))} USDC are free",
            5,
            margin.observed_shortage(venue, account, symbol, command.amount),
        )
    position.added_margin += command.amount
    position.updated_at = venue.now


def _set(
    venue: Venue,
    command: SetMargin | SetLeverage | SetMarginMode,
    *,
    isolated: bool | None = None,
    leverage: int | None = None,
) -> None:
    """Set the margin mode, the leverage or both; None: as it is."""
    account = checks.customer(venue, command.account)
    market = checks.market_of(command.symbol)
    change = MarginChange(
        account=account.address,
        symbol=market.symbol,
        isolated=isolated,
        leverage=None if leverage is None else Decimal(leverage),
        created_at=venue.now,
    )
    isolated = account.is_isolated(market.symbol) if isolated is None else isolated
    leverage = account.leverage(market.symbol) if leverage is None else leverage
    checks.check_leverage(market, "leverage", Decimal(leverage))
    if isolated != account.is_isolated(market.symbol):
        _check_idle(account, market)
    before, free = account.margin_settings, margin.free_funds(venue, account)
    account.margin_settings = _changed(venue, account, market, isolated, leverage)
    # An account that already lacks margin may still choose a setting that needs no more margin.
    covered = margin.free_funds(venue, account) >= min(free, ZERO)
    # A higher leverage leaves an isolated position less margin, maybe too little.
    if isolated and not margin.isolated_is_sound(venue, account, market.symbol):
        covered = False
    if not covered:
        needed = margin.margins(account)[market.symbol]
        account.margin_settings = before
        raise InsufficientBalance(
            f"Insufficient balance: with leverage {leverage} the margin of {market.symbol}, "
            f"{margin.usdc_up(needed)} USDC, would not be covered; choose another leverage, deposit USDC, or close first",
            5,
            margin.observed_shortage(venue, account, market.symbol, needed),
        )
    venue.changes.margins.append(change)


def _check_idle(account: Account, market: Market) -> None:
    """Refuse to switch the margin mode while the account has open orders or a position."""
    orders = any(order.symbol == market.symbol for order in account.open_orders.values())
    if orders or account.position(market.symbol).size:
        held = "open orders" if orders else "a position"
        raise Refused(
            f"Cannot switch between cross and isolated margin: the account has {held} in "
            f"{market.symbol}; cancel the orders and close the position first",
            12,
        )


def _changed(
    venue: Venue, account: Account, market: Market, isolated: bool, leverage: int
) -> dict[str, MarginSetting]:
    """Return the margin settings after a change; a market at its default has no entry."""
    settings = dict(account.margin_settings)
    old = settings.pop(market.symbol, None)
    if not isolated and leverage == market.leverage:
        return settings
    now = venue.now
    if old is None:
        new = MarginSetting(isolated=isolated, leverage=leverage, created_at=now, updated_at=now)
    else:
        new = attrs.evolve(old, isolated=isolated, leverage=leverage, updated_at=now)
    settings[market.symbol] = new
    return settings
