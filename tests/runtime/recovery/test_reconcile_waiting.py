"""When `reconcile` reads the histories, by whose clock, how long it waits, and what absence proves.

spec/vectors/settle says which pages are read again, and how rate limits are waited out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.doubles.calls import create
from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, WINDOW, message, order_record, unknown
from tests.doubles.signer import KEY
from tests.doubles.transport import ListsTransport
from tests.interface import page
from tests.runtime.recovery.histories import (
    EXECUTED,
    LAG,
    cancel,
    settled,
    state,
)
from trading_runtime.clock import now_ms
from trading_runtime.errors import OutcomeUnknownError, PaginationError
from trading_sdk import Client

pytestmark = pytest.mark.usefixtures("clock")


# Clocks that are set while it reads

BACK = 10
"""By how many seconds."""


def local_clock_is_set_back(histories: ListsTransport, clock: VirtualTime) -> None:
    clock.local -= BACK * 1_000


def service_clock_is_set_back(histories: ListsTransport, clock: VirtualTime) -> None:
    histories.ahead = -BACK


set_back = pytest.mark.parametrize("change", [local_clock_is_set_back, service_clock_is_set_back])
Change = Callable[[ListsTransport, VirtualTime], None]


@set_back
@pytest.mark.parametrize("at", [1, 2], ids=["in the first reading", "in the second reading"])
def test_if_a_clock_is_set_back_meanwhile_it_waits_and_reads_again(
    client: Client, histories: ListsTransport, clock: VirtualTime, change: Change, at: int
) -> None:
    error = unknown(message(), ago=WINDOW + LAG + 3_000)

    def before() -> None:
        if len(histories.read) == at:
            change(histories, clock)
        if len(histories.read) == 3:
            histories.show("orders.history", page(order_record(error.timestamp + 1)))

    histories.before = before

    assert state(client, error) == EXECUTED
    assert len(histories.read) >= 3
    assert BACK - 3 <= clock.slept <= BACK + 3


def cancelled(at: int, **fields: Any) -> dict[str, Any]:
    """An order of long ago that was cancelled at a time."""
    return order_record(1, order_status="cancelled", updated_at=at, **fields)


# Whose time it is, and of when a page is


def test_a_service_whose_clock_is_set_back_again_and_again_is_given_up_on(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    def before() -> None:
        histories.ahead -= 5

    histories.before = before
    found, reason = state(client, unknown(message(), ago=0))

    unreliable = "the clocks or the lists cannot be relied on, so absence has no meaning"
    assert (found, reason) == ("unsettled", f"no list shows its id; {unreliable}")
    assert clock.slept < 300


def test_by_the_clock_of_the_service_this_machines_clock_may_be_wrong_by_any_time(
    histories: ListsTransport, clock: VirtualTime
) -> None:
    histories.ahead = 3 * 24 * 3_600
    with Client(HERE, signer=KEY, transport=histories, clock="server") as client:
        clock.hold(client)
        list(client.orders.history())
        with pytest.raises(OutcomeUnknownError) as caught:
            create(client)
        assert settled(client, caught.value).state == "not executed"
    assert (WINDOW + LAG) / 1_000 <= clock.slept <= (WINDOW + LAG) / 1_000 + 9


def test_a_time_that_was_told_before_is_not_enough(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    list(client.orders.history())
    clock.sleep(1)
    histories.changing = [{"Date": None}]

    assert settled(client, unknown(message())).state == "unsettled"


# What rests on absence, and on what else


def test_a_cancel_is_not_said_to_be_executed_before_a_replacement_would_be_listed(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    error, gone = unknown(cancel(), ago=0), cancelled(now_ms() + 5)
    replacement = order_record(now_ms() + 5, order_id=2)
    histories.show("orders.history", page(gone), page(gone), page(gone, replacement))

    assert settled(client, error).state == "unsettled"
    assert clock.slept >= LAG / 1_000


def test_a_change_of_an_absurd_time_is_not_waited_for_without_end(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    histories.show("orders.history", page(cancelled(2**50)))

    assert settled(client, unknown(cancel())).state == "executed"
    assert clock.slept <= 3_700


# Pages that fail


def test_pages_that_take_longer_than_the_timeout_are_read_on_by_the_next_call(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    def before() -> None:
        clock.advance(9_000)

    first = {**page(), "next_cursor": "c", "has_more": True}
    second = {**page(), "next_cursor": "d", "has_more": True}
    histories.show("orders.history", first, second, page(order_record(1)))
    histories.before, error = before, unknown(message())

    found, reason = state(client, error, timeout=0)
    slow = "reading takes longer than `timeout`; call client.reconcile(error) again"
    assert found == "unsettled"
    assert reason == (
        f"no list shows its id; {slow}; reading 1: 2 pages; client.reconcile(error) goes on from there"
    )
    assert state(client, error, timeout=0) == EXECUTED
    assert len(histories.read) == 3


def test_a_list_that_contradicts_itself_is_named_and_the_page_too(
    client: Client, histories: ListsTransport
) -> None:
    first, second = ({**page(), "next_cursor": each, "has_more": True} for each in ("c", None))
    histories.show("orders.history", first, second)

    with pytest.raises(PaginationError) as caught:
        settled(client, unknown(message()))

    assert str(caught.value) == (
        "orders.history: has_more is true, but there is no next cursor; to resume: cursor='c' "
        "(reading 1: 2 pages; client.reconcile(error) goes on from "
        "there)"
    )
