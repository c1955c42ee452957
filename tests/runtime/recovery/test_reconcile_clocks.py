"""What `reconcile` makes of clocks that differ, or that are set while it waits."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import WINDOW, message, order_record, unknown
from tests.doubles.transport import ListsTransport
from tests.interface import page
from tests.runtime.recovery.histories import (
    EXECUTED,
    LAG,
    NOT_EXECUTED,
    call_again,
    cancel,
    soon_after_signing,
    state,
    until,
)
from trading_runtime.clock import now_ms
from trading_runtime.intent import Message
from trading_sdk import Client

pytestmark = pytest.mark.usefixtures("clock")


@pytest.mark.parametrize(("earlier", "expected"), [(500, "executed"), (1_500, "unsettled")])
def test_how_much_older_than_its_message_a_change_may_be(
    client: Client, histories: ListsTransport, earlier: int, expected: str
) -> None:
    histories.ahead = 1_000  # so that nothing is allowed for a clock that may be behind
    list(client.orders.history())
    error = unknown(cancel())
    at = error.intent.timestamp - earlier
    histories.show("orders.history", page(order_record(at, order_status="cancelled")))

    # The clocks may differ by so much, and whoever cancelled the order, it is cancelled.
    assert state(client, error)[0] == expected


@pytest.mark.parametrize(
    ("sent", "status", "expected"),
    [
        (message(), "open", EXECUTED),
        (cancel(), "cancelled", ("executed", "a list shows the change")),
    ],
    ids=["records", "changes"],
)
def test_times_of_lists_are_compared_by_the_clock_of_the_service(
    client: Client,
    histories: ListsTransport,
    sent: Message,
    status: str,
    expected: tuple[str, str],
) -> None:
    # A client that has had no answer yet cannot know by what clock these times are.
    histories.ahead = -60
    record = order_record(soon_after_signing(), order_status=status)
    histories.show("orders.history", page(record))

    assert state(client, unknown(sent, ago=0)) == expected


def test_a_service_whose_clock_is_behind_accepts_a_message_for_longer(
    client: Client, histories: ListsTransport
) -> None:
    histories.ahead = -60

    error = unknown(message(), ago=WINDOW + 5_000)
    found, reason = state(client, error, timeout=0)

    assert found == "unsettled"
    assert re.search(r"UTC\) by its clock, which is (59|60) s behind this machine's; call", reason)
    assert until(error) in reason


def test_with_a_clock_two_hours_behind_nothing_is_known_to_have_expired(
    client: Client, histories: ListsTransport, clock: VirtualTime
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
    histories.show("orders.history", page(order_record(now_ms())))
    assert state(client, unknown(message(), ago=0)) == EXECUTED, "a record needs no clock"


def test_who_calls_again_when_the_reason_says_so_finds_out_after_one_date_that_was_behind(
    client: Client, histories: ListsTransport, clock: VirtualTime, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "trading_sdk")
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
    assert state(client, error, timeout=0) == NOT_EXECUTED
    # It is told once, however often the clocks then agree or not.
    (warning,) = caplog.messages
    assert warning.startswith("the service's clock is 14 s behind this machine's")


SKEWED = "the service's clock is 599 s behind this machine's"


@pytest.mark.parametrize(
    ("ahead", "timeout", "waits", "level", "why"),
    [
        (0, None, 45, "INFO", ""),
        (0, 5, 5, "INFO", ""),
        (-2, None, 47, "INFO", ""),
        (-3, None, 48, "INFO", "; its clock may be 3 s behind this machine's"),
        (-5, None, 50, "INFO", "; its clock may be 5 s behind this machine's"),
        (-6, None, 51, "WARNING", "; its clock may be 6 s behind this machine's"),
        (-600, None, 645, "WARNING", "; its clock may be 600 s behind this machine's"),
    ],
)
def test_how_long_it_waits_and_why_is_in_the_log(
    client: Client,
    histories: ListsTransport,
    caplog: pytest.LogCaptureFixture,
    ahead: int,
    timeout: float | None,
    waits: int,
    level: str,
    why: str,
) -> None:
    caplog.set_level("INFO", "trading_sdk")
    histories.ahead = ahead

    state(client, unknown(message(), ago=0), timeout)

    *before, wait = caplog.records
    text = f"orders.create: waits {waits} s, until the lists show all that the service can have accepted"
    assert (wait.levelname, wait.getMessage()) == (level, f"{text}{why}")
    assert [each.getMessage().startswith(SKEWED) for each in before] == [True] * (ahead == -600)


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


@set_back
def test_if_a_clock_is_set_back_meanwhile_and_there_is_no_time_to_wait_it_is_unsettled(
    client: Client, histories: ListsTransport, clock: VirtualTime, change: Change
) -> None:
    error = unknown(message(), ago=WINDOW + LAG + 3_000)
    histories.before = lambda: change(histories, clock) if len(histories.read) == 2 else None

    found, reason = state(client, error, timeout=0)

    assert found == "unsettled"
    told, seconds = call_again(reason)
    assert until(error) in told
    assert BACK - 3 <= seconds <= BACK + 3
    assert clock.slept == 0
