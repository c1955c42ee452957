"""Who trades with whom, at which price, what remains, and how an edit replaces an order."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.sandbox.desk import ID, Desk, fields, shown
from trading_sandbox.engine.records import Order


def place(desk: Desk, text: str) -> Order:
    """Place a limit order that is given as `account side price amount time-in-force`."""
    account, side, price, amount, tif = text.split()
    return desk.limit(account, side, price, amount, tif=tif)


@pytest.mark.parametrize(
    ("orders", "outcomes"),
    [
        # Price before time, and the taker gets the maker's price.
        (
            "alice ask 101000 0.1 GTC, bob ask 100500 0.1 GTC, carol bid 102000 0.1 GTC",
            "open 0 0, filled 0.1 100500, filled 0.1 100500",
        ),
        (
            "alice bid 99000 0.1 GTC, bob bid 99000 0.1 GTC, carol ask 99000 0.15 GTC",
            "filled 0.1 99000, partially_filled 0.05 99000, filled 0.15 99000",
        ),
        # The average price is weighted by volume.
        (
            "alice ask 100000 0.1 GTC, alice ask 100300 0.2 GTC, bob bid 101000 0.3 GTC",
            "filled 0.1 100000, filled 0.2 100300, filled 0.3 100200",
        ),
        # What does not fill rests, expires or is rejected, by the time in force.
        (
            "alice ask 100000 0.1 GTC, bob bid 100000 0.3 GTC",
            "filled 0.1 100000, partially_filled 0.1 100000",
        ),
        (
            "alice ask 100000 0.1 GTC, bob bid 100000 0.3 IOC",
            "filled 0.1 100000, cancelled expired 0.1 100000",
        ),
        (
            "alice ask 100000 0.1 GTC, bob bid 100000 0.1 ALO",
            "open 0 0, rejected post_only_rejected 0 0",
        ),
        ("alice ask 100000 0.1 GTC, bob bid 99999 0.1 ALO", "open 0 0, open 0 0"),
        # A self-trade cancels the resting order, and the incoming one goes on.
        (
            "alice ask 100000 0.1 GTC, bob ask 100001 0.1 GTC, alice bid 100001 0.1 GTC",
            "cancelled self_trade_prevented 0 0, filled 0.1 100001, filled 0.1 100001",
        ),
    ],
)
def test_orders_meet_by_price_and_time(desk: Desk, orders: str, outcomes: str) -> None:
    placed = [place(desk, order) for order in orders.split(", ")]
    found = [f"{shown(order)} {fields(order, 'average_price')}" for order in placed]
    assert ", ".join(found) == outcomes
    resting = [order for order in placed if order.status in ("open", "partially_filled")]
    assert list(desk.exchange.state.orders.values()) == resting
    for order in resting:
        assert order in desk.exchange.venue.books["BTC"].orders(order.side)


@pytest.mark.parametrize(
    ("resting", "order", "status", "price"),
    [
        # An order that would cross is priced one tick inside the touch.
        ("ask 100000 0.1", "bid 105000 0.1", "open 0", 99999),
        ("bid 99999 0.1", "ask 90000 0.1", "open 0", 100000),
        ("bid 1 10", "ask 1 10", "open 0", 2),
        ("ask 100000 0.1", "bid 98000 0.1", "open 0", 98000),
        # There is no price below the lowest.
        ("ask 1 10", "bid 1 10", "rejected post_only_rejected 0", 1),
    ],
)
def test_a_tob_order_stays_on_top_of_the_book(
    desk: Desk, resting: str, order: str, status: str, price: int
) -> None:
    place(desk, f"alice {resting} GTC")
    placed = place(desk, f"bob {order} TOB")
    assert [shown(placed), placed.price] == [status, price]
    assert placed.initial_price == Decimal(order.split()[1])


def test_a_cancelled_order_no_longer_trades_and_markets_do_not_mix(desk: Desk) -> None:
    order = desk.limit("alice", "ask", "100000", "0.1")
    desk.cancel("alice", order_id=order.order_id)
    taker = desk.limit("bob", "bid", "100000", "0.1")
    assert [shown(order), shown(taker)] == ["cancelled cancel 0", "open 0"]
    assert desk.limit("alice", "ask", "100", "1", symbol="SOL").status == "open"
    assert desk.limit("bob", "bid", "100.1", "1", symbol="ETH").status == "open"


def test_a_market_order_stops_at_its_slippage_from_the_mid_or_else_the_mark_price(
    desk: Desk,
) -> None:
    assert shown(desk.market("bob", "bid", "0.1")) == "cancelled expired 0"
    desk.limit("alice", "bid", "99900", "0.1")
    for price in ("100100", "100500", "100501"):
        desk.limit("alice", "ask", price, "0.1")
    desk.mark("50000")
    order = desk.market("bob", "bid", "0.3", slippage="0.5")
    assert (shown(order), order.order_type) == ("cancelled expired 0.2", "market")
    assert order.price == order.initial_price == 100500

    desk = Desk()
    for price in ("100990", "99000"):
        desk.limit("alice", "bid", price, "0.1")
    order = desk.market("bob", "ask", "0.2", slippage="0.99")
    assert [shown(order), order.price] == ["cancelled expired 0.1", 99010]


# -- the edit rule (interface section 3): the original is cancelled, an ALO order takes its place --


def test_an_edit_cancels_the_order_and_places_another_under_a_new_id(desk: Desk) -> None:
    old = desk.limit("alice", "bid", "99000", "0.1", client_order_id=ID)
    new = desk.edit("alice", "98000", "0.2", order_id=old.order_id)
    assert (shown(old), shown(new)) == ("cancelled cancel 0", "open 0")
    assert fields(new, "side tif price amount reduce_only") == "bid ALO 98000 0.2 False"
    assert new.client_order_id == ID and new.order_id > old.order_id
    for price in ("97000", "96000"):
        last = desk.edit("alice", price, "0.1", client_order_id=ID)
    assert [o.status for o in desk.orders_of("alice")] == ["cancelled"] * 3 + ["open"]
    assert last.price == 96000

    desk.trade("alice", "bob", "100000", "0.1")
    reducing = desk.limit("alice", "ask", "101000", "0.1", reduce_only=True)
    assert desk.edit("alice", "102000", "0.05", order_id=reducing.order_id).reduce_only


def test_an_edit_that_would_cross_is_rejected_and_the_original_is_gone(desk: Desk) -> None:
    desk.limit("bob", "ask", "100000", "0.1")
    old = desk.limit("alice", "bid", "99000", "0.1")
    new = desk.edit("alice", "100000", "0.1", order_id=old.order_id)
    assert [shown(old), shown(new)] == ["cancelled cancel 0", "rejected post_only_rejected 0"]


@pytest.mark.parametrize(
    ("price", "amount", "words"),
    [
        ("99000.5", "0.1", "tick size"),
        ("99000", "0.000001", "lot size"),
        ("99000", "100", "Insufficient balance"),
        ("99", "0.1", "Order too small"),
    ],
)
def test_a_refused_edit_leaves_the_original_alone(
    desk: Desk, price: str, amount: str, words: str
) -> None:
    old = desk.limit("alice", "bid", "99000", "0.1")
    desk.refuses(lambda: desk.edit("alice", price, amount, order_id=old.order_id), words)
    assert old.status == "open"


def test_an_edit_uses_the_margin_of_the_order_it_replaces_as_far_as_that_is_open() -> None:
    desk = Desk(usdc="2100")
    old = desk.limit("alice", "bid", "100000", "1")
    assert desk.edit("alice", "100500", "1", order_id=old.order_id).status == "open"

    desk = Desk(usdc="2060")
    old = desk.limit("alice", "bid", "100000", "1")
    desk.limit("bob", "ask", "100000", "0.5")
    desk.refuses(
        lambda: desk.edit("alice", "99999", "0.53", order_id=old.order_id),
        "Insufficient balance",
    )
    assert desk.edit("alice", "99999", "0.5", order_id=old.order_id).status == "open"
