"""Which pages of the lists are read again, how long is waited in between, and when it gives up."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.interface import page
from tests.runtime.recovery.histories import (
    MINE,
    MINUTE,
    OTHER,
    Histories,
    LocalClock,
    cancel,
    message,
    order,
    settled,
    soon_after_signing,
    state,
    unknown,
)
from trading_runtime.clock import now_ms
from trading_runtime.errors import (
    DecodeError,
    InternalServerError,
    OutcomeUnknownError,
    PaginationError,
    RateLimitError,
)
from trading_runtime.http.transport import Request, Response
from trading_runtime.intent import Message
from trading_sdk import Client

EXECUTED = ("executed", "a list shows its id")
CHANGED = ("executed", "a list shows the change")
NOT_EXECUTED = ("not executed", "no list shows its id")


class Failing(Histories):
    """Histories of one order, whose first answers fail."""

    def __init__(self) -> None:
        super().__init__()
        self.show("orders.history", page(order(at=soon_after_signing())))
        self.times, self.status, self.headers = 0, 429, dict[str, str]()
        self.statuses = list[int]()
        """Of the first answers, if they differ."""

    def send(self, request: Request, *, timeout: float) -> Response:
        response = super().send(request, timeout=timeout)
        if self.statuses and (status := self.statuses.pop(0)) != 200:
            return Response(status, {**response.headers, **self.headers}, b"{}")
        if len(self.read) > self.times:
            return response
        return Response(self.status, {**response.headers, **self.headers}, b"{}")


@pytest.fixture
def histories() -> Failing:
    return Failing()


@pytest.fixture
def waits(client: Client, clock: LocalClock) -> list[float]:
    """The waits of the client from here on, in seconds."""
    waits = list[float]()

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        clock.sleep(seconds)

    client._caller.clock.sleep = sleep
    return waits


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, [2, 4, 8, 16, 32, 64, 64, 64]),
        ({"Retry-After": "7"}, [7] * 8),
        ({"Retry-After": "1"}, [1] * 8),
        ({"Retry-After": "0"}, [1] * 8),
    ],
    ids=str,
)
def test_a_429_is_waited_out_for_as_long_as_it_asks_or_longer_each_time(
    client: Client,
    histories: Failing,
    waits: list[float],
    headers: dict[str, str],
    expected: list[float],
) -> None:
    histories.times, histories.headers = 8, headers

    assert state(client, unknown(message())) == EXECUTED
    assert waits == expected


def test_a_429_that_asks_for_more_than_the_timeout_is_not_waited_out(
    client: Client, histories: Failing, waits: list[float]
) -> None:
    histories.times, histories.headers = 2, {"Retry-After": "4"}

    settlement = settled(client, unknown(message()), timeout=7)

    assert settlement.state == "unsettled"
    assert "; the rate limit asks to wait 4 s; nothing was read yet; " in settlement.reason
    assert waits == [4]


@pytest.mark.parametrize(("asked", "timeout"), [("600", None), ("601", 601.5), ("3600", 4_000)])
def test_a_429_is_waited_out_for_ten_minutes_or_as_long_as_the_timeout(
    client: Client, histories: Failing, waits: list[float], asked: str, timeout: float | None
) -> None:
    histories.times, histories.headers = 1, {"Retry-After": asked}

    assert state(client, unknown(message()), timeout) == EXECUTED
    assert waits == [float(asked)]


def test_a_429_that_asks_for_more_than_ten_minutes_goes_out_if_there_is_no_timeout(
    client: Client, histories: Failing, waits: list[float]
) -> None:
    histories.times, histories.headers = 1, {"Retry-After": "999999999"}

    with pytest.raises(RateLimitError) as caught:
        settled(client, unknown(message()))

    assert "asks to wait 999999999 s; reconcile(error, timeout=...) waits so long" in str(
        caught.value
    )
    assert waits == []


def test_pages_that_cost_more_than_the_whole_budget_are_read_in_the_default_size(
    client: Client, histories: Failing, waits: list[float]
) -> None:
    tried: list[bool] = []

    def send(request: Request, *, timeout: float) -> Response:
        large = "limit=" in request.url
        tried.append(large)
        if large:
            return Response(429, {"Retry-After": "1"}, b"{}")
        return Histories.send(histories, request, timeout=timeout)

    histories.send = send  # type: ignore[method-assign]

    assert state(client, unknown(message())) == EXECUTED
    assert tried == [True, True, False]


def test_pages_that_were_read_once_keep_their_size_whatever_the_rate_limit_asks(
    client: Client, histories: Failing, waits: list[float]
) -> None:
    more = {**page(), "next_cursor": "c", "has_more": True}
    histories.show("orders.history", more, *[page()] * 4, page(order(at=soon_after_signing())))
    histories.statuses = [200, 429, 429, 429]

    assert state(client, unknown(message())) == EXECUTED
    asked = [parse_qs(urlsplit(each.url).query) for each in histories.read]
    assert ["limit" in each for each in asked] == [True] * 6


@pytest.mark.parametrize(
    ("timeout", "expected"), [(None, [1, 2, 3, 4]), (4, [1, 2, 1, 0]), (0, [0, 0, 0, 0])]
)
def test_a_page_that_fails_is_read_five_times_and_waits_in_between(
    client: Client,
    histories: Failing,
    waits: list[float],
    timeout: float | None,
    expected: list[float],
) -> None:
    histories.times, histories.status = 4, 503

    assert state(client, unknown(message()), timeout) == EXECUTED
    assert waits == expected
    asked = [parse_qs(urlsplit(each.url).query) for each in histories.read]
    assert ["limit" in each for each in asked] == [True] * 4 + [False]


def test_a_page_that_fails_five_times_fails_the_call(
    client: Client, histories: Failing, waits: list[float]
) -> None:
    histories.times, histories.status = 5, 503

    with pytest.raises(InternalServerError):
        settled(client, unknown(message()))

    assert len(histories.read) == 5
    assert waits == [1, 2, 3, 4]


@pytest.mark.usefixtures("waits")
def test_a_list_that_contradicts_itself_is_named_and_the_page_too(
    client: Client, histories: Failing
) -> None:
    first, second = ({**page(), "next_cursor": each, "has_more": True} for each in ("c", None))
    histories.show("orders.history", first, second)

    with pytest.raises(PaginationError) as caught:
        settled(client, unknown(message()))

    assert str(caught.value) == (
        "orders.history: has_more is true, but there is no next cursor; to resume: cursor='c' "
        "(look 1: 1 pages with 0 records of orders.history; client.reconcile(error) goes on from "
        "there)"
    )


# Records that cannot be read

OLD = order(at=1, order_id=5, client_order_id=OTHER)
BROKEN = {**OLD, "created_at": None, "updated_at": "yesterday", "client_order_id": ""}


@pytest.mark.parametrize("written", [False, True], ids=["at once", "written down meanwhile"])
@pytest.mark.parametrize(
    ("sent", "record", "says"),
    [
        (message(), BROKEN, NOT_EXECUTED),
        (message(), {**BROKEN, "client_order_id": MINE}, None),
        (message(), {**BROKEN, "client_order_id": None}, NOT_EXECUTED),
        (message(), {**BROKEN, "client_order_id": 5}, None),
        (message(), {**BROKEN, "client_order_id": [MINE]}, None),
        (message(), {"order_id": 5}, None),
        (message(), "no object", None),
        (cancel(order_id=7), BROKEN, None),
        (cancel(order_id=7), {**BROKEN, "symbol": "ETH"}, CHANGED),
        (cancel(order_id=7), {**BROKEN, "updated_at": 1}, CHANGED),
        (cancel(order_id=7), {**BROKEN, "updated_at": 1, "order_id": 7}, None),
    ],
)
def test_a_record_that_cannot_be_read_matters_only_where_it_may_be_the_messages_own(
    client: Client,
    histories: Failing,
    clock: LocalClock,
    sent: Message,
    record: Any,
    says: tuple[str, str] | None,
    written: bool,
) -> None:
    gone = {"order_status": "cancelled", "updated_at": now_ms()}
    cancelled = order(at=1, order_id=7, client_order_id=OTHER, **gone)
    histories.show("orders.history", page(record, cancelled))
    error = unknown(sent, ago=0 if written else MINUTE)
    if written:
        assert state(client, error, timeout=0)[0] == "unsettled" and error.progress
        error = OutcomeUnknownError.from_json(error.to_json())

    found, reason = state(client, error)

    assert (found, reason) == (says or ("unsettled", reason))
    assert says or "perhaps its own" in reason


def test_a_record_that_cannot_be_read_hides_no_other_one(
    client: Client, histories: Failing
) -> None:
    histories.show("orders.history", page(BROKEN, order(at=soon_after_signing())))

    assert state(client, unknown(message())) == EXECUTED
    histories.show("spot.withdrawal_history", page({"symbol": None}))
    assert state(client, unknown(message("spot.withdraw")))[0] == "unsettled"


def test_a_page_whose_records_are_no_list_is_none(client: Client, histories: Failing) -> None:
    histories.show("orders.history", {**page(), "data": {"a": 1}})

    with pytest.raises(DecodeError, match="expected a list, not an object"):
        state(client, unknown(message()))
