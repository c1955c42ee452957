"""Which pages of the lists are read again, how long is waited in between, and when it gives up."""

from __future__ import annotations

import pytest

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import message, order_record, unknown
from tests.doubles.transport import ListsTransport, no, ok
from tests.interface import page
from tests.runtime.recovery.histories import EXECUTED, settled, state
from trading_runtime.errors import PaginationError
from trading_runtime.http.transport import Request, Response
from trading_runtime.statuses import FAULTS
from trading_sdk import Client


@pytest.fixture
def histories() -> ListsTransport:
    """A service that lists the one order of a message."""
    histories = ListsTransport()
    histories.show("orders.history", page(order_record(1)))
    return histories


def limits(histories: ListsTransport) -> list[bool]:
    """Of each request whether it asked for a size of its page."""
    return ["limit=" in each.url for each in histories.read]


# Rate limits


def test_any_status_that_refuses_for_now_is_waited_out(
    client: Client, histories: ListsTransport, clock: VirtualTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FAULTS, "425", "rate_limited")
    histories.failing = [no(425, ratelimit='"credits";r=0;t=7')]

    assert state(client, unknown(message())) == EXECUTED
    assert clock.naps == [7]


@pytest.mark.usefixtures("clock")
def test_pages_that_cost_more_than_the_whole_budget_are_read_in_the_default_size(
    client: Client, histories: ListsTransport
) -> None:
    def costly(request: Request) -> Response:
        return no(429, Retry_After="1") if "limit=" in request.url else ok(page(order_record(1)))

    histories.failing = [costly] * 3

    assert state(client, unknown(message())) == EXECUTED
    assert limits(histories) == [True, True, False]


# Pages that fail


def test_a_page_that_fails_is_read_five_times_and_at_last_without_a_size(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    histories.failing = [no(503)] * 4
    assert state(client, unknown(message())) == EXECUTED
    assert clock.naps == [1, 2, 3, 4]
    assert limits(histories) == [True] * 4 + [False]


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


@pytest.mark.usefixtures("clock")
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
