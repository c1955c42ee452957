"""Stop orders and the prices that trigger them (sections 2.1, 3, 4.2 and 4.4)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from tests.end_to_end.trading import Connect, order, place, position, state, trade
from trading_sandbox import Sandbox
from trading_sdk import BadRequestError, Client, StopOrderConfig
from trading_sdk.models import SideLike, TriggerPriceTypeLike


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


def test_a_stop_order_is_in_nobodys_way_before_it_is_triggered(
    maker: Client, taker: Client
) -> None:
    waiting = stop(taker, "bid", 110_000, amount="0.1", limit_price=110_000)

    incoming = place(maker, "ask", 105_000, tif="IOC")

    assert state(maker, incoming) == ("cancelled", "expired")
    assert state(taker, waiting) == ("open", None)


def move_mark_price(sandbox: Sandbox, maker: Client, other: Client) -> None:
    sandbox.set_mark_price("BTC", 100_500)


def move_last_trade_price(sandbox: Sandbox, maker: Client, other: Client) -> None:
    trade(other, maker, 100_600)


def move_mid_price(sandbox: Sandbox, maker: Client, other: Client) -> None:
    place(maker, "bid", 100_400)
    place(maker, "ask", 100_700)


@pytest.mark.parametrize(
    ("kind", "move", "others"),
    [
        (None, move_mark_price, (move_last_trade_price, move_mid_price)),
        ("mark_price", move_mark_price, (move_last_trade_price, move_mid_price)),
        ("last_trade_price", move_last_trade_price, (move_mark_price, move_mid_price)),
        ("mid_price", move_mid_price, (move_mark_price, move_last_trade_price)),
    ],
)
def test_only_the_chosen_price_triggers_a_stop_order(
    sandbox: Sandbox,
    connect: Connect,
    maker: Client,
    kind: TriggerPriceTypeLike | None,
    move: Any,
    others: Any,
) -> None:
    waiting, somebody = (connect(sandbox.create_account("1000000")) for _ in range(2))
    stopped = stop(
        waiting, "bid", 100_500, amount="0.1", limit_price=50_000, trigger_price_type=kind
    )
    touched = order(waiting, stopped).updated_at

    for other in others:
        sandbox.advance(1)
        other(sandbox, maker, somebody)
        if other is move_mid_price:
            clear_book(maker)
    assert order(waiting, stopped).updated_at == touched

    sandbox.advance(1)
    move(sandbox, maker, somebody)
    assert order(waiting, stopped).updated_at > touched


def clear_book(client: Client) -> None:
    for each in client.orders.history():
        if each.order_status == "open":
            client.orders.cancel(symbol="BTC", order_id=each.order_id)


def test_a_subaccount_may_have_its_stops_triggered_by_the_last_traded_price(
    sandbox: Sandbox, connect: Connect, maker: Client, taker: Client
) -> None:
    main = sandbox.create_account()
    waiting = connect(sandbox.create_subaccount(main, usdc="100000", use_ltp_for_stop_orders=True))
    stopped = stop(waiting, "bid", 100_500, amount="0.1")
    sandbox.set_mark_price("BTC", 101_000)
    assert state(waiting, stopped) == ("open", None)
    place(maker, "ask", 100_700, "0.2")

    place(taker, "bid", 100_700, "0.1", "IOC")

    assert state(waiting, stopped) == ("filled", None)


def test_a_stop_order_without_an_amount_closes_the_whole_position(
    sandbox: Sandbox, maker: Client, taker: Client
) -> None:
    trade(taker, maker, amount="0.1")
    stopped = stop(taker, "ask", 99_000, reduce_only=True)
    trade(taker, maker, amount="0.25")
    place(maker, "bid", 98_900, "1")

    sandbox.set_mark_price("BTC", 99_000)

    assert state(taker, stopped) == ("filled", None)
    assert order(taker, stopped).filled_amount == Decimal("0.35")
    assert position(taker) == 0


def test_a_stop_order_without_an_amount_needs_a_position(client: Client) -> None:
    with pytest.raises(BadRequestError, match="Position not found"):
        stop(client, "ask", 99_000, reduce_only=True)


def test_a_reduce_only_stop_order_goes_when_there_is_nothing_to_close(
    sandbox: Sandbox, client: Client
) -> None:
    stopped = stop(client, "ask", 99_000, amount="0.1", reduce_only=True)

    sandbox.set_mark_price("BTC", 99_000)

    assert state(client, stopped) == ("cancelled", "force_cancel")


def test_a_stop_order_that_would_trigger_at_once_is_refused(client: Client) -> None:
    with pytest.raises(BadRequestError, match="trigger immediately"):
        stop(client, "bid", 99_000, amount="0.1")


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


def test_a_cancelled_stop_order_is_not_triggered(sandbox: Sandbox, client: Client) -> None:
    stopped = stop(client, "bid", 110_000, amount="0.1")
    client.orders.cancel_stop(symbol="BTC", order_id=stopped)

    sandbox.set_mark_price("BTC", 120_000)

    assert state(client, stopped) == ("cancelled", "cancel")


def test_only_stop_orders_are_cancelled_as_such(client: Client) -> None:
    resting = place(client)

    for order_id in (resting, 987_654_321):
        with pytest.raises(BadRequestError, match="Stop order not found") as refused:
            client.orders.cancel_stop(symbol="BTC", order_id=order_id)
        assert refused.value.code == 400

    assert state(client, resting) == ("open", None)
