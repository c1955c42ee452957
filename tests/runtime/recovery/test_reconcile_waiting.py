"""When `reconcile` reads the histories, how long it waits, and what several readings add up to."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from attrs import evolve

from tests.interface import page
from tests.runtime.recovery.histories import (
    GIVEN,
    HERE,
    KEY,
    LAG,
    OTHER,
    WINDOW,
    Histories,
    LocalClock,
    call_again,
    cancel,
    message,
    order,
    order_ids,
    settled,
    soon_after_signing,
    state,
    unknown,
    until,
)
from trading_runtime.clock import now_ms
from trading_sdk import Client

EXECUTED = ("executed", "a list shows its id")
NOT_EXECUTED = ("not executed", "no list shows its id")


@pytest.fixture
def skew_known(client: Client, histories: Histories) -> None:
    """An earlier answer told the service's time, so `reconcile` need not ask for it."""
    list(client.orders.history())
    histories.read.clear()


# One reading; two after it expired; one before that if it has not expired yet


@pytest.mark.usefixtures("skew_known")
def test_a_listed_order_needs_no_second_reading(client: Client, histories: Histories) -> None:
    histories.show("orders.history", page(order(at=now_ms() + 500)))

    assert state(client, unknown(message(), ago=0)) == EXECUTED
    assert len(histories.read) == 1
    assert parse_qs(urlsplit(histories.read[0].url).query)["account"] == [KEY.address]


def test_once_an_id_was_seen_no_further_page_is_read(client: Client, histories: Histories) -> None:
    more = {**page(order(at=now_ms() + 500)), "next_cursor": "c", "has_more": True}
    histories.show("orders.history", more)

    assert state(client, unknown(message(), ago=0)) == EXECUTED
    assert not any("cursor" in each.url for each in histories.read)


@pytest.mark.usefixtures("skew_known")
def test_an_absent_order_is_looked_for_again_once_it_has_expired(
    client: Client, histories: Histories, clock: LocalClock
) -> None:
    histories.show("orders.history", page(), page(order(at=now_ms())))

    assert state(client, unknown(message(), ago=0)) == EXECUTED
    assert (WINDOW + LAG) / 1_000 <= clock.slept <= (WINDOW + LAG) / 1_000 + 2


def test_an_absent_order_is_looked_for_twice_after_it_expired(
    client: Client, histories: Histories, clock: LocalClock
) -> None:
    error = unknown(message(), ago=0)
    late: list[bool] = []
    histories.before = lambda: late.append(now_ms() > error.intent.accepted_until)

    assert state(client, error) == NOT_EXECUTED
    # The last one without a size, because the only page was shorter than asked.
    assert late == [False, True, True, True]


def test_an_expired_order_that_is_absent_was_not_executed(
    client: Client, histories: Histories
) -> None:
    assert state(client, unknown(message())) == NOT_EXECUTED
    assert ["limit" in each.url for each in histories.read] == [True, True, False]


def test_an_operation_that_no_list_shows_is_unsettled_at_once(
    client: Client, histories: Histories
) -> None:
    transfer = unknown(message("subaccounts.transfer", None), ago=0)
    setting = unknown(message("account.set_auto_lend_disabled", None), ago=0)

    by_hand = (
        "no list shows whether it was executed, so nothing can ever settle it; look at what it should have "
        "changed, like balances or settings, before you send it again: if it was executed, it is then "
        "executed twice"
    )
    assert state(client, transfer) == ("unsettled", by_hand)
    again = f"{by_hand.split(';')[0]}; it can be sent again: repeating it changes nothing more"
    assert state(client, setting) == ("unsettled", again)
    assert histories.read == []


# How long it waits


def test_within_its_timeout_it_waits_for_the_expiry(client: Client, clock: LocalClock) -> None:
    error = unknown(message(), ago=0, window=2_000)

    assert state(client, error, timeout=60) == NOT_EXECUTED
    assert clock.slept >= 2


