"""Orders that wait for a price (interface sections 2.1, 4.2 and 4.4)."""

from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import Desk, leg
from tests.sandbox.refused import refusal
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.margin import free_funds
from trading_sandbox.engine.records import Refused

ID = "3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b"


def hold(desk: Desk, name: str, side: Any, amount: str) -> None:
    """Give somebody a position at 100000, with carol on the other side of it."""
    desk.limit("carol", "ask" if side == "bid" else "bid", "100000", amount)
    desk.limit(name, side, "100000", amount)


def refuse(desk: Desk, account: str, side: Any, price: str, *more: Any, **fields: Any) -> str:
    """Expect a stop order to be refused without a trace; return the words."""
    return str(refusal(desk, lambda: desk.stop(account, side, price, *more, **fields)))


# -- waiting -------------------------------------------------------------------------------------


def test_a_stop_order_with_a_limit_price_is_a_stop_limit_order() -> None:
    desk = Desk()
    order = desk.stop("alice", "bid", "101000", "0.1", limit_price="101500", client_order_id=ID)
    assert (order.order_type, order.tif, order.status) == ("stop_limit", "GTC", "open")
    assert (order.price, order.initial_price) == (Decimal(101500), Decimal(101500))
    assert (order.amount, order.client_order_id) == (Decimal("0.1"), ID)
    assert order.stop is not None
    assert (order.stop.price, order.stop.parent) == (Decimal(101000), None)


def test_a_stop_order_without_a_limit_price_is_a_stop_market_order() -> None:
    desk = Desk()
    order = desk.stop("alice", "ask", "99000", "0.1")
    assert (order.order_type, order.tif, order.status) == ("stop_market", "IOC", "open")
    assert (order.price, order.initial_price) == (Decimal(99000), Decimal(99000))


def test_a_waiting_order_is_in_no_book_and_reserves_no_margin() -> None:
    desk = Desk()
    account = desk.account("alice")
    before = free_funds(desk.exchange.venue, account)
    desk.stop("alice", "bid", "101000", "100", limit_price="101000")
    assert desk.exchange.venue.books["BTC"].best("bid") is None
    assert free_funds(desk.exchange.venue, account) == before


def test_a_stop_order_of_another_market_takes_no_notice() -> None:
    desk = Desk()
    order = desk.stop("alice", "bid", "101000", "0.1", limit_price="101000")
    desk.mark("200", symbol="SOL")
    assert order.in_trigger_book


# -- which price ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "stop_price", "not_yet", "enough"),
    [
        ("bid", "101000", "100999", "101000"),
        ("bid", "101000", "100999", "105000"),
        ("ask", "99000", "99001", "99000"),
        ("ask", "99000", "99001", "95000"),
    ],
)
def test_a_bid_waits_for_the_price_to_rise_and_an_ask_for_it_to_fall(
    side: Any, stop_price: str, not_yet: str, enough: str
) -> None:
    desk = Desk()
    order = desk.stop("alice", side, stop_price, "0.1", limit_price=stop_price)
    desk.mark(not_yet)
    assert order.in_trigger_book
    desk.mark(enough)
    assert not order.in_trigger_book


def test_the_mark_price_triggers_unless_another_is_asked_for() -> None:
    desk = Desk()
    order = desk.stop("alice", "bid", "101000", "0.1", limit_price="101000")
    desk.limit("bob", "ask", "102000", "0.1")
    desk.limit("carol", "bid", "102000", "0.1")
    assert order.in_trigger_book


def test_the_last_trade_price_triggers_once_there_was_a_trade() -> None:
    desk = Desk()
    order = desk.stop(
        "alice", "bid", "101000", "0.1", limit_price="90000", trigger_price_type="last_trade_price"
    )
    desk.mark("102000")
    assert order.in_trigger_book
    desk.limit("bob", "ask", "101000", "0.1")
    assert order.in_trigger_book
    desk.limit("carol", "bid", "101000", "0.1")
    assert not order.in_trigger_book


def test_an_account_may_prefer_the_last_trade_price() -> None:
    desk = Desk()
    desk.account("alice").use_ltp_for_stop_orders = True
    preferred = desk.stop("alice", "bid", "101000", "0.1", limit_price="90000")
    by_mark = desk.stop(
        "alice", "bid", "101000", "0.1", limit_price="90000", trigger_price_type="mark_price"
    )
    desk.mark("102000")
    assert (preferred.in_trigger_book, by_mark.in_trigger_book) == (True, False)
    desk.limit("bob", "ask", "101000", "0.1")
    desk.limit("carol", "bid", "101000", "0.1")
    assert not preferred.in_trigger_book


