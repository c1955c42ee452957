"""State that is kept from the events of a stream: a book, open orders, positions.

Nothing here asks the service. A program gives each event to `add`, in the order in which the stream yields them, and
a state takes what is its own. Pictures are the base, and events move it on. The exchange numbers both: an event that
the picture has already is not counted twice, in whatever order the two come.

After a gap (`Disconnected`, `Lagging`) `is_current` is False until the next picture. An exchange that counts anew,
like a sandbox after `reset`, needs new states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any
from uuid import UUID

from attrs import evolve, frozen

from trading_runtime.stream import Disconnected, Lagging, Reconnected
from trading_toolkit.portfolio import EXACT
from trading_toolkit.readings import ENDED

_GAPS = (Disconnected, Lagging, Reconnected)
_ZERO = Decimal(0)
_SIGNS = {
    "bid": 1,
    "ask": -1,
    "open_long": 1,
    "close_short": 1,
    "open_short": -1,
    "close_long": -1,
}


class _Live:
    """What all states have: the number of their latest picture, and whether a gap followed it."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._is_current = False

    @property
    def is_current(self) -> bool:
        """Whether a picture has come, and no gap since."""
        return self._is_current

    @property
    def number(self) -> int | None:
        """The exchange's number of the latest picture; None before it, and where the service tells none."""
        return self._number

    def _is_gap(self, event: Any) -> bool:
        is_gap = isinstance(event, _GAPS)
        if is_gap:
            self._is_current = False
        return is_gap

    def _begins(self, number: int | None) -> bool:
        """Take the number of a picture; False of one that is older than the latest."""
        if number is not None and self._number is not None and number < self._number:
            return False
        self._number, self._is_current = number, True
        return True


# -- a book ------------------------------------------------------------------------------------


class LiveBook(_Live):
    """The order book of a market, from `Book(symbol=...)`, and from `BestPrices` if that is subscribed to as well.

    Levels wider than a tick (`agg_level`) go without `BestPrices`.
    """

    def __init__(self, symbol: str) -> None:
        """Begin empty."""
        super().__init__()
        self.symbol = symbol
        self._top: int | None = None
        self._bids: tuple[tuple[Decimal, Decimal], ...] = ()
        self._asks: tuple[tuple[Decimal, Decimal], ...] = ()

    @property
    def bids(self) -> tuple[tuple[Decimal, Decimal], ...]:
        """Price (quote per token) and amount (token) of each level, the highest price first."""
        return self._bids

    @property
    def asks(self) -> tuple[tuple[Decimal, Decimal], ...]:
        """Price (quote per token) and amount (token) of each level, the lowest price first."""
        return self._asks

    @property
    def mid(self) -> Decimal | None:
        """The price between the best two; None where a side is empty."""
        if not (self._bids and self._asks):
            return None
        return EXACT.multiply(EXACT.add(self._bids[0][0], self._asks[0][0]), Decimal("0.5"))

    def add(self, event: Any) -> bool:
        """Take an event; return whether the book has changed, or a gap made it old."""
        if self._is_gap(event):
            return True
        if getattr(event, "symbol", None) != self.symbol:
            return False
        match event:
            case object(sides=(bids, asks), number=number):
                if not self._begins(number) or _is_before(number, self._top):
                    return False
                self._bids, self._asks = _levels(bids), _levels(asks)
            case object(
                bid=bid, bid_amount=bid_amount, ask=ask, ask_amount=ask_amount, number=number
            ):
                if not _is_after(number, self._number) or _is_before(number, self._top):
                    return False
                self._top = number
                self._bids = _topped(self._bids, bid, bid_amount, 1)
                self._asks = _topped(self._asks, ask, ask_amount, -1)
            case _:
                return False
        return True


def _levels(levels: Iterable[Any]) -> tuple[tuple[Decimal, Decimal], ...]:
    return tuple((level.price, level.amount) for level in levels)


def _topped(
    levels: tuple[tuple[Decimal, Decimal], ...], price: Decimal, amount: Decimal, sign: int
) -> tuple[tuple[Decimal, Decimal], ...]:
    """A side with another best level; the amount 0 stands for an empty side."""
    if not amount:
        return ()
    return ((price, amount), *(level for level in levels if sign * (level[0] - price) < 0))


def _is_after(number: int | None, other: int | None) -> bool:
    """Whether something is known to be newer."""
    return number is not None and other is not None and number > other


def _is_before(number: int | None, other: int | None) -> bool:
    return _is_after(other, number)


# -- orders ------------------------------------------------------------------------------------


@frozen(kw_only=True)
class LiveOrder:
    """An open order, as the latest of a picture, an event or a list by REST shows it."""

    order_id: int
    client_order_id: UUID | None
    symbol: str
    side: str
    price: Decimal | None
    """Limit price. Unit: quote per token."""
    amount: Decimal
    """Unit: token."""
    filled_amount: Decimal
    """Unit: token."""
    number: int | None
    """The exchange's number of what showed it; None of a list by REST."""


