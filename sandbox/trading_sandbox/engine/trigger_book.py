"""The trigger book: the orders of one market that wait for their stop price."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from decimal import Decimal
from operator import itemgetter

from trading_sandbox.engine.commands import TriggerPriceType
from trading_sandbox.engine.records import Order, Stop

_Queue = list[tuple[Decimal, int]]
"""Pairs of stop price and order id, sorted so that the price that is reached first comes first.

Prices that are reached from above are negated for this.
"""


def stop_of(order: Order) -> Stop:
    """Return the stop of a waiting order; every order in the trigger book has one."""
    if order.stop is None:
        raise ValueError(f"order {order.order_id} is no stop order")
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
