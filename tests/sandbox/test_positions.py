"""Positions, fees, realised pnl and reduce-only orders."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import Desk, fields, shown

TRADED = "side amount price entry_price pnl"


def traded(desk: Desk, name: str) -> list[str]:
    return [fields(trade, TRADED) for trade in desk.trades_of(name)]


def test_a_fill_is_recorded_on_both_sides_with_its_fees(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "0.1")
    [taken], [made] = desk.trades_of("alice"), desk.trades_of("bob")
    shared = "event_type side price amount fee symbol cause"
    assert fields(taken, shared) == "fulfill_taker open_long 100000 0.1 4 BTC normal"
    assert fields(made, shared) == "fulfill_maker open_short 100000 0.1 1.5 BTC normal"
    assert taken.created_at == made.created_at == desk.now
    assert [desk.balance("alice"), desk.balance("bob")] == [9996, Decimal("9998.5")]
    assert desk.exchange.state.fees == Decimal("5.5")


def test_closing_realises_the_difference_to_the_average_entry_price(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "0.1")
    desk.trade("alice", "bob", "103000", "0.2")
    assert desk.account("alice").position("BTC").entry_price == 102000
    desk.trade("carol", "alice", "101000", "0.1")
    desk.trade("bob", "carol", "101000", "0.3")
    assert traded(desk, "alice") == [
        "open_long 0.1 100000 100000 0",
        "open_long 0.2 103000 102000 0",
        "close_long 0.1 101000 102000 -100",
    ]
    # bob covers all of his; carol turns around, which is a closing and an opening trade.
    assert traded(desk, "bob")[-1] == "close_short 0.3 101000 102000 300"
    assert traded(desk, "carol")[1:] == [
        "close_long 0.1 101000 101000 0",
        "open_short 0.2 101000 101000 0",
    ]
    assert desk.account("bob").position("BTC").entry_price == 0
    assert desk.size("carol") == Decimal("-0.2")


def test_nothing_is_lost_in_rounding_when_a_position_is_closed_in_odd_parts(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "0.0007")
    desk.trade("alice", "bob", "100001", "0.0029")
    for amount in ("0.0011", "0.0013", "0.0012"):
        desk.trade("carol", "alice", "100003", amount)
    assert desk.account("alice").position("BTC").cost == 0
    realised = sum(t.pnl for t in desk.trades_of("alice"))
    assert realised == Decimal("0.0007") * 3 + Decimal("0.0029") * 2


# -- reduce-only ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rests", [False, True])
def test_a_reduce_only_order_fills_no_more_than_the_position(desk: Desk, rests: bool) -> None:
    desk.trade("alice", "bob", "100000", "0.1")
    bid: Any = ("carol", "bid", "101000", "0.3")
    other = None if rests else desk.limit(*bid)
    order = desk.limit("alice", "ask", "101000", "0.5", reduce_only=True)
    other = other or desk.limit(*bid)
    assert shown(order) == "cancelled force_cancel 0.1"
    assert shown(other) == "partially_filled 0.1"
    assert desk.size("alice") == 0


def test_reduce_only_orders_stay_while_there_is_something_to_reduce(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "0.1")
    desk.trade("alice", "bob", "3500", "1", symbol="ETH")
    rest = desk.limit("alice", "ask", "110000", "0.1", reduce_only=True)
    elsewhere = desk.limit("alice", "ask", "4000", "1", symbol="ETH", reduce_only=True)
    desk.trade("bob", "alice", "100000", "0.04")
    assert (rest.status, elsewhere.status) == ("open", "open")
    desk.trade("bob", "alice", "100000", "0.06")
    assert (shown(rest), elsewhere.status) == ("cancelled force_cancel 0", "open")


def test_a_reduce_only_order_on_the_side_of_the_position_is_refused(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "0.1")
    desk.refuses(
        lambda: desk.limit("alice", "bid", "90000", "0.1", reduce_only=True), "Reduce-only"
    )


def test_a_position_below_the_minimum_order_can_be_closed(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "0.0001")
    desk.limit("alice", "ask", "100000", "0.00005", reduce_only=True)
    desk.limit("carol", "bid", "100000", "0.0001", tif="IOC")
    assert desk.size("alice") == Decimal("0.00005")
