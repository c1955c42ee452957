"""What the seed decides: pseudo-random bytes for keys and ids, and the price paths.

A path gives the price of any moment, without computing earlier moments. It is the sum of several
time grids, from long ones with large moves to short ones with small moves. A grid has a pseudo-random
value at each of its points and straight lines between them.
"""

from __future__ import annotations

import hashlib
import math
from decimal import Decimal
from functools import lru_cache

import base58

from trading_sandbox.engine.markets import Market
from trading_sandbox.engine.money import exact_arithmetic

_SECOND = 1000
_HOUR = 3600 * _SECOND
# Triples of grid width, in ms, size of the moves, in units of 0.01 %, and name. The first price and a later
# one may lie at opposite ends of a grid's range, so a path stays within twice the sum of the sizes: 25 %.
_MARK_GRIDS = tuple(
    (width, size, f"mark{width}")
    for width, size in (
        (960 * _HOUR, 800),
        (72 * _HOUR, 300),
        (4 * _HOUR, 120),
        (600 * _SECOND, 20),
        (60 * _SECOND, 5),
        (5 * _SECOND, 2),
    )
)
_COMMON = math.lcm(*(width for width, _, _ in _MARK_GRIDS))
_WHOLE = 10_000 * _COMMON << 31
"""A move of 100 %, in the unit in which moves are added up without a fraction."""


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
    move, symbol = 0, market.symbol
    for width, size, what in _MARK_GRIDS:
        point, step = divmod(elapsed_ms, width)
        left, right = _number(seed, symbol, what, point), _number(seed, symbol, what, point + 1)
        away = left * (width - step) + right * step - _number(seed, symbol, what, 0) * width
        move += size * (_COMMON // width) * away
    first = market.first_ticks
    with exact_arithmetic():
        return max(first + first * move // _WHOLE, 1) * market.tick


@lru_cache(maxsize=4096)
def _hashed(seed: int, symbol: str, what: str, point: int) -> Decimal:
    with exact_arithmetic():
        return Decimal(_number(seed, symbol, what, point)) / Decimal(2**31) - 1


@lru_cache(maxsize=4096)
def _number(seed: int, symbol: str, what: str, point: int) -> int:
    """Return a pseudo-random number from 0 up to 2^32."""
    return int.from_bytes(seeded_bytes(seed, symbol, what, point)[:4], "big")


def seeded_bytes(seed: int, *parts: str | int) -> bytes:
    """Return 64 pseudo-random bytes, always the same for a seed and these parts."""
    return hashlib.sha512(repr((seed, *parts)).encode()).digest()


def to_base58(data: bytes) -> str:
    """Encode bytes as Base58."""
    return base58.b58encode(data).decode("ascii")
