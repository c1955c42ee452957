"""What became of a call whose answer was lost, found out from the histories.

The scenarios of spec/vectors and the fault matrix tell what becomes of each operation; here is what takes several
messages. A call that was not executed is settled once it has expired, and a margin of a second has passed.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from uuid import uuid4

import pytest

from tests.doubles.orders import market_order, resting
from tests.end_to_end.trading import Connect, place
from tests.interface import METHODS
from trading_sandbox import Sandbox
from trading_sdk import (
    CancelOrder,
    CancelStopOrder,
    CreateOrder,
    EditOrder,
    OutcomeUnknownError,
)

Call = Callable[[], object]
SOON = 300
"""An expiry window, in ms, of what is not meant to arrive."""
NEW: dict[str, Any] = {"symbol": "BTC", "price": "91000", "amount": "0.2"}


def lose(sandbox: Sandbox, call: Call, operation: str, *, executed: bool) -> OutcomeUnknownError:
    """Make a call whose answer is lost, and return the error."""
    sandbox.faults.inject(METHODS[operation].sent_as, "reset", executed=executed)
    with pytest.raises(OutcomeUnknownError) as unknown:
        call()
    return unknown.value


def test_a_batch_is_settled_action_by_action(sandbox: Sandbox, connect: Connect) -> None:
    key = sandbox.create_account("1000000")
    client = connect(key, expiry_window=1_500)
    kept, gone, edited = (place(connect(key)) for _ in range(3))
    actions: list[Any] = [
        {"type": "Create", "data": resting()},
        {"type": "Create", "data": resting(price="89000.5")},  # refused: no multiple of the tick
        {"type": "CreateMarket", "data": market_order(amount="0.1")},
        CreateOrder(**resting(price="89000")),
        CancelOrder(symbol="BTC", order_id=gone),
        EditOrder(**NEW, order_id=edited),
        EditOrder(symbol="BTC", price="91000.5", amount="0.2", order_id=kept),
        CancelStopOrder(symbol="BTC", order_id=999_999),
    ]

    error = lose(sandbox, lambda: client.orders.batch(actions), "orders.batch", executed=True)
    settled = client.reconcile(error)

    assert [(each.operation, each.state) for each in settled] == [
        ("orders.create", "executed"),
        ("orders.create", "not executed"),
        ("orders.create_market", "executed"),
        ("orders.create", "executed"),
        ("orders.cancel", "executed"),
        ("orders.edit", "executed"),
        ("orders.edit", "not executed"),
        ("orders.cancel_stop", "unsettled"),  # no such order
    ]
    assert tuple(each.client_id for each in settled) == error.client_ids


# What settles nothing


def test_an_id_that_is_used_again_proves_nothing(sandbox: Sandbox, connect: Connect) -> None:
    client = connect(sandbox.create_account("1000000"), expiry_window=SOON)
    other: list[dict[str, Any]] = [{"price": 91_000}, {"amount": "0.2"}, {"side": "ask"}, {}]
    firsts, errors = [], []
    for change in other:
        mine = uuid4()
        firsts.append(place(client, client_order_id=mine))
        client.orders.cancel(symbol="BTC", client_order_id=mine)
        again = {"client_order_id": mine, **change}
        call = partial(place, client, **again)
        errors.append(lose(sandbox, call, "orders.create", executed=False))

    with ThreadPoolExecutor() as threads:
        settled = [each for (each,) in threads.map(client.reconcile, errors)]

    assert {each.state for each in settled} == {"unsettled"}
    assert all(each.reason.startswith("a list shows its id, but perhaps of") for each in settled)
    shown = [[order.order_id for order in each.records] for each in settled]
    assert shown == [[first] for first in firsts]
