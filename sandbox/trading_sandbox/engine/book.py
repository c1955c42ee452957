"""The order book of one market, in price-time priority."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from decimal import Decimal

from trading_sandbox.engine.commands import Side, opposite
from trading_sandbox.engine.records import Order


class _Half:
    """One side of a book. Bid prices are negated, so that the best price is the smallest key."""

    def __init__(self, sign: int) -> None:
        self._sign = sign
        self._keys: list[Decimal] = []
        self._levels: dict[Decimal, dict[int, Order]] = {}

    def add(self, order: Order) -> None:
        key = self._sign * order.price
        if key not in self._levels:
            insort(self._keys, key)
            self._levels[key] = {}
        self._levels[key][order.order_id] = order

    def remove(self, order: Order) -> None:
        key = self._sign * order.price
        level = self._levels[key]
        del level[order.order_id]
        if not level:
            del self._levels[key]
            del self._keys[bisect_left(self._keys, key)]

    def best(self) -> Order | None:
        if not self._keys:
            return None
        return next(iter(self._levels[self._keys[0]].values()))

    def orders(self) -> Iterator[Order]:
        for key in self._keys:
            yield from self._levels[key].values()


class Book:
    """The resting orders of one market."""

    def __init__(self) -> None:
        self._halves: dict[Side, _Half] = {"bid": _Half(-1), "ask": _Half(1)}

    def add(self, order: Order) -> None:
        """Add a resting order, behind those of the same price."""
        self._halves[order.side].add(order)

    def remove(self, order: Order) -> None:
        """Remove a resting order."""
        self._halves[order.side].remove(order)

    def best(self, side: Side) -> Order | None:
        """Return the order of one side that trades next; None if there is none."""
        return self._halves[side].best()

    def orders(self, side: Side) -> Iterator[Order]:
        """Return the orders of one side, in the order in which they would trade."""
        return self._halves[side].orders()

    def best_price(self, side: Side) -> Decimal | None:
        """Return the best price of one side; None if it is empty."""
        order = self.best(side)
        return None if order is None else order.price

    def mid_price(self) -> Decimal | None:
        """Return the middle between best bid and best ask; None while a side is empty."""
        bid, ask = self.best_price("bid"), self.best_price("ask")
        return None if bid is None or ask is None else (bid + ask) / 2

    def counterparty(self, side: Side, price: Decimal) -> Order | None:
        """Return the resting order that the given order would trade with first, or None."""
        best = self.best(opposite(side))
        if best is None:
            return None
        crosses = price >= best.price if side == "bid" else price <= best.price
        return best if crosses else None
