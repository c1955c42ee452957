"""The books of one market: resting orders in price-time priority, and orders that wait for their stop price."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator
from decimal import Decimal
from operator import itemgetter

from trading_sandbox.engine.commands import Side, TriggerPriceType, opposite
from trading_sandbox.engine.records import Order, Stop


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


# -- the trigger book -------------------------------------------------------------------------------


_Queue = list[tuple[Decimal, int]]
"""Pairs of stop price and order id, sorted so that the price that is reached first comes first.

Prices that are reached from above are negated for this.
"""


def stop_of(order: Order) -> Stop:
    """Return the stop of a waiting order; every order in the trigger book has one."""
    assert order.stop is not None
    return order.stop


class TriggerBook:
    """The trigger book of one market: stop orders, take-profits and stop-losses."""

    def __init__(self) -> None:
        self._orders: dict[int, Order] = {}
        self._queues: defaultdict[tuple[TriggerPriceType, bool], _Queue] = defaultdict(list)
        self._legs: defaultdict[str, dict[int, Order]] = defaultdict(dict)

    def add(self, order: Order) -> None:
        """Add a waiting order."""
        stop = stop_of(order)
        self._orders[order.order_id] = order
        insort(self._queues[stop.trigger_price_type, stop.rising], _place(order))
        if stop.kind != "stop":
            self._legs[order.account][order.order_id] = order

    def remove(self, order: Order) -> None:
        """Remove a waiting order."""
        stop = stop_of(order)
        del self._orders[order.order_id]
        queue = self._queues[stop.trigger_price_type, stop.rising]
        del queue[bisect_left(queue, _place(order))]
        if stop.kind != "stop":
            legs = self._legs[order.account]
            del legs[order.order_id]
            if not legs:
                del self._legs[order.account]

    def reached(self, kind: TriggerPriceType, price: Decimal) -> list[Order]:
        """Return the orders that a price of this kind triggers."""
        found: list[Order] = []
        for rising in (True, False):
            queue = self._queues[kind, rising]
            if queue:
                signed = price if rising else -price
                end = bisect_right(queue, signed, key=itemgetter(0))
                found += [self._orders[order_id] for _, order_id in queue[:end]]
        return found

    def legs(self, account: str) -> list[Order]:
        """Return the take-profits and stop-losses of an account, the oldest first."""
        legs = self._legs.get(account)
        return [legs[order_id] for order_id in sorted(legs)] if legs else []


def _place(order: Order) -> tuple[Decimal, int]:
    stop = stop_of(order)
    return (stop.price if stop.rising else -stop.price), order.order_id
