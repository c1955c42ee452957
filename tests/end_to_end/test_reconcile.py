"""What became of a call whose answer was lost, found out from the histories.

The scenarios of spec/vectors tell most of it at a sandbox, too: a lost batch, a transfer, a withdrawal, another
process. A call that was not executed is settled once it has expired, and a margin of a second has passed.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.doubles.orders import market_order, resting, stop_order
from tests.end_to_end.trading import Connect, place
from tests.interface import METHODS
from trading_sandbox import Sandbox
from trading_sdk import (
    ApiError,
    CancelOrder,
    CancelStopOrder,
    Client,
    CreateOrder,
    EditOrder,
    OutcomeUnknownError,
)

Call = Callable[[], object]
Prepare = Callable[[Client, Client], Call]
SOON = 300
"""An expiry window, in ms, of what is not meant to arrive."""
STOP = stop_order(stop_order={"stop_price": "110000", "limit_price": "111000", "amount": "0.1"})
MARKET = market_order(amount="0.1")
NEW: dict[str, Any] = {"symbol": "BTC", "price": "91000", "amount": "0.2"}


BID = resting()


def bid(**more: Any) -> CreateOrder:
    return CreateOrder(**resting(**more))


def waiting(client: Client) -> int:
    """Place a stop order that waits for its price."""
    return client.orders.create_stop(**STOP).order_id


def named(client: Client) -> UUID:
    """Place an order with an id of the program."""
    mine = uuid4()
    place(client, client_order_id=mine)
    return mine


def editing(client: Client, **which: Any) -> Call:
    return partial(client.orders.edit, **NEW, **which)


def cancelling(client: Client, stop_order_id: int | None = None, **which: Any) -> Call:
    if stop_order_id is not None:
        return partial(client.orders.cancel_stop, symbol="BTC", order_id=stop_order_id)
    return partial(client.orders.cancel, symbol="BTC", **which)


SINGLE: dict[str, Prepare] = {
    "orders.create": lambda _, caller: partial(place, caller),
    "orders.create_stop": lambda _, caller: partial(waiting, caller),
    "orders.create_market": lambda _, caller: partial(caller.orders.create_market, **MARKET),
    "orders.edit by order id": lambda own, caller: editing(caller, order_id=place(own)),
    "orders.edit by client id": lambda own, caller: editing(caller, client_order_id=named(own)),
    "orders.cancel by order id": lambda own, caller: cancelling(caller, order_id=place(own)),
    "orders.cancel by client id": lambda own, who: cancelling(who, client_order_id=named(own)),
    "orders.cancel_stop": lambda own, who: cancelling(who, stop_order_id=waiting(own)),
}
"""Operation -> what makes, with a client of the same account, what a call needs, and returns the call."""


def lose(sandbox: Sandbox, call: Call, operation: str, *, executed: bool) -> OutcomeUnknownError:
    """Make a call whose answer is lost, and return the error."""
    sandbox.faults.inject(METHODS[operation].sent_as, "reset", executed=executed)
    with pytest.raises(OutcomeUnknownError) as unknown:
        call()
    return unknown.value


def states(client: Client, error: OutcomeUnknownError | ApiError, **options: Any) -> list[str]:
    return [each.state for each in client.reconcile(error, **options)]


def posts(sandbox: Sandbox) -> int:
    return sum(each.method == "POST" for each in sandbox.requests)


# One message


@pytest.mark.parametrize("case", SINGLE)
def test_what_was_executed_is_found_and_nothing_is_sent_again(
    sandbox: Sandbox, client: Client, case: str
) -> None:
    operation, *_ = case.split()
    error = lose(sandbox, SINGLE[case](client, client), operation, executed=True)
    sent = posts(sandbox)

    # An id settles a new order at once; what changes one takes the lag of the histories as well.
    (settled,) = client.reconcile(error, timeout=0 if operation.startswith("orders.create") else 5)

    assert (settled.operation, settled.state) == (operation, "executed")
    assert settled.rests_on
    assert (settled.client_id,) == error.client_ids
    newest, *_ = client.orders.history()
    assert settled.records == (newest,)
    assert posts(sandbox) == sent


def test_what_was_not_executed_is_known_not_to_be_once_it_has_expired(
    sandbox: Sandbox, connect: Connect
) -> None:
    key = sandbox.create_account("1000000")
    calm, hasty = connect(key), connect(key, expiry_window=SOON)
    calls = [(prepare(calm, hasty), case.split()[0]) for case, prepare in SINGLE.items()]
    errors = [lose(sandbox, call, name, executed=False) for call, name in calls]

    # They are awaited at the same time.
    with ThreadPoolExecutor() as threads:
        found = list(threads.map(partial(states, hasty), errors))
    assert found == [["not executed"]] * len(calls)


# Several messages


def test_a_batch_is_settled_action_by_action(sandbox: Sandbox, connect: Connect) -> None:
    key = sandbox.create_account("1000000")
    client = connect(key, expiry_window=1_500)
    kept, gone, edited = (place(connect(key)) for _ in range(3))
    actions: list[Any] = [
        {"type": "Create", "data": BID},
        {"type": "Create", "data": {**BID, "price": "89000.5"}},  # refused: no multiple of the tick
        {"type": "CreateMarket", "data": MARKET},
        bid(price="89000"),
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


def test_an_id_that_is_used_again_is_never_taken_for_the_order_that_had_it_first(
    sandbox: Sandbox, connect: Connect
) -> None:
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
