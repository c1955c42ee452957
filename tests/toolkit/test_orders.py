"""Open orders are found and cancelled, and what is not known is said."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any, TypeAlias
from uuid import uuid4

import pytest
from attrs import asdict

from tests.doubles.orders import resting
from tests.toolkit.market import PACKAGES, Dialect, exchange
from trading_runtime import ApiError
from trading_sandbox import Sandbox
from trading_toolkit import ToolkitError, orders

Placed: TypeAlias = tuple[Sandbox, Any, list[int]]
STOP = {"symbol": "BTC", "side": "ask", "reduce_only": False}


@pytest.fixture(params=PACKAGES)
def placed(request: pytest.FixtureRequest) -> Iterator[Placed]:
    """A sandbox, a client of it with 12 orders, three of them in another market and one a stop order."""
    with exchange(request.param) as sandbox:
        key = sandbox.create_account(usdc="100000")
        with PACKAGES[request.param].Client(sandbox.url, signer=key, history_lag=0) as client:
            ids = [rest(client, "ETH" if n < 3 else "BTC").order_id for n in range(11)]
            leg = {"stop_price": "500", "amount": "0.1"}
            stop = client.orders.create_stop(**STOP, stop_order=leg)
            yield sandbox, client, [*ids, stop.order_id]


def rest(client: Any, symbol: str = "BTC", **changes: Any) -> Any:
    order = {"symbol": symbol, "price": "500", "tif": "GTC", **changes}
    return client.orders.create(**resting(**order))


def test_open_orders_are_found_and_cancelled_by_market_and_then_all(placed: Placed) -> None:
    _, client, ids = placed
    client.orders.cancel(symbol="BTC", order_id=ids[5])
    assert {each.order_id for each in orders.open_orders(client)} == {*ids} - {ids[5]}
    assert {each.order_id for each in orders.open_orders(client, "ETH")} == {*ids[:3]}
    assert {*orders.cancel_all(client, "ETH").cancelled} == {*ids[:3]}
    found = orders.cancel_all(client)
    assert {*found.cancelled} == {*ids[3:]} - {ids[5]}
    assert found.is_done
    assert orders.cancel_all(client) == orders.Cancelled(cancelled=())


def test_open_orders_are_of_one_form_for_either_client() -> None:
    """Both clients of one history: a fresh order, one that is partly filled, one that was edited, a stop order."""

    def forms(dialect: Dialect) -> list[dict[str, Any]]:
        connect = PACKAGES[dialect].Client
        with exchange(dialect) as sandbox, ExitStack() as opened:
            keys = [sandbox.create_account(usdc="100000") for _ in range(2)]
            client, other = (opened.enter_context(connect(sandbox.url, signer=key)) for key in keys)
            id_ = uuid4()
            rest(client, client_order_id=id_)
            partly = rest(client, "ETH")
            rest(other, "ETH", side="ask", amount="0.04", tif="IOC")
            edited = rest(client).order_id
            client.orders.edit(symbol="BTC", order_id=edited, price="501", amount="0.2")
            stop = {"stop_price": "400", "limit_price": "399", "amount": "0.1"}
            client.orders.create_stop(**STOP, stop_order=stop)
            found = orders.open_orders(client)
            assert {each.client_order_id for each in found} >= {id_}
            assert partly.order_id in {each.order_id for each in found}
        varying = {"order_id", "client_order_id", "created_at", "updated_at"}
        rows = [{k: v for k, v in asdict(each).items() if k not in varying} for each in found]
        return sorted(rows, key=lambda row: (row["symbol"], row["order_type"], row["amount"]))

    documented, live = forms("documented"), forms("live")
    assert documented == live
    values = [(str(each["price"]), str(each["amount"])) for each in live]
    assert values[:2] == [("500", "0.1"), ("501", "0.2")]
    assert [each["order_status"] for each in live if each["filled_amount"]] == ["partially_filled"]


def test_an_order_in_a_state_of_a_newer_service_may_be_open() -> None:
    with exchange() as sandbox:
        key = sandbox.create_account()
        with PACKAGES["documented"].Client(sandbox.url, signer=key, history_lag=0) as client:
            placed = rest(client)
            client.orders.cancel(symbol="BTC", order_id=placed.order_id)
            sandbox.faults.inject("orders.history", "unknown_enum", times=9, field="order_status")
            found = orders.cancel_all(client)
    assert found.still_open == (placed.order_id,)
    assert not found.is_done


@pytest.mark.parametrize("wrong", ["", 5, ["BTC"], "btc"])
def test_a_wrong_symbol_is_not_taken_for_none_open(placed: Placed, wrong: Any) -> None:
    _, client, ids = placed
    words = "symbol must be a text|no market is 'btc'; did you mean 'BTC'|Book not found"
    with pytest.raises((ToolkitError, ApiError), match=words):
        orders.cancel_all(client, symbol=wrong)
    assert len(orders.open_orders(client)) == len(ids)


def test_waiting_ends_when_the_order_is_there_or_in_a_state(placed: Placed) -> None:
    _, client, _ = placed
    mine = uuid4()
    order = rest(client, client_order_id=mine)
    for given in (order, order.order_id, mine):
        found = orders.wait_for(client, given)
        assert (found.order_id, found.order_status) == (order.order_id, "open")
    pauses: list[float] = []

    def wait(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            client.orders.cancel(symbol="BTC", order_id=order.order_id)

    ended = orders.wait_for(client, order, until="cancelled", wait=wait)
    assert ended.order_status == "cancelled"
    assert pauses == [0.1, 0.2, 0.4]


def test_waiting_ends_with_the_timeout_and_says_what_was_seen(placed: Placed) -> None:
    _, client, ids = placed
    now = [0.0]

    def wait(seconds: float) -> None:
        now[0] += seconds

    with pytest.raises(ToolkitError, match="'Filled' is no state of an order; those are open, "):
        orders.wait_for(client, ids[0], until="Filled")
    with pytest.raises(ToolkitError, match="timeout must be a number of seconds"):
        orders.wait_for(client, ids[0], timeout=-1)
    for order, until, words in (
        (ids[0], {"filled"}, f"after 30.0 seconds the order with order_id {ids[0]} is open"),
        (5, set(), "the order with order_id 5 is not in the list of orders"),
    ):
        with pytest.raises(TimeoutError, match=words):
            orders.wait_for(client, order, until=until, wait=wait, clock=lambda: now[0])
    with pytest.raises(TimeoutError, match=r"^the order with order_id 5 is not in"):
        orders.wait_for(client, 5, timeout=0)
    with pytest.raises(ToolkitError, match="an order is an id, a client order id"):
        orders.wait_for(client, "BTC")
