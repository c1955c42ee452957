"""Orders over the wire: what is answered, and what the histories then show (interface 4.1 to 4.5)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.sandbox.desk import ID
from tests.sandbox.raw import RawClient, bare_refusal, limit_order, market_order, stop_order
from trading_sandbox import Sandbox


@pytest.fixture
def maker(sandbox: Sandbox) -> RawClient:
    return RawClient.of(sandbox)


def test_a_fill_shows_in_the_histories_of_both(maker: RawClient, user: RawClient) -> None:
    made = maker.create(side="ask", price="100000", amount="0.02", client_order_id=ID).json()
    taken = user.create(side="bid", price="100500", amount="0.01", tif="IOC").json()
    assert list(made) == ["order_id"]
    [order] = maker.orders()
    assert order.pop("created_at") < order["updated_at"]
    filled_at = order.pop("updated_at")
    assert order == {
        "order_id": made["order_id"],
        "client_order_id": ID,
        "symbol": "BTC",
        "side": "ask",
        "price": "100000",
        "initial_price": "100000",
        "average_filled_price": "100000",
        "amount": "0.02",
        "filled_amount": "0.01",
        "order_status": "partially_filled",
        "order_type": "limit",
        "stop_price": None,
        "stop_parent_order_id": None,
        "reduce_only": False,
        "reason": None,
    }
    answer = user.call("trades.history", account=user.address).json()
    [trade] = answer.pop("data")
    assert answer == {"success": True, "next_cursor": None, "has_more": False}
    assert trade.pop("created_at") == filled_at
    assert trade.pop("history_id") > 0
    assert trade == {
        "order_id": taken["order_id"],
        "client_order_id": None,
        "symbol": "BTC",
        "amount": "0.01",
        "price": "100000",
        "entry_price": "100000",
        "fee": "0.4",
        "pnl": "0",
        "event_type": "fulfill_taker",
        "side": "open_long",
        "cause": "normal",
    }


def test_a_batch_runs_every_action_in_order_and_goes_on_after_a_failure(
    maker: RawClient, user: RawClient
) -> None:
    first = user.create(price="99900").json()["order_id"]
    edit = {"symbol": "BTC", "price": "99800", "amount": "0.002", "client_order_id": ID}
    # A batch may hold actions of several accounts.
    response = user.batch(
        maker.action("Create", limit_order(side="ask", price="100000", amount="0.01")),
        user.action("Create", limit_order(price="99900", client_order_id=ID)),
        user.action("Cancel", {"symbol": "BTC", "order_id": 7}),
        user.action("Edit", edit),
        user.action("Cancel", {"symbol": "BTC", "order_id": first}),
        user.action("CreateMarket", market_order()),
        user.action("Create", limit_order(price="0.5")),
    )
    assert response.status_code == 200
    answer = response.json()
    results = answer.pop("data")["results"]
    assert answer == {"success": True, "error": None, "code": None}
    assert [result["success"] for result in results] == [True, True, False, True, True, True, False]
    assert results[2] == {"success": False, "error": results[2]["error"]}
    assert results[2]["error"].startswith("Order not found")
    assert results[4] == {"success": True, "error": None}
    assert "tick size" in results[6]["error"]
    placed = [results[index]["order_id"] for index in (0, 1, 3, 5)]
    assert placed == sorted(placed)
    statuses = [order["order_status"] for order in user.orders()]
    assert statuses == ["filled", "open", "cancelled", "cancelled"]
    assert [order["order_status"] for order in maker.orders()] == ["filled"]


def test_batches_are_not_interleaved_with_other_users_requests(sandbox: Sandbox) -> None:
    traders = [RawClient.of(sandbox) for _ in range(4)]

    def send(number: int) -> list[int]:
        user = traders[number % 4]
        tif = "GTC" if number % 2 else "ALO"
        order = limit_order(tif=tif, symbol="SOL", price="50", amount="0.2")
        response = user.batch(*(user.action("Create", order) for _ in range(10)))
        user.create(**order)
        return [result["order_id"] for result in response.json()["data"]["results"]]

    with ThreadPoolExecutor(8) as pool:
        batches = list(pool.map(send, range(24)))
    for ids in batches:
        assert ids == list(range(ids[0], ids[0] + 10))


# -- stop orders, take-profits and stop-losses ---------------------------------------------------

STOPS = ("order_type", "order_status", "stop_price", "price", "client_order_id", "amount")


@pytest.mark.parametrize("by", ["order_id", "client_order_id"])
def test_a_stop_order_answers_its_id_waits_and_is_cancelled_by_either_id(
    user: RawClient, by: str
) -> None:
    leg = {"limit_price": "121000", "client_order_id": ID, "trigger_price_type": "mid_price"}
    response = user.call("orders.create_stop", **stop_order(**leg), builder_code="abc123")
    [order] = user.orders()
    assert (response.status_code, response.json()) == (200, {"order_id": order["order_id"]})
    assert [order[name] for name in STOPS] == [
        *("stop_limit", "open", "120000", "121000", ID, "0.001")
    ]
    named = {by: order[by]}
    response = user.call("orders.cancel_stop", symbol="BTC", **named)
    assert (response.status_code, response.json()) == (200, {"success": True})
    assert user.orders()[0]["order_status"] == "cancelled"
    assert bare_refusal(user.call("orders.cancel_stop", symbol="BTC", **named))


def test_tpsl_actions_of_a_batch(maker: RawClient, user: RawClient) -> None:
    maker.create(side="ask", price="100000", amount="0.01")
    user.create(side="bid", price="100000", amount="0.01", tif="IOC")
    legs = {
        "take_profit": {"stop_price": "120000", "client_order_id": ID},
        "stop_loss": {"stop_price": "90000", "amount": "0.005", "limit_price": "89000"},
    }
    position = {"symbol": "BTC", "side": "ask"}
    response = user.batch(
        user.action("SetPositionTpsl", {**position, **legs}),
        user.action("CancelStopOrder", {"symbol": "BTC", "client_order_id": ID}),
        user.action(
            "SetPositionTpsl", {"symbol": "BTC", "side": "bid", "stop_loss": {"stop_price": "1"}}
        ),
        user.action("CreateMarket", market_order(side="ask", stop_loss={"stop_price": "150000"})),
    )
    first, cancelled, failed, placed = response.json()["data"]["results"]
    assert first == cancelled == {"success": True, "error": None}
    assert failed["error"].startswith("Position not found")
    assert placed["success"] is True
    statuses = {o["order_type"]: (o["order_status"], o["amount"]) for o in user.orders()}
    assert statuses["take_profit_market"] == ("cancelled", "0.01")
    assert statuses["stop_loss_limit"] == ("open", "0.005")
    # A position needs at least one leg: that refuses the whole batch.
    before = len(user.orders())
    response = user.batch(
        user.action("Create", limit_order()), user.action("SetPositionTpsl", position)
    )
    assert response.status_code == 400
    assert response.json()["error"].startswith("actions[1]: ")
    assert len(user.orders()) == before
