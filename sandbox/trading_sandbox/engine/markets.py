"""The markets of the sandbox (field note 23; SOL and all mark prices are chosen)."""

from __future__ import annotations

from decimal import Decimal

import attrs

MAKER_FEE = Decimal("0.00015")
TAKER_FEE = Decimal("0.0004")
MINIMUM_ORDER = Decimal(10)


@attrs.frozen(kw_only=True)
class Market:
    """The fixed rules of one trading pair."""

    symbol: str
    tick: Decimal
    """Prices are multiples of it. Quote per token."""
    lot: Decimal
    """Amounts are multiples of it. Tokens."""
    leverage: int
    """Every account trades at this leverage, the maximum."""
    first_mark_price: Decimal
    """Mark price until `SetMarkPrice` changes it. Quote per token."""


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
