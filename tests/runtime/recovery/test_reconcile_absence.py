"""What rests on the absence of a record: when it is told, and on what grounds."""

from __future__ import annotations

from decimal import Inexact, localcontext

import pytest

from tests.interface import page
from tests.runtime.recovery.histories import (
    AGAIN,
    HERE,
    KEY,
    LAG,
    MINE,
    MINUTE,
    WINDOW,
    Histories,
    LocalClock,
    cancel,
    message,
    order,
    settled,
    soon_after_signing,
    state,
    unknown,
    until,
    withdrawal,
)
from trading_runtime.clock import now_ms
from trading_runtime.http.transport import Request, Response
from trading_sdk import Client

NOT_EXECUTED = ("not executed", "no list shows its id")
LOOKED = (
    "Two looks at the lists, 15 s after the service could accept the message no longer: by then they "
    "show all that it did."
)


class Headed(Histories):
    """Histories whose answers have other headers."""

    def __init__(self) -> None:
        super().__init__()
        self.headers: list[dict[str, str | None]] = [{}]

    def send(self, request: Request, *, timeout: float) -> Response:
        response = super().send(request, timeout=timeout)
        changes = self.headers.pop(0) if len(self.headers) > 1 else self.headers[0]
        headers = {**response.headers, **changes}
        kept = {name: value for name, value in headers.items() if value is not None}
        return Response(response.status, kept, response.body)


BY_HAND = (
    "calling client.reconcile(error) again does not help while that is so; after that time, look for it "
    "in the histories yourself"
)


@pytest.fixture
def histories() -> Headed:
    return Headed()


def test_every_reading_asks_caches_to_ask_the_service(client: Client, histories: Headed) -> None:
    settled(client, unknown(message()))

    assert {each.headers["Cache-Control"] for each in histories.read} == {"no-cache"}
    histories.read.clear()
    list(client.orders.history())
    assert not any("Cache-Control" in each.headers for each in histories.read)


# Whose time it is


