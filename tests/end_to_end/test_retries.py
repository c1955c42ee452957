"""What a client attempts again by itself, and that nothing happens twice by it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from tests.end_to_end.trading import Connect, place
from trading_sandbox import Sandbox
from trading_sdk import (
    Client,
    DecodeError,
    InternalServerError,
    OutcomeUnknownError,
    RateLimitError,
    Retry,
)

pytestmark = pytest.mark.off_contract

PATIENT = Retry(max_attempts=50, max_delay=0.1, quota=50)


def received(sandbox: Sandbox, operation: str) -> int:
    return sum(each.operation == operation for each in sandbox.requests)


# What was certainly not sent


def test_an_order_waits_for_a_service_that_is_down_for_a_moment(
    sandbox: Sandbox, connect: Connect
) -> None:
    client, mine = connect(sandbox.create_account(), retry=PATIENT), uuid4()
    sandbox.faults.inject("*", "connect_refused", seconds=0.2)

    placed = place(client, amount="0.01", client_order_id=mine)

    (order,) = client.orders.history()
    assert (order.order_id, order.client_order_id) == (placed, mine)
    assert received(sandbox, "orders.create") == 1


def test_so_does_what_has_no_id(sandbox: Sandbox, connect: Connect) -> None:
    main = sandbox.create_account("100")
    client, to = connect(main, retry=PATIENT), sandbox.create_subaccount(main)
    sandbox.faults.inject("*", "connect_refused", seconds=0.2)

    client.subaccounts.transfer(to_account=to.address, amount="30")

    assert sandbox.account(to).balance == 30


# Reads


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("reset_before_read", {}),
        ("reset", {}),
        ("close", {}),
        ("status", {"status": 500}),
        ("status", {"status": 503}),
        ("status", {"status": 504}),
        ("status", {"status": 429}),
        ("status", {"status": 429, "headers": {"Retry-After": "0"}}),
    ],
)
def test_a_read_outlives_two_failures(
    sandbox: Sandbox, client: Client, kind: str, options: dict[str, Any]
) -> None:
    placed = place(client)
    for read in ("orders.history", "subaccounts.list"):
        sandbox.faults.inject(read, kind, times=2, **options)

    assert [each.order_id for each in client.orders.history()] == [placed]
    assert list(client.subaccounts.list()) == []
    assert sandbox.faults.pending() == []


def test_each_page_has_attempts_of_its_own(sandbox: Sandbox, client: Client) -> None:
    placed = [place(client) for _ in range(3)]
    walk = iter(client.orders.history(limit=1))
    found = []
    for _ in placed:
        sandbox.faults.inject("orders.history", "reset", times=2)
        found.append(next(walk).order_id)

    assert sorted(found) == placed


def test_the_third_failure_is_told(sandbox: Sandbox, client: Client) -> None:
    sandbox.faults.inject("orders.history", "status", times=3, status=503)

    with pytest.raises(InternalServerError, match="503"):
        list(client.orders.history())

    assert sandbox.faults.pending() == []


def test_a_wait_that_is_too_long_is_left_to_the_caller(sandbox: Sandbox, client: Client) -> None:
    sandbox.faults.inject("orders.history", "status", status=429, headers={"Retry-After": "60"})

    with pytest.raises(RateLimitError) as limited:
        list(client.orders.history())

    assert limited.value.retry_after == 60
    assert list(client.orders.history()) == []


# What is never attempted again


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("reset_before_read", {}),
        ("reset", {}),
        ("close", {"executed": False}),
        ("status", {"status": 503}),
        ("short_body", {}),
        ("redirect", {"location": "http://127.0.0.1:9/"}),
    ],
)
def test_a_change_whose_outcome_is_not_known_is_sent_once(
    sandbox: Sandbox, client: Client, kind: str, options: dict[str, Any]
) -> None:
    for operation, call in (
        ("orders.create", lambda: place(client)),
        ("account.set_auto_lend_disabled", client.account.set_auto_lend_disabled),
    ):
        sandbox.faults.inject(operation, kind, **options)
        sandbox.faults.inject(operation, "status", status=418)  # a second attempt would meet it

        with pytest.raises(OutcomeUnknownError):
            call()

        assert len(sandbox.faults.pending()) == 1
        sandbox.faults.clear()


def test_an_order_that_was_refused_for_its_rate_is_not_repeated_and_a_cancel_is(
    sandbox: Sandbox, client: Client
) -> None:
    placed = place(client)
    for operation in ("orders.create", "orders.batch"):
        sandbox.faults.inject(operation, "status", status=429, headers={"Retry-After": "0"})

    with pytest.raises(RateLimitError):
        place(client)
    client.orders.cancel(symbol="BTC", order_id=placed)

    (order,) = client.orders.history()
    assert order.order_status == "cancelled"


def test_an_answer_of_the_wrong_shape_is_not_asked_for_again(
    sandbox: Sandbox, client: Client
) -> None:
    sandbox.faults.inject("orders.history", "wrong_shape")

    with pytest.raises(DecodeError):
        list(client.orders.history())

    assert received(sandbox, "orders.history") == 1
