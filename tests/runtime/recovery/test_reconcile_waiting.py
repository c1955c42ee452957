"""When `reconcile` reads the histories, how long it waits, and what several readings add up to."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import evolve

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import MINUTE, OTHER_ID, WINDOW, message, order_record, unknown
from tests.doubles.signer import KEY
from tests.doubles.transport import ListsTransport
from tests.interface import page
from tests.runtime.recovery.histories import (
    EXECUTED,
    GIVEN,
    LAG,
    NOT_EXECUTED,
    call_again,
    cancel,
    order_ids,
    settled,
    soon_after_signing,
    state,
    until,
)
from trading_runtime.clock import now_ms
from trading_sdk import Client

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def skew_known(client: Client, histories: ListsTransport) -> None:
    """An earlier answer told the service's time, so `reconcile` need not ask for it."""
    list(client.orders.history())
    histories.sent.clear()


# One reading; two after it expired; one before that if it has not expired yet


@pytest.mark.usefixtures("skew_known")
def test_a_listed_order_needs_no_further_page_and_no_second_reading(
    client: Client, histories: ListsTransport
) -> None:
    more = {**page(order_record(now_ms() + 500)), "next_cursor": "c", "has_more": True}
    histories.show("orders.history", more)

    assert state(client, unknown(message(), ago=0)) == EXECUTED
    (read,) = histories.read
    assert parse_qs(urlsplit(read.url).query)["account"] == [KEY.address]


def test_an_absent_order_is_looked_for_twice_after_it_expired(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    error = unknown(message(), ago=0)
    late: list[bool] = []
    histories.before = lambda: late.append(now_ms() > error.intent.accepted_until)

    assert state(client, error) == NOT_EXECUTED
    # The last one without a size, because the only page was shorter than asked.
    assert late == [False, True, True, True]
    assert ["limit" in each.url for each in histories.read] == [True, True, True, False]


# How long it waits


def test_it_waits_for_the_expiry_and_the_lag_of_the_lists_and_no_longer(
    client: Client, clock: VirtualTime
) -> None:
    client._caller = evolve(client._caller, history_lag=5_000)

    assert state(client, unknown(message(), ago=0)) == NOT_EXECUTED
    # A `Date` tells whole seconds, and may be one late.
    assert WINDOW / 1_000 + 5_000 <= clock.slept <= WINDOW / 1_000 + 5_002


@pytest.mark.parametrize(
    ("sent", "reason", "shown"),
    [
        (message(client_id=OTHER_ID), "no list shows its id", []),
        (cancel(order_id=7), "the record that it should change shows no change", [7]),
    ],
    ids=["create", "cancel"],
)
def test_before_its_expiry_a_message_is_unsettled_and_the_reason_says_when_to_call_again(
    client: Client,
    histories: ListsTransport,
    clock: VirtualTime,
    sent: Any,
    reason: str,
    shown: list[int],
) -> None:
    histories.show("orders.history", page(order_record(1, order_id=7)))
    error = unknown(sent, ago=0)

    settlement = settled(client, error, timeout=0)

    told, seconds = call_again(settlement.reason)
    assert (settlement.state, told) == ("unsettled", f"{reason}; {until(error)}")
    assert (WINDOW + LAG) / 1_000 <= seconds <= (WINDOW + LAG) / 1_000 + 2
    assert order_ids(settlement) == shown
    clock.sleep(seconds)
    assert settled(client, error, timeout=0).state == "not executed"


# Readings that differ

NOTHING, UNCLEAR = page(), page(order_record(0, side="ask"))
OTHER_VALUES = ("unsettled", "a list shows its id, but with other values")


@pytest.mark.usefixtures("skew_known")
@pytest.mark.parametrize(
    ("readings", "ago", "expected"),
    [
        (["shown", NOTHING], MINUTE, EXECUTED),
        ([NOTHING, "shown"], MINUTE, EXECUTED),
        (["shown", UNCLEAR], MINUTE, EXECUTED),
        ([UNCLEAR, "shown"], MINUTE, EXECUTED),
        ([UNCLEAR, NOTHING], MINUTE, OTHER_VALUES),
        ([NOTHING, UNCLEAR], MINUTE, OTHER_VALUES),
        # Before its expiry a reading does not count.
        ([UNCLEAR, NOTHING], 0, NOT_EXECUTED),
    ],
)
def test_an_order_that_one_reading_shows_was_executed_and_one_that_is_unclear_is_unsettled(
    client: Client,
    histories: ListsTransport,
    readings: list[Any],
    ago: int,
    expected: tuple[str, str],
) -> None:
    shown = page(order_record(soon_after_signing()))
    histories.show("orders.history", *(shown if each == "shown" else each for each in readings))

    assert state(client, unknown(message(), ago=ago)) == expected


@pytest.mark.usefixtures("skew_known")
def test_an_order_that_was_listed_once_was_executed_whatever_is_listed_later(
    client: Client, histories: ListsTransport
) -> None:
    first = order_record(soon_after_signing(), order_id=7)
    later = order_record(1, order_id=8, client_order_id=OTHER_ID)
    histories.show("orders.history", page(first), page(later))

    sent = [message(), message(client_id=OTHER_ID, minted=False)]
    mine, other = client.reconcile(unknown(*sent))

    assert (mine.state, mine.reason) == EXECUTED
    assert order_ids(mine) == [7]
    assert (other.state, other.reason) == GIVEN
