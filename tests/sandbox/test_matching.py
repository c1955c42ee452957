"""Who trades with whom, at which price, what remains, what is refused, and how an edit replaces an order."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from tests.sandbox.desk import ID, Desk, fields, shown
from trading_sandbox.engine.margin import free_funds
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


@pytest.mark.parametrize(
    ("price", "amount", "words"),
    [
        ("99000.5", "0.1", "tick size"),
        ("99000", "0.000001", "lot size"),
        ("99000", "100", "Insufficient balance"),
    ],
)
def test_a_refused_edit_leaves_the_original_alone(
    desk: Desk, price: str, amount: str, words: str
) -> None:
    old = desk.limit("alice", "bid", "99000", "0.1")
    desk.refuses(lambda: desk.edit("alice", price, amount, order_id=old.order_id), words)
    assert old.status == "open"


# -- positions, fees, realised pnl ----------------------------------------------------------------

TRADED = "side amount price entry_price pnl"


def traded(desk: Desk, name: str) -> list[str]:
    return [fields(trade, TRADED) for trade in desk.trades_of(name)]


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


# -- reduce-only ---------------------------------------------------------------------------------


def test_reduce_only_orders_stay_while_there_is_something_to_reduce(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "0.1")
    desk.trade("alice", "bob", "3500", "1", symbol="ETH")
    rest = desk.limit("alice", "ask", "110000", "0.1", reduce_only=True)
    elsewhere = desk.limit("alice", "ask", "4000", "1", symbol="ETH", reduce_only=True)
    desk.trade("bob", "alice", "100000", "0.04")
    assert (rest.status, elsewhere.status) == ("open", "open")
    desk.trade("bob", "alice", "100000", "0.06")
    assert (shown(rest), elsewhere.status) == ("cancelled force_cancel 0", "open")


def test_a_position_below_the_minimum_order_can_be_closed(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "0.0001")
    desk.limit("alice", "ask", "100000", "0.00005", reduce_only=True)
    desk.limit("carol", "bid", "100000", "0.0001", tif="IOC")
    assert desk.size("alice") == Decimal("0.00005")


# -- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("price", "amount", "more", "words"),
    [
        ("0", "0.1", {}, "price: it must be a number above zero, below 10^12 and of at most 20"),
        ("1e999999", "0.1", {}, "not 1e+999999"),
        ("100000", "1e-999999", {}, "Invalid amount"),
        ("100000", "0.00009", {}, "minimum order is 10 USD, this one is of 9 USD"),
        ("100000", "0.1", {"reduce_only": True}, "Reduce-only"),
        ("100000", "0.000015", {}, "0.000015 is not a multiple of the lot size 0.00001 of BTC"),
    ],
)
def test_a_wrong_limit_order_is_refused_with_its_reason(
    desk: Desk, price: str, amount: str, more: dict[str, Any], words: str
) -> None:
    order = {"account": "alice", "side": "bid", "price": price, "amount": amount, **more}
    desk.refuses(lambda: desk.limit(**order), words)


def test_a_market_order_of_a_wrong_slippage_or_below_the_minimum_is_refused(desk: Desk) -> None:
    for slippage in ("-0.1", "100.1", "NaN", "1e50"):
        desk.refuses(
            partial(desk.market, "alice", "bid", "0.1", slippage),
            "slippage_percent: it must be a number between 0 and 100",
            f"not {slippage}".replace("1e50", "1e+50"),
        )
    desk.refuses(lambda: desk.market("alice", "bid", "0.00009"), "minimum order")
    assert desk.market("alice", "bid", "0.0001", slippage="100").reason == "expired"


# -- what an order must be able to pay -----------------------------------------------------------


def free(desk: Desk) -> Decimal:
    return free_funds(desk.exchange.venue, desk.account("alice"))


def too_dear(desk: Desk, side: str, price: str, amount: str, *words: str, **more: Any) -> None:
    desk.refuses(
        lambda: desk.limit("alice", side, price, amount, **more), "Insufficient balance", *words
    )


@pytest.mark.parametrize("side", ["bid", "ask"])
def test_margin_is_checked_with_the_fee_and_over_all_open_orders(side: str) -> None:
    # 1 BTC at 100,000: 2,000 of margin at 50x, and a taker fee of 40.
    words = (
        "needs 2000 USDC of initial margin and 40 USDC for its fee, but 2039.99 USDC are free",
    )
    too_dear(Desk("2039.99"), side, "100000", "1", *words)
    desk = Desk("2040")
    order = desk.limit("alice", side, "100000", "1")
    too_dear(desk, side, "100000", "0.1")
    too_dear(desk, side, "150", "20", symbol="SOL")
    desk.cancel("alice", order_id=order.order_id)
    assert desk.limit("alice", side, "100000", "1").status == "open"


def test_an_order_that_closes_a_position_at_a_loss_needs_no_margin() -> None:
    desk = Desk(usdc="2100")
    desk.trade("alice", "bob", "100000", "1")
    # A profit at the mark price counts as margin.
    desk.mark("103000")
    order = desk.limit("alice", "bid", "102000", "1")
    assert order.status == "open"
    desk.cancel("alice", order_id=order.order_id)
    desk.mark("99000")
    assert free(desk) < 0
    too_dear(desk, "bid", "99000", "0.01", "but 0 USDC are free")
    too_dear(desk, "ask", "99000", "2.5")
    assert desk.limit("alice", "ask", "99000", "1").status == "open"


def test_open_orders_reserve_the_margin_of_the_dearer_side(desk: Desk) -> None:
    desk.limit("alice", "bid", "90000", "1")
    assert free(desk) == 10000 - 1800
    desk.limit("alice", "ask", "110000", "1")
    assert free(desk) == 10000 - 2200


def test_what_would_close_a_position_and_reduce_only_orders_reserve_nothing(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "1")
    before = free(desk)
    desk.limit("alice", "ask", "110000", "1")
    desk.limit("alice", "ask", "110000", "5", reduce_only=True)
    assert free(desk) == before
    desk.limit("alice", "ask", "110000", "0.5")
    assert free(desk) == before - 1100


# -- which order is named ------------------------------------------------------------------------


def test_a_client_order_id_is_unique_among_the_open_orders_of_an_account(desk: Desk) -> None:
    first = desk.limit("alice", "bid", "99000", "0.1", client_order_id=ID)
    desk.refuses(
        lambda: desk.limit("alice", "bid", "98000", "0.1", client_order_id=ID),
        f"Duplicate client_order_id: order {first.order_id}",
    )
    assert desk.limit("bob", "bid", "99000", "0.1", client_order_id=ID).status == "open"
    desk.cancel("alice", client_order_id=ID)
    assert desk.limit("alice", "bid", "99000", "0.1", client_order_id=ID).status == "open"


@pytest.mark.parametrize(
    ("cancel", "words"),
    [
        (lambda desk, number: desk.cancel("bob", order_id=number), "Order not found: 1"),
        (
            lambda desk, number: desk.cancel("alice", order_id=number, symbol="ETH"),
            "open ETH order",
        ),
        (lambda desk, _: desk.cancel("alice", client_order_id=ID), f"Order not found: {ID}"),
        (lambda desk, number: desk.edit("bob", "98000", "0.1", order_id=number), "not found"),
        (lambda desk, _: desk.cancel("alice"), "Exactly one of order_id and client_order_id"),
        (lambda desk, _: desk.cancel("alice", order_id=1, client_order_id=ID), "Exactly one of"),
        (lambda desk, _: desk.cancel_stop("alice"), "At least one of order_id and client_order_id"),
    ],
)
def test_only_an_open_order_of_that_account_and_market_is_found(
    desk: Desk, cancel: Callable[[Desk, int], None], words: str
) -> None:
    order = desk.limit("alice", "bid", "99000", "0.1")
    desk.refuses(lambda: cancel(desk, order.order_id), words)
