"""Outcomes that a test decides beforehand, by client order id."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import Desk, leg, money_of
from trading_sandbox.engine.control_commands import ForceOutcome
from trading_sandbox.engine.house_accounts import MAKER
from trading_sandbox.engine.records import Order, Refused

ID = "3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b"
OTHER_ID = "00000000-0000-4000-8000-000000000002"


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


@pytest.mark.parametrize("side", ["bid", "ask"])
def test_a_market_order_is_filled_at_the_current_price_however_far_its_bound_is(side: str) -> None:
    desk = Desk()
    force(desk, "filled")
    order = desk.market("alice", side, "0.1", slippage="50", client_order_id=ID)
    assert (order.status, order.average_price) == ("filled", Decimal(100000))


@pytest.mark.parametrize(("side", "price"), [("bid", 99000), ("ask", 99001)])
def test_a_market_order_is_filled_on_the_tick_grid_and_within_its_bound(
    side: str, price: int
) -> None:
    desk = Desk()
    desk.limit("bob", "bid", "99000", "1")
    desk.limit("bob", "ask", "99001", "1")
    force(desk, "filled")
    order = desk.market("alice", side, "0.1", slippage="0", client_order_id=ID)
    assert (order.average_price, order.price) == (Decimal(price), Decimal(price))


def test_the_ids_of_the_legs_follow_the_one_of_a_filled_order() -> None:
    desk = Desk()
    force(desk, "filled")
    order = order_of(desk, take_profit=leg("101000"), stop_loss=leg("98000"))
    legs = desk.legs(order)
    assert [one.order_id - order.order_id for one in legs] == [1, 2]
    assert [one.status for one in legs] == ["open", "open"]


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
    assert desk.exchange.state.forced_outcomes == {}


def test_other_orders_are_not_touched() -> None:
    desk = Desk()
    force(desk, "filled")
    assert order_of(desk, client_order_id=None).status == "open"
    assert order_of(desk, client_order_id="b" + ID[1:]).status == "open"
    assert order_of(desk).status == "filled"


def test_the_latest_outcome_counts() -> None:
    desk = Desk()
    force(desk, "filled")
    force(desk, "cancelled")
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


# -- orders that wait for a price ----------------------------------------------------------------


def triggered(desk: Desk, amount: str = "0.1", **more: Any) -> Order:
    """Let alice's stop order wait, and the mark price trigger it."""
    order = desk.stop("alice", "bid", "101000", amount, client_order_id=ID, **more)
    assert order.status == "open"
    desk.mark("101000")
    return order


@pytest.mark.parametrize(
    ("status", "found", "filled"),
    [
        ("filled", ("filled", None), "0.1"),
        ("partially_filled", ("cancelled", "expired"), "0.05"),
        ("cancelled", ("cancelled", "force_cancel"), "0"),
        ("rejected", ("rejected", "post_only_rejected"), "0"),
    ],
)
def test_a_stop_order_meets_its_outcome_when_it_is_triggered(
    status: str, found: tuple[str, str | None], filled: str
) -> None:
    desk = Desk()
    force(desk, status)
    order = triggered(desk)
    assert ((order.status, order.reason), order.filled) == (found, Decimal(filled))
    assert order.average_price == (101000 if order.filled else 0)
    assert desk.exchange.state.forced_outcomes == {}


def test_a_triggered_stop_limit_order_fills_in_part_at_its_limit_and_rests() -> None:
    desk = Desk()
    force(desk, "partially_filled")
    order = triggered(desk, limit_price="100500")
    assert (order.status, order.average_price) == ("partially_filled", Decimal(100500))
    assert desk.exchange.venue.books["BTC"].best_price("bid") == 100500


def test_a_stop_loss_meets_its_outcome_and_the_take_profit_is_gone() -> None:
    desk = Desk()
    force(desk, "filled", name=OTHER_ID)
    order = desk.limit(
        "alice",
        "bid",
        "100000",
        "0.1",
        take_profit=leg("110000"),
        stop_loss=leg("95000", client_order_id=OTHER_ID),
    )
    desk.market("bob", "ask", "0.1")
    desk.mark("95000")
    profit, loss = desk.legs(order)
    assert (profit.status, profit.reason) == ("cancelled", "force_cancel")
    assert (loss.status, loss.average_price) == ("filled", Decimal(95000))
    assert desk.size("alice") == 0


def test_a_single_lot_is_triggered_but_nothing_of_it_filled() -> None:
    desk = Desk()
    hold_a_lot = desk.limit("alice", "ask", "100000", "0.001")
    desk.limit("bob", "bid", "100000", "0.001")
    force(desk, "partially_filled")
    order = triggered(desk, amount="0.00001", reduce_only=True)
    assert hold_a_lot.status == "filled"
    assert (order.status, order.reason, order.filled) == ("cancelled", "expired", Decimal(0))


def test_a_stop_order_and_a_leg_are_refused_when_they_are_placed() -> None:
    desk = Desk()
    force(desk, "refused", "Not today")
    with pytest.raises(Refused, match="Not today"):
        desk.stop("alice", "bid", "101000", "0.1", client_order_id=ID)
    with pytest.raises(Refused, match="Not today"):
        order_of(desk, client_order_id=None, stop_loss=leg("95000", client_order_id=ID))
    assert desk.account("alice").open_orders == {}


def test_a_stop_order_that_waits_already_is_not_refused_any_more() -> None:
    desk = Desk()
    desk.limit("bob", "ask", "101000", "0.1")
    order = desk.stop("alice", "bid", "101000", "0.1", client_order_id=ID)
    force(desk, "refused")
    desk.mark("101000")
    assert order.status == "filled"
