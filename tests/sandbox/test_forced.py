"""Outcomes that a test decides beforehand, by client order id."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import Desk, money_of
from trading_sandbox.engine.controls import ForceOutcome
from trading_sandbox.engine.house import MAKER
from trading_sandbox.engine.records import Order, Refused

ID = "3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b"


def force(desk: Desk, status: Any, reason: str | None = None, name: str = ID) -> None:
    desk.run(ForceOutcome(client_order_id=name, status=status, reason=reason))


def order_of(desk: Desk, **more: Any) -> Order:
    """Place alice's bid for 0.3 BTC at 99,000, well below the market."""
    fields = {"side": "bid", "price": "99000", "amount": "0.3", "client_order_id": ID, **more}
    return desk.limit("alice", **fields)


# -- filled --------------------------------------------------------------------------------------


def test_a_forced_fill_trades_the_whole_amount_at_the_price_of_the_order() -> None:
    desk = Desk()
    before = money_of(desk.exchange.state)
    force(desk, "filled")
    order = order_of(desk)
    assert (order.status, order.filled, order.average_price) == (
        "filled",
        Decimal("0.3"),
        Decimal(99000),
    )
    [trade] = desk.trades
    assert (trade.account, trade.price, trade.amount) == ("alice", Decimal(99000), Decimal("0.3"))
    assert (trade.event_type, trade.cause) == ("fulfill_taker", "normal")
    assert trade.fee == Decimal("0.3") * 99000 * Decimal("0.0004")
    assert (desk.size("alice"), desk.size(MAKER)) == (Decimal("0.3"), Decimal("-0.3"))
    assert money_of(desk.exchange.state) == before
    assert desk.exchange.state.orders == {}


def test_a_forced_fill_leaves_the_book_alone() -> None:
    desk = Desk()
    better = desk.limit("bob", "ask", "98000", "0.3")
    force(desk, "filled")
    assert order_of(desk).average_price == 99000
    assert better.status == "open" and better.filled == 0


@pytest.mark.parametrize("tif", ["GTC", "IOC", "ALO", "TOB"])
def test_a_fill_can_be_forced_whatever_the_time_in_force_is(tif: str) -> None:
    desk = Desk()
    force(desk, "filled")
    assert order_of(desk, tif=tif).status == "filled"


def test_a_market_order_is_filled_at_its_bound() -> None:
    desk = Desk()
    force(desk, "filled")
    order = desk.market("alice", "bid", "0.1", slippage="1", client_order_id=ID)
    assert (order.status, order.average_price) == ("filled", Decimal(101000))


def test_a_reduce_only_order_is_filled_no_further_than_its_position() -> None:
    desk = Desk()
    desk.limit("bob", "ask", "100000", "0.1")
    desk.limit("alice", "bid", "100000", "0.1")
    force(desk, "filled")
    order = order_of(desk, side="ask", price="105000", reduce_only=True)
    assert (order.status, order.reason, order.filled) == (
        "cancelled",
        "force_cancel",
        Decimal("0.1"),
    )
    assert desk.size("alice") == 0


def test_the_margin_of_the_account_is_needed_all_the_same() -> None:
    desk = Desk()
    force(desk, "filled")
    with pytest.raises(Refused, match="Insufficient balance"):
        order_of(desk, amount="5.2")
    assert order_of(desk).status == "filled"


# -- partially filled ----------------------------------------------------------------------------


def test_half_is_filled_and_the_rest_stays_in_the_book() -> None:
    desk = Desk()
    force(desk, "partially_filled")
    order = order_of(desk)
    assert (order.status, order.filled) == ("partially_filled", Decimal("0.15"))
    assert desk.exchange.venue.books["BTC"].best_price("bid") == 99000
    desk.limit("bob", "ask", "99000", "0.15")
    assert order.status == "filled"


def test_half_is_rounded_down_to_the_lot() -> None:
    desk = Desk()
    force(desk, "partially_filled")
    assert order_of(desk, amount="0.00015").filled == Decimal("0.00007")


def test_the_rest_of_an_ioc_order_expires() -> None:
    desk = Desk()
    force(desk, "partially_filled")
    order = order_of(desk, tif="IOC")
    assert (order.status, order.reason, order.filled) == ("cancelled", "expired", Decimal("0.15"))


def test_a_rest_that_would_cross_the_book_expires() -> None:
    desk = Desk()
    desk.limit("bob", "ask", "98500", "1")
    force(desk, "partially_filled")
    order = order_of(desk)
    assert (order.status, order.reason, order.filled) == ("cancelled", "expired", Decimal("0.15"))
    assert desk.exchange.venue.books["BTC"].best("bid") is None


