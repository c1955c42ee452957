"""Take-profit and stop-loss of orders and positions (sections 2.1, 4.1; field notes 8 and 10)."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

import pytest

from tests.end_to_end.trading import order, place, position, state, trade
from trading_sandbox import Sandbox
from trading_sdk import (
    ApiError,
    BadRequestError,
    Client,
    Order,
    PositionTpslConfig,
    RequestError,
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


def test_legs_without_a_limit_price_become_market_orders(client: Client) -> None:
    parent = place(client, take_profit=PROFIT, stop_loss={"stop_price": "85000"})

    assert set(legs(client, parent)) == {"take_profit_market", "stop_loss_market"}


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


def test_a_leg_that_rests_in_the_book_has_ended_the_other_already(
    sandbox: Sandbox, maker: Client, taker: Client
) -> None:
    place(maker, "ask", 100_000)
    resting = TpslConfig(stop_price="110000", limit_price="111000")
    parent = place(taker, "bid", 100_000, tif="IOC", take_profit=resting, stop_loss=LOSS)

    sandbox.set_mark_price("BTC", 110_000)

    found = legs(taker, parent)
    assert found["take_profit_limit"].order_status == "open"
    assert found["stop_loss_market"].reason == "force_cancel"


def test_a_leg_listens_to_the_price_that_it_chose(
    sandbox: Sandbox, maker: Client, taker: Client, client: Client
) -> None:
    place(maker, "ask", 100_000)
    chosen = TpslConfig(stop_price="110000", trigger_price_type="last_trade_price")
    parent = place(taker, "bid", 100_000, tif="IOC", take_profit=chosen)
    sandbox.set_mark_price("BTC", 111_000)
    assert legs(taker, parent)["take_profit_market"].order_status == "open"
    place(client, "bid", 110_000, "0.2")

    place(maker, "ask", 110_000, "0.1", "IOC")

    assert legs(taker, parent)["take_profit_market"].order_status == "filled"


def test_legs_close_no_more_than_their_order_has_filled(
    sandbox: Sandbox, maker: Client, taker: Client
) -> None:
    place(maker, "ask", 100_000, "0.04")
    parent = place(taker, "bid", 100_000, "0.1", "GTC", take_profit=PROFIT)
    place(maker, "bid", 109_000, "1", tif="IOC")
    taker.orders.cancel(symbol="BTC", order_id=parent)
    place(maker, "bid", 109_000, "1")

    sandbox.set_mark_price("BTC", 110_000)

    assert legs(taker, parent)["take_profit_market"].filled_amount == Decimal("0.04")
    assert position(taker) == 0


def test_legs_go_with_an_order_that_never_filled(client: Client) -> None:
    parent = place(client, take_profit=PROFIT)

    client.orders.cancel(symbol="BTC", order_id=parent)

    assert legs(client, parent)["take_profit_market"].reason == "force_cancel"


def test_legs_follow_an_order_that_is_edited(client: Client) -> None:
    parent = place(client, take_profit=PROFIT)

    edited = client.orders.edit(symbol="BTC", order_id=parent, price=91_000, amount="0.2")

    assert legs(client, parent) == legs(client, edited.order_id)
    assert legs(client, edited.order_id)["take_profit_market"].order_status == "open"


def test_a_leg_on_the_wrong_side_of_its_order_is_refused(client: Client) -> None:
    with pytest.raises(BadRequestError, match=r"take_profit.*above 90000"):
        place(client, "bid", 90_000, take_profit={"stop_price": "89000"})

    assert list(client.orders.history()) == []


def test_a_market_order_brings_legs_too(maker: Client, taker: Client) -> None:
    place(maker, "ask", 100_000)

    placed = taker.orders.create_market(
        symbol="BTC",
        side="bid",
        amount="0.1",
        slippage_percent="1",
        reduce_only=False,
        take_profit=PROFIT,
        stop_loss=LOSS,
    )

    assert set(legs(taker, placed.order_id or 0)) == {"take_profit_market", "stop_loss_market"}


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


def test_another_take_profit_replaces_the_one_before(maker: Client, taker: Client) -> None:
    trade(taker, maker)
    for price in ("110000", "120000"):
        taker.orders.set_position_tpsl(
            symbol="BTC", side="ask", take_profit=PositionTpslConfig(stop_price=price)
        )

    assert [each.stop_price for each in waiting(taker).values()] == [120_000]


def test_the_legs_of_a_position_go_when_it_is_closed(maker: Client, taker: Client) -> None:
    trade(taker, maker)
    taker.orders.set_position_tpsl(
        symbol="BTC", side="ask", take_profit=PositionTpslConfig(stop_price="110000")
    )
    [leg] = waiting(taker).values()

    trade(maker, taker)

    assert state(taker, leg.order_id) == ("cancelled", "force_cancel")


def test_without_a_position_there_is_nothing_to_protect(client: Client) -> None:
    with pytest.raises(ApiError, match="Position not found"):
        client.orders.set_position_tpsl(
            symbol="BTC", side="ask", take_profit=PositionTpslConfig(stop_price="110000")
        )


def test_a_position_needs_one_of_the_two_legs(sandbox: Sandbox, client: Client) -> None:
    with pytest.raises(RequestError, match="take_profit or stop_loss is needed"):
        client.orders.set_position_tpsl(symbol="BTC", side="ask")

    assert sandbox.requests == []


def test_a_leg_can_be_cancelled_like_any_stop_order(client: Client) -> None:
    parent = place(client, take_profit=PROFIT)
    leg = legs(client, parent)["take_profit_market"]

    client.orders.cancel_stop(symbol="BTC", order_id=leg.order_id)

    assert state(client, leg.order_id) == ("cancelled", "cancel")
    assert state(client, parent) == ("open", None)
