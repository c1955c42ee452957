"""Open orders: find them, cancel them, wait for one."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import EnumMeta
from typing import Any, get_args, get_type_hints
from uuid import UUID

from attrs import define, evolve, field, frozen

from trading_runtime import (
    ApiError,
    BaseClient,
    NotSentError,
    OutcomeUnknownError,
    RateLimitError,
    RequestError,
)
from trading_toolkit.errors import ToolkitError, check_client, check_seconds, check_text
from trading_toolkit.sharing import keep_within_budget

ENDED = frozenset({"filled", "cancelled", "rejected"})
"""The states of an order that cannot be filled any more. One that this release does not know may be open."""

_LIST = "orders.list"
_BATCH = 10
_PAUSE = 0.5
"""Seconds before what failed is tried again."""

_STOP_TYPES = ("stop_", "take_profit_")


@frozen(kw_only=True)
class OpenOrders:
    """What a scan of the orders found."""

    orders: tuple[Any, ...]
    """The open orders, as the service listed them."""

    pages: int
    """Requests that it cost."""

    others: Mapping[int, Any] = field(repr=False)
    """The other orders that were read on the way, by their id."""


def open_orders(client: BaseClient, symbol: str | None = None) -> OpenOrders:
    """The orders that can still be filled, of one market or of all.

    `trading_sdk_observed` has a list of open orders: one request. The interface document has none, so there the
    whole order history is read, because its order is not documented: a request for each 100 orders that the
    account ever made. An order that comes during the scan may be missing.

    Raises:
        TradingError: The list cannot be read.
    """
    check_client(client)
    if symbol is not None:
        check_text("symbol", symbol)
    found, others, pages = [], {}, 0
    for page in _scan(client, symbol):
        pages += 1
        for order in page:
            if symbol is not None and order.symbol != symbol:
                if order.symbol.lower() == symbol.lower():
                    raise ToolkitError(f"no market is {symbol!r}; did you mean {order.symbol!r}?")
                continue
            if _is_open(order):
                found.append(order)
            else:
                others[order.order_id] = order
    # A page may repeat an order that moved while the list was read: its latest version counts.
    latest = {order.order_id: order for order in found if order.order_id not in others}
    return OpenOrders(orders=tuple(latest.values()), pages=pages, others=others)


@frozen(kw_only=True)
class Cancelled:
    """What became of the open orders."""

    cancelled: tuple[int, ...]
    """Ids of the orders that were cancelled: the service said so, or the order history shows it."""

    still_open: tuple[int, ...] = ()
    """Ids of the orders that the last scan showed as open."""

    unknown: tuple[int, ...] = ()
    """Ids of orders whose cancellation may or may not have been executed, and whose end the order history does
    not show. Some may be `still_open`, too. Call it again."""

    refused: Mapping[int, str] = field(factory=dict)
    """Why they were not cancelled, by id, of the orders that are still open."""

    @property
    def is_done(self) -> bool:
        """Whether the last scan found no open order, and no outcome is unknown."""
        return not (self.still_open or self.unknown)


def cancel_all(
    client: BaseClient,
    symbol: str | None = None,
    *,
    rounds: int = 3,
    wait: Callable[[float], object] = time.sleep,
) -> Cancelled:
    """Cancel the open orders of one market or of all, in batches, stop orders included.

    After each round it scans again: for orders that came meanwhile, and for those whose outcome is unknown. A
    batch that fails stops no other one. It waits where the rate limit says so, which a strategy in trouble should
    know: orders may stay open for a minute. It is safe to repeat. Stop what places orders before, or new ones may
    come after the last scan.

    Args:
        client: Needs a signer. The client of an agent wallet needs its `account`, too.
        symbol: Only orders of this market.
        rounds: How often it cancels what a scan found.
        wait: Called with the seconds to wait for the rate limit, and before another round of what failed.

    Raises:
        TradingError: A scan failed. Call it again.
    """
    return _cancelled(_Cancelling(client, wait, symbol), rounds)


def find_open(client: BaseClient, orders: Iterable[Any]) -> tuple[Any, ...]:
    """These orders as the list shows them, if all of them are open.

    Args:
        client: Reads the list, as `open_orders` does.
        orders: Ids, client order ids, or what placed them, as in `wait_for`.

    Raises:
        ToolkitError: One has ended, or is in no list.
        TradingError: The list cannot be read.
    """
    seen, found = open_orders(client), {}
    for name, value in map(_identity, orders):
        listed = [each for each in seen.orders if getattr(each, name) == value]
        if not listed:
            ended = [each for each in seen.others.values() if getattr(each, name) == value]
            state = f"is {ended[0].order_status}" if ended else "is in no list of open orders"
            raise ToolkitError(f"the order with {name} {value} {state}; nothing was cancelled")
        found.update({each.order_id: each for each in listed})
    return tuple(found.values())


def cancel(
    client: BaseClient,
    orders: Iterable[Any],
    *,
    rounds: int = 3,
    wait: Callable[[float], object] = time.sleep,
) -> Cancelled:
    """Cancel these orders as `cancel_all` does, and no other one. The arguments are those of `find_open`."""
    check_client(client)
    ids = frozenset(each.order_id for each in find_open(client, orders))
    return _cancelled(_Cancelling(client, wait, None, ids), rounds)


def _cancelled(work: _Cancelling, rounds: int) -> Cancelled:
    """Cancel what a scan shows, round by round."""
    seen = work.scan()
    for number in range(rounds):
        if not seen.orders:
            break
        if number and work.refused:
            work.wait(_PAUSE)
        for start in range(0, len(seen.orders), _BATCH):
            work.cancel(seen.orders[start : start + _BATCH])
        seen = work.scan()
    return work.result(seen)


def wait_for(
    client: BaseClient,
    order: Any,
    timeout: float = 30.0,
    *,
    until: Iterable[str] = (),
    wait: Callable[[float], object] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Any:
    """Wait until an order is in its list: until it rests, is filled, cancelled or rejected.

    An order with `tif` GTC or IOC is delayed by some 200 ms, so the answer that it was placed does not say.
    Each look costs as many requests as `open_orders`, but ends at the order.

    Args:
        client: Reads the list.
        order: Its id, its client order id, or what placed it: anything with `order_id`.
        timeout: How long to look, in seconds.
        until: States to wait for, like `{"filled", "cancelled", "rejected"}`; any state unless given.
        wait: Called with the seconds between two looks.
        clock: Seconds that pass by.

    Returns:
        The order as the list shows it.

    Raises:
        TimeoutError: It is not in the list, or in none of these states; the text says which.
        TradingError: The list cannot be read.
    """
    check_client(client)
    check_seconds("timeout", timeout)
    name, value = _identity(order)
    wanted, ends, pause = _states(client, until), clock() + timeout, 0.1
    while True:
        found = _find(client, name, value)
        if found is not None and (not wanted or found.order_status in wanted):
            return found
        left = ends - clock()
        if left <= 0:
            seen = "is not in the list of orders" if found is None else f"is {found.order_status}"
            after = f"after {timeout} seconds " if timeout else ""
            raise TimeoutError(f"{after}the order with {name} {value} {seen}")
        wait(min(pause, left))
        pause = min(pause * 2, 5.0)


# -- the lists ----------------------------------------------------------------------------------------


def _scan(client: BaseClient, symbol: str | None) -> Iterable[Sequence[Any]]:
    """The orders, page by page: the open ones, where the service lists these."""
    orders: Any = client.orders  # type: ignore[attr-defined]
    if _LIST not in client.api.operations:
        yield from orders.history().pages()
        return
    yield orders.list(**({} if symbol is None else {"symbol": symbol}))


def _find(client: BaseClient, name: str, value: Any) -> Any:
    """The order with this id; None while the list does not show it."""
    orders: Any = client.orders  # type: ignore[attr-defined]
    return next((each for each in orders.history() if getattr(each, name) == value), None)


def _is_open(order: Any) -> bool:
    return getattr(order, "order_status", "open") not in ENDED


def _states(client: BaseClient, until: Iterable[str]) -> frozenset[str]:
    """The states to wait for."""
    states = get_type_hints(client.api.operations["orders.history"].result)["order_status"]
    enums: list[Any] = [each for each in get_args(states) if isinstance(each, EnumMeta)]
    known = [each.value for enum in enums for each in enum]
    wanted = [until] if isinstance(until, str) else list(until)
    if unknown := [each for each in wanted if each not in known]:
        raise ToolkitError(f"{unknown[0]!r} is no state of an order; those are {', '.join(known)}")
    return frozenset(wanted)


def _identity(order: Any) -> tuple[str, Any]:
    given = getattr(order, "order_id", order)
    if isinstance(given, UUID):
        return "client_order_id", given
    if isinstance(given, int) and not isinstance(given, bool):
        return "order_id", given
    raise ToolkitError(f"an order is an id, a client order id (UUID) or an order, not {order!r}")


# -- cancelling ---------------------------------------------------------------------------------------


@define
class _Cancelling:
    """What is known of the orders while they are cancelled."""

    client: BaseClient
    wait: Callable[[float], object]
    symbol: str | None
    only: frozenset[int] | None = None
    """Ids of the orders to cancel; None for all."""

    cancelled: dict[int, None] = field(factory=dict)
    lost: list[tuple[OutcomeUnknownError, list[int]]] = field(factory=list)
    """The batches whose outcome is unknown, and the ids of their orders."""

    refused: dict[int, str] = field(factory=dict)
    _stops: set[int] = field(factory=set)
    """Orders that were not cancelled as stop orders: they may have been triggered."""

    def scan(self) -> OpenOrders:
        """The open orders that are to be cancelled; once more after the rate limit refused."""
        try:
            seen = open_orders(self.client, self.symbol)
        except RateLimitError:
            keep_within_budget(self.client, self.wait, refused=True)
            seen = open_orders(self.client, self.symbol)
        if self.only is None:
            return seen
        return evolve(
            seen, orders=tuple(each for each in seen.orders if each.order_id in self.only)
        )

    def cancel(self, orders: Sequence[Any]) -> None:
        """Cancel as many orders as fit into a batch."""
        batch: Any = self.client.orders.batch  # type: ignore[attr-defined]
        ids = [each.order_id for each in orders]
        try:
            results = batch([self._action(each) for each in orders])
        except OutcomeUnknownError as error:
            self.lost.append((error, ids))
        except (ApiError, NotSentError) as error:
            self.refused.update(dict.fromkeys(ids, str(error)))
            if isinstance(error, RateLimitError):
                keep_within_budget(self.client, self.wait, refused=True)
        else:
            for each, result in zip(ids, results, strict=True):
                if result.success:
                    self.cancelled[each] = None
                else:
                    self.refused[each] = result.error or "no reason"
                    self._stops.add(each)

    def result(self, seen: OpenOrders) -> Cancelled:
        """What became of them, as of the last scan."""
        left = {each.order_id: None for each in seen.orders}
        doubtful = {each for _, ids in self.lost for each in ids} - self.cancelled.keys()
        gone = doubtful - left.keys()
        ended = self._ended(gone) if gone else {}
        cancelled = {
            **self.cancelled,
            **{each: None for each, state in ended.items() if state == "cancelled"},
        }
        unknown = doubtful - ended.keys()
        self._acknowledge(unknown | left.keys())
        return Cancelled(
            cancelled=tuple(each for each in cancelled if each not in left),
            still_open=tuple(left),
            unknown=tuple(sorted(unknown)),
            refused={each: why for each, why in self.refused.items() if each in left},
        )

    def _acknowledge(self, doubtful: Collection[int]) -> None:
        """Close the lost batches in the journal whose orders have all ended: nothing can come of them any more."""
        for error, ids in self.lost:
            if not any(each in doubtful for each in ids):
                with suppress(RequestError):  # without a journal there is nothing to close
                    self.client.acknowledge(error)

    def _ended(self, ids: Collection[int]) -> dict[int, str]:
        """The states of orders that the order history shows as ended."""
        orders: Any = self.client.orders  # type: ignore[attr-defined]
        listed = (each for each in orders.history() if each.order_id in ids and not _is_open(each))
        return {each.order_id: each.order_status for each in listed}

    def _action(self, order: Any) -> dict[str, Any]:
        """What cancels an order. A stop order that was triggered is cancelled like any other one."""
        is_stop = (
            str(order.order_type).startswith(_STOP_TYPES) and order.order_id not in self._stops
        )
        kind = "CancelStopOrder" if is_stop else "Cancel"
        return {"type": kind, "data": {"symbol": order.symbol, "order_id": order.order_id}}
