"""Batches of order actions (section 4.5; field notes 7 to 10)."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest

from tests.end_to_end.trading import Connect, order, place, post, state, trade
from trading_sandbox import Sandbox
from trading_sdk import (
    BadRequestError,
    BatchError,
    CancelOrder,
    CancelStopOrder,
    Client,
    CreateMarketOrder,
    CreateOrder,
    EditOrder,
    Keypair,
    RequestError,
    SetPositionTpsl,
)

BATCH = "orders.batch"


def bid(price: int = 40_000, **changes: Any) -> CreateOrder:
    fields: dict[str, Any] = {"tif": "ALO", "reduce_only": False, "amount": "0.01", **changes}
    return CreateOrder(symbol="BTC", side="bid", price=price, **fields)


def action(client: Client, kind: str, name: str, **fields: Any) -> dict[str, Any]:
    """An action as it is sent, signed."""
    return {"type": kind, "data": dict(client.explain(name, **fields).body)}


def creation(client: Client, kind: str = "Create") -> dict[str, Any]:
    return action(
        client,
        kind,
        "orders.create",
        symbol="BTC",
        side="bid",
        price=40_000,
        amount="0.01",
        tif="ALO",
        reduce_only=False,
    )


def test_a_batch_runs_in_order_and_goes_on_after_a_failure(maker: Client, taker: Client) -> None:
    placed = bid(99_000)
    place(maker, "ask", 100_100)

    results = taker.orders.batch(
        [
            placed,
            EditOrder(
                symbol="BTC", client_order_id=placed.client_order_id, price=99_100, amount="0.02"
            ),
            CancelOrder(symbol="BTC", order_id=987_654_321),
            CreateMarketOrder(
                symbol="BTC", side="bid", amount="0.05", slippage_percent="1", reduce_only=False
            ),
            CancelOrder(symbol="BTC", client_order_id=placed.client_order_id),
        ]
    )

    assert [result.success for result in results] == [True, True, False, True, True]
    assert "987654321" in (results[2].error or "")
    with pytest.raises(BatchError, match=r"1 of 5 actions failed: \[2\]"):
        results.raise_on_failure()
    assert state(taker, results[0].order_id) == ("cancelled", "cancel")
    assert state(taker, results[1].order_id) == ("cancelled", "cancel")
    assert state(taker, results[3].order_id) == ("filled", None)


def test_every_kind_of_action_runs(maker: Client, taker: Client) -> None:
    trade(taker, maker)
    stopped = taker.orders.create_stop(
        symbol="BTC",
        side="bid",
        reduce_only=False,
        stop_order={"stop_price": "110000", "amount": "0.1"},
    )
    one, other = place(taker), place(taker)
    place(maker, "ask", 100_100)

    results = taker.orders.batch(
        [
            bid(),
            CreateMarketOrder(
                symbol="BTC", side="bid", amount="0.05", slippage_percent="1", reduce_only=False
            ),
            CancelOrder(symbol="BTC", order_id=one),
            EditOrder(symbol="BTC", order_id=other, price=91_000, amount="0.1"),
            SetPositionTpsl(symbol="BTC", side="ask", take_profit={"stop_price": "120000"}),
            CancelStopOrder(symbol="BTC", order_id=stopped.order_id),
        ]
    )

    results.raise_on_failure()
    # What places no order tells no id.
    assert [r.order_id is not None for r in results] == [True, True, False, True, False, False]
    assert state(taker, one) == state(taker, stopped.order_id) == ("cancelled", "cancel")
    assert order(taker, results[3].order_id).price == 91_000


def test_ten_actions_fit_in_a_batch(client: Client) -> None:
    results = client.orders.batch([bid() for _ in range(10)])

    assert [result.success for result in results] == [True] * 10


@pytest.mark.parametrize("count", [0, 11])
def test_a_batch_of_another_size_is_refused_before_it_is_sent(
    sandbox: Sandbox, client: Client, count: int
) -> None:
    with pytest.raises(RequestError, match=f"1 to 10 actions, not {count}"):
        client.orders.batch([bid() for _ in range(count)])

    assert sandbox.requests == []


@pytest.mark.off_contract
def test_the_service_refuses_more_than_ten_actions_as_well(
    sandbox: Sandbox, client: Client
) -> None:
    answer = post(sandbox.url, BATCH, {"actions": [creation(client) for _ in range(11)]})

    assert (answer.status_code, answer.json()["code"]) == (400, 400)
    assert list(client.orders.history()) == []


def test_a_batch_with_one_bad_signature_does_nothing_at_all(url: str, client: Client) -> None:
    good, bad = creation(client), creation(client)
    bad["data"]["price"] = "41000"

    answer = post(url, BATCH, {"actions": [good, bad]})

    assert (answer.status_code, answer.json()["code"]) == (400, 400)
    assert "actions[1]: Verification failed" in answer.json()["error"]
    assert list(client.orders.history()) == []


@pytest.mark.off_contract
@pytest.mark.parametrize("kind", ["create", "CREATE", "create_order"])
def test_the_type_of_an_action_is_case_sensitive(
    sandbox: Sandbox, client: Client, kind: str
) -> None:
    answer = post(sandbox.url, BATCH, {"actions": [creation(client, kind)]})

    assert answer.status_code == 400
    assert "actions[0].type" in answer.json()["error"]


def test_each_action_is_signed_for_what_it_does(url: str, client: Client) -> None:
    cancel = action(client, "Create", "orders.cancel", symbol="BTC", order_id=1)
    cancel["data"] |= {"side": "bid", "price": "1", "amount": "1"}
    cancel["data"] |= {"tif": "ALO", "reduce_only": False}

    answer = post(url, BATCH, {"actions": [cancel]})

    assert answer.status_code == 400
    assert "Verification failed" in answer.json()["error"]


def test_the_log_shows_the_canonical_text_of_every_action(sandbox: Sandbox, client: Client) -> None:
    client.orders.batch([bid(), CancelOrder(symbol="BTC", order_id=1)])

    first, second = sandbox.requests[-1].canonical
    assert '"type":"create_order"' in first
    assert '"type":"cancel_order"' in second


@pytest.fixture
def busy(sandbox: Sandbox, connect: Connect) -> Iterator[None]:
    """Another user who places order after order."""
    other, done = connect(sandbox.create_account("1000000")), Event()

    def keep_placing() -> None:
        while not done.is_set():
            place(other, price=30_000, amount="0.001")

    with ThreadPoolExecutor(2) as pool:
        users = [pool.submit(keep_placing) for _ in range(2)]
        yield
        done.set()
        for user in users:
            user.result()


@pytest.mark.usefixtures("busy")
def test_orders_of_others_never_come_between_two_actions(client: Client) -> None:
    others = last = 0
    for count in range(100):
        ids = [result.order_id or 0 for result in client.orders.batch([bid() for _ in range(10)])]
        assert ids == list(range(ids[0], ids[0] + 10))
        others += ids[0] - last - 1
        last = ids[-1]
        if count >= 8 and others > 4:
            break

    # The others did place orders meanwhile.
    assert others > 4


def test_a_batch_that_is_refused_says_so_in_its_own_shape(connect: Connect) -> None:
    with pytest.raises(BadRequestError, match="Account not found") as refused:
        connect(Keypair.generate()).orders.batch([bid()])

    assert refused.value.code == 400
