"""Clocks that differ: what a client tells about it, and what it does when it is asked to."""

from __future__ import annotations

import pytest

from tests.end_to_end.trading import Connect, place
from trading_sandbox import Sandbox
from trading_sdk import AuthenticationError, Client, OutcomeUnknownError

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

    with pytest.raises(AuthenticationError) as refused:
        place(client)

    told = str(refused.value)
    assert problem in told
    assert direction in told
    assert "clock='server'" in told
    assert refused.value.clock_hint is not None
    # A Date has whole seconds, and a busy machine takes some.
    assert client.clock_skew == pytest.approx(offset_ms, abs=MINUTE / 2)


@pytest.mark.parametrize("offset_ms", [MINUTE, -MINUTE])
def test_a_client_that_goes_by_the_service_signs_what_the_service_accepts(
    sandbox: Sandbox, connect: Connect, offset_ms: int
) -> None:
    client = connect(sandbox.create_account(), clock="server")
    sandbox.faults.inject("*", "clock_offset", times=3, offset_ms=offset_ms)

    placed = place(client, amount="0.01")  # reads the time first

    assert [each.order_id for each in client.orders.history()] == [placed]
    assert sandbox.faults.pending() == []


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
