"""Which pages of the lists are read again, how long is waited in between, and when it gives up."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.interface import page
from tests.runtime.recovery.histories import (
    Histories,
    LocalClock,
    message,
    order,
    settled,
    soon_after_signing,
    state,
    unknown,
)
from trading_runtime.errors import InternalServerError, PaginationError
from trading_runtime.http.transport import Request, Response
from trading_sdk import Client

EXECUTED = ("executed", "a list shows its id")


class Failing(Histories):
    """Histories of one order, whose first answers fail."""

    def __init__(self) -> None:
        super().__init__()
        self.show("orders.history", page(order(at=soon_after_signing())))
        self.times, self.status, self.headers = 0, 429, dict[str, str]()

    def send(self, request: Request, *, timeout: float) -> Response:
        response = super().send(request, timeout=timeout)
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
    assert "; nothing was read yet; " in settlement.reason
    assert waits == [4]


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
