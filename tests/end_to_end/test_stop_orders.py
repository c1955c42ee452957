"""Stop orders and the prices that trigger them (sections 2.1, 3, 4.2 and 4.4)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from tests.end_to_end.trading import order, place, state
from trading_sandbox import Sandbox
from trading_sdk import BadRequestError, Client, StopOrderConfig
from trading_sdk.models import SideLike


def stop(
    client: Client,
    side: SideLike,
    stop_price: int,
    *,
    reduce_only: bool = False,
    **config: Any,
) -> int:
    placed = client.orders.create_stop(
        symbol="BTC",
        side=side,
        reduce_only=reduce_only,
        stop_order=StopOrderConfig(stop_price=stop_price, **config),
    )
    return placed.order_id


def test_a_stop_order_waits_and_becomes_a_market_order(
    sandbox: Sandbox, maker: Client, taker: Client
) -> None:
    resting = place(maker, "ask", 101_000)
    waiting = stop(taker, "bid", 100_500, amount="0.1")
    found = order(taker, waiting)
    assert (found.order_type, found.order_status) == ("stop_market", "open")
    assert (found.stop_price, found.stop_parent_order_id) == (Decimal(100_500), None)

    sandbox.set_mark_price("BTC", 100_499)
    assert state(taker, waiting) == ("open", None)
    sandbox.set_mark_price("BTC", 100_500)

    assert state(taker, waiting) == ("filled", None)
    assert state(maker, resting) == ("filled", None)
    assert order(taker, waiting).average_filled_price == 101_000


def test_a_stop_order_with_a_limit_price_rests_there_once_triggered(
    sandbox: Sandbox, maker: Client, taker: Client
) -> None:
    waiting = stop(taker, "ask", 99_000, amount="0.1", limit_price=98_500)
    sandbox.set_mark_price("BTC", 99_000)
    found = order(taker, waiting)
    assert (found.order_type, found.order_status) == ("stop_limit", "open")

    place(maker, "bid", 98_500, tif="IOC")

    assert state(taker, waiting) == ("filled", None)
    assert order(taker, waiting).average_filled_price == 98_500


def test_a_stop_order_is_cancelled_by_either_of_its_ids(client: Client) -> None:
    mine = uuid4()
    one = stop(client, "bid", 110_000, amount="0.1")
    other = stop(client, "bid", 110_000, amount="0.1", client_order_id=mine)
    assert order(client, other).client_order_id == mine

    client.orders.cancel_stop(symbol="BTC", order_id=one)
    client.orders.cancel_stop(symbol="BTC", client_order_id=mine)

    assert state(client, one) == state(client, other) == ("cancelled", "cancel")


def test_a_stop_order_is_cancelled_by_both_of_its_ids_if_they_agree(client: Client) -> None:
    one, other = uuid4(), uuid4()
    placed = stop(client, "bid", 110_000, amount="0.1", client_order_id=one)
    stop(client, "bid", 110_000, amount="0.1", client_order_id=other)

    with pytest.raises(BadRequestError, match=f"{placed} with client_order_id {other} is no"):
        client.orders.cancel_stop(symbol="BTC", order_id=placed, client_order_id=other)
    client.orders.cancel_stop(symbol="BTC", order_id=placed, client_order_id=one)

    assert state(client, placed) == ("cancelled", "cancel")
