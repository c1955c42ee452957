"""Open orders: find them, cancel them, wait for one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NoReturn, get_type_hints
from uuid import UUID

from attrs import frozen

from trading_runtime import BaseClient, TradingError, no_such_name
from trading_toolkit.cancelling import ROUNDS, TIMEOUT, Cancelled, Cancelling, is_of
from trading_toolkit.errors import ToolkitError, check_client, check_seconds, check_text
from trading_toolkit.readings import GoOn, is_open, key_of, read_once, read_open

__all__ = [
    "ROUNDS",
    "TIMEOUT",
    "Cancelled",
    "OpenOrder",
    "cancel",
    "cancel_all",
    "find_open",
    "open_order",
    "open_orders",
    "scan",
    "wait_for",
]

_REMOVED = {
    "ENDED": "write the states, of which OrderStatus has all",
    "OpenOrders": "open_orders returns a tuple of OpenOrder",
}

if not TYPE_CHECKING:

    def __getattr__(name: str) -> NoReturn:
        raise no_such_name(__name__, name, _REMOVED)


@frozen(kw_only=True)
class OpenOrder:
    """An order that can still be filled: one record for the clients of either package."""

    order_id: int
    client_order_id: UUID | None
    symbol: str
    side: str
    """`bid` or `ask`."""

    order_type: str
    price: Decimal
    """Its limit now, which an edit may have changed. Unit: quote per token."""

    stop_price: Decimal | None
    """Trigger price of a stop order. Unit: quote per token."""

    amount: Decimal
    """Amount with what is filled of it. Unit: token."""

    filled_amount: Decimal
    """Unit: token."""

    order_status: str
    """`open`, `partially_filled`, or a state that this version does not know."""

    reduce_only: bool
    created_at: int
    """When it was created. Unit: ms."""

    updated_at: int
    """When it last changed. Unit: ms."""


def open_orders(client: BaseClient, symbol: str | None = None) -> tuple[OpenOrder, ...]:
    """The orders that can still be filled, of one market or of all.

    `trading_sdk_observed` has a list of open orders: one request. The interface document has none, so there the
    whole order history is read, because its order is not documented: a request for each 100 orders that the
    account ever made. An order that comes during the scan may be missing.

    Raises:
        TradingError: The list, or a record of it, cannot be read.
    """
    found, failures = scan(client, symbol)
    if failures:
        raise failures[0]
    return found


def scan(
    client: BaseClient, symbol: str | None = None
) -> tuple[tuple[OpenOrder, ...], tuple[TradingError, ...]]:
    """The orders of `open_orders` as far as they can be read, and why others may be missing.

    Raises:
        TradingError: Nothing can be read.
    """
    check_client(client)
    if symbol is not None:
        check_text("symbol", symbol)
    reading = read_open(client, symbol)
    orders = [each for each in reading.latest.values() if is_of(each, symbol)]
    if reading.failure is not None and not orders:
        raise reading.failure
    failures = (*(each.error for each in reading.unreadable), *filter(None, [reading.failure]))
    return tuple(map(open_order, filter(is_open, orders))), failures


def cancel_all(
    client: BaseClient,
    symbol: str | None = None,
    *,
    rounds: int = ROUNDS,
    timeout: float = TIMEOUT,
    wait: Callable[[float], object] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Cancelled:
    """Cancel the open orders of one market or of all, in batches, stop orders included.

    The orders are cancelled at once. Whether all of them ended shows `history_lag` seconds later, so it takes
    that long. What the service refuses, or does not answer, is tried again. A batch that fails stops no other one,
    and a record that cannot be read hides no other one. It is safe to repeat. Stop what places orders before, or new
    ones may come after the last reading.

    Args:
        client: Needs a signer. The client of an agent wallet needs its `account`, too. Its `history_lag` says how
            late the lists may be.
        symbol: Only orders of this market.
        rounds: How often it cancels what is not known to have ended.
        timeout: Seconds that it may take in all. Then it begins nothing any more, and says what it does not know. A
            wait that the rate limit asks for is waited if it ends before.
        wait: Called with the seconds to wait; the log says for what (INFO, logger `trading_sdk.orders`).
        clock: Seconds that pass by.

    Raises:
        TradingError: Nothing can be read, and nothing was sent. Call it again.
    """
    check_client(client)
    if symbol is not None:
        check_text("symbol", symbol)
    check_seconds("timeout", timeout)
    return Cancelling(client, wait, clock, timeout, symbol).run(rounds)


def find_open(
    client: BaseClient, orders: Iterable[Any], *, go_on: GoOn = read_once
) -> tuple[OpenOrder, ...]:
    """These orders as the list shows them, if all of them are open.

    Args:
        client: Reads the list, as `open_orders` does.
        orders: Ids, client order ids, or what placed them, as in `wait_for`.
        go_on: Whether to read a page again that failed.

    Raises:
        ToolkitError: One has ended, or is in no list, or its id is that of orders of two markets.
        TradingError: The list cannot be read.
    """
    check_client(client)
    reading, found = read_open(client, None, go_on), {}
    listed = reading.latest.values()
    for given in orders:
        name, value = _identity(given)
        symbol = getattr(given, "symbol", None)
        named = [
            each
            for each in listed
            if getattr(each, name) == value and symbol in (None, each.symbol)
        ]
        alive = list(filter(is_open, named))
        if not alive:
            if reading.failure is not None:
                raise reading.failure
            state = f"is {named[0].order_status}" if named else "is in no list of open orders"
            hidden = "".join(f"; {each}" for each in reading.unreadable)
            raise ToolkitError(
                f"the order with {name} {value} {state}; nothing was cancelled{hidden}"
            )
        if name == "order_id" and len(alive) > 1:
            markets = " and of ".join(each.symbol for each in alive)
            raise ToolkitError(
                f"{value} is an order of {markets}; nothing was cancelled: give the order itself, as "
                "open_orders lists it"
            )
        found.update({key_of(each): open_order(each) for each in alive})
    return tuple(found.values())


def cancel(
    client: BaseClient,
    orders: Iterable[Any],
    *,
    rounds: int = ROUNDS,
    timeout: float = TIMEOUT,
    wait: Callable[[float], object] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Cancelled:
    """Cancel these orders as `cancel_all` does, and no other one. The arguments are those of `find_open`."""
    check_client(client)
    check_seconds("timeout", timeout)
    work = Cancelling(client, wait, clock, timeout)
    work.seen = {key_of(each): each for each in find_open(client, orders, go_on=work.go_on)}
    work.only = frozenset(work.seen)
    return work.run(rounds)


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


# -- records ------------------------------------------------------------------------------------------


def open_order(listed: Any) -> OpenOrder:
    """The record of an order of the history, or of the list of open orders, which names no state."""
    amount = getattr(listed, "initial_amount", None)
    price = listed.price
    state = "partially_filled" if listed.filled_amount else "open"
    return OpenOrder(
        order_id=listed.order_id,
        client_order_id=listed.client_order_id,
        symbol=listed.symbol,
        side=str(listed.side),
        order_type=str(listed.order_type),
        price=listed.initial_price if price is None else price,
        stop_price=listed.stop_price,
        amount=listed.amount if amount is None else amount,
        filled_amount=listed.filled_amount,
        order_status=str(getattr(listed, "order_status", state)),
        reduce_only=listed.reduce_only,
        created_at=listed.created_at,
        updated_at=listed.updated_at,
    )


# -- one order ----------------------------------------------------------------------------------------


def _find(client: BaseClient, name: str, value: Any) -> Any:
    """The order with this id; None while the list does not show it."""
    orders: Any = client.orders  # type: ignore[attr-defined]
    return next((each for each in orders.history() if getattr(each, name) == value), None)


def _states(client: BaseClient, until: Iterable[str]) -> frozenset[str]:
    """The states to wait for."""
    order = client.api.operations["orders.history"].result
    known = [each.value for each in get_type_hints(order)["order_status"]]
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
