"""Orders over the wire: what is answered, and what the histories then show."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.sandbox.raw import RawClient, limit_order, market_order
from trading_sandbox import Sandbox

ID = "3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b"


def trader(sandbox: Sandbox) -> RawClient:
    return RawClient(sandbox.url, sandbox.create_account().export_base58())


def test_a_partly_filled_order_shows_in_the_order_history(sandbox: Sandbox) -> None:
    maker, taker = trader(sandbox), trader(sandbox)
    made = maker.create(side="ask", price="100000", amount="0.02", client_order_id=ID).json()
    taker.create(side="bid", price="100500", amount="0.01", tif="IOC")
    [order] = maker.orders()
    assert order.pop("created_at") < order.pop("updated_at")
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


def test_a_fill_shows_in_the_trade_history(sandbox: Sandbox) -> None:
    maker, taker = trader(sandbox), trader(sandbox)
    maker.create(side="ask", price="100000", amount="0.02")
    taken = taker.create(side="bid", price="100500", amount="0.01", tif="IOC").json()
    [made] = maker.orders()
    answer = taker.get("/api/v1/trades/history", account=taker.address).json()
    [trade] = answer.pop("data")
    assert answer == {"success": True, "next_cursor": None, "has_more": False}
    assert trade.pop("created_at") == made["updated_at"]
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


def test_a_rejected_order_has_an_id_and_its_reason_in_the_history(sandbox: Sandbox) -> None:
    maker, late = trader(sandbox), trader(sandbox)
    maker.create(side="ask", price="100000")
    response = late.create(side="bid", price="100000", tif="ALO")
    assert response.status_code == 200
    [order] = late.orders()
    assert order["order_id"] == response.json()["order_id"]
    assert (order["order_status"], order["reason"]) == ("rejected", "post_only_rejected")


def test_an_edit_answers_the_id_of_the_new_order(sandbox: Sandbox) -> None:
    alice = trader(sandbox)
    old = alice.create(client_order_id=ID).json()["order_id"]
    response = alice.edit(symbol="BTC", price="51000", amount="0.002", client_order_id=ID)
    assert list(response.json()) == ["order_id"]
    new, original = alice.orders()
    assert new["order_id"] == response.json()["order_id"] != old
    assert (new["price"], new["amount"], new["client_order_id"]) == ("51000", "0.002", ID)
    assert (original["order_status"], original["reason"]) == ("cancelled", "cancel")


def test_a_batch_runs_every_action_in_order_and_goes_on_after_a_failure(sandbox: Sandbox) -> None:
    alice, bob = trader(sandbox), trader(sandbox)
    bob.create(side="ask", price="100000", amount="0.01")
    first = alice.create(price="99900").json()["order_id"]
    edit = {"symbol": "BTC", "price": "99800", "amount": "0.002", "client_order_id": ID}
    response = alice.batch(
        alice.action("Create", limit_order(price="99900", client_order_id=ID)),
        alice.action("Cancel", {"symbol": "BTC", "order_id": 7}),
        alice.action("Edit", edit),
        alice.action("Cancel", {"symbol": "BTC", "order_id": first}),
        alice.action("CreateMarket", market_order()),
        alice.action("Create", limit_order(price="0.5")),
    )
    assert response.status_code == 200
    answer = response.json()
    results = answer.pop("data")["results"]
    assert answer == {"success": True, "error": None, "code": None}
    assert [result["success"] for result in results] == [True, False, True, True, True, False]
    assert results[1] == {"success": False, "error": results[1]["error"]}
    assert results[1]["error"].startswith("Order not found")
    assert results[3] == {"success": True, "error": None}
    assert "tick size" in results[5]["error"]
    placed = [results[index]["order_id"] for index in (0, 2, 4)]
    assert placed == sorted(placed)
    statuses = {order["order_id"]: order["order_status"] for order in alice.orders()}
    assert statuses == {
        first: "cancelled",
        placed[0]: "cancelled",
        placed[1]: "open",
        placed[2]: "filled",
    }


def test_batches_are_not_interleaved_with_other_users_requests() -> None:
    with Sandbox(maker=False, taker_delay=0.01) as sandbox:
        traders = [trader(sandbox) for _ in range(4)]

        def send(number: int) -> list[int]:
            user = traders[number % 4]
            tif = "GTC" if number % 2 else "ALO"
            orders = [limit_order(tif=tif, symbol="SOL", price="50", amount="0.2")] * 10
            response = user.batch(*(user.action("Create", order) for order in orders))
            user.create(symbol="SOL", price="50", amount="0.2", tif=tif)
            return [result["order_id"] for result in response.json()["data"]["results"]]

        with ThreadPoolExecutor(8) as pool:
            batches = list(pool.map(send, range(24)))
    for ids in batches:
        assert ids == list(range(ids[0], ids[0] + 10))


def test_a_batch_may_hold_actions_of_several_accounts(sandbox: Sandbox) -> None:
    alice, bob = trader(sandbox), trader(sandbox)
    response = alice.batch(
        alice.action("Create", limit_order(side="ask", price="100000")),
        bob.action("Create", limit_order(side="bid", price="100000", tif="IOC")),
    )
    assert all(result["success"] for result in response.json()["data"]["results"])
    assert bob.orders()[0]["order_status"] == "filled"


def test_mark_prices_bound_market_orders(sandbox: Sandbox) -> None:
    alice, bob = trader(sandbox), trader(sandbox)
    sandbox.set_mark_price("BTC", "90000")
    bob.create(side="ask", price="91000", amount="0.01")
    alice.batch(alice.action("CreateMarket", market_order(slippage_percent="1")))
    alice.batch(alice.action("CreateMarket", market_order(slippage_percent="1.2")))
    filled, unfilled = alice.orders()
    assert (unfilled["order_status"], unfilled["price"]) == ("cancelled", "90900")
    assert (filled["order_status"], filled["order_type"]) == ("filled", "market")
