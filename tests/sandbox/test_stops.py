"""Orders that wait for a price (interface sections 2.1, 4.2 and 4.4)."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.sandbox.desk import ID, OTHER_ID, Desk, fields, shown
from trading_sandbox.engine.commands import TriggerPriceType
from trading_sandbox.engine.margin import free_funds


@pytest.fixture
def desk() -> Desk:
    return Desk("100000")


# -- waiting -------------------------------------------------------------------------------------


def test_a_stop_order_waits_in_no_book_and_reserves_no_margin(desk: Desk) -> None:
    order = desk.stop("alice", "bid", "101000", "1", limit_price="101500", client_order_id=ID)
    told = f"stop_limit GTC open 101500 101500 1 {ID} False"
    names = "order_type tif status price initial_price amount client_order_id reduce_only"
    assert fields(order, names) == told
    assert fields(desk.stop("bob", "bid", "101000", "1"), "order_type tif") == "stop_market IOC"
    assert desk.best("bid") is None
    assert free_funds(desk.exchange.venue, desk.account("alice")) == 100000
    desk.mark("200", symbol="SOL")
    assert order.in_trigger_book


# -- which price ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "stop_price", "not_yet", "enough"),
    [
        ("bid", "101000", "100999", "101000"),
        ("ask", "99000", "99001", "95000"),
    ],
)
def test_a_bid_waits_for_the_price_to_rise_and_an_ask_for_it_to_fall(
    desk: Desk, side: Any, stop_price: str, not_yet: str, enough: str
) -> None:
    order = desk.stop("alice", side, stop_price, "0.1", limit_price=stop_price)
    desk.mark(not_yet)
    assert order.in_trigger_book
    desk.mark(enough)
    assert desk.best(side) is order and not order.in_trigger_book


def test_each_kind_of_price_triggers_its_own_orders(desk: Desk) -> None:
    desk.account("bob").use_ltp_for_stop_orders = True

    def waiting(name: str, kind: TriggerPriceType | None) -> Any:
        more: Any = {"limit_price": "90000", "trigger_price_type": kind}
        return desk.stop(name, "bid", "101000", "0.1", **more)

    by_mark = [waiting("alice", None), waiting("bob", "mark_price")]
    # An account may prefer the last trade price.
    by_trade = [waiting("alice", "last_trade_price"), waiting("bob", None)]
    by_mid = [waiting("alice", "mid_price")]

    def reached() -> list[bool]:
        every = (by_mark, by_trade, by_mid)
        assert all(len({order.in_trigger_book for order in orders}) == 1 for orders in every)
        return [not orders[0].in_trigger_book for orders in every]

    # The mid price is there while both sides of the book are, the last price after a trade.
    dear = desk.limit("carol", "ask", "102000", "0.1")
    near = desk.limit("carol", "ask", "100400", "0.1")
    desk.limit("alice", "bid", "100000", "0.1")
    assert reached() == [False, False, False]
    desk.cancel("carol", order_id=near.order_id)
    assert reached() == [False, False, True]
    desk.cancel("carol", order_id=dear.order_id)
    desk.trade("carol", "bob", "101000", "0.1")
    assert reached() == [False, True, True]
    desk.mark("101000")
    assert reached() == [True, True, True]


# -- what it becomes -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("book", "order", "mark", "outcome"),
    [
        # What a limit allows is taken, and the rest waits in the book.
        (
            [("ask", "101200", "0.06"), ("ask", "101600", "0.1")],
            ("bid", "101000", "0.1", "101500"),
            *("101000", "partially_filled 0.06 101200 101500"),
        ),
        # A market order fills at the prices of the book, within five percent, or expires.
        ([("bid", "98900", "0.1")], ("ask", "99000", "0.1"), "99000", "filled 0.1 98900 94050"),
        (
            [("ask", "105000", "0.1"), ("ask", "110001", "0.1")],
            ("bid", "104000", "0.3"),
            # 104761 x 1.05 = 109999.05, rounded inwards.
            *("104761", "cancelled expired 0.1 105000 109999"),
        ),
        ([], ("bid", "101000", "0.1"), "101000", "cancelled expired 0 0 106050"),
    ],
)
def test_a_triggered_order_meets_the_book(
    desk: Desk, book: list[Any], order: Any, mark: str, outcome: str
) -> None:
    for each in book:
        desk.limit("bob", *each)
    side, price, amount, *limit = order
    placed = desk.stop(
        "alice", side, price, amount, limit_price=limit[0] if limit else None, client_order_id=ID
    )
    desk.mark(mark)
    assert f"{shown(placed)} {fields(placed, 'average_price price')}" == outcome
    assert placed.initial_price == int(limit[0] if limit else price)
    assert (desk.best("bid") is placed) == bool(limit)
    for trade in desk.trades_of("alice"):
        assert fields(trade, "order_id client_order_id event_type") == (
            f"{placed.order_id} {ID} fulfill_taker"
        )


def test_a_triggered_order_whose_margin_is_missing_is_cancelled() -> None:
    desk = Desk("1000")
    desk.limit("bob", "ask", "101000", "0.1")
    for limit_price in ("101000", None):
        order = desk.stop("alice", "bid", "101000", "1", limit_price=limit_price)
        desk.mark("101000")
        assert shown(order) == "cancelled force_cancel 0"
        desk.mark("100000")
    assert desk.account("alice").open_orders == {}


# -- the whole position, reduce-only -------------------------------------------------------------


def test_without_an_amount_the_whole_position_of_that_moment_is_closed(desk: Desk) -> None:
    desk.trade("alice", "carol", "100000", "0.1")
    order = desk.stop("alice", "ask", "99000")
    assert fields(order, "amount reduce_only") == "0.1 True"
    desk.trade("alice", "carol", "100000", "0.2")
    desk.limit("bob", "bid", "99000", "1")
    desk.mark("99000")
    assert (shown(order), str(order.amount)) == ("filled 0.3", "0.3")
    assert desk.size("alice") == 0


def test_a_reduce_only_stop_waits_for_a_position_and_closes_no_more(desk: Desk) -> None:
    order = desk.stop("alice", "ask", "99000", "0.3", reduce_only=True)
    desk.trade("alice", "carol", "100000", "0.1")
    desk.limit("bob", "bid", "99000", "1")
    desk.mark("99000")
    assert (shown(order), str(order.amount)) == ("cancelled force_cancel 0.1", "0.3")
    assert desk.size("alice") == 0


@pytest.mark.parametrize(
    # Of 0.0001 BTC the limit price decides, and of a market order the stop price.
    ("limit_price", "amount", "worth"),
    [
        (None, "0.0001", "9.9"),
        ("98000", "0.0001", "9.8"),
        ("100000", "0.0001", None),
        (None, "0.00011", None),
        ("90909", "0.00011", "9.99999"),
    ],
)
def test_a_stop_order_has_a_minimum_unless_it_only_reduces(
    desk: Desk, limit_price: str | None, amount: str, worth: str | None
) -> None:
    given: Any = ("alice", "ask", "99000", amount)
    if worth is None:
        assert desk.stop(*given, limit_price=limit_price).status == "open"
    else:
        words = f"Order too small: the minimum order is 10 USD, this one is of {worth} USD"
        assert desk.refuses(lambda: desk.stop(*given, limit_price=limit_price)) == words
    assert desk.stop(*given, limit_price=limit_price, reduce_only=True).status == "open"


# -- cancelling ----------------------------------------------------------------------------------


def test_the_cancel_of_a_stop_order_may_give_both_ids_if_they_agree(desk: Desk) -> None:
    order = desk.stop("alice", "bid", "101000", "0.1", client_order_id=ID)
    other = desk.stop("alice", "bid", "101000", "0.1", client_order_id=OTHER_ID)
    for number, name in ((order.order_id, OTHER_ID), (other.order_id, ID), (1, ID)):
        words = f"Stop order not found: {number} with client_order_id {name} is no waiting BTC"
        desk.refuses(
            partial(desk.cancel_stop, "alice", order_id=number, client_order_id=name), words
        )
    desk.cancel_stop("alice", order_id=order.order_id, client_order_id=ID)
    assert [order.status, other.status] == ["cancelled", "open"]


def test_only_what_waits_is_a_stop_order_to_cancel_and_none_can_be_edited(desk: Desk) -> None:
    triggered = desk.stop("alice", "bid", "101000", "0.1", limit_price="98000")
    desk.mark("101000")
    plain = desk.limit("alice", "bid", "99000", "0.1")
    elsewhere = desk.stop("alice", "bid", "200", "1", symbol="SOL")
    others = desk.stop("bob", "bid", "102000", "0.1")
    for number in (1, *(order.order_id for order in (plain, triggered, elsewhere, others))):
        desk.refuses(
            partial(desk.cancel_stop, "alice", order_id=number),
            f"Stop order not found: {number} is no waiting BTC order of this account",
        )
    order = desk.stop("alice", "bid", "103000", "0.1", limit_price="103000")
    desk.refuses(
        lambda: desk.edit("alice", "101500", "0.1", order_id=order.order_id),
        f"Order {order.order_id} waits for its stop price: cancel it and place another",
    )


# -- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "price", "kind", "now"),
    [
        ("bid", "100000", "mark_price", "100000"),
        ("ask", "101000", "mark_price", "100000"),
        ("bid", "99700", "mid_price", "99800"),
        ("ask", "99600", "last_trade_price", "99500"),
    ],
)
def test_a_stop_order_that_would_trigger_at_once_is_refused(
    desk: Desk, side: Any, price: str, kind: Any, now: str
) -> None:
    desk.limit("bob", "bid", "99500", "0.2")
    desk.limit("bob", "ask", "100100", "0.1")
    desk.limit("carol", "ask", "99500", "0.1")
    words = f"a stop at {price} would trigger immediately, as the {kind} is {now}"
    desk.refuses(lambda: desk.stop("alice", side, price, "0.1", trigger_price_type=kind), words)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"price": "101000.5"}, "Invalid stop_price: 101000.5 is not a multiple of the"),
        ({"limit_price": "101000.5"}, "Invalid limit_price: 101000.5 is not a multiple of the"),
        ({"amount": "0.000001"}, "Invalid amount: 0.000001 is not a multiple of the"),
        ({"amount": None}, "Position not found: there is no BTC position that an order of"),
        ({"client_order_id": ID}, "Duplicate client_order_id"),
    ],
)
def test_a_stop_order_that_cannot_be_is_refused(
    desk: Desk, changes: dict[str, Any], words: str
) -> None:
    desk.stop("alice", "bid", "150000", "0.1", client_order_id=ID)
    given = {"account": "alice", "side": "bid", "price": "101000", "amount": "0.1", **changes}
    assert desk.refuses(lambda: desk.stop(**given)).startswith(words)
