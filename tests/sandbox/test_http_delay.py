"""The taker delay: who waits, who does not, and that effects come in that order."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import requests

from tests.sandbox.raw import RawClient, limit_order
from trading_sandbox import Sandbox

DELAY = 0.8
MARKET = {
    "symbol": "BTC",
    "amount": "0.001",
    "side": "bid",
    "slippage_percent": "0",
    "reduce_only": False,
}

STOP = {
    "symbol": "BTC",
    "side": "bid",
    "reduce_only": False,
    "stop_order": {"stop_price": "120000", "amount": "0.001"},
}


def trader(sandbox: Sandbox) -> RawClient:
    return RawClient(sandbox.url, sandbox.create_account().export_base58())


def sent_before(
    early: list[Callable[[], requests.Response]], late: list[Callable[[], requests.Response]]
) -> None:
    """Send the early requests at once, and the late ones well within their delay."""
    with ThreadPoolExecutor(len(early)) as pool:
        waiting = [pool.submit(send) for send in early]
        time.sleep(DELAY / 4)
        for send in late:
            assert send().status_code == 200
        assert all(future.result().status_code == 200 for future in waiting)


def test_gtc_ioc_and_market_orders_take_effect_after_what_was_sent_later() -> None:
    with Sandbox(maker=False, taker_delay=DELAY) as sandbox:
        slow, quick = trader(sandbox), trader(sandbox)
        for _ in range(3):
            assert quick.create(price="40000").status_code == 200
        cancelled, edited, edited_in_batch = (o["order_id"] for o in quick.orders())
        change = {"symbol": "BTC", "price": "41000", "amount": "0.001"}
        sent_before(
            early=[
                lambda: slow.create(tif="GTC"),
                lambda: slow.create(tif="IOC"),
                lambda: slow.batch(slow.action("CreateMarket", MARKET)),
                lambda: slow.batch(slow.action("Create", limit_order(tif="GTC"))),
                lambda: slow.batch(
                    slow.action("Create", limit_order()),
                    slow.action("Create", limit_order(tif="IOC")),
                ),
            ],
            late=[
                lambda: quick.create(tif="ALO"),
                lambda: quick.create(tif="TOB"),
                lambda: quick.edit(**change, order_id=edited),
                lambda: quick.batch(
                    quick.action("Create", limit_order(tif="ALO")),
                    quick.action("Create", limit_order(tif="TOB")),
                    quick.action("Cancel", {"symbol": "BTC", "order_id": cancelled}),
                    quick.action("Edit", {**change, "order_id": edited_in_batch}),
                ),
            ],
        )
        delayed, undelayed = slow.orders(), quick.orders()
    assert (len(delayed), len(undelayed)) == (6, 3 + 2 + 1 + 3)
    assert min(o["order_id"] for o in delayed) > max(o["order_id"] for o in undelayed)
    assert min(o["created_at"] for o in delayed) > max(o["updated_at"] for o in undelayed)


def test_a_delayed_taker_meets_the_book_as_it_is_after_the_delay() -> None:
    with Sandbox(maker=False, taker_delay=DELAY) as sandbox:
        taker, maker = trader(sandbox), trader(sandbox)
        sent_before(
            early=[lambda: taker.create(side="bid", price="100000", tif="IOC")],
            late=[lambda: maker.create(side="ask", price="99000", tif="ALO")],
        )
        [order] = taker.orders()
    assert (order["order_status"], order["average_filled_price"]) == ("filled", "99000")


def test_a_taker_waits_at_least_the_delay_before_it_is_placed() -> None:
    with Sandbox(maker=False, taker_delay=0.3) as sandbox:
        user = trader(sandbox)
        started = time.monotonic()
        assert user.create(tif="GTC").status_code == 200
        assert time.monotonic() - started >= 0.3
        [order] = user.orders()
        body = sandbox.requests[0].body
    assert order["created_at"] - body["timestamp"] >= 290


def test_stop_orders_and_tpsl_operations_take_effect_at_once() -> None:
    with Sandbox(maker=False, taker_delay=DELAY) as sandbox:
        seller, slow, quick = trader(sandbox), trader(sandbox), trader(sandbox)
        seller.create(side="ask", price="100000")
        quick.batch(quick.action("CreateMarket", {**MARKET, "slippage_percent": "1"}))
        placed = [quick.call("orders.create_stop", **STOP).json()["order_id"] for _ in range(2)]
        profit = {"symbol": "BTC", "side": "ask", "take_profit": {"stop_price": "120000"}}
        sent_before(
            early=[lambda: slow.create(tif="GTC")],
            late=[
                lambda: quick.call("orders.create_stop", **STOP),
                lambda: quick.call("orders.cancel_stop", symbol="BTC", order_id=placed[0]),
                lambda: quick.create(take_profit={"stop_price": "60000"}),
                lambda: quick.batch(
                    quick.action("SetPositionTpsl", profit),
                    quick.action("CancelStopOrder", {"symbol": "BTC", "order_id": placed[1]}),
                ),
            ],
        )
        [delayed] = slow.orders()
        undelayed = quick.orders()
    assert len(undelayed) == 1 + 2 + 1 + 2 + 1
    assert delayed["created_at"] > max(order["updated_at"] for order in undelayed)


def test_what_waits_when_the_sandbox_is_reset_does_not_stray_into_the_next_test() -> None:
    with Sandbox(maker=False, taker_delay=0.2) as sandbox, ThreadPoolExecutor() as pool:
        before = RawClient(sandbox.url, sandbox.create_account().export_base58())
        alone = pool.submit(before.create, tif="GTC")
        batch = pool.submit(before.batch, before.action("Create", limit_order(tif="GTC")))
        time.sleep(0.05)
        sandbox.reset()
        after = RawClient(sandbox.url, sandbox.create_account().export_base58())
        assert after.address == before.address
        for answer in (alone.result(), batch.result()):
            assert answer.status_code == 400
            assert "was reset while this request waited" in answer.json()["error"]
        assert after.orders() == []
