"""What the seed decides: pseudo-random bytes for keys and ids, and the price paths.

A path gives the price of any moment, without computing earlier moments. It is the sum of several
time grids, from long ones with large moves to short ones with small moves. A grid has a pseudo-random
value at each of its points and straight lines between them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

import base58

from trading_sandbox.engine.markets import Market
from trading_sandbox.engine.money import exact_arithmetic

Moves: TypeAlias = Callable[[int, str, range], list[int]]
"""Of a seed and a symbol, the moves of a path, or of what is near it, at some moments."""
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
_WIDER = ((), (), (0, 1), (2,), (3,), (4,))
"""Of each grid those that are straight between two of its points, without those that these have counted in."""
_FINEST = len(_WIDER) - 1
_TENS, _MINUTES = 3, 4
"""The grids of ten minutes and of one. Between two points of the first one all wider grids are straight."""
_NARROWER = sum(size for _, size, _ in _MARK_GRIDS[_TENS + 1 :]) * _COMMON << 32
"""The most that the grids narrower than ten minutes, or the bounce of prints, add to a move."""
PRINT_MS = 20 * _SECOND
"""Time between two prints, counted from the opening of the exchange; a part of a minute."""
_IN_MINUTE = _MARK_GRIDS[_MINUTES][0] // PRINT_MS
_FEW = 90
"""So many moves are computed, rather than to look where the extreme ones may be."""
_BOUNCE = _MARK_GRIDS[_FINEST][1] * _COMMON << 24
"""Unit of the bounce of a print, a byte, which takes the place of the finest grid: so prints are near the path."""


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

    The path starts at the first mark price of the market and stays within 25 % of it. It has a past, too.
    """
    with exact_arithmetic():
        return price_of(seed, market, _move(seed, market.symbol, _FINEST, elapsed_ms))


def path_moves(seed: int, symbol: str, moments: range) -> list[int]:
    """Return the moves of a path at some moments, in ms since the opening."""
    return [_move(seed, symbol, _FINEST, moment) for moment in moments]


def print_moves(seed: int, symbol: str, moments: range) -> list[int]:
    """Return the moves of the prints, which are near the path, at some moments, in ms since the opening."""
    width, made = _MARK_GRIDS[_TENS][0], list[int]()
    for cell, inside in _cells(moments):
        first, last = ((at - cell * width) // PRINT_MS for at in (inside[0], inside[-1]))
        made += _prints_of(seed, symbol, cell)[first : last + 1]
    return made


@lru_cache(maxsize=4096)
def _prints_of(seed: int, symbol: str, cell: int) -> list[int]:
    """Return the moves of the prints of ten minutes; those of the minutes are as `_move_at` has them."""
    (_, size, what), minutes = _MARK_GRIDS[_MINUTES], range(cell * 10, cell * 10 + 11)
    begin, end = (_move_at(seed, symbol, _TENS, each) for each in (cell, cell + 1))
    hashes = [_hash_of(seed, symbol, what, minute) for minute in minutes]
    moves = [
        begin + (end - begin) // 10 * index + size * _COMMON * int.from_bytes(each[:4], "big")
        for index, each in enumerate(hashes)
    ]
    return [
        left + (right - left) // _IN_MINUTE * place + _BOUNCE * bounces[4 + place]
        for (left, right), bounces in zip(pairwise(moves), hashes, strict=False)
        for place in range(_IN_MINUTE)
    ]


def minute_bytes(seed: int, symbol: str, minute: int) -> bytes:
    """Return 60 pseudo-random bytes of a minute of a market, which its path does not use."""
    return _hash_of(seed, symbol, _MARK_GRIDS[_MINUTES][2], minute)[4:]


def extremes(moves: Moves, seed: int, symbol: str, moments: range) -> tuple[int, int, int, int]:
    """Return the first, the last, the smallest and the largest of the moves at some moments.

    Within ten minutes a path is between the points of that grid, but for what narrower grids add. So most of
    a long time is never looked at.
    """
    if len(moments) <= _FEW:
        found = moves(seed, symbol, moments)
        return found[0], found[-1], min(found), max(found)
    first, last = (moves(seed, symbol, each)[0] for each in (moments[:1], moments[-1:]))
    low, high = min(first, last), max(first, last)
    for cell, inside in _cells(moments):
        ends = [_move_at(seed, symbol, _TENS, each) for each in (cell, cell + 1)]
        if min(ends) < low or max(ends) + _NARROWER > high:
            found = moves(seed, symbol, inside)
            low, high = min(low, *found), max(high, *found)
    return first, last, low, high


def _cells(moments: range) -> Iterator[tuple[int, range]]:
    """Yield moments, which are multiples of their step, by the cells of ten minutes that they are in."""
    width, step = _MARK_GRIDS[_TENS][0], moments.step
    for cell in range(moments[0] // width, moments[-1] // width + 1):
        begin, end = max(moments.start, -(-cell * width // step) * step), (cell + 1) * width
        yield cell, range(begin, min(moments.stop, end), step)


def price_of(seed: int, market: Market, move: int) -> Decimal:
    """Return the price of a move; it rises with the move."""
    first, away = market.first_ticks, move - _first_move(seed, market.symbol)
    return max(first + first * away // _WHOLE, 1) * market.tick


@lru_cache
def _first_move(seed: int, symbol: str) -> int:
    """Return the move of a path at the opening of the exchange."""
    return _move(seed, symbol, _FINEST, 0)


def _move(seed: int, symbol: str, grid: int, elapsed_ms: int) -> int:
    """Return the move of a path, on the straight line between two points of a grid."""
    width = _MARK_GRIDS[grid][0]
    point, step = divmod(elapsed_ms, width)
    left = _move_at(seed, symbol, grid, point)
    if not step:
        return left
    right = _move_at(seed, symbol, grid, point + 1)
    # Exact: moves are counted in a unit of which every slope per ms has a whole number.
    return left + (right - left) // width * step


@lru_cache(maxsize=16_384)
def _move_at(seed: int, symbol: str, grid: int, point: int) -> int:
    """Return the move of a path at a point of a grid: its own, and that of wider grids."""
    width, size, what = _MARK_GRIDS[grid]
    move = size * _COMMON * _number(seed, symbol, what, point)
    for wider in _WIDER[grid]:
        move += _move(seed, symbol, wider, point * width)
    return move


@lru_cache(maxsize=4096)
def _hashed(seed: int, symbol: str, what: str, point: int) -> Decimal:
    with exact_arithmetic():
        return Decimal(_number(seed, symbol, what, point)) / Decimal(2**31) - 1


def _number(seed: int, symbol: str, what: str, point: int) -> int:
    """Return a pseudo-random number from 0 up to 2^32."""
    return int.from_bytes(_hash_of(seed, symbol, what, point)[:4], "big")


@lru_cache(maxsize=4096)
def _hash_of(seed: int, symbol: str, what: str, point: int) -> bytes:
    return seeded_bytes(seed, symbol, what, point)


def seeded_bytes(seed: int, *parts: str | int) -> bytes:
    """Return 64 pseudo-random bytes, always the same for a seed and these parts."""
    return hashlib.sha512(repr((seed, *parts)).encode()).digest()


def to_base58(data: bytes) -> str:
    """Encode bytes as Base58."""
    return base58.b58encode(data).decode("ascii")