def test_the_mid_price_triggers_while_both_sides_of_the_book_are_there() -> None:
    desk = Desk()
    order = desk.stop(
        "alice", "bid", "101000", "0.1", limit_price="90000", trigger_price_type="mid_price"
    )
    desk.mark("102000")
    desk.limit("bob", "ask", "102000", "0.1")
    assert order.in_trigger_book
    desk.limit("carol", "bid", "99999", "0.1")
    assert order.in_trigger_book
    desk.limit("carol", "bid", "100000", "0.1")
    assert not order.in_trigger_book


def test_a_cancel_that_moves_the_mid_price_triggers_too() -> None:
    desk = Desk()
    desk.limit("bob", "ask", "102000", "0.1")
    near = desk.limit("bob", "ask", "100400", "0.1")
    desk.limit("carol", "bid", "100000", "0.1")
    order = desk.stop(
        "alice", "bid", "101000", "0.1", limit_price="90000", trigger_price_type="mid_price"
    )
    assert order.in_trigger_book
    desk.cancel("bob", order_id=near.order_id)
    assert not order.in_trigger_book


# -- what it becomes -----------------------------------------------------------------------------


def test_a_triggered_stop_limit_order_rests_at_its_limit_under_its_id() -> None:
    desk = Desk()
    order = desk.stop("alice", "bid", "101000", "0.1", limit_price="100500")
    ahead = desk.limit("bob", "bid", "100500", "0.1")
    desk.mark("101000")
    book = desk.exchange.venue.books["BTC"]
    assert (order.status, order.price, order.updated_at) == ("open", Decimal(100500), desk.now)
    assert book.best("bid") is ahead
    desk.cancel("bob", order_id=ahead.order_id)
    assert book.best("bid") is order
    desk.limit("carol", "ask", "100500", "0.04")
    assert (order.status, order.filled) == ("partially_filled", Decimal("0.04"))
    desk.cancel("alice", order_id=order.order_id)
    assert (order.status, order.reason) == ("cancelled", "cancel")


def test_a_triggered_stop_limit_order_takes_what_its_limit_allows() -> None:
    desk = Desk()
    desk.limit("bob", "ask", "101200", "0.06")
    desk.limit("bob", "ask", "101600", "0.1")
    order = desk.stop("alice", "bid", "101000", "0.1", limit_price="101500")
    desk.mark("101000")
    assert (order.status, order.filled) == ("partially_filled", Decimal("0.06"))
    assert order.average_price == 101200
    assert desk.exchange.venue.books["BTC"].best("bid") is order


def test_a_triggered_stop_market_order_fills_at_the_prices_of_the_book() -> None:
    desk = Desk()
    desk.limit("bob", "bid", "98900", "0.1")
    order = desk.stop("alice", "ask", "99000", "0.1", client_order_id=ID)
    desk.mark("99000")
    assert (order.status, order.average_price) == ("filled", Decimal(98900))
    assert order.initial_price == 99000
    assert desk.size("alice") == Decimal("-0.1")
    (trade,) = desk.trades_of("alice")
    assert (trade.order_id, trade.client_order_id) == (order.order_id, ID)
    assert (trade.event_type, trade.side) == ("fulfill_taker", "open_short")


def test_a_triggered_stop_market_order_goes_no_further_than_five_percent() -> None:
    desk = Desk("100000")
    desk.limit("bob", "ask", "105000", "0.1")
    desk.limit("bob", "ask", "110001", "0.1")
    order = desk.stop("alice", "bid", "104000", "0.3")
    desk.mark("104761")
    assert order.price == 109999  # 104761 x 1.05 = 109999.05, rounded inwards
    assert (order.status, order.reason) == ("cancelled", "expired")
    assert (order.filled, order.amount) == (Decimal("0.1"), Decimal("0.3"))


def test_a_stop_market_order_without_a_counterparty_expires() -> None:
    desk = Desk()
    order = desk.stop("alice", "bid", "101000", "0.1")
    desk.mark("101000")
    assert (order.status, order.reason, order.filled) == ("cancelled", "expired", Decimal(0))


def test_a_triggered_order_whose_margin_is_missing_is_cancelled() -> None:
    desk = Desk("1000")
    desk.limit("bob", "ask", "101000", "0.1")
    limit = desk.stop("alice", "bid", "101000", "1", limit_price="101000")
    market = desk.stop("alice", "bid", "101000", "1")
    desk.mark("101000")
    for order in (limit, market):
        assert (order.status, order.reason) == ("cancelled", "force_cancel")
        assert order.filled == 0
    assert desk.account("alice").open_orders == {}


