"""Clocks that differ: what a client tells about it, and what it does when it is asked to."""

from __future__ import annotations

import time
from typing import Literal

import pytest

from tests.end_to_end.trading import Connect, place
from trading_sandbox import Sandbox
from trading_sdk import AuthenticationError, BadRequestError, Client, OutcomeUnknownError

pytestmark = pytest.mark.off_contract

MINUTE = 60_000


@pytest.mark.parametrize(
    ("offset_ms", "problem", "direction"),
    [
        (MINUTE, "the message had expired", "ahead of"),
        (-MINUTE, "the message was from the future", "behind"),
    ],
)
def test_a_refusal_says_how_far_the_clocks_are_apart_and_what_helps(
    sandbox: Sandbox, client: Client, offset_ms: int, problem: str, direction: str
) -> None:
    sandbox.faults.inject("orders.create", "clock_offset", offset_ms=offset_ms)
    began = time.monotonic()

    with pytest.raises(AuthenticationError) as refused:
        place(client)

    told = str(refused.value)
    assert problem in told
    assert direction in told
    assert "clock='server'" in told
    assert refused.value.clock_hint is not None
    took = (time.monotonic() - began) * 1_000
    assert client.clock_skew == pytest.approx(offset_ms, abs=1_001 + took)


def test_a_refusal_for_another_reason_says_nothing_of_clocks(client: Client) -> None:
    with pytest.raises(BadRequestError) as refused:
        place(client, price="90000.5")

    assert refused.value.clock_hint is None
    assert "clock" not in str(refused.value)


def test_the_skew_is_known_from_the_first_answer_on(client: Client) -> None:
    assert client.clock_skew is None
    began = time.monotonic()

    list(client.orders.history())

    took = (time.monotonic() - began) * 1_000
    assert client.clock_skew == pytest.approx(0, abs=1_001 + took)


@pytest.mark.parametrize("offset_ms", [MINUTE, -MINUTE])
def test_a_client_that_goes_by_the_service_signs_what_the_service_accepts(
    sandbox: Sandbox, connect: Connect, offset_ms: int
) -> None:
    client = connect(sandbox.create_account(), clock="server")
    sandbox.faults.inject("*", "clock_offset", times=3, offset_ms=offset_ms)

    placed = place(client, amount="0.01")  # reads the time first

    assert [each.order_id for each in client.orders.history()] == [placed]
    assert sandbox.faults.pending() == []


@pytest.mark.parametrize("clock", ["local", "server"])
def test_a_stale_message_is_never_signed_anew(
    sandbox: Sandbox, connect: Connect, clock: Literal["local", "server"]
) -> None:
    client = connect(sandbox.create_account(), clock=clock)
    list(client.orders.history())  # tells the time
    sandbox.faults.inject("*", "clock_offset", times=5, offset_ms=MINUTE)

    with pytest.raises(AuthenticationError):
        place(client, amount="0.01")

    assert len(sandbox.requests) == 2


def test_reconcile_takes_nobodys_word_for_it_that_a_message_has_expired(
    sandbox: Sandbox, client: Client
) -> None:
    sandbox.faults.inject("orders.create", "reset", executed=False)
    with pytest.raises(OutcomeUnknownError) as unknown:
        place(client)

    # By this clock it has expired. A wrong clock must not make an order seem certain not to come.
    sandbox.faults.inject("*", "clock_offset", times=10, offset_ms=MINUTE)
    (settled,) = client.reconcile(unknown.value, timeout=0)

    assert settled.state == "unsettled"