def test_without_the_time_of_the_service_absence_is_not_told(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    histories.headers = [{"Date": None}]
    error = unknown(message())

    reason = (
        "no list shows its id; no answer told the service's time (the Date of its answers is missing or "
        f"wrong), so absence tells nothing; {until(error)}; {BY_HAND}"
    )
    assert state(client, error, timeout=0) == ("unsettled", reason)


def test_a_page_whose_age_cannot_be_read_is_named_as_what_is_in_the_way(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    histories.headers = [{"Age": "-7"}]
    error = unknown(message())

    reason = (
        "no list shows its id; a cache gives pages whose Age cannot be read, or is more than a day, so "
        f"absence tells nothing; {until(error)}; {BY_HAND}"
    )
    assert state(client, error) == ("unsettled", reason)


def test_a_time_that_was_told_before_is_not_enough(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    list(client.orders.history())
    clock.sleep(1)
    histories.headers = [{"Date": None}]

    assert settled(client, unknown(message())).state == "unsettled"


def test_if_this_machines_clock_is_set_while_it_looks_absence_is_not_told(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    error = unknown(message())

    def step() -> None:
        clock.now += 5_000

    histories.before = step
    reason = "no list shows its id; this machine's clock was set meanwhile"
    set_ = f"{reason}; {until(error)}; {AGAIN}"
    assert state(client, error) == ("unsettled", set_)

    histories.before = lambda: step() if len(histories.read) in (22, 23) else None
    assert state(client, error) == NOT_EXECUTED, "it looks again until the clock is still"


def test_a_clock_that_is_set_does_not_hide_an_order_that_is_listed(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    def step() -> None:
        clock.now += 5_000
        if len(histories.read) == 3:
            histories.show("orders.history", page(order(at=1)))

    histories.before = step

    assert settled(client, unknown(message())).state == "executed"


# Caches


def test_a_page_of_a_cache_counts_as_that_much_older(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    error = unknown(message(), ago=0)
    histories.headers = [{}, {"Age": "20"}, {"Age": "4"}, {}]

    assert state(client, error) == NOT_EXECUTED
    # One before it expired, one that is too old, two that count, and one without a size.
    assert len(histories.read) == 5
    assert (WINDOW + LAG) / 1_000 + 20 <= clock.slept <= (WINDOW + LAG) / 1_000 + 24


@pytest.mark.parametrize("age", ["90000", "soon"])
def test_a_page_that_is_always_too_old_tells_nothing(
    client: Client, histories: Headed, clock: LocalClock, age: str
) -> None:
    histories.headers = [{"Age": age}]
    error = unknown(message())

    assert settled(client, error, timeout=3_600).state == "unsettled"
    assert settled(client, error).state == "unsettled"


# What rests on absence, and on what else


def test_a_cancel_is_not_said_to_be_executed_before_a_replacement_would_be_listed(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    error = unknown(cancel(), ago=0)
    cancelled = order(at=1, order_status="cancelled", updated_at=now_ms() + 5)
    replacement = order(at=now_ms() + 5, order_id=2)
    histories.show("orders.history", page(cancelled), page(cancelled), page(cancelled, replacement))

    assert settled(client, error).state == "unsettled"
    assert clock.slept >= LAG / 1_000


def test_a_change_is_settled_a_lag_after_it_was_made(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    changed = order(at=1, order_status="cancelled", updated_at=now_ms() + 5)
    histories.show("orders.history", page(changed))
    assert settled(client, unknown(cancel(), ago=0)).state == "executed"
    assert LAG / 1_000 <= clock.slept <= LAG / 1_000 + 2, "not the expiry and a lag"

    clock.slept, error = 0, unknown(message("orders.edit", None, order_id=1, price="2"), ago=0)
    replaced = order(at=1, order_status="cancelled", updated_at=now_ms() + 5)
    replacement = order(at=now_ms() + 5, order_id=2, initial_price="2")
    histories.show("orders.history", page(replaced, replacement))
    assert settled(client, error).state == "executed"
    assert LAG / 1_000 <= clock.slept <= LAG / 1_000 + 2


def test_a_change_that_is_later_than_the_message_can_be_takes_its_lag_nevertheless(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    changed = order(at=1, order_status="cancelled", updated_at=now_ms())
    histories.show("orders.history", page(changed))

    assert settled(client, unknown(cancel())).state == "executed"
    assert LAG / 1_000 <= clock.slept <= LAG / 1_000 + 2


def test_a_change_of_an_absurd_time_is_not_waited_for_without_end(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    histories.show("orders.history", page(order(at=1, order_status="cancelled", updated_at=2**50)))

    assert settled(client, unknown(cancel())).state == "executed"
    assert clock.slept <= 3_700


def test_a_cancel_that_one_of_two_looks_shows_is_unsettled(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    list(client.orders.history())
    still_open = page(order(at=1))
    done = order(at=1, order_status="cancelled", updated_at=now_ms() - MINUTE + 5)
    histories.show("orders.history", page(done), still_open)

    assert state(client, unknown(cancel())) == ("unsettled", "two looks at the lists differ")


def test_a_settlement_says_what_it_rests_on(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    assert settled(client, unknown(message())).rests_on == LOOKED
    done = order(at=1, order_status="cancelled", updated_at=soon_after_signing())
    histories.show("orders.history", page(done))
    assert settled(client, unknown(cancel())).rests_on == (
        "Two looks at the lists, 15 s after the change that they show: by then they show whether "
        "another record took the place of the one that was changed. Who changed it, this message or "
        "something else since it was signed, they do not show."
    )
    found = settled(client, unknown(message()))
    assert (
        found.rests_on
        == "No other message has this id, so a record that has it belongs to this one."
    )
    assert settled(client, unknown(message(minted=False))).rests_on == ""


# The caller's decimal context


def test_no_result_depends_on_the_decimal_context(client: Client, histories: Headed) -> None:
    record = {**withdrawal(at=soon_after_signing()), "amount": "1234.5678"}
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


def test_no_lag_is_waited_for_if_the_client_is_told_so(histories: Headed) -> None:
    with Client(HERE, signer=KEY, transport=histories, history_lag=0) as client:
        found = settled(client, unknown(message(), ago=WINDOW + 2_500), timeout=0)

    assert found.state == "not executed"
    assert "0 s after" in found.rests_on


def test_two_looks_that_each_hide_a_record_are_judged_together(
    client: Client, histories: Headed, clock: LocalClock
) -> None:
    list(client.orders.history())
    soon = soon_after_signing()
    old = order(at=1, order_status="cancelled", updated_at=soon)
    replacement = order(at=soon, order_id=2, initial_price="2")
    histories.show("orders.history", page(replacement), page(old))
    edit = message("orders.edit", None, client_order_id=MINE, price="2")

    assert settled(client, unknown(edit)).state == "unsettled"
    # Each of these two alone looks like an order that was cancelled.
    again = order(at=soon, order_id=2, order_status="cancelled", updated_at=soon + 1)
    histories.show("orders.history", page(old), page(again))
    by_tag = message("orders.cancel", None, client_order_id=MINE)
    assert settled(client, unknown(by_tag)).state == "executed"
