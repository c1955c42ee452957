"""Validate the values of commands: ticks, lots, minimums, addresses (field notes 17 and 23)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from trading_sandbox.engine.markets import (
    MARKETS,
    MINIMUM_ORDER,
    SPOT_ASSETS,
    Market,
    SpotAsset,
)
from trading_sandbox.engine.money import (
    LARGEST_NUMBER_DIGITS,
    MOST_DECIMALS,
    USDC_QUANTUM,
    brief,
    is_multiple,
    is_sane,
    shortest,
)
from trading_sandbox.engine.records import OffStep, Refused
from trading_sandbox.engine.state import Account
from trading_sandbox.engine.venue import Venue

_LIMITS = f"below 10^{LARGEST_NUMBER_DIGITS} and of at most {MOST_DECIMALS} decimals"


def market_of(symbol: str) -> Market:
    """Return the market of a symbol, or refuse an unknown symbol."""
    market = MARKETS.get(symbol)
    if market is None:
        raise Refused(
            f"Unknown symbol {symbol[:32]!r}: the markets are {', '.join(MARKETS)}",
            3,
            f"Book not found: {symbol[:32]}",
        )
    return market


def _check_positive(name: str, value: Decimal) -> None:
    if not is_sane(value) or value <= 0:
        raise Refused(
            f"Invalid {name}: it must be a number above zero, {_LIMITS}, not {brief(value)}"
        )


def check_price(market: Market, price: Decimal, name: str = "price") -> None:
    """Refuse a price that is not above zero or not a multiple of the tick."""
    _check_positive(name, price)
    if not is_multiple(price, market.tick):
        raise OffStep(
            f"Invalid {name}: {shortest(price)} is not a multiple of the tick size "
            f"{shortest(market.tick)} of {market.symbol}"
        )


def check_amount(market: Market, amount: Decimal) -> None:
    """Refuse an amount that is not above zero or not a multiple of the lot."""
    _check_positive("amount", amount)
    if not is_multiple(amount, market.lot):
        raise OffStep(
            f"Invalid amount: {shortest(amount)} is not a multiple of the lot size "
            f"{shortest(market.lot)} of {market.symbol}"
        )


def check_minimum(market: Market, notional: Decimal, reduce_only: bool) -> None:
    """Refuse an order below the minimum value. Reduce-only orders are exempt."""
    if notional < MINIMUM_ORDER and not reduce_only:
        raise Refused(
            f"Order too small: the minimum order is {shortest(MINIMUM_ORDER)} USD, "
            f"this one is of {shortest(notional)} USD",
            7,
            f"Order amount too low for {market.symbol}: {shortest(notional)} < {MINIMUM_ORDER}",
        )


def check_slippage(percent: Decimal) -> None:
    """Refuse a slippage that is not between 0 and 100 percent."""
    if not is_sane(percent) or not 0 <= percent <= 100:
        raise Refused(
            "Invalid slippage_percent: it must be a number between 0 and 100, "
            f"of at most {MOST_DECIMALS} decimals, not {brief(percent)}"
        )


def check_deposit(usdc: Decimal, spot: Mapping[str, Decimal]) -> None:
    """Refuse a deposit that is negative, too large, too precise, or of an unknown asset."""
    _check_not_negative("deposit", usdc)
    for symbol, amount in spot.items():
        asset = asset_of(symbol)
        _check_not_negative(f"deposit of {symbol}", amount)
        _check_quantum(asset, f"deposit of {symbol}", amount)


def _check_not_negative(name: str, value: Decimal) -> None:
    if not is_sane(value) or value < 0:
        raise Refused(
            f"Invalid {name}: it must be a number, zero or more, {_LIMITS}, not {brief(value)}"
        )


def asset_of(symbol: str) -> SpotAsset:
    """Return the spot asset of a symbol, or refuse an unknown symbol."""
    asset = SPOT_ASSETS.get(symbol)
    if asset is None:
        raise Refused(
            f"Unknown spot asset {symbol[:32]!r}: the spot assets are {', '.join(SPOT_ASSETS)}",
            55,
        )
    return asset


def check_tokens(asset: SpotAsset, amount: Decimal) -> None:
    """Refuse an amount of a spot asset that is not above zero or not a multiple of its quantum."""
    _check_positive("amount", amount)
    _check_quantum(asset, "amount", amount)


def _check_quantum(asset: SpotAsset, name: str, amount: Decimal) -> None:
    if not is_multiple(amount, asset.quantum):
        raise Refused(
            f"Invalid {name}: {shortest(amount)} is not a multiple of the smallest amount of "
            f"{asset.symbol}, {shortest(asset.quantum)}"
        )


def check_usdc(name: str, amount: Decimal) -> None:
    """Refuse an amount of USDC that is not above zero or has more than 6 decimals."""
    _check_positive(name, amount)
    if not is_multiple(amount, USDC_QUANTUM):
        raise Refused(f"Invalid {name}: {shortest(amount)} USDC has more than 6 decimals")


def check_symbols(name: str, symbols: Sequence[str], *, needed: bool) -> None:
    """Refuse unknown or repeated markets; with `needed`, refuse an empty list too."""
    if needed and not symbols:
        raise Refused(f"Invalid {name}: at least one market is needed")
    for symbol in symbols:
        market_of(symbol)
    if len(set(symbols)) < len(symbols):
        raise Refused(f"Invalid {name}: {', '.join(symbols)} has a market more than once")


def check_leverage(market: Market, name: str, leverage: Decimal) -> None:
    """Refuse a leverage that is not between 1 and the maximum of the market."""
    if not is_sane(leverage) or not 1 <= leverage <= market.leverage:
        raise Refused(
            f"Invalid {name}: it must be a number between 1 and {market.leverage}, the maximum "
            f"leverage of {market.symbol}, not {brief(leverage)}",
            11,
        )


# -- accounts and addresses --------------------------------------------------------------------


def customer(venue: Venue, address: str) -> Account:
    """Return the account of a customer, or refuse an unknown or a house account."""
    account = venue.account(address)
    if account.is_house_account:
        raise Refused(f"Account {address} belongs to the exchange itself and trades on its own")
    return account


def check_free_address(venue: Venue, address: str) -> None:
    """Refuse an address that an account or vault already has."""
    if address in venue.state.accounts:
        raise Refused(f"Account {address} exists already: choose another address")
    if address in venue.state.vaults:
        raise Refused(f"Vault {address} exists already: choose another address")
