"""The markets, spot assets and fees of the sandbox (field notes 21 and 23).

The notes do not give SOL, the spot assets and the first mark prices; the sandbox chose them.
"""

from __future__ import annotations

from decimal import Decimal

import attrs

from trading_sandbox.engine.commands import Side
from trading_sandbox.engine.money import ceil_to, floor_to

MAKER_FEE = Decimal("0.00015")
TAKER_FEE = Decimal("0.0004")
MINIMUM_ORDER = Decimal(10)
COLLATERAL_WEIGHT = Decimal("0.9")
"""Fraction of the value of a spot asset that counts as margin."""


def _first_ticks(market: Market) -> int:
    return int(market.first_mark_price / market.tick)


@attrs.frozen(kw_only=True)
class Market:
    """The fixed rules of one trading pair."""

    symbol: str
    tick: Decimal
    """Tick size: prices are multiples of it. Quote per token."""
    lot: Decimal
    """Lot size: amounts are multiples of it. Tokens."""
    leverage: int
    """Maximum leverage, which is also the default."""
    first_mark_price: Decimal
    """Mark price when the exchange opens. Quote per token."""

    first_ticks: int = attrs.field(init=False, default=attrs.Factory(_first_ticks, takes_self=True))
    """The first mark price, in ticks."""

    def slippage_bound(self, side: Side, price: Decimal, percent: Decimal) -> Decimal:
        """Return the worst price of a market order, rounded to the tick towards `price`."""
        allowed = price * percent / 100
        if side == "bid":
            return floor_to(price + allowed, self.tick)
        return max(ceil_to(price - allowed, self.tick), self.tick)


@attrs.frozen(kw_only=True)
class SpotAsset:
    """An asset other than USDC that accounts can hold."""

    symbol: str
    quantum: Decimal
    """Amounts are multiples of it. Tokens."""
    withdrawal_fee: Decimal
    """Taken out of every withdrawal. Tokens."""


MARKETS: dict[str, Market] = {
    market.symbol: market
    for market in (
        Market(
            symbol="BTC",
            tick=Decimal("1"),
            lot=Decimal("0.00001"),
            leverage=50,
            first_mark_price=Decimal("100000"),
        ),
        Market(
            symbol="ETH",
            tick=Decimal("0.1"),
            lot=Decimal("0.0001"),
            leverage=50,
            first_mark_price=Decimal("3500"),
        ),
        Market(
            symbol="SOL",
            tick=Decimal("0.01"),
            lot=Decimal("0.01"),
            leverage=20,
            first_mark_price=Decimal("150"),
        ),
    )
}

SPOT_ASSETS: dict[str, SpotAsset] = {
    asset.symbol: asset
    for asset in (
        SpotAsset(symbol="BTC", quantum=Decimal("0.00000001"), withdrawal_fee=Decimal("0.00002")),
        SpotAsset(symbol="ETH", quantum=Decimal("0.00000001"), withdrawal_fee=Decimal("0.0005")),
        SpotAsset(symbol="SOL", quantum=Decimal("0.00000001"), withdrawal_fee=Decimal("0.005")),
    )
}
