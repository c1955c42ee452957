"""What the exchange refuses of an order, and that a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.sandbox.desk import ID, Desk
from trading_sandbox.engine.margin import free_funds


@pytest.mark.parametrize(
    ("price", "amount", "more", "words"),
    [
        ("0", "0.1", {}, "price: it must be a number above zero, below 10^12 and of at most 20"),
        ("-1", "0.1", {}, "Invalid price"),
        ("1e12", "0.1", {}, "Invalid price"),
        ("1e999999", "0.1", {}, "not 1e+999999"),
        ("NaN", "0.1", {}, "not NaN"),
        ("100000", "0", {}, "Invalid amount"),
        ("100000", "-0.1", {}, "Invalid amount"),
        ("100000", "1e-999999", {}, "Invalid amount"),
        ("100000", "Infinity", {}, "Invalid amount"),
        ("100000", "0.00009", {}, "minimum order is 10 USD, this one is of 9 USD"),
        ("100000", "0.1", {"symbol": "DOGE"}, "Unknown symbol 'DOGE'"),
        ("100000", "0.1", {"account": "dave"}, "Account not found"),
        ("100000", "0.1", {"reduce_only": True}, "Reduce-only"),
        ("100000.5", "0.1", {}, "100000.5 is not a multiple of the tick size 1 of BTC"),
        (
            "3500.05",
            "0.1",
            {"symbol": "ETH"},
            "3500.05 is not a multiple of the tick size 0.1 of ETH",
        ),
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


def test_a_sale_below_the_best_bid_needs_the_margin_of_that_bid_a_bid_that_of_its_own_price(
    desk: Desk,
) -> None:
    desk.open("rich", "10000000")
    desk.limit("rich", "bid", "100000", "6")
    # 6 BTC at 100,000 need 12,000 USDC of margin; at the limit price it would be 6,000.
    too_dear(desk, "ask", "50000", "6", "12000 USDC of initial margin", tif="IOC")
    assert desk.limit("alice", "bid", "50000", "6").status == "open"


def test_an_order_that_closes_a_position_at_a_loss_needs_no_margin() -> None:
    desk = Desk(usdc="2100")
    desk.trade("alice", "bob", "100000", "1")
    # A profit at the mark price counts as margin.
    desk.mark("103000")
    order = desk.limit("alice", "bid", "102000", "1")
    assert order.status == "open"
    desk.cancel("alice", order_id=order.order_id)
    desk.mark("99000")
    assert free_funds(desk.exchange.venue, desk.account("alice")) < 0
    too_dear(desk, "bid", "99000", "0.01", "but 0 USDC are free")
    too_dear(desk, "ask", "99000", "2.5")
    assert desk.limit("alice", "ask", "99000", "1").status == "open"


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
        (lambda desk, number: desk.cancel("alice", order_id=number + 1), "Order not found: 1"),
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
