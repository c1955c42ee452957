"""What every order must satisfy before anything else is looked at (field notes 17 and 23)."""

from __future__ import annotations

from decimal import Decimal

from trading_sandbox.engine.markets import MARKETS, MINIMUM_ORDER, Market
from trading_sandbox.engine.money import LARGEST_NUMBER_DIGITS, is_multiple, is_sane, plain
from trading_sandbox.engine.records import Refused


def market_of(symbol: str) -> Market:
    """Return the market of a symbol."""
    market = MARKETS.get(symbol)
    if market is None:
        raise Refused(f"Unknown symbol {symbol[:32]!r}: the markets are {', '.join(MARKETS)}")
    return market


def _check_positive(name: str, value: Decimal) -> None:
    if not is_sane(value):
        raise Refused(f"Invalid {name}: more than {LARGEST_NUMBER_DIGITS} digits, or no number")
    if value <= 0:
        raise Refused(f"Invalid {name}: it must be above zero")


def check_price(market: Market, price: Decimal) -> None:
    """Refuse a price that is not on the tick grid."""
    _check_positive("price", price)
    if not is_multiple(price, market.tick):
        raise Refused(
            f"Invalid price: {plain(price)} is not a multiple of the tick size "
            f"{plain(market.tick)} of {market.symbol}"
        )


def check_amount(market: Market, amount: Decimal) -> None:
    """Refuse an amount that is not on the lot grid."""
    _check_positive("amount", amount)
    if not is_multiple(amount, market.lot):
        raise Refused(
            f"Invalid amount: {plain(amount)} is not a multiple of the lot size "
            f"{plain(market.lot)} of {market.symbol}"
        )


def check_minimum(notional: Decimal, reduce_only: bool) -> None:
    """Refuse an order that is worth too little; a small position may still be closed."""
    if notional < MINIMUM_ORDER and not reduce_only:
        raise Refused(f"Order too small: the minimum order is {plain(MINIMUM_ORDER)} USD")


def check_slippage(percent: Decimal) -> None:
    """Refuse a slippage that is not a percentage."""
    if not is_sane(percent) or not 0 <= percent <= 100:
        raise Refused("Invalid slippage_percent: it must be between 0 and 100")


def check_deposit(usdc: Decimal) -> None:
    """Refuse a deposit that is not a plain amount of money."""
    if not is_sane(usdc) or usdc < 0:
        raise Refused("Invalid deposit: it must be a decimal number, zero or more")
