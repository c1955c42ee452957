"""Who trades with whom, at which price, and what remains."""

from __future__ import annotations

from decimal import Context, Decimal, localcontext

from tests.sandbox.desk import Desk
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.store.codec import decode_state, encode_state


def test_an_order_without_a_counterparty_rests_open() -> None:
    desk = Desk()
    order = desk.limit("alice", "bid", "99000", "0.1")
    assert order.status == "open"
    assert order.filled == 0
    assert order.average_price == 0
    assert desk.exchange.venue.books["BTC"].best("bid") is order


def test_the_best_price_trades_first_and_the_taker_gets_the_makers_price() -> None:
    desk = Desk()
    dear = desk.limit("alice", "ask", "101000", "0.1")
    cheap = desk.limit("bob", "ask", "100500", "0.1")
    taker = desk.limit("carol", "bid", "102000", "0.1")
    assert (cheap.status, dear.status, taker.status) == ("filled", "open", "filled")
    assert taker.average_price == Decimal(100500)


def test_at_one_price_the_older_order_trades_first() -> None:
    desk = Desk()
    older = desk.limit("alice", "bid", "99000", "0.1")
    newer = desk.limit("bob", "bid", "99000", "0.1")
    desk.limit("carol", "ask", "99000", "0.15")
    assert older.status == "filled"
    assert (newer.status, newer.filled) == ("partially_filled", Decimal("0.05"))


def test_a_partly_filled_order_keeps_its_place_in_the_queue() -> None:
    desk = Desk()
    older = desk.limit("alice", "bid", "99000", "0.1")
    newer = desk.limit("bob", "bid", "99000", "0.1")
    desk.limit("carol", "ask", "99000", "0.05")
    desk.limit("carol", "ask", "99000", "0.05")
    assert older.status == "filled"
    assert newer.filled == 0


def test_the_average_price_is_weighted_by_volume() -> None:
    desk = Desk()
    desk.limit("alice", "ask", "100000", "0.1")
    desk.limit("alice", "ask", "100300", "0.2")
    taker = desk.limit("bob", "bid", "101000", "0.3")
    assert taker.status == "filled"
    assert taker.average_price == Decimal(100200)


def test_what_a_gtc_order_does_not_fill_rests() -> None:
    desk = Desk()
    desk.limit("alice", "ask", "100000", "0.1")
    taker = desk.limit("bob", "bid", "100000", "0.3")
    assert (taker.status, taker.filled) == ("partially_filled", Decimal("0.1"))
    assert desk.exchange.venue.books["BTC"].best("bid") is taker


def test_an_ioc_order_cancels_what_it_does_not_fill() -> None:
    desk = Desk()
    desk.limit("alice", "ask", "100000", "0.1")
    taker = desk.limit("bob", "bid", "100000", "0.3", tif="IOC")
    assert (taker.status, taker.reason) == ("cancelled", "expired")
    assert taker.filled == Decimal("0.1")
    assert desk.exchange.venue.books["BTC"].best("bid") is None


def test_an_alo_order_that_would_cross_is_rejected_and_trades_nothing() -> None:
    desk = Desk()
    maker = desk.limit("alice", "ask", "100000", "0.1")
    order = desk.limit("bob", "bid", "100000", "0.1", tif="ALO")
    assert (order.status, order.reason, order.filled) == (
        "rejected",
        "post_only_rejected",
        Decimal(0),
    )
    assert maker.status == "open"
    assert order in desk.orders_of("bob")


def test_an_alo_order_inside_the_spread_rests() -> None:
    desk = Desk()
    desk.limit("alice", "ask", "100000", "0.1")
    assert desk.limit("bob", "bid", "99999", "0.1", tif="ALO").status == "open"


def test_a_tob_order_that_would_cross_is_priced_one_tick_inside_the_touch() -> None:
    desk = Desk()
    desk.limit("alice", "ask", "100000", "0.1")
    order = desk.limit("bob", "bid", "105000", "0.1", tif="TOB")
    assert (order.status, order.price, order.initial_price) == (
        "open",
        Decimal(99999),
        Decimal(105000),
    )
    other = desk.limit("carol", "ask", "90000", "0.1", tif="TOB")
    assert (other.status, other.price) == ("open", Decimal(100000))


