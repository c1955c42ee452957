"""Limit and market orders, edits and cancels (sections 2.1, 3, 4.1, 4.3; field notes 8 to 19)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from tests.end_to_end.trading import order, place, state
from trading_sandbox import Sandbox
from trading_sdk import BadRequestError, Client, OrderStatus


def test_an_order_rests_until_another_account_crosses_it(maker: Client, taker: Client) -> None:
    resting = place(maker, "ask", 60_000)
    assert order(maker, resting).order_status == OrderStatus.OPEN

    taken = place(taker, "bid", 60_000, "0.04", "IOC")

    assert order(maker, resting).order_status == OrderStatus.PARTIALLY_FILLED
    assert order(maker, resting).filled_amount == Decimal("0.04")
    assert order(taker, taken).order_status == OrderStatus.FILLED
    assert order(taker, taken).average_filled_price == 60_000


def test_an_order_shows_in_the_history_as_it_was_placed(client: Client) -> None:
    mine = uuid4()
    placed = place(client, "bid", "59000", "0.25", client_order_id=mine)

    [found] = client.orders.history()

    assert (found.order_id, found.client_order_id) == (placed, mine)
    assert (found.symbol, found.side, found.order_type) == ("BTC", "bid", "limit")
    assert (found.price, found.initial_price, found.amount) == (
        Decimal(59_000),
        Decimal(59_000),
        Decimal("0.25"),
    )
    assert (found.average_filled_price, found.filled_amount) == (Decimal(0), Decimal(0))
    assert (found.order_status, found.reason, found.reduce_only) == ("open", None, False)
    assert (found.stop_price, found.stop_parent_order_id) == (None, None)
    assert found.created_at == found.updated_at


def test_an_order_changes_its_time_of_modification_but_not_of_creation(
    sandbox: Sandbox, client: Client
) -> None:
    sandbox.freeze()
    placed = place(client)
    sandbox.advance(5_000)
    client.orders.cancel(symbol="BTC", order_id=placed)

    cancelled = order(client, placed)

    assert cancelled.updated_at == cancelled.created_at + 5_000


# -- time in force ---------------------------------------------------------------------------


# -- reduce-only -----------------------------------------------------------------------------


# -- market orders ---------------------------------------------------------------------------


def test_a_market_order_fills_at_the_prices_of_the_book(maker: Client, taker: Client) -> None:
    place(maker, "ask", 100_100)
    mine = uuid4()

    placed = taker.orders.create_market(
        symbol="BTC",
        side="bid",
        amount="0.1",
        slippage_percent="0.5",
        reduce_only=False,
        client_order_id=mine,
    )

    bought = order(taker, placed.order_id)
    assert (bought.order_type, bought.order_status) == ("market", "filled")
    assert bought.client_order_id == mine
    assert bought.average_filled_price == 100_100


# -- cancels ---------------------------------------------------------------------------------


def test_an_order_is_cancelled_by_either_of_its_ids(client: Client) -> None:
    mine = uuid4()
    one, other = place(client), place(client, client_order_id=mine)

    client.orders.cancel(symbol="BTC", order_id=one)
    client.orders.cancel(symbol="BTC", client_order_id=mine)

    assert state(client, one) == state(client, other) == ("cancelled", "cancel")


def test_an_unknown_order_is_one_class_of_error_whatever_the_status_of_its_answer(
    client: Client,
) -> None:
    with pytest.raises(BadRequestError, match=r"^orders\.cancel: 200: .*987654321") as inside_200:
        client.orders.cancel(symbol="BTC", order_id=987_654_321)
    with pytest.raises(BadRequestError, match=r"^orders\.cancel_stop: 400 .*987654321") as of_400:
        client.orders.cancel_stop(symbol="BTC", order_id=987_654_321)
    assert (inside_200.value.status, of_400.value.status) == (200, 400)


# -- edits -----------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["order_id", "client_order_id"])
def test_an_edit_replaces_the_order_and_keeps_its_client_id(client: Client, by: str) -> None:
    mine = uuid4()
    placed = place(client, "bid", 50_000, tif="GTC", client_order_id=mine)
    named: Any = {"order_id": placed, "client_order_id": mine}

    edited = client.orders.edit(symbol="BTC", price=51_000, amount="0.2", **{by: named[by]})

    assert state(client, placed) == ("cancelled", "cancel")
    new = order(client, edited.order_id)
    assert edited.order_id > placed
    assert (new.client_order_id, new.side, new.price) == (mine, "bid", Decimal(51_000))
    assert (new.amount, new.order_status, new.order_type) == (Decimal("0.2"), "open", "limit")
