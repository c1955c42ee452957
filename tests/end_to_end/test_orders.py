"""Limit and market orders, edits and cancels (sections 2.1, 3, 4.1, 4.3; field notes 8 to 19)."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

import pytest

from tests.end_to_end.trading import latest_trade, order, place, position, state, trade
from trading_sandbox import Sandbox
from trading_sdk import BadRequestError, Client, OrderStatus, Side


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


def test_an_order_without_a_client_id_shows_none(maker: Client, taker: Client) -> None:
    resting = place(maker, "ask", 100_000, client_order_id=None)
    place(taker, "bid", 100_000, tif="IOC")

    assert order(maker, resting).client_order_id is None
    assert latest_trade(maker).client_order_id is None


def test_an_order_changes_its_time_of_modification_but_not_of_creation(
    sandbox: Sandbox, client: Client
) -> None:
    sandbox.freeze()
    placed = place(client)
    sandbox.advance(5_000)
    client.orders.cancel(symbol="BTC", order_id=placed)

    cancelled = order(client, placed)

    assert cancelled.updated_at == cancelled.created_at + 5_000


def test_a_taker_walks_the_book_and_pays_the_average(maker: Client, taker: Client) -> None:
    place(maker, "ask", 60_000)
    place(maker, "ask", 60_300)

    taken = place(taker, "bid", 60_500, "0.2", "GTC")

    assert order(taker, taken).average_filled_price == 60_150
    executed = {each.price for each in taker.trades.history() if each.order_id == taken}
    assert executed == {Decimal(60_000), Decimal(60_300)}


def test_the_better_price_fills_first_and_then_the_older_order(
    maker: Client, taker: Client
) -> None:
    dear, older, younger = (place(maker, "ask", each) for each in (60_100, 60_000, 60_000))

    place(taker, "bid", 60_100, "0.15", "IOC")

    assert state(maker, older) == ("filled", None)
    assert state(maker, younger) == ("partially_filled", None)
    assert state(maker, dear) == ("open", None)


# -- time in force ---------------------------------------------------------------------------


def test_a_gtc_order_trades_and_rests_with_what_is_left(maker: Client, taker: Client) -> None:
    place(maker, "ask", 60_000, "0.1")

    placed = place(taker, "bid", 60_000, "0.3", "GTC")

    assert state(taker, placed) == ("partially_filled", None)
    place(maker, "ask", 60_000, "0.2", "IOC")
    assert state(taker, placed) == ("filled", None)


def test_an_ioc_order_cancels_what_does_not_fill_at_once(maker: Client, taker: Client) -> None:
    place(maker, "ask", 60_000, "0.1")

    placed = place(taker, "bid", 60_000, "0.3", "IOC")

    assert state(taker, placed) == ("cancelled", "expired")
    assert order(taker, placed).filled_amount == Decimal("0.1")


def test_an_alo_order_that_would_cross_is_rejected(maker: Client, taker: Client) -> None:
    place(maker, "ask", 60_000)

    placed = place(taker, "bid", 60_000, tif="ALO")

    assert state(taker, placed) == ("rejected", "post_only_rejected")


@pytest.mark.parametrize(
    ("resting", "incoming", "price"), [("ask", "bid", 59_999), ("bid", "ask", 60_001)]
)
def test_a_tob_order_that_would_cross_is_priced_inside_the_touch(
    maker: Client, taker: Client, resting: Side, incoming: Side, price: int
) -> None:
    place(maker, resting, 60_000)

    placed = place(taker, incoming, 60_500 if incoming == "bid" else 59_500, tif="TOB")

    assert state(taker, placed) == ("open", None)
    assert order(taker, placed).price == price
    assert order(taker, placed).initial_price == (60_500 if incoming == "bid" else 59_500)


def test_a_tob_order_that_does_not_cross_keeps_its_price(client: Client) -> None:
    assert order(client, place(client, price=60_000, tif="TOB")).price == 60_000


def test_own_orders_never_trade_with_each_other(maker: Client) -> None:
    resting = place(maker, "ask", 60_000)

    incoming = place(maker, "bid", 60_000, tif="GTC")

    assert state(maker, resting) == ("cancelled", "self_trade_prevented")
    assert state(maker, incoming) == ("open", None)


# -- reduce-only -----------------------------------------------------------------------------


def test_a_reduce_only_order_closes_a_position_and_never_turns_it(
    maker: Client, taker: Client
) -> None:
    trade(taker, maker, amount="0.1")
    place(maker, "bid", 99_000, "0.5")

    placed = place(taker, "ask", 99_000, "0.3", "IOC", reduce_only=True)

    assert order(taker, placed).filled_amount == Decimal("0.1")
    assert order(taker, placed).reduce_only
    assert position(taker) == 0


def test_a_reduce_only_order_with_nothing_to_reduce_is_refused(client: Client) -> None:
    with pytest.raises(BadRequestError, match="Reduce-only"):
        place(client, reduce_only=True)


def test_a_reduce_only_order_goes_once_its_position_is_closed(maker: Client, taker: Client) -> None:
    trade(taker, maker)
    resting = place(taker, "ask", 120_000, reduce_only=True)
    place(maker, "bid", 99_000)

    place(taker, "ask", 99_000, tif="IOC")

    assert state(taker, resting) == ("cancelled", "force_cancel")


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


def test_a_reduce_only_market_order_closes_and_never_turns(maker: Client, taker: Client) -> None:
    trade(taker, maker)
    place(maker, "bid", 99_900, "1")

    taker.orders.create_market(
        symbol="BTC", side="ask", amount="0.5", slippage_percent="1", reduce_only=True
    )

    assert position(taker) == 0


def test_a_market_order_never_fills_beyond_its_slippage(maker: Client, taker: Client) -> None:
    place(maker, "ask", 100_500, "0.1")
    place(maker, "ask", 100_501, "0.1")

    placed = taker.orders.create_market(
        symbol="BTC", side="bid", amount="0.2", slippage_percent="0.5", reduce_only=False
    )

    assert state(taker, placed.order_id) == ("cancelled", "expired")
    assert order(taker, placed.order_id).filled_amount == Decimal("0.1")
    assert latest_trade(taker).price == 100_500


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


def test_an_order_of_somebody_else_cannot_be_cancelled(maker: Client, taker: Client) -> None:
    resting = place(maker)

    with pytest.raises(BadRequestError, match="not found"):
        taker.orders.cancel(symbol="BTC", order_id=resting)

    assert state(maker, resting) == ("open", None)
