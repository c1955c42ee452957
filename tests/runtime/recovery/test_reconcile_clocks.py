"""What `reconcile` makes of clocks that differ, or that are set while it waits."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.interface import page
from tests.runtime.recovery.histories import (
    GIVEN,
    LAG,
    WINDOW,
    Histories,
    LocalClock,
    call_again,
    cancel,
    message,
    order,
    soon_after_signing,
    state,
    unknown,
    until,
)
from trading_runtime.clock import now_ms
from trading_runtime.intent import Message
from trading_sdk import Client

EXECUTED = ("executed", "a list shows its id")


@pytest.mark.parametrize(
    ("sent", "status", "earlier", "expected"),
    [
        # The clocks may differ by so much, and whoever cancelled the order, it is cancelled.
        (cancel(), "cancelled", 500, "executed"),
        (cancel(), "cancelled", 1_500, "unsettled"),
        # An id that was made for one message settles it, whatever the clocks say.
        (message(), "open", 0, "executed"),
        (message(), "open", 1, "executed"),
        (message(), "open", 90_000_000, "executed"),
        # An id that was given may be of another message, which no clock can tell.
        (message(minted=False), "open", 1, "unsettled"),
        (message(minted=False), "open", -1_000, "unsettled"),
    ],
    ids=["cancel 500", "cancel 1500", "create 0", "create 1", "create old", "given 1", "given"],
)
def test_how_much_older_than_its_message_a_record_may_be(
    client: Client,
    histories: Histories,
    clock: LocalClock,
    sent: Message,
    status: str,
    earlier: int,
    expected: str,
) -> None:
    histories.ahead = 1_000  # so that nothing is allowed for a clock that may be behind
    list(client.orders.history())
    error = unknown(sent)
    record = order(error.intent.timestamp - earlier, order_status=status)
    histories.show("orders.history", page(record))

    found, _ = state(client, error)

    assert found == expected


def test_the_times_of_records_are_compared_by_the_clock_of_the_service(
    client: Client, histories: Histories
) -> None:
    # A client that has had no answer yet cannot know that this order is its own.
    histories.ahead = -60
    histories.show("orders.history", page(order(at=soon_after_signing())))

    assert state(client, unknown(message(), ago=0), timeout=0) == EXECUTED


def test_the_times_of_changes_are_compared_by_the_clock_of_the_service(
    client: Client, histories: Histories, clock: LocalClock
) -> None:
    histories.ahead = -60
    cancelled = order(at=soon_after_signing(), order_status="cancelled")
    histories.show("orders.history", page(cancelled))

    found = state(client, unknown(cancel(), ago=0))

    assert found == ("executed", "a list shows the change")


def test_an_id_that_the_user_gave_is_settled_by_no_clock(
    client: Client, histories: Histories, clock: LocalClock
) -> None:
    # The Date of an answer has no milliseconds, so the clock may be half a second behind.
    clock.now += 500 - clock.now % 1_000
    error = unknown(message(minted=False))
    histories.show("orders.history", page(order(at=error.intent.timestamp - 1)))

    assert state(client, error) == GIVEN


def test_a_service_whose_clock_is_behind_accepts_a_message_for_longer(
    client: Client, histories: Histories
) -> None:
    histories.ahead = -60

    error = unknown(message(), ago=WINDOW + 5_000)
    found, reason = state(client, error, timeout=0)

    assert found == "unsettled"
    assert re.search(r"UTC\) by its clock, which is (59|60) s behind this machine's; call", reason)
    assert until(error) in reason


def test_with_a_clock_two_hours_behind_nothing_is_known_to_have_expired(
    client: Client, histories: Histories, clock: LocalClock
) -> None:
    histories.ahead = -7_200

    found, reason = state(client, unknown(message()))

    assert found == "unsettled"
    assert (
        "no answer told the service's time (the Date of its answers is missing or wrong)" in reason
    )
    assert re.search(
        r"which is (7199|7200) s behind this machine's; calling .* does not help", reason
    )
    assert clock.slept <= 3_700


def test_with_a_clock_two_hours_behind_a_listed_order_was_executed(
    client: Client, histories: Histories, clock: LocalClock
) -> None:
    histories.ahead = -7_200
    histories.show("orders.history", page(order(at=now_ms())))

    assert state(client, unknown(message(), ago=0)) == EXECUTED


def test_who_calls_again_when_the_reason_says_so_finds_out_after_one_date_that_was_behind(
    client: Client, histories: Histories, clock: LocalClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "trading_sdk")
    clock.now -= clock.now % 1_000  # A Date tells whole seconds.
    list(client.orders.history())
    histories.ahead = -15
    list(client.orders.history())
    histories.ahead = 0
    error = unknown(message(), ago=0)

    found, reason = state(client, error, timeout=0)
    assert found == "unsettled"
    told, seconds = call_again(reason)
    assert told.endswith(" by its clock, which an answer told to be 15 s behind this machine's")
    assert (WINDOW + LAG) / 1_000 + 15 <= seconds <= (WINDOW + LAG) / 1_000 + 17

    clock.sleep(seconds - 2)
    found, reason = state(client, error, timeout=0)
    assert (found, call_again(reason)[1]) == ("unsettled", 2)
    clock.sleep(2)
    assert state(client, error, timeout=0) == ("not executed", "no list shows its id")
    # It is told once, however often the clocks then agree or not.
    (warning,) = caplog.messages
    assert warning.startswith("the service's clock is 14 s behind this machine's")


def test_why_it_waits_so_long_is_in_the_log(
    client: Client, histories: Histories, clock: LocalClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "trading_sdk")
    clock.now -= clock.now % 1_000
    histories.ahead = -600

    assert state(client, unknown(message(), ago=0)) == ("not executed", "no list shows its id")

    warning, wait = caplog.messages
    assert warning.startswith("the service's clock is 599 s behind this machine's")
    seconds = round(clock.slept)
    text = f"orders.create: waits {seconds} s, until the lists show all that the service can have accepted"
    assert wait == f"{text}; its clock may be 600 s behind this machine's"


def test_a_wait_for_clocks_that_agree_is_told_without_them(
    client: Client, clock: LocalClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "trading_sdk")

    state(client, unknown(message(), ago=0), timeout=5)

    text = "orders.create: waits 5 s, until the lists show all that the service can have accepted"
    assert caplog.messages == [text]


# Clocks that are set while it reads

BACK = 10
"""By how many seconds."""


def local_clock_is_set_back(histories: Histories, clock: LocalClock) -> None:
    clock.now -= BACK * 1_000


def service_clock_is_set_back(histories: Histories, clock: LocalClock) -> None:
    histories.ahead = -BACK


set_back = pytest.mark.parametrize("change", [local_clock_is_set_back, service_clock_is_set_back])
Change = Callable[[Histories, LocalClock], None]


@set_back
@pytest.mark.parametrize("at", [1, 2], ids=["in the first reading", "in the second reading"])
def test_if_a_clock_is_set_back_meanwhile_it_waits_and_reads_again(
    client: Client, histories: Histories, clock: LocalClock, change: Change, at: int
) -> None:
    error = unknown(message(), ago=WINDOW + LAG + 3_000)

    def before() -> None:
        if len(histories.read) == at:
            change(histories, clock)
        if len(histories.read) == 3:
            histories.show("orders.history", page(order(at=error.timestamp + 1)))

    histories.before = before

    assert state(client, error) == EXECUTED
    assert len(histories.read) >= 3
    assert BACK - 3 <= clock.slept <= BACK + 3


@set_back
def test_if_a_clock_is_set_back_meanwhile_and_there_is_no_time_to_wait_it_is_unsettled(
    client: Client, histories: Histories, clock: LocalClock, change: Change
) -> None:
    error = unknown(message(), ago=WINDOW + LAG + 3_000)
    histories.before = lambda: change(histories, clock) if len(histories.read) == 2 else None

    found, reason = state(client, error, timeout=0)

    assert found == "unsettled"
    told, seconds = call_again(reason)
    assert until(error) in told
    assert BACK - 3 <= seconds <= BACK + 3
    assert clock.slept == 0
