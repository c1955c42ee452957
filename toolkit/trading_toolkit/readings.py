"""Readings of the lists of orders. A record that cannot be read hides no other one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from attrs import define, field, frozen

from trading_runtime import (
    BaseClient,
    DecodeError,
    ListOperation,
    Page,
    PageReader,
    Paginator,
    TradingError,
)

ENDED = frozenset({"filled", "cancelled", "rejected"})
"""The states of an order that cannot be filled any more. An order in an unknown state counts as open."""
OPEN_LIST = "orders.list"
"""The list of open orders, which only `trading_sdk_observed` has."""
_HISTORY = "orders.history"

Key: TypeAlias = tuple[str, int]
"""Market and id of an order: an id may be unique within its market alone."""
GoOn: TypeAlias = Callable[[TradingError | None], bool]
"""Whether to read on: called with the error of a page that failed, which is then read again, and with None
before each further page."""


@frozen
class Unreadable:
    """What stands for a record that cannot be read."""

    order_id: int | None
    """Its id; None if that cannot be read either."""

    error: DecodeError
    """The error of its page."""

    why: str

    def __str__(self) -> str:
        name = "a record" if self.order_id is None else f"the record of order {self.order_id}"
        return f"{name} cannot be read: {self.why}"


@define
class Reading:
    """What one reading of a list shows."""

    records: list[Any] = field(factory=list)
    """Every record, as listed. A page may repeat an order that moved while the list was read."""

    unreadable: list[Unreadable] = field(factory=list)
    pages: int = 0
    """Requests that it cost."""

    failure: TradingError | None = None
    """Why the list was not read to its end."""

    @property
    def latest(self) -> dict[Key, Any]:
        """The latest version of each order. Of versions of one time the open one counts, to be safe."""
        found: dict[Key, Any] = {}
        for record in self.records:
            known = found.setdefault(key_of(record), record)
            if _version(record) > _version(known):
                found[key_of(record)] = record
        return found

    def take(self, page: Iterable[Any]) -> None:
        """Take the records of one more page."""
        self.pages += 1
        for record in page:
            (self.unreadable if isinstance(record, Unreadable) else self.records).append(record)


def key_of(order: Any) -> Key:
    """The market and the id of an order."""
    return order.symbol, order.order_id


def is_open(order: Any) -> bool:
    """Whether an order may still be filled."""
    return getattr(order, "order_status", "open") not in ENDED


def read_once(error: TradingError | None) -> bool:
    """Read every page, and none again."""
    return error is None


def read_open(client: BaseClient, symbol: str | None, go_on: GoOn = read_once) -> Reading:
    """The list of open orders, or the whole history where the client has none, or cannot read it."""
    reading = Reading()
    if OPEN_LIST in client.api.operations:
        orders: Any = client.orders  # type: ignore[attr-defined]
        while True:
            try:
                reading.take(orders.list(**({} if symbol is None else {"symbol": symbol})))
                return reading
            except DecodeError as error:
                if error.is_json:  # of one record, perhaps: the history can be read without it
                    break
                reading.failure = error
            except TradingError as error:
                reading.failure = error
            if not go_on(reading.failure):
                return reading
            reading.failure = None
    return read_history(client, go_on)


def read_history(client: BaseClient, go_on: GoOn = read_once) -> Reading:
    """The order history, as far as it can be read."""
    reading = Reading()
    try:
        for page in _pages(client, go_on):
            reading.take(page)
    except TradingError as error:
        reading.failure = error
    return reading


def _pages(client: BaseClient, go_on: GoOn) -> Iterator[Page[Any]]:
    orders: Any = client.orders  # type: ignore[attr-defined]
    operation: Any = client.api.operations[_HISTORY]

    def fetch(cursor: str | None) -> Page[Any]:
        if cursor is not None and not go_on(None):
            raise TradingError("the time was over before the order history was read to its end")
        while True:
            try:
                start = orders.history(**({} if cursor is None else {"cursor": cursor}))
                page: Page[Any] = next(start.pages())
                return page
            except TradingError as error:
                found = _readable_part(operation, error) if isinstance(error, DecodeError) else None
                if found is not None:
                    return found
                if not go_on(error):
                    raise

    return Paginator(fetch, operation=_HISTORY).pages()


def _readable_part(operation: ListOperation[Any], error: DecodeError) -> Page[Any] | None:
    """The page of an answer, with stand-ins for the records that cannot be read; None if it is no page."""

    def stand_in(value: Any, why: str) -> Unreadable:
        order_id = value.get("order_id") if isinstance(value, dict) else None
        return Unreadable(order_id if type(order_id) is int else None, error, why)

    try:
        return PageReader(operation, instead=stand_in).read(error.status or 0, error.body)
    except TradingError:
        return None


def _version(order: Any) -> tuple[int, bool]:
    return order.updated_at, is_open(order)
