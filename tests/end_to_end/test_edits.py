"""Edits: an order goes, another takes its place (sections 3 and 4.3)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import uuid4

import pytest

from tests.end_to_end.trading import order, place, position, state, trade
from trading_sandbox import Sandbox
from trading_sdk import BadRequestError, Client, RequestError


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


def test_an_edit_keeps_the_order_reduce_only(maker: Client, taker: Client) -> None:
    trade(taker, maker)
    placed = place(taker, "ask", 120_000, reduce_only=True)

    edited = taker.orders.edit(symbol="BTC", order_id=placed, price=110_000, amount="0.1")

    assert order(taker, edited.order_id).reduce_only


def test_an_edited_order_only_adds_liquidity_whatever_it_was_before(
    maker: Client, taker: Client
) -> None:
    place(maker, "ask", 60_000)
    placed = place(taker, "bid", 50_000, tif="GTC")

    edited = taker.orders.edit(symbol="BTC", order_id=placed, price=60_000, amount="0.1")

    assert state(taker, placed) == ("cancelled", "cancel")
    assert state(taker, edited.order_id) == ("rejected", "post_only_rejected")
    assert position(taker) == 0


def test_an_edited_order_queues_behind_the_others_of_its_price(
    maker: Client, taker: Client, client: Client
) -> None:
    first = place(maker, "ask", 60_000)
    other = place(client, "ask", 60_000)
    edited = maker.orders.edit(symbol="BTC", order_id=first, price=60_000, amount="0.1")

    place(taker, "bid", 60_000, tif="IOC")

    assert state(client, other) == ("filled", None)
    assert state(maker, edited.order_id) == ("open", None)


def test_an_edit_of_no_order_is_refused_in_its_own_shape(client: Client) -> None:
    with pytest.raises(BadRequestError, match="Order not found") as refused:
        client.orders.edit(symbol="BTC", order_id=1, price=60_000, amount="0.1")

    assert refused.value.code == 400
    assert b'"success":false' in refused.value.body.replace(b" ", b"")


def test_an_edit_that_is_refused_leaves_the_order_alone(client: Client) -> None:
    placed = place(client)

    with pytest.raises(BadRequestError, match="tick size"):
        client.orders.edit(symbol="BTC", order_id=placed, price="60000.5", amount="0.1")

    assert state(client, placed) == ("open", None)


@pytest.mark.parametrize("ids", [{}, {"order_id": 1, "client_order_id": str(uuid4())}])
def test_exactly_one_id_names_an_order(
    sandbox: Sandbox, client: Client, ids: dict[str, Any]
) -> None:
    with pytest.raises(RequestError, match="exactly one of"):
        client.orders.edit(symbol="BTC", price=60_000, amount="0.1", **ids)
    with pytest.raises(RequestError, match="exactly one of"):
        client.orders.cancel(symbol="BTC", **ids)
    if not ids:
        with pytest.raises(RequestError, match="order_id or client_order_id is needed"):
            client.orders.cancel_stop(symbol="BTC")

    assert sandbox.requests == []