def test_a_tob_order_that_does_not_cross_keeps_its_price() -> None:
    desk = Desk()
    desk.limit("alice", "ask", "100000", "0.1")
    assert desk.limit("bob", "bid", "98000", "0.1", tif="TOB").price == 98000


def test_a_tob_bid_below_the_lowest_price_is_rejected() -> None:
    desk = Desk()
    desk.limit("alice", "ask", "1", "10", symbol="BTC")
    order = desk.limit("bob", "bid", "1", "10", tif="TOB")
    assert (order.status, order.reason) == ("rejected", "post_only_rejected")


def test_a_tob_ask_above_a_bid_at_the_lowest_price_is_priced_one_tick_inside() -> None:
    desk = Desk()
    desk.limit("alice", "bid", "1", "10")
    order = desk.limit("bob", "ask", "1", "10", tif="TOB")
    assert (order.status, order.price) == ("open", Decimal(2))


def test_a_self_trade_cancels_the_resting_order_and_the_incoming_goes_on() -> None:
    desk = Desk()
    own = desk.limit("alice", "ask", "100000", "0.1")
    other = desk.limit("bob", "ask", "100001", "0.1")
    taker = desk.limit("alice", "bid", "100001", "0.1")
    assert (own.status, own.reason) == ("cancelled", "self_trade_prevented")
    assert (taker.status, taker.average_price) == ("filled", Decimal(100001))
    assert other.status == "filled"


def test_a_cancelled_order_no_longer_trades() -> None:
    desk = Desk()
    order = desk.limit("alice", "ask", "100000", "0.1")
    desk.cancel("alice", order_id=order.order_id)
    taker = desk.limit("bob", "bid", "100000", "0.1")
    assert (order.status, order.reason) == ("cancelled", "cancel")
    assert taker.status == "open"


def test_a_market_order_stops_at_its_slippage_from_the_mid_price() -> None:
    desk = Desk()
    desk.limit("alice", "bid", "99900", "0.1")
    desk.limit("alice", "ask", "100100", "0.1")
    desk.limit("alice", "ask", "100500", "0.1")
    desk.limit("alice", "ask", "100501", "0.1")
    desk.mark("50000")
    order = desk.market("bob", "bid", "0.3", slippage="0.5")
    assert (order.order_type, order.status, order.reason) == ("market", "cancelled", "expired")
    assert order.filled == Decimal("0.2")
    assert order.price == 100500


def test_without_a_mid_price_a_market_order_is_bound_by_the_mark_price() -> None:
    desk = Desk()
    desk.limit("alice", "bid", "100990", "0.1")
    desk.limit("alice", "bid", "99000", "0.1")
    desk.mark("100000")
    order = desk.market("bob", "ask", "0.2", slippage="0.99")
    assert order.price == 99010
    assert order.filled == Decimal("0.1")


def test_a_market_order_in_an_empty_book_is_cancelled() -> None:
    order = Desk().market("bob", "bid", "0.1")
    assert (order.status, order.reason, order.filled) == ("cancelled", "expired", Decimal(0))


def test_markets_do_not_mix() -> None:
    desk = Desk()
    desk.limit("alice", "ask", "100", "1", symbol="SOL")
    assert desk.limit("bob", "bid", "100.1", "1", symbol="ETH").status == "open"


def test_the_digits_that_a_thread_computes_with_change_nothing() -> None:
    desk = Desk(usdc="1000000")
    desk.limit("alice", "ask", "100001", "1.23456")
    desk.limit("alice", "ask", "100007", "2.34567")
    order = desk.limit("bob", "bid", "100007", "3.5", tif="IOC")
    expected = order.average_price
    with localcontext(Context(prec=5)):
        read_back = Exchange(decode_state(encode_state(desk.exchange.state)))
        assert order.average_price == expected == Decimal("100004.88361143")
    [found, kept] = [
        one.state.accounts["alice"].resting("BTC", "ask") for one in (read_back, desk.exchange)
    ]
    assert found == kept
