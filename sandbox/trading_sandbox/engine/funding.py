"""Hourly funding records, each computed from the seed and its hour alone (field note 20).

Prices wander smoothly: hashed values at the points of three grids, from months down to hours, with
straight lines between them. So any page of a history of years costs no more than its records.
"""

from __future__ import annotations

import hashlib
from decimal import Decimal

import attrs

from trading_sandbox.engine.markets import MARKETS, Market
from trading_sandbox.engine.money import (
    ZERO,
    ceil_to,
    divide,
    exact_arithmetic,
    floor_to,
)

HOUR_MS = 3_600_000
FIRST_RECORD = 1_735_689_600_000
"""2025-01-01 00:00 UTC, in ms."""

INTEREST = Decimal("0.0001")
CLAMP = Decimal("0.0005")
CAP = Decimal("0.04")

_GRIDS = ((1000, Decimal("0.2")), (100, Decimal("0.05")), (12, Decimal("0.01")))
_PREMIUM_GRID = 6
_LARGEST_PREMIUM = Decimal("0.002")
_HALF_SPREAD = Decimal("0.0001")


@attrs.frozen(kw_only=True)
class Funding:
    """A settled funding rate (interface section 2.5)."""

    oracle_price: Decimal
    bid_impact_price: Decimal
    ask_impact_price: Decimal
    funding_rate: Decimal
    next_funding_rate: Decimal
    created_at: int


def rate_of(oracle: Decimal, bid_impact: Decimal, ask_impact: Decimal) -> Decimal:
    """Return the hourly rate, a fraction: positive when longs pay shorts."""
    premium = divide(max(ZERO, bid_impact - oracle) - max(ZERO, oracle - ask_impact), oracle)
    rate = (premium + min(max(INTEREST - premium, -CLAMP), CLAMP)) / 8
    return min(max(divide(rate, Decimal(1)), -CAP), CAP)


class FundingHistory:
    """The funding records of every market since `FIRST_RECORD`."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def newest_first(
        self, symbol: str, now: int, before: int | None, limit: int
    ) -> tuple[list[Funding], bool]:
        """Return up to `limit` records, those made earlier than `before`, and whether more follow.

        `now` and `before` are in ms.
        """
        end = now + 1 if before is None else min(before, now + 1)
        last = (end - 1 - FIRST_RECORD) // HOUR_MS
        hours = range(last, max(last - limit, -1), -1)
        with exact_arithmetic():
            records = [self._record(MARKETS[symbol], hour) for hour in hours]
        return records, last - limit >= 0

    def _record(self, market: Market, hour: int) -> Funding:
        oracle, bid, ask = self._prices(market, hour)
        return Funding(
            oracle_price=oracle,
            bid_impact_price=bid,
            ask_impact_price=ask,
            funding_rate=rate_of(oracle, bid, ask),
            next_funding_rate=rate_of(*self._prices(market, hour + 1)),
            created_at=FIRST_RECORD + hour * HOUR_MS,
        )

    def _prices(self, market: Market, hour: int) -> tuple[Decimal, Decimal, Decimal]:
        drift = sum(
            (
                size * self._wander(market.symbol, f"price{grid}", hour, grid)
                for grid, size in _GRIDS
            ),
            ZERO,
        )
        oracle = floor_to(market.first_mark_price * (1 + drift), market.tick)
        premium = _LARGEST_PREMIUM * self._wander(market.symbol, "premium", hour, _PREMIUM_GRID)
        bid = floor_to(oracle * (1 + premium - _HALF_SPREAD), market.tick)
        ask = ceil_to(oracle * (1 + premium + _HALF_SPREAD), market.tick)
        return oracle, bid, ask

    def _wander(self, symbol: str, what: str, hour: int, grid: int) -> Decimal:
        """Return a value between -1 and 1 that moves evenly from one grid point to the next."""
        point, step = divmod(hour, grid)
        left = self._hashed(symbol, what, point)
        right = self._hashed(symbol, what, point + 1)
        return left + (right - left) * step / grid

    def _hashed(self, symbol: str, what: str, point: int) -> Decimal:
        text = f"{self._seed} {symbol} {what} {point}"
        number = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big")
        return Decimal(number) / Decimal(2**31) - 1
