"""When `reconcile` reads the histories, by whose clock, how long it waits, and what absence proves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Inexact, localcontext
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import (
    ID,
    MINUTE,
    OTHER_ID,
    WINDOW,
    message,
    order_record,
    unknown,
    withdrawal_record,
)
from tests.doubles.signer import KEY
from tests.doubles.transport import ListsTransport
from tests.interface import page
from tests.runtime.recovery.histories import (
    AGAIN,
    BY_HAND,
    EXECUTED,
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
from trading_runtime.intent import Message
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


# How long it waits


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


LOOKED = (
    "Two looks at the lists, 15 s after the service could accept the message no longer: by then they "
    "show all that it did."
)


def cancelled(at: int, **fields: Any) -> dict[str, Any]:
    """An order of long ago that was cancelled at a time."""
    return order_record(1, order_status="cancelled", updated_at=at, **fields)


def test_every_reading_asks_caches_to_ask_the_service(
    client: Client, histories: ListsTransport
) -> None:
    settled(client, unknown(message()))

    assert {each.headers["Cache-Control"] for each in histories.read} == {"no-cache"}
    histories.sent.clear()
    list(client.orders.history())
    assert not any("Cache-Control" in each.headers for each in histories.read)


# Whose time it is, and of when a page is


@pytest.mark.parametrize(
    ("header", "problem"),
    [
        (
            {"Date": None},
            "no answer told the service's time (the Date of its answers is missing or wrong)",
        ),
        ({"Age": "-7"}, "a cache gives pages whose Age cannot be read, or is more than a day"),
        ({"Age": "soon"}, "a cache gives pages whose Age cannot be read, or is more than a day"),
        ({"Age": "90000"}, "a cache gives pages whose Age cannot be read, or is more than a day"),
    ],
    ids=str,
)
@pytest.mark.parametrize("timeout", [None, 0, 3_600])
def test_where_no_page_tells_its_time_absence_is_not_told(
    client: Client,
    histories: ListsTransport,
    header: Mapping[str, str | None],
    problem: str,
    timeout: float | None,
) -> None:
    histories.changing, error = [header], unknown(message())

    found, reason = state(client, error, timeout)

    why = f"no list shows its id; {problem}, so absence tells nothing; {until(error)}"
    assert found == "unsettled"
    assert reason.startswith(why) and reason.endswith(BY_HAND)


def test_a_time_that_was_told_before_is_not_enough(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    list(client.orders.history())
    clock.sleep(1)
    histories.changing = [{"Date": None}]

    assert settled(client, unknown(message())).state == "unsettled"


def test_if_this_machines_clock_is_set_while_it_looks_absence_is_not_told(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    error = unknown(message())

    def step() -> None:
        clock.local += 5_000

    histories.before = step
    reason = "no list shows its id; this machine's clock was set meanwhile"
    set_ = f"{reason}; {until(error)}; {AGAIN}"
    assert state(client, error) == ("unsettled", set_)

    histories.before = lambda: step() if len(histories.read) in (22, 23) else None
    assert state(client, error) == NOT_EXECUTED, "it looks again until the clock is still"


def test_a_clock_that_is_set_does_not_hide_an_order_that_is_listed(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    def step() -> None:
        clock.local += 5_000
        if len(histories.read) == 3:
            histories.show("orders.history", page(order_record(1)))

    histories.before = step

    assert settled(client, unknown(message())).state == "executed"


# What rests on absence, and on what else


def test_a_cancel_is_not_said_to_be_executed_before_a_replacement_would_be_listed(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    error, gone = unknown(cancel(), ago=0), cancelled(now_ms() + 5)
    replacement = order_record(now_ms() + 5, order_id=2)
    histories.show("orders.history", page(gone), page(gone), page(gone, replacement))

    assert settled(client, error).state == "unsettled"
    assert clock.slept >= LAG / 1_000


@pytest.mark.parametrize("ago", [0, MINUTE], ids=["by the message", "later than it can be"])
@pytest.mark.parametrize("edited", [False, True], ids=["cancel", "edit"])
def test_a_change_is_settled_a_lag_after_it_was_made(
    client: Client, histories: ListsTransport, clock: VirtualTime, ago: int, edited: bool
) -> None:
    now, sent = now_ms(), cancel()
    records = [cancelled(now + 5)]
    if edited:
        sent = message("orders.edit", None, order_id=1, price="2")
        records.append(order_record(now + 5, order_id=2, initial_price="2"))
    histories.show("orders.history", page(*records))

    assert settled(client, unknown(sent, ago=ago)).state == "executed"
    assert LAG / 1_000 <= clock.slept <= LAG / 1_000 + 2, "not the expiry and a lag"


def test_a_change_of_an_absurd_time_is_not_waited_for_without_end(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    histories.show("orders.history", page(cancelled(2**50)))

    assert settled(client, unknown(cancel())).state == "executed"
    assert clock.slept <= 3_700


def test_a_cancel_that_one_of_two_looks_shows_is_unsettled(
    client: Client, histories: ListsTransport
) -> None:
    list(client.orders.history())
    done = cancelled(now_ms() - MINUTE + 5)
    histories.show("orders.history", page(done), page(order_record(1)))

    assert state(client, unknown(cancel())) == ("unsettled", "two looks at the lists differ")


def test_two_looks_that_each_hide_a_record_are_judged_together(
    client: Client, histories: ListsTransport
) -> None:
    list(client.orders.history())
    soon = soon_after_signing()
    old, replacement = cancelled(soon), order_record(soon, order_id=2, initial_price="2")
    histories.show("orders.history", page(replacement), page(old))
    edit = message("orders.edit", None, client_order_id=ID, price="2")

    assert settled(client, unknown(edit)).state == "unsettled"
    # Each of these two alone looks like an order that was cancelled.
    again = order_record(soon, order_id=2, order_status="cancelled", updated_at=soon + 1)
    histories.show("orders.history", page(old), page(again))
    by_tag = message("orders.cancel", None, client_order_id=ID)
    assert settled(client, unknown(by_tag)).state == "executed"
    # Each of these two alone, too; together they are two orders that were given one id.
    later = order_record(soon + 5, order_id=2, order_status="cancelled", updated_at=soon + 6)
    histories.show("orders.history", page(old), page(later))
    reused = "a later record has its name, and the change may be that one's"
    assert state(client, unknown(by_tag)) == ("unsettled", reused)


def test_a_settlement_says_what_it_rests_on(client: Client, histories: ListsTransport) -> None:
    assert settled(client, unknown(message())).rests_on == LOOKED
    histories.show("orders.history", page(cancelled(soon_after_signing())))
    assert settled(client, unknown(cancel())).rests_on == (
        "Two looks at the lists, 15 s after the change that they show: by then they show whether "
        "another record took the place of the one that was changed. Who changed it, this message or "
        "something else since it was signed, they do not show."
    )
    assert settled(client, unknown(message())).rests_on == (
        "No other message has this id, so a record that has it belongs to this one."
    )
    assert settled(client, unknown(message(minted=False))).rests_on == ""


# Options of the client, and the decimal context of its caller


def test_no_result_depends_on_the_decimal_context(
    client: Client, histories: ListsTransport
) -> None:
    record = withdrawal_record(soon_after_signing(), amount="1234.5678")
    histories.show("spot.withdrawal_history", page(record))
    sent = message("spot.withdraw", amount="1234.5678")
    expected = settled(client, unknown(sent))
    assert len(expected.records) == 1

    with localcontext() as context:
        context.prec = 6
        context.traps[Inexact] = True
        assert settled(client, unknown(sent)) == expected
        assert client.rate_budget is None
    with localcontext() as context:
        context.clear_traps()
        assert len(settled(client, unknown(message("spot.withdraw", amount="much"))).records) == 1
