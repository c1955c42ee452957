"""Batches of order actions (section 4.5; field notes 7 to 10)."""

from __future__ import annotations

from typing import Any, cast

import pytest

from tests.doubles.orders import resting
from tests.end_to_end.trading import order, place, state, trade
from trading_sandbox import Sandbox
from trading_sdk import (
    BatchError,
    CancelOrder,
    CancelStopOrder,
    Client,
    CreateMarketOrder,
    CreateOrder,
    CreateOrderDict,
    EditOrder,
    SetPositionTpsl,
)


def bid(price: int = 40_000, **changes: Any) -> CreateOrder:
    fields: dict[str, Any] = {"tif": "ALO", "reduce_only": False, "amount": "0.01", **changes}
    return CreateOrder(symbol="BTC", side="bid", price=price, **fields)


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


def test_an_action_can_be_given_as_on_the_wire(sandbox: Sandbox, maker: Client) -> None:
    own = place(maker)
    results = maker.orders.batch(
        [
            {"type": "Create", "data": cast(CreateOrderDict, resting(price=40_000, amount="0.01"))},
            {"type": "Cancel", "data": {"symbol": "BTC", "order_id": own}},
            {"type": "Create", "data": bid()},
        ]
    )
    results.raise_on_failure()
    assert len(list(maker.orders.history())) == 3
    (*_, sent) = (each.body for each in sandbox.requests if each.method == "POST")
    assert [each["type"] for each in sent["actions"]] == ["Create", "Cancel", "Create"]
    assert len(sent["actions"][0]["data"]["client_order_id"]) == 36, "an id is made, as for a model"
