"""What the exchange refuses, and that a refusal changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import Desk
from trading_sandbox.engine.control_commands import OpenAccount
from trading_sandbox.engine.margin import free_funds
from trading_sandbox.engine.records import Refused

ID = "3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b"


@pytest.mark.parametrize(
    ("price", "amount", "more", "words"),
    [
        ("100000.5", "0.1", {}, "tick size 1 of BTC"),
        ("3500.05", "0.1", {"symbol": "ETH"}, "tick size 0.1 of ETH"),
        ("100000", "0.000015", {}, "lot size 0.00001 of BTC"),
        ("100000", "0.00009", {}, "minimum order is 10 USD, this one is of 9 USD"),
        ("0", "0.1", {}, r"price: .* above zero, below 10\^12 .*, not 0$"),
        ("-1", "0.1", {}, "price"),
        ("100000", "0", {}, "amount"),
        ("100000", "-0.1", {}, "amount"),
        ("1e12", "0.1", {}, "price"),
        ("1e999999", "0.1", {}, r"price: .*, not 1e\+999999$"),
        ("100000", "1e-999999", {}, "amount"),
        ("NaN", "0.1", {}, "price: .*, not NaN$"),
        ("100000", "Infinity", {}, "amount"),
        ("100000", "0.1", {"symbol": "DOGE"}, "Unknown symbol 'DOGE'"),
        ("100000", "0.1", {"account": "dave"}, "Account not found"),
        ("100000", "0.1", {"reduce_only": True}, "Reduce-only"),
        (
            *("100000", "5.1", {}),
            "Insufficient balance: the order needs 10200 USDC of initial margin and "
            "204 USDC for its fee, but 10000 USDC are free",
        ),
    ],
)
def test_a_wrong_limit_order_is_refused_with_its_reason(
    price: str, amount: str, more: dict[str, Any], words: str
) -> None:
    desk = Desk()
    fields = {"account": "alice", "side": "bid", "price": price, "amount": amount, **more}
    with pytest.raises(Refused, match=words):
        desk.limit(**fields)
    assert desk.orders_of("alice") == []


@pytest.mark.parametrize("slippage", ["-0.1", "100.1", "NaN", "1e50"])
def test_a_slippage_that_is_no_percentage_is_refused(slippage: str) -> None:
    with pytest.raises(
        Refused, match=rf"slippage_percent: .*, not {slippage}$".replace("1e50", r"1e\+50")
    ):
        Desk().market("alice", "bid", "0.1", slippage=slippage)


def test_a_market_order_is_measured_against_the_minimum_at_the_current_price() -> None:
    with pytest.raises(Refused, match="minimum order"):
        Desk().market("alice", "bid", "0.00009")


@pytest.mark.parametrize("ask", [False, True])
def test_margin_is_checked_with_the_fee_and_over_all_open_orders(ask: bool) -> None:
    side = "ask" if ask else "bid"
    desk = Desk(usdc="2041")  # 1 BTC at 100,000: 2,000 margin at 50x and 40 taker fee
    desk.limit("alice", side, "100000", "1")
    with pytest.raises(Refused, match="Insufficient balance"):
        desk.limit("alice", side, "100000", "0.1")
    with pytest.raises(Refused, match="Insufficient balance"):
        desk.limit("alice", side, "150", "20", symbol="SOL")


def test_both_sides_of_a_quote_share_their_margin() -> None:
    desk = Desk(usdc="2060")
    desk.limit("alice", "bid", "100000", "1")
    assert desk.limit("alice", "ask", "100001", "1").status == "open"


def test_a_cheap_ask_pays_the_margin_of_the_price_it_would_really_fill_at() -> None:
    desk = Desk()
    desk.limit("bob", "bid", "100000", "4")
    desk.account("alice").balance = Decimal(1000)
    with pytest.raises(Refused, match="Insufficient balance"):
        desk.limit("alice", "ask", "3", "4", tif="IOC")


def test_a_cancel_frees_the_margin() -> None:
    desk = Desk(usdc="2041")
    order = desk.limit("alice", "bid", "100000", "1")
    desk.cancel("alice", order_id=order.order_id)
    assert desk.limit("alice", "bid", "100000", "1").status == "open"


def test_an_order_that_closes_a_position_at_a_loss_needs_no_margin() -> None:
    desk = Desk(usdc="2100")
    desk.limit("bob", "ask", "100000", "1")
    desk.limit("alice", "bid", "100000", "1")
    desk.mark("99000")
    assert free_funds(desk.exchange.venue, desk.account("alice")) < 0
    with pytest.raises(Refused, match="Insufficient balance"):
        desk.limit("alice", "bid", "99000", "0.01")
    with pytest.raises(Refused, match="Insufficient balance"):
        desk.limit("alice", "ask", "99000", "2.5")
    assert desk.limit("alice", "ask", "99000", "1").status == "open"


def test_a_profit_at_the_mark_price_counts_as_margin() -> None:
    desk = Desk(usdc="2100")
    desk.limit("bob", "ask", "100000", "1")
    desk.limit("alice", "bid", "100000", "1")
    desk.mark("103000")
    assert desk.limit("alice", "bid", "102000", "1").status == "open"


def test_a_client_order_id_is_unique_among_the_open_orders_of_an_account() -> None:
    desk = Desk()
    first = desk.limit("alice", "bid", "99000", "0.1", client_order_id=ID)
    with pytest.raises(Refused, match=f"Duplicate client_order_id: order {first.order_id}"):
        desk.limit("alice", "bid", "98000", "0.1", client_order_id=ID)
    assert desk.limit("bob", "bid", "99000", "0.1", client_order_id=ID).status == "open"
    desk.cancel("alice", client_order_id=ID)
    assert desk.limit("alice", "bid", "99000", "0.1", client_order_id=ID).status == "open"


@pytest.mark.parametrize(
    "cancel",
    [
        lambda desk, order: desk.cancel("bob", order_id=order.order_id),
        lambda desk, order: desk.cancel("alice", order_id=order.order_id, symbol="ETH"),
        lambda desk, order: desk.cancel("alice", order_id=order.order_id + 1),
        lambda desk, order: desk.cancel("alice", client_order_id=ID),
        lambda desk, order: desk.edit("bob", "98000", "0.1", order_id=order.order_id),
    ],
)
def test_only_an_open_order_of_that_account_and_market_is_found(
    cancel: Callable[[Desk, Any], None],
) -> None:
    desk = Desk()
    order = desk.limit("alice", "bid", "99000", "0.1")
    with pytest.raises(Refused, match="Order not found"):
        cancel(desk, order)
    assert order.status == "open"


@pytest.mark.parametrize("ids", [{}, {"order_id": 1, "client_order_id": ID}])
def test_an_order_is_named_by_exactly_one_id(ids: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="Exactly one of order_id and client_order_id"):
        Desk().cancel("alice", **ids)


def test_a_stop_order_to_cancel_is_named_by_an_id() -> None:
    with pytest.raises(Refused, match="At least one of order_id and client_order_id"):
        Desk().cancel_stop("alice")


def test_an_account_is_opened_once() -> None:
    desk = Desk()
    with pytest.raises(Refused, match="exists already"):
        desk.run(OpenAccount(account="alice", usdc=Decimal(1)))


@pytest.mark.parametrize("usdc", ["-1", "NaN"])
def test_a_deposit_is_a_number_in_range(usdc: str) -> None:
    with pytest.raises(Refused, match="deposit"):
        Desk().run(OpenAccount(account="dave", usdc=Decimal(usdc)))


def test_a_mark_price_lies_on_the_tick_grid() -> None:
    with pytest.raises(Refused, match="tick size"):
        Desk().mark("100000.5")
