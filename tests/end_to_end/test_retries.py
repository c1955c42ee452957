"""A client attempts again what was certainly not sent, and nothing happens twice by it."""

from __future__ import annotations

from uuid import uuid4

from tests.end_to_end.trading import Connect, place
from trading_sandbox import Sandbox
from trading_sdk import Retry

PATIENT = Retry(max_attempts=50, max_delay=0.1, quota=50)


def received(sandbox: Sandbox, operation: str) -> int:
    return sum(each.operation == operation for each in sandbox.requests)


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