# -- several of them -----------------------------------------------------------------------------


def test_a_stop_order_can_trigger_the_next() -> None:
    desk = Desk("100000")
    for price in ("99000", "98000", "97000"):
        desk.limit("bob", "bid", price, "0.1")
    ltp = {"trigger_price_type": "last_trade_price"}
    third = desk.stop("alice", "ask", "98000", "0.1", **ltp)
    second = desk.stop("carol", "ask", "99000", "0.1", **ltp)
    first = desk.stop("alice", "ask", "99500", "0.1")
    desk.mark("99500")
    prices = [order.average_price for order in (first, second, third)]
    assert prices == [Decimal(99000), Decimal(98000), Decimal(97000)]


def test_the_oldest_of_those_that_a_price_reached_goes_first() -> None:
    desk = Desk("100000")
    desk.limit("bob", "ask", "101000", "0.1")
    desk.limit("bob", "ask", "102000", "0.1")
    older = desk.stop("alice", "bid", "101000", "0.1")
    newer = desk.stop("carol", "bid", "100500", "0.1")
    desk.mark("101500")
    assert older.average_price == 101000
    assert newer.average_price == 102000


def test_what_was_reached_is_triggered_even_if_another_moves_the_price_away() -> None:
    desk = Desk("100000")
    hold(desk, "alice", "bid", "0.1")
    (seller,) = desk.tpsl(
        "alice", "ask", take_profit=leg("101000", trigger_price_type="last_trade_price")
    )
    buyer = desk.stop(
        "alice", "bid", "101000", "0.1", limit_price="95000", trigger_price_type="last_trade_price"
    )
    desk.limit("bob", "bid", "98000", "0.1")
    desk.limit("bob", "ask", "101000", "0.1")
    desk.limit("carol", "bid", "101000", "0.1")
    assert seller.average_price == 98000
    assert not buyer.in_trigger_book


def test_an_exchange_that_is_read_back_goes_on_waiting() -> None:
    desk = Desk()
    order = desk.stop("alice", "bid", "101000", "0.1", limit_price="101000")
    desk.exchange = Exchange(copy.deepcopy(desk.exchange.state))
    desk.mark("101000")
    assert not desk.order(order.order_id).in_trigger_book
    assert desk.exchange.venue.books["BTC"].best_price("bid") == 101000


# -- the whole position, reduce-only -------------------------------------------------------------


def test_without_an_amount_the_whole_position_of_that_moment_is_closed() -> None:
    desk = Desk()
    hold(desk, "alice", "bid", "0.1")
    order = desk.stop("alice", "ask", "99000")
    assert (order.amount, order.reduce_only) == (Decimal("0.1"), True)
    hold(desk, "alice", "bid", "0.2")
    desk.limit("bob", "bid", "99000", "1")
    desk.mark("99000")
    assert (order.status, order.amount, order.filled) == ("filled", Decimal("0.3"), Decimal("0.3"))
    assert desk.size("alice") == 0


def test_a_whole_position_stop_of_a_position_that_is_gone_is_cancelled_when_triggered() -> None:
    desk = Desk()
    hold(desk, "alice", "bid", "0.1")
    order = desk.stop("alice", "ask", "99000")
    desk.limit("bob", "bid", "100000", "0.3")
    desk.market("alice", "ask", "0.2")
    assert order.in_trigger_book
    desk.mark("99000")
    assert (order.status, order.reason, order.filled) == ("cancelled", "force_cancel", Decimal(0))
    assert desk.size("alice") == Decimal("-0.1")


def test_a_reduce_only_stop_waits_for_a_position_as_well() -> None:
    desk = Desk()
    order = desk.stop("alice", "ask", "99000", "0.3", reduce_only=True)
    assert order.status == "open"
    hold(desk, "alice", "bid", "0.1")
    desk.limit("bob", "bid", "99000", "1")
    desk.mark("99000")
    assert (order.amount, order.filled) == (Decimal("0.3"), Decimal("0.1"))
    assert (order.status, order.reason) == ("cancelled", "force_cancel")
    assert desk.size("alice") == 0


@pytest.mark.parametrize("limit_price", [None, "99000"])
def test_a_reduce_only_stop_with_nothing_to_reduce_is_cancelled_when_triggered(
    limit_price: str | None,
) -> None:
    desk = Desk()
    hold(desk, "alice", "ask", "0.1")
    order = desk.stop("alice", "ask", "99000", "0.1", reduce_only=True, limit_price=limit_price)
    desk.mark("99000")
    assert (order.status, order.reason) == ("cancelled", "force_cancel")
    assert desk.size("alice") == Decimal("-0.1")


