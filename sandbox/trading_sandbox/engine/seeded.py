"""What the seed decides: pseudo-random bytes for keys and ids, and the price paths.

A path gives the price of any moment, without computing earlier moments. It is the sum of several
time grids, from long ones with large moves to short ones with small moves. A grid has a pseudo-random
value at each of its points and straight lines between them.
"""

from __future__ import annotations

import hashlib
from decimal import Decimal
from functools import lru_cache

import base58

from trading_sandbox.engine.markets import Market
from trading_sandbox.engine.money import ZERO, exact_arithmetic, floor_to

_SECOND = 1000
_HOUR = 3600 * _SECOND
# Pairs of grid width, in ms, and size of the moves. The first price and a later one may lie at
# opposite ends of a grid's range, so a path stays within twice the sum of the sizes: 25 %.
_MARK_GRIDS = (
    (960 * _HOUR, Decimal("0.08")),
    (72 * _HOUR, Decimal("0.03")),
    (4 * _HOUR, Decimal("0.012")),
    (600 * _SECOND, Decimal("0.002")),
    (60 * _SECOND, Decimal("0.0005")),
    (5 * _SECOND, Decimal("0.0002")),
)


def wander(seed: int, symbol: str, what: str, moment: int, grid: int) -> Decimal:
    """Return a value between -1 and 1 that moves linearly from one grid point to the next.

    `moment` and `grid` are in the same unit. Different names `what` give independent values.
    """
    point, step = divmod(moment, grid)
    left = _hashed(seed, symbol, what, point)
    right = _hashed(seed, symbol, what, point + 1)
    return left + (right - left) * step / grid


def path_price(seed: int, market: Market, elapsed_ms: int) -> Decimal:
    """Return the mark price of a market's path, `elapsed_ms` after the exchange was opened.

    The path starts at the first mark price of the market and stays within 25 % of it.
    """
    with exact_arithmetic():
        drift = sum(
            (
                size * (_mark(seed, market, elapsed_ms, grid) - _mark(seed, market, 0, grid))
                for grid, size in _MARK_GRIDS
            ),
            ZERO,
        )
        return max(floor_to(market.first_mark_price * (1 + drift), market.tick), market.tick)


def _mark(seed: int, market: Market, elapsed_ms: int, grid: int) -> Decimal:
    return wander(seed, market.symbol, f"mark{grid}", elapsed_ms, grid)


@lru_cache(maxsize=4096)
def _hashed(seed: int, symbol: str, what: str, point: int) -> Decimal:
    number = int.from_bytes(seeded_bytes(seed, symbol, what, point)[:4], "big")
    with exact_arithmetic():
        return Decimal(number) / Decimal(2**31) - 1


def seeded_bytes(seed: int, *parts: str | int) -> bytes:
    """Return 64 pseudo-random bytes, always the same for a seed and these parts."""
    return hashlib.sha512(repr((seed, *parts)).encode()).digest()


def to_base58(data: bytes) -> str:
    """Encode bytes as Base58."""
    return base58.b58encode(data).decode("ascii")
