"""What every order must satisfy before anything else is looked at (field notes 17 and 23)."""

from __future__ import annotations

from decimal import Decimal

from trading_sandbox.engine.markets import MARKETS, MINIMUM_ORDER, Market
from trading_sandbox.engine.money import (
    LARGEST_NUMBER_DIGITS,
    MOST_DECIMALS,
    is_multiple,
    is_sane,
    shortest,
)
from trading_sandbox.engine.records import Refused

_LIMITS = f"below 10^{LARGEST_NUMBER_DIGITS} and of at most {MOST_DECIMALS} decimals"


def market_of(symbol: str) -> Market:
    """Return the market of a symbol."""
    market = MARKETS.get(symbol)
    if market is None:
        raise Refused(f"Unknown symbol {symbol[:32]!r}: the markets are {', '.join(MARKETS)}")
    return market


def _check_positive(name: str, value: Decimal) -> None:
    if not is_sane(value) or value <= 0:
        raise Refused(f"Invalid {name}: it must be a number above zero, {_LIMITS}")


def check_price(market: Market, price: Decimal) -> None:
    """Refuse a price that is not on the tick grid."""
    _check_positive("price", price)
    if not is_multiple(price, market.tick):
        raise Refused(
            f"Invalid price: {shortest(price)} is not a multiple of the tick size "
            f"{shortest(market.tick)} of {market.symbol}"
        )


def check_amount(market: Market, amount: Decimal) -> None:
    """Refuse an amount that is not on the lot grid."""
    _check_positive("amount", amount)
    if not is_multiple(amount, market.lot):
        raise Refused(
            f"Invalid amount: {shortest(amount)} is not a multiple of the lot size "
            f"{shortest(market.lot)} of {market.symbol}"
        )


def check_minimum(notional: Decimal, reduce_only: bool) -> None:
    """Refuse an order that is worth too little; a small position may still be closed."""
    if notional < MINIMUM_ORDER and not reduce_only:
        raise Refused(f"Order too small: the minimum order is {shortest(MINIMUM_ORDER)} USD")


def check_slippage(percent: Decimal) -> None:
    """Refuse a slippage that is not a percentage."""
    if not is_sane(percent) or not 0 <= percent <= 100:
        raise Refused(
            "Invalid slippage_percent: it must be a number between 0 and 100, "
            f"of at most {MOST_DECIMALS} decimals"
        )


def check_deposit(usdc: Decimal) -> None:
    """Refuse a deposit that is negative, too large or too fine."""
    if not is_sane(usdc) or usdc < 0:
        raise Refused(f"Invalid deposit: it must be a number, zero or more, {_LIMITS}")
