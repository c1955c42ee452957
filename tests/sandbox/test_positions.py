"""Positions, fees, realised pnl and reduce-only orders."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import Desk
from trading_sandbox.engine.matching import fill
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Order, Refused


def trade(desk: Desk, buyer: str, seller: str, price: str, amount: str) -> None:
    desk.limit(seller, "ask", price, amount)
    desk.limit(buyer, "bid", price, amount, tif="IOC")


def test_a_fill_is_recorded_on_both_sides_with_its_fees() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.1")
    [taken], [made] = desk.trades_of("alice"), desk.trades_of("bob")
    assert (taken.event_type, taken.side, taken.fee) == ("fulfill_taker", "open_long", Decimal(4))
    assert (made.event_type, made.side, made.fee) == ("fulfill_maker", "open_short", Decimal("1.5"))
    assert taken.price == made.price == 100000
    assert taken.fee == taken.price * taken.amount * Decimal("0.0004")
    assert desk.account("alice").balance == Decimal("9996")
    assert desk.account("bob").balance == Decimal("9998.5")
    assert desk.exchange.state.fees == Decimal("5.5")


def test_the_entry_price_is_the_average_over_what_opened_the_position() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.1")
    trade(desk, "alice", "bob", "103000", "0.2")
    assert desk.account("alice").position("BTC").entry_price == 102000


def test_closing_realises_the_difference_to_the_entry_price() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.2")
    trade(desk, "carol", "alice", "101000", "0.1")
    closed = desk.trades_of("alice")[-1]
    assert (closed.side, closed.pnl, closed.price) == ("close_long", Decimal(100), Decimal(101000))
    trade(desk, "bob", "carol", "101000", "0.2")
    covered = desk.trades_of("bob")[-1]
    assert (covered.side, covered.pnl) == ("close_short", Decimal(-200))
    assert desk.account("bob").position("BTC").entry_price == 0


def test_a_trade_shows_its_price_and_the_average_entry_of_the_position() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.1")
    trade(desk, "alice", "bob", "103000", "0.2")
    trade(desk, "carol", "alice", "101000", "0.1")
    trades = desk.trades_of("alice")
    assert [each.side for each in trades] == ["open_long", "open_long", "close_long"]
    assert [int(each.price) for each in trades] == [100_000, 103_000, 101_000]
    assert [int(each.entry_price) for each in trades] == [100_000, 102_000, 102_000]


def test_the_sample_of_the_field_notes() -> None:
    """Field note 26: a close_short whose pnl is (1.176247 - 1.1904) x 0.1, to six decimals."""
    desk = Desk()
    for buyer, seller, price in (("bob", "alice", "1.176247"), ("alice", "bob", "1.1904")):
        amount = Decimal("0.1")
        bid, ask = (bare(name, side) for name, side in ((buyer, "bid"), (seller, "ask")))
        with exact_arithmetic():
            fill(desk.exchange.venue, bid, ask, amount, Decimal(price))
    sample = desk.exchange.venue.changes.trades[-2]
    assert (sample.account, sample.side, sample.amount) == ("alice", "close_short", amount)
    assert (sample.price, sample.entry_price) == (Decimal("1.1904"), Decimal("1.176247"))
    assert (sample.fee, round(sample.pnl, 6)) == (Decimal(0), Decimal("-0.001415"))


def bare(account: str, side: Any) -> Order:
    """An order of 0.1 that pays no fee; its price is not checked against the tick."""
    return Order(
        order_id=1,
        account=account,
        symbol="BTC",
        side=side,
        order_type="limit",
        tif="GTC",
        price=Decimal(1),
        amount=Decimal("0.1"),
        created_at=1,
        cause="settlement",
    )


def test_turning_a_position_around_is_a_closing_and_an_opening_trade() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.1")
    trade(desk, "carol", "alice", "102000", "0.3")
    closing, opening = desk.trades_of("alice")[-2:]
    assert (closing.side, closing.amount, closing.pnl) == (
        "close_long",
        Decimal("0.1"),
        Decimal(200),
    )
    assert (opening.side, opening.amount, opening.pnl) == ("open_short", Decimal("0.2"), Decimal(0))
    assert (closing.price, closing.entry_price) == (Decimal(102000), Decimal(100000))
    assert (opening.price, opening.entry_price) == (Decimal(102000), Decimal(102000))
    assert desk.size("alice") == Decimal("-0.2")
    assert desk.account("alice").position("BTC").entry_price == 102000


def test_nothing_is_lost_in_rounding_when_a_position_is_closed_in_odd_parts() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.0007")
    desk.limit("alice", "bid", "100001", "0.0029")
    desk.limit("bob", "ask", "100001", "0.0029")
    for amount in ("0.0011", "0.0013", "0.0012"):
        trade(desk, "carol", "alice", "100003", amount)
    account = desk.account("alice")
    assert account.position("BTC").cost == 0
    realised = sum(t.pnl for t in desk.trades_of("alice"))
    assert realised == Decimal("0.0007") * 3 + Decimal("0.0029") * 2


def test_a_reduce_only_order_fills_no_more_than_the_position() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.1")
    desk.limit("carol", "bid", "99000", "1")
    order = desk.limit("alice", "ask", "99000", "0.5", reduce_only=True)
    assert (order.status, order.reason) == ("cancelled", "force_cancel")
    assert order.filled == Decimal("0.1")
    assert desk.size("alice") == 0


def test_a_resting_reduce_only_order_fills_no_more_than_the_position() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.1")
    order = desk.limit("alice", "ask", "101000", "0.5", reduce_only=True)
    taker = desk.limit("carol", "bid", "101000", "0.3")
    assert (order.status, order.filled) == ("cancelled", Decimal("0.1"))
    assert (taker.status, taker.filled) == ("partially_filled", Decimal("0.1"))


def test_reduce_only_orders_are_cancelled_once_the_position_is_gone() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.1")
    order = desk.limit("alice", "ask", "110000", "0.1", reduce_only=True)
    assert order.status == "open"
    trade(desk, "carol", "alice", "100000", "0.1")
    assert (order.status, order.reason) == ("cancelled", "force_cancel")


def test_reduce_only_orders_stay_while_there_is_something_to_reduce() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.1")
    desk.limit("bob", "ask", "3500", "1", symbol="ETH")
    desk.limit("alice", "bid", "3500", "1", symbol="ETH", tif="IOC")
    rest = desk.limit("alice", "ask", "110000", "0.1", reduce_only=True)
    elsewhere = desk.limit("alice", "ask", "4000", "1", symbol="ETH", reduce_only=True)
    trade(desk, "bob", "alice", "100000", "0.04")
    assert (rest.status, elsewhere.status) == ("open", "open")
    trade(desk, "bob", "alice", "100000", "0.06")
    assert (rest.status, elsewhere.status) == ("cancelled", "open")


def test_a_reduce_only_order_on_the_side_of_the_position_is_refused() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.1")
    with pytest.raises(Refused, match="Reduce-only"):
        desk.limit("alice", "bid", "90000", "0.1", reduce_only=True)


def test_a_position_below_the_minimum_order_can_be_closed() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "0.0001")
    desk.limit("alice", "ask", "100000", "0.00005", reduce_only=True)
    desk.limit("carol", "bid", "100000", "0.0001", tif="IOC")
    assert desk.size("alice") == Decimal("0.00005")