def test_it_waits_for_the_expiry_and_the_lag_of_the_lists_and_no_longer(
    client: Client, clock: LocalClock
) -> None:
    client._caller = evolve(client._caller, history_lag=5_000)

    assert state(client, unknown(message(), ago=0)) == NOT_EXECUTED
    # A `Date` tells whole seconds, and may be one late.
    assert WINDOW / 1_000 + 5_000 <= clock.slept <= WINDOW / 1_000 + 5_002


@pytest.mark.parametrize(
    ("sent", "reason", "shown"),
    [
        (message(client_id=OTHER), "no list shows its id", []),
        (cancel(order_id=7), "the record that it should change shows no change", [7]),
    ],
    ids=["create", "cancel"],
)
def test_before_its_expiry_a_message_is_unsettled_and_the_reason_says_when_to_call_again(
    client: Client,
    histories: Histories,
    clock: LocalClock,
    sent: Any,
    reason: str,
    shown: list[int],
) -> None:
    histories.show("orders.history", page(order(at=1, order_id=7)))
    error = unknown(sent, ago=0)

    settlement = settled(client, error, timeout=0)

    told, seconds = call_again(settlement.reason)
    assert (settlement.state, told) == ("unsettled", f"{reason}; {until(error)}")
    assert (WINDOW + LAG) / 1_000 <= seconds <= (WINDOW + LAG) / 1_000 + 2
    assert order_ids(settlement) == shown
    clock.sleep(seconds)
    assert settled(client, error, timeout=0).state == "not executed"


@pytest.mark.parametrize(
    ("lag", "expected"), [(60, "unsettled"), (29, "not executed"), (0, "not executed")]
)
def test_just_after_its_expiry_a_message_may_still_be_on_its_way_to_a_list(
    histories: Histories, lag: int, expected: str
) -> None:
    with Client(HERE, signer=KEY, transport=histories, history_lag=lag) as client:
        found, _ = state(client, unknown(message(), ago=WINDOW + 32_000), timeout=0)

    assert found == expected


# Readings that differ

UNCLEAR = order(at=0, side="ask")


@pytest.mark.usefixtures("skew_known")
@pytest.mark.parametrize("shown", [0, 1])
@pytest.mark.parametrize("others", [page(), page(UNCLEAR)], ids=["absent", "unclear"])
def test_an_order_that_one_reading_shows_was_executed(
    client: Client, histories: Histories, shown: int, others: Any
) -> None:
    readings = [others, others]
    readings[shown] = page(order(at=soon_after_signing()))
    histories.show("orders.history", *readings)

    assert state(client, unknown(message())) == EXECUTED


@pytest.mark.usefixtures("skew_known")
def test_an_order_that_was_listed_once_was_executed_whatever_is_listed_later(
    client: Client, histories: Histories
) -> None:
    first = order(at=soon_after_signing(), order_id=7)
    later = order(at=1, order_id=8, client_order_id=OTHER)
    histories.show("orders.history", page(first), page(later))

    sent = [message(), message(client_id=OTHER, minted=False)]
    mine, other = client.reconcile(unknown(*sent))

    assert (mine.state, mine.reason) == EXECUTED
    assert order_ids(mine) == [7]
    assert (other.state, other.reason) == GIVEN


@pytest.mark.usefixtures("skew_known")
@pytest.mark.parametrize("unclear", [0, 1])
def test_an_order_that_is_unclear_in_one_reading_is_unsettled(
    client: Client, histories: Histories, unclear: int
) -> None:
    readings = [page(), page()]
    readings[unclear] = page(UNCLEAR)
    histories.show("orders.history", *readings)

    assert state(client, unknown(message())) == (
        "unsettled",
        "a list shows its id, but with other values",
    )


@pytest.mark.usefixtures("skew_known")
def test_an_order_that_was_unclear_only_before_its_expiry_was_not_executed(
    client: Client, histories: Histories, clock: LocalClock
) -> None:
    histories.show("orders.history", page(UNCLEAR), page())

    assert state(client, unknown(message(), ago=0)) == NOT_EXECUTED
