"""What rests on the absence of a record: when it is told, and on what grounds."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Inexact, localcontext
from typing import Any

import pytest

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import (
    HERE,
    ID,
    MINUTE,
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
    LAG,
    NOT_EXECUTED,
    cancel,
    settled,
    soon_after_signing,
    state,
    until,
)
from trading_runtime.clock import now_ms
from trading_sdk import Client

pytestmark = pytest.mark.usefixtures("clock")

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


def test_a_page_of_a_cache_counts_as_that_much_older(
    client: Client, histories: ListsTransport, clock: VirtualTime
) -> None:
    error = unknown(message(), ago=0)
    histories.changing = [{}, {"Age": "20"}, {"Age": "4"}, {}]

    assert state(client, error) == NOT_EXECUTED
    # One before it expired, one that is too old, two that count, and one without a size.
    assert len(histories.read) == 5
    assert (WINDOW + LAG) / 1_000 + 20 <= clock.slept <= (WINDOW + LAG) / 1_000 + 24


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


@pytest.mark.parametrize(
    ("lag", "ago", "expected"),
    [
        (60, WINDOW + 32_000, "unsettled"),
        (29, WINDOW + 32_000, "not executed"),
        (0, WINDOW + 2_500, "not executed"),
    ],
)
def test_just_after_its_expiry_a_message_may_still_be_on_its_way_to_a_list(
    histories: ListsTransport, lag: int, ago: int, expected: str
) -> None:
    with Client(HERE, signer=KEY, transport=histories, history_lag=lag) as client:
        found = settled(client, unknown(message(), ago=ago), timeout=0)

    assert found.state == expected
    assert found.rests_on == (LOOKED.replace("15 s", f"{lag} s") if found.rests_on else "")


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
