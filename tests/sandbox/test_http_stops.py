"""Stop orders, take-profits and stop-losses over the wire (interface 4.1, 4.2, 4.4, 4.5)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sandbox.raw import RawClient, limit_order, market_order
from trading_sandbox import Sandbox

IDS = [f"3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5{digit}" for digit in range(3)]
STOP = {"symbol": "BTC", "side": "bid", "reduce_only": False}


def trader(sandbox: Sandbox) -> RawClient:
    return RawClient(sandbox.url, sandbox.create_account().export_base58())


def holder(sandbox: Sandbox) -> RawClient:
    """An account that is long 0.01 BTC, bought at 100000."""
    maker, owner = trader(sandbox), trader(sandbox)
    maker.create(side="ask", price="100000", amount="0.01")
    owner.create(side="bid", price="100000", amount="0.01", tif="IOC")
    return owner


def stop_order(**changes: Any) -> dict[str, Any]:
    return {**STOP, "stop_order": {"stop_price": "120000", "amount": "0.001", **changes}}


def test_a_stop_order_answers_its_id_and_waits(sandbox: Sandbox) -> None:
    user = trader(sandbox)
    response = user.call(
        "orders.create_stop",
        **stop_order(limit_price="121000", client_order_id=IDS[0], trigger_price_type="mid_price"),
        builder_code="abc123",
    )
    assert response.status_code == 200
    [order] = user.orders()
    assert response.json() == {"order_id": order["order_id"]}
    shown = ("order_type", "order_status", "stop_price", "price", "client_order_id", "amount")
    assert [order[name] for name in shown] == [
        "stop_limit",
        "open",
        "120000",
        "121000",
        IDS[0],
        "0.001",
    ]


@pytest.mark.parametrize("by", ["order_id", "client_order_id"])
def test_a_stop_order_is_cancelled_by_either_id(sandbox: Sandbox, by: str) -> None:
    user = trader(sandbox)
    user.call("orders.create_stop", **stop_order(client_order_id=IDS[0]))
    named = {by: user.orders()[0][by]}
    response = user.call("orders.cancel_stop", symbol="BTC", **named)
    assert (response.status_code, response.json()) == (200, {"success": True})
    assert user.orders()[0]["order_status"] == "cancelled"
    again = user.call("orders.cancel_stop", symbol="BTC", **named)
    assert again.status_code == 400
    assert again.json() == {"error": again.json()["error"], "code": 400}


def test_a_triggered_stop_order_trades(sandbox: Sandbox) -> None:
    maker, user = trader(sandbox), trader(sandbox)
    maker.create(side="ask", price="120000", amount="0.01")
    user.call("orders.create_stop", **stop_order())
    sandbox.set_mark_price("BTC", "120000")
    [order] = user.orders()
    assert (order["order_type"], order["order_status"]) == ("stop_market", "filled")


def test_a_stop_that_is_reached_already_is_refused_in_the_shape_of_the_endpoint(
    sandbox: Sandbox,
) -> None:
    response = trader(sandbox).call("orders.create_stop", **stop_order(stop_price="90000"))
    assert response.status_code == 400
    assert response.json() == {"error": response.json()["error"], "code": 400}


def test_the_legs_of_an_order_are_orders_of_their_own(sandbox: Sandbox) -> None:
    user = trader(sandbox)
    response = user.create(
        client_order_id=IDS[0],
        take_profit={"stop_price": "60000", "limit_price": "59000", "client_order_id": IDS[1]},
        stop_loss={"stop_price": "40000", "trigger_price_type": "last_trade_price"},
    )
    loss, profit, parent = user.orders()
    assert parent["order_id"] == response.json()["order_id"]
    assert parent["stop_parent_order_id"] == profit["order_id"]
    assert (profit["stop_parent_order_id"], loss["stop_parent_order_id"]) == (None, None)
    legs = {leg["order_type"]: leg for leg in (profit, loss)}
    assert set(legs) == {"take_profit_limit", "stop_loss_market"}
    assert (profit["client_order_id"], profit["stop_price"]) == (IDS[1], "60000")
    assert (loss["client_order_id"], loss["stop_price"]) == (None, "40000")
    assert all(leg["reduce_only"] and leg["side"] == "ask" for leg in legs.values())


def test_a_leg_on_the_wrong_side_refuses_its_order(sandbox: Sandbox) -> None:
    user = trader(sandbox)
    response = user.create(take_profit={"stop_price": "40000"})
    assert response.status_code == 400
    assert "take_profit" in response.json()["error"]
    assert user.orders() == []


def test_tpsl_actions_of_a_batch(sandbox: Sandbox) -> None:
    user = holder(sandbox)
    response = user.batch(
        user.action(
            "SetPositionTpsl",
            {
                "symbol": "BTC",
                "side": "ask",
                "take_profit": {"stop_price": "120000", "client_order_id": IDS[0]},
                "stop_loss": {"stop_price": "90000", "amount": "0.005", "limit_price": "89000"},
            },
        ),
        user.action("CancelStopOrder", {"symbol": "BTC", "client_order_id": IDS[0]}),
        user.action(
            "SetPositionTpsl", {"symbol": "BTC", "side": "bid", "stop_loss": {"stop_price": "1"}}
        ),
        user.action(
            "CreateMarket",
            market_order(side="ask", amount="0.001", stop_loss={"stop_price": "150000"}),
        ),
    )
    answer = response.json()
    first, cancelled, failed, placed = answer["data"]["results"]
    assert first == cancelled == {"success": True, "error": None}
    assert failed["success"] is False
    assert failed["error"].startswith("Position not found")
    assert placed["success"] is True
    statuses = {o["order_type"]: (o["order_status"], o["amount"]) for o in user.orders()}
    assert statuses["take_profit_market"] == ("cancelled", "0.01")
    assert statuses["stop_loss_limit"] == ("open", "0.005")


def test_a_position_needs_at_least_one_leg(raw: RawClient) -> None:
    action = raw.action("SetPositionTpsl", {"symbol": "BTC", "side": "ask"})
    response = raw.batch(raw.action("Create", limit_order()), action)
    assert response.status_code == 400
    assert response.json()["error"].startswith("actions[1]: ")
    assert raw.orders() == []