def test_a_single_lot_cannot_be_filled_in_part_and_the_outcome_stays() -> None:
    desk = Desk()
    desk.limit("bob", "ask", "100000", "0.001")
    desk.limit("alice", "bid", "100000", "0.001")
    force(desk, "partially_filled")
    before = repr(desk.exchange.state)
    with pytest.raises(Refused, match="Order too small: one lot"):
        order_of(desk, side="ask", price="110000", amount="0.00001", reduce_only=True)
    assert repr(desk.exchange.state) == before
    assert order_of(desk).status == "partially_filled"


# -- cancelled, rejected, refused ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "reason", "found"),
    [
        ("cancelled", None, "force_cancel"),
        ("cancelled", "cancel", "cancel"),
        ("cancelled", "force_cancel", "force_cancel"),
        ("cancelled", "expired", "expired"),
        ("cancelled", "self_trade_prevented", "self_trade_prevented"),
        ("rejected", None, "post_only_rejected"),
        ("rejected", "post_only_rejected", "post_only_rejected"),
    ],
)
def test_an_order_ends_at_once_without_a_fill(status: Any, reason: str | None, found: str) -> None:
    desk = Desk()
    seller = desk.limit("bob", "ask", "98000", "1")
    force(desk, status, reason)
    order = order_of(desk)
    assert (order.status, order.reason, order.filled) == (status, found, Decimal(0))
    assert desk.account("alice").open_orders == {}
    assert seller.status == "open"


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        ("cancelled", "post_only_rejected"),
        ("cancelled", "no such reason"),
        ("rejected", "cancel"),
        ("filled", "cancel"),
        ("partially_filled", "expired"),
    ],
)
def test_a_reason_that_does_not_go_with_the_status_is_refused(status: Any, reason: str) -> None:
    desk = Desk()
    with pytest.raises(Refused, match=f"Invalid reason: for {status}"):
        force(desk, status, reason)
    assert order_of(desk).status == "open"


@pytest.mark.parametrize(
    ("reason", "words"), [(None, "Refused by the sandbox as asked"), ("Too late", "^Too late$")]
)
def test_a_refused_order_leaves_no_trace_and_is_refused_again(
    reason: str | None, words: str
) -> None:
    desk = Desk()
    force(desk, "refused", reason)
    before = repr(desk.exchange.state)
    for _ in range(2):
        with pytest.raises(Refused, match=words):
            order_of(desk)
        assert repr(desk.exchange.state) == before
    force(desk, "filled")
    assert order_of(desk).status == "filled"


# -- which order ---------------------------------------------------------------------------------


def test_an_outcome_is_for_one_order_only() -> None:
    desk = Desk()
    force(desk, "cancelled")
    assert order_of(desk).status == "cancelled"
    assert order_of(desk).status == "open"
    assert desk.exchange.state.forced == {}


def test_other_orders_are_not_touched() -> None:
    desk = Desk()
    force(desk, "filled")
    assert order_of(desk, client_order_id=None).status == "open"
    assert order_of(desk, client_order_id="b" + ID[1:]).status == "open"
    assert order_of(desk).status == "filled"


def test_the_latest_outcome_counts_and_letters_may_be_large_or_small() -> None:
    desk = Desk()
    force(desk, "filled")
    force(desk, "cancelled", name=ID.upper())
    assert order_of(desk).status == "cancelled"
    assert order_of(desk).status == "open"


def test_an_order_that_is_wrong_keeps_its_outcome_for_the_next() -> None:
    desk = Desk()
    force(desk, "filled")
    with pytest.raises(Refused, match="tick size"):
        order_of(desk, price="99000.5")
    assert order_of(desk).status == "filled"


def test_the_order_that_an_edit_places_has_a_forced_outcome_too() -> None:
    desk = Desk()
    old = order_of(desk)
    force(desk, "filled")
    new = desk.edit("alice", "98000", "0.2", client_order_id=ID)
    assert (old.status, new.status, new.average_price) == ("cancelled", "filled", Decimal(98000))


def test_an_edit_that_is_refused_leaves_the_order_open() -> None:
    desk = Desk()
    old = order_of(desk)
    force(desk, "refused")
    with pytest.raises(Refused):
        desk.edit("alice", "98000", "0.2", client_order_id=ID)
    assert old.status == "open"
