"""Take-profit and stop-loss of orders and positions (sections 2.1, 4.1; field notes 8 and 10)."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

import pytest

from tests.end_to_end.trading import order, place, position, trade
from trading_sandbox import Sandbox
from trading_sdk import (
    Client,
    Order,
    TpslConfig,
)

PROFIT = TpslConfig(stop_price="110000")
LOSS = TpslConfig(stop_price="95000")


def legs(client: Client, parent: int) -> dict[str, Order]:
    """The take-profit and stop-loss of an order, by their type.

    The order names the first of them; the id of the second is the next one.
    """
    found = {each.order_id: each for each in client.orders.history()}
    first = found[parent].stop_parent_order_id
    assert first is not None
    both = (found[number] for number in (first, first + 1) if number in found)
    return {leg.order_type: leg for leg in both if leg.order_type.startswith(("take", "stop_l"))}


def test_an_order_brings_its_take_profit_and_stop_loss(client: Client) -> None:
    profit_id, loss_id = uuid4(), uuid4()
    parent = place(
        client,
        "bid",
        99_000,
        take_profit={"stop_price": "110000", "limit_price": "109000", "client_order_id": profit_id},
        stop_loss={"stop_price": "95000", "limit_price": "94000", "client_order_id": loss_id},
    )

    found = legs(client, parent)

    assert set(found) == {"take_profit_limit", "stop_loss_limit"}
    profit, loss = found["take_profit_limit"], found["stop_loss_limit"]
    assert (profit.client_order_id, loss.client_order_id) == (profit_id, loss_id)
    assert (profit.stop_price, loss.stop_price) == (Decimal(110_000), Decimal(95_000))
    assert (profit.price, loss.price) == (Decimal(109_000), Decimal(94_000))
    assert {profit.side, loss.side} == {"ask"}
    assert profit.reduce_only and loss.reduce_only


@pytest.mark.parametrize(
    ("mark", "bid", "closing", "other"),
    [
        (110_000, 109_900, "take_profit_market", "stop_loss_market"),
        (95_000, 94_900, "stop_loss_market", "take_profit_market"),
    ],
)
def test_one_leg_closes_the_position_and_ends_the_other(
    sandbox: Sandbox, maker: Client, taker: Client, mark: int, bid: int, closing: str, other: str
) -> None:
    place(maker, "ask", 100_000)
    parent = place(taker, "bid", 100_000, tif="IOC", take_profit=PROFIT, stop_loss=LOSS)
    place(maker, "bid", bid, "1")

    sandbox.set_mark_price("BTC", mark)

    found = legs(taker, parent)
    assert found[closing].order_status == "filled"
    assert found[closing].average_filled_price == bid
    assert (found[other].order_status, found[other].reason) == ("cancelled", "force_cancel")
    assert position(taker) == 0


# -- of a position ---------------------------------------------------------------------------


def waiting(client: Client) -> dict[str, Order]:
    found = client.orders.history()
    return {str(each.order_type): each for each in found if each.order_status == "open"}


def test_a_position_gets_a_take_profit_and_a_stop_loss(
    sandbox: Sandbox, maker: Client, taker: Client
) -> None:
    trade(taker, maker, amount="0.3")
    mine = uuid4()
    taker.orders.set_position_tpsl(
        symbol="BTC",
        side="ask",
        take_profit={"stop_price": "110000", "client_order_id": mine},
        stop_loss={"stop_price": "95000", "limit_price": "94000", "amount": "0.1"},
    )
    found = waiting(taker)
    assert set(found) == {"take_profit_market", "stop_loss_limit"}
    assert found["take_profit_market"].client_order_id == mine
    assert found["stop_loss_limit"].amount == Decimal("0.1")
    place(maker, "bid", 109_000, "1")

    sandbox.set_mark_price("BTC", 110_000)

    assert order(taker, found["take_profit_market"].order_id).filled_amount == Decimal("0.3")
    assert position(taker) == 0
    assert waiting(taker) == {}