class LiveOrders(_Live):
    """The open orders of an account, from `AccountOrders` and `AccountOrderUpdates`, and from lists by REST.

    Only what cannot be undone is believed of an older source: that an order exists, that it has ended, the larger
    fill. So the order of the sources does not matter.
    """

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        self._open: dict[int, LiveOrder] = {}
        self._ended: set[int] = set()
        self._unclear: set[int] = set()

    @property
    def open(self) -> Mapping[int, LiveOrder]:
        """The open orders by id, and those of `unclear` among them."""
        return MappingProxyType(self._open)

    @property
    def unclear(self) -> frozenset[int]:
        """Ids of orders that a list showed as open, and the picture does not: one of the two is older.

        `merge(client.orders.history())` settles those that have ended, a later picture those that are open.
        """
        return frozenset(self._unclear)

    def add(self, event: Any) -> bool:
        """Take an event; return whether it was of orders, or a gap."""
        match event:
            case _ if self._is_gap(event):
                pass
            case object(orders=tuple() as orders, number=number):
                if self._begins(number):
                    self._take_picture(orders, number)
            case object(updates=tuple() as updates):
                for update in updates:
                    self._take(_order(update, update.number), has_ended=_has_ended(update))
            case _:
                return False
        return True

    def merge(self, orders: Iterable[Any]) -> None:
        """Take records of `orders.history()`, or of `orders.list()`, whenever they were read."""
        for order in orders:
            self._take(_order(order, None), has_ended=_has_ended(order))

    def _take_picture(self, orders: tuple[Any, ...], number: int | None) -> None:
        for order in orders:
            self._take(_order(order, number), has_ended=False)
        listed = {order.order_id for order in orders}
        self._unclear -= listed
        for order in [order for id_, order in self._open.items() if id_ not in listed]:
            if number is None or order.number is None:
                self._unclear.add(order.order_id)
            elif order.number <= number:
                self._end(order.order_id)

    def _take(self, order: LiveOrder, *, has_ended: bool) -> None:
        id_ = order.order_id
        if has_ended:
            self._end(id_)
        elif id_ not in self._ended:
            known = self._open.get(id_, order)
            newer, older = (known, order) if _is_older(order, known) else (order, known)
            filled = max(newer.filled_amount, older.filled_amount)
            self._open[id_] = evolve(newer, filled_amount=filled)

    def _end(self, id_: int) -> None:
        self._ended.add(id_)
        self._unclear.discard(id_)
        self._open.pop(id_, None)


def _is_older(order: LiveOrder, known: LiveOrder) -> bool:
    """Whether an order is an older view than the one that is known; a list by REST has no number, and yields."""
    if known.number is None:
        return False
    return order.number is None or order.number < known.number


def _order(record: Any, number: int | None) -> LiveOrder:
    return LiveOrder(
        order_id=record.order_id,
        client_order_id=record.client_order_id,
        symbol=record.symbol,
        side=record.side,
        price=_first(record, "price", "initial_price"),
        amount=_first(record, "amount", "initial_amount"),
        filled_amount=record.filled_amount,
        number=number,
    )


def _first(record: Any, *names: str) -> Any:
    return next(
        (value for name in names if (value := getattr(record, name, None)) is not None), None
    )


def _has_ended(record: Any) -> bool:
    return getattr(record, "order_status", None) in ENDED


# -- positions ---------------------------------------------------------------------------------


class LivePositions(_Live):
    """The positions of an account, from `AccountPositions`, moved on by `AccountTrades`.

    It needs no list by REST: after a gap the stream brings a whole picture. Trades that were missed are for a ledger.
    """

    def __init__(self) -> None:
        """Begin without a picture."""
        super().__init__()
        self._base: dict[str, Decimal] = {}
        self._changed_at: dict[str, int] = {}
        self._trades: dict[int, Any] = {}

    @property
    def sizes(self) -> dict[str, Decimal]:
        """The size in each market that is not flat, in tokens: above zero long, below zero short.

        Empty before the first picture; `is_current` tells whether one has come.
        """
        sizes = dict(self._base)
        for trade in self._trades.values():
            if self._is_on_top(trade):
                change = EXACT.multiply(Decimal(_SIGNS[trade.side]), trade.amount)
                sizes[trade.symbol] = EXACT.add(sizes.get(trade.symbol, _ZERO), change)
        return {symbol: size for symbol, size in sorted(sizes.items()) if size}

    @property
    def unclear(self) -> frozenset[str]:
        """Markets in which a trade may be in the picture, or not yet. The next picture settles that."""
        trades = self._trades.values()
        return frozenset(trade.symbol for trade in trades if self._is_on_top(trade) is None)

    def add(self, event: Any) -> bool:
        """Take an event; return whether it was of positions, or a gap."""
        match event:
            case _ if self._is_gap(event):
                pass
            case object(positions=tuple() as positions, number=number):
                if self._begins(number):
                    self._base = {
                        each.symbol: EXACT.multiply(Decimal(_SIGNS[each.side]), each.amount)
                        for each in positions
                    }
                    self._changed_at = {each.symbol: each.updated_at for each in positions}
            case object(trades=tuple() as trades):
                # The trades of a market, of `Trades`, name no order.
                own = [trade for trade in trades if hasattr(trade, "order_id")]
                self._trades.update((trade.history_id, trade) for trade in own)
            case _:
                return False
        self._trades = {
            id_: trade for id_, trade in self._trades.items() if self._is_on_top(trade) is not False
        }
        return True

    def _is_on_top(self, trade: Any) -> bool | None:
        """Whether a trade is newer than the picture; None where nothing tells, or its side is not known."""
        if trade.number is not None and self._number is not None:
            is_newer = trade.number > self._number
        else:
            changed_at = self._changed_at.get(trade.symbol)
            if changed_at is None or changed_at == trade.created_at:
                return None
            is_newer = trade.created_at > changed_at
        return None if is_newer and trade.side not in _SIGNS else is_newer