def test_a_small_amount_may_be_stopped_out_of_a_position_but_not_into_one() -> None:
    desk = Desk()
    assert desk.stop("alice", "ask", "99000", "0.00001", reduce_only=True).status == "open"
    words = refuse(desk, "alice", "ask", "99000", "0.00001")
    assert words.startswith("Order too small")


# -- cancelling ----------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["cancel", "cancel_stop"])
@pytest.mark.parametrize("key", ["order_id", "client_order_id"])
def test_a_waiting_order_is_cancelled_by_either_id_and_either_command(by: str, key: str) -> None:
    desk = Desk()
    order = desk.stop("alice", "bid", "101000", "0.1", client_order_id=ID)
    getattr(desk, by)("alice", **{key: getattr(order, key)})
    assert (order.status, order.reason) == ("cancelled", "cancel")
    desk.mark("102000")
    assert order.filled == 0
    assert desk.stop("alice", "bid", "103000", "0.1", client_order_id=ID).status == "open"


def test_only_what_waits_is_a_stop_order_to_cancel() -> None:
    desk = Desk()
    plain = desk.limit("alice", "bid", "99000", "0.1")
    triggered = desk.stop("alice", "bid", "101000", "0.1", limit_price="98000")
    desk.mark("101000")
    elsewhere = desk.stop("alice", "bid", "200", "1", symbol="SOL")
    others = desk.stop("bob", "bid", "102000", "0.1")
    numbers = [order.order_id for order in (plain, triggered, elsewhere, others)]
    before = copy.deepcopy(desk.exchange.state)
    for number in [*numbers, 1]:
        with pytest.raises(Refused, match="Stop order not found: "):
            desk.cancel_stop("alice", order_id=number)
    assert desk.exchange.state == before


def test_a_waiting_order_cannot_be_edited() -> None:
    desk = Desk()
    order = desk.stop("alice", "bid", "101000", "0.1", limit_price="101000")
    with pytest.raises(Refused, match="waits for its stop price"):
        desk.edit("alice", "101500", "0.1", order_id=order.order_id)
    assert order.status == "open"


# -- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "price", "kind", "now"),
    [
        ("bid", "100000", "mark_price", "100000"),
        ("bid", "99000", "mark_price", "100000"),
        ("ask", "100000", "mark_price", "100000"),
        ("ask", "101000", "mark_price", "100000"),
        ("bid", "99700", "mid_price", "99800"),
        ("ask", "99600", "last_trade_price", "99500"),
    ],
)
def test_a_stop_order_that_would_trigger_at_once_is_refused(
    side: Any, price: str, kind: Any, now: str
) -> None:
    desk = Desk()
    desk.limit("bob", "bid", "99500", "0.2")
    desk.limit("bob", "ask", "100100", "0.1")
    desk.limit("carol", "ask", "99500", "0.1")
    words = refuse(desk, "alice", side, price, "0.1", trigger_price_type=kind)
    assert "would trigger immediately" in words
    assert f"the {kind} is {now}" in words


@pytest.mark.parametrize(
    ("side", "price", "amount", "more", "words"),
    [
        ("bid", "101000.5", "0.1", {}, "Invalid stop_price: 101000.5"),
        ("bid", "-1", "0.1", {}, "Invalid stop_price"),
        ("bid", "NaN", "0.1", {}, "Invalid stop_price"),
        ("bid", "101000", "0.1", {"limit_price": "101000.5"}, "Invalid limit_price: 101000.5"),
        ("bid", "101000", "0.1", {"limit_price": "0"}, "Invalid limit_price"),
        ("bid", "101000", "0.000001", {}, "Invalid amount: 0.000001"),
        ("bid", "101000", "0", {}, "Invalid amount"),
        ("bid", "101000", "0.1", {"symbol": "DOGE"}, "Unknown symbol"),
        ("bid", "101000", "0.00001", {}, "Order too small"),
        ("bid", "101000", None, {}, "Position not found"),
        ("ask", "99000", None, {"reduce_only": True}, "Position not found"),
        ("bid", "101000", "0.1", {"client_order_id": ID}, "Duplicate client_order_id"),
    ],
)
def test_a_stop_order_that_cannot_be_is_refused(
    side: Any, price: str, amount: str | None, more: dict[str, Any], words: str
) -> None:
    desk = Desk()
    desk.stop("alice", "bid", "150000", "0.1", client_order_id=ID)
    assert refuse(desk, "alice", side, price, amount, **more).startswith(words)


def test_an_unknown_account_has_no_stop_orders() -> None:
    assert refuse(Desk(), "mallory", "bid", "101000", "0.1").startswith("Account not found")
