"""Orders over the wire: what is answered, and what the histories then show (interface 4.1 to 4.5)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.sandbox.desk import ID
from tests.sandbox.raw import RawClient, limit_order, row
from trading_sandbox import Sandbox


@pytest.fixture
def maker(sandbox: Sandbox) -> RawClient:
    return RawClient.of(sandbox)


def test_a_fill_shows_in_the_histories_of_both(maker: RawClient, user: RawClient) -> None:
    made = maker.create(side="ask", price="100000", amount="0.02", client_order_id=ID).json()
    taken = user.create(side="bid", price="100500", amount="0.01", tif="IOC").json()
    assert list(made) == ["order_id"]
    [order] = maker.orders()
    assert order["created_at"] < order["updated_at"]
    assert row(order) == (
        f"order_id={made['order_id']} client_order_id={ID} symbol=BTC side=ask "
        "initial_price=100000 average_filled_price=100000 amount=0.02 filled_amount=0.01 "
        "order_status=partially_filled order_type=limit stop_price=None "
        "stop_parent_order_id=None reduce_only=False reason=None "
        f"created_at={order['created_at']} updated_at={order['updated_at']} price=100000"
    )
    answer = user.call("trades.history", account=user.address).json()
    [trade] = answer.pop("data")
    assert answer == {"success": True, "next_cursor": None, "has_more": False}
    assert row(trade) == (
        f"history_id={trade['history_id']} order_id={taken['order_id']} client_order_id=None "
        "symbol=BTC amount=0.01 price=100000 entry_price=100000 fee=0.4 pnl=0 "
        f"event_type=fulfill_taker side=open_long created_at={order['updated_at']} cause=normal"
    )


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
