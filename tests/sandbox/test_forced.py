"""Outcomes that a test decides beforehand, by client order id."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import ID, OTHER_ID, Desk, fields, leg, money_of, shown
from trading_sandbox.engine.commands import ForceOutcome
from trading_sandbox.engine.records import Order
from trading_sandbox.engine.state import MAKER

SELF_TRADE = "self_trade_prevented"


def force(desk: Desk, status: Any, reason: str | None = None, name: str = ID) -> None:
    desk.run(ForceOutcome(client_order_id=name, status=status, reason=reason))


def order_of(desk: Desk, **more: Any) -> Order:
    """Place alice's bid for 0.3 BTC at 99,000, well below the market."""
    given = {"side": "bid", "price": "99000", "amount": "0.3", "client_order_id": ID, **more}
    return desk.limit("alice", **given)


@pytest.mark.parametrize(
    ("status", "reason", "asked", "more", "outcome"),
    [
        # The whole amount is traded at the price of the order, whatever the book offers.
        *(("filled", None, "98000", {"tif": tif}, "filled 0.3") for tif in ("GTC", "IOC", "ALO")),
        ("filled", None, "99500", {"tif": "TOB"}, "filled 0.3"),
        # Half of it, rounded to the lot; the rest stays in the book if it may.
        ("partially_filled", None, "100000", {}, "partially_filled 0.15"),
        ("partially_filled", None, "100000", {"amount": "0.00015"}, "partially_filled 0.00007"),
        ("partially_filled", None, "100000", {"tif": "IOC"}, "cancelled expired 0.15"),
        ("partially_filled", None, "100000", {"price": "100000"}, "cancelled expired 0.15"),
        ("cancelled", None, "98000", {}, "cancelled force_cancel 0"),
        ("cancelled", SELF_TRADE, "98000", {}, f"cancelled {SELF_TRADE} 0"),
        ("rejected", None, "98000", {}, "rejected post_only_rejected 0"),
    ],
)
def test_an_order_meets_its_outcome_and_the_book_is_left_alone(
    desk: Desk, status: str, reason: str | None, asked: str, more: dict[str, Any], outcome: str
) -> None:
    before = money_of(desk.exchange.state)
    seller = desk.limit("bob", "ask", asked, "0.3")
    force(desk, status, reason)
    order = order_of(desk, **more)
    assert (shown(order), shown(seller)) == (outcome, "open 0")
    assert (desk.size("alice"), desk.size(MAKER)) == (order.filled, -order.filled)
    assert money_of(desk.exchange.state) == before
    if order.filled:
        [trade] = desk.trades
        fee = order.filled * order.price * Decimal("0.0004")
        told = fields(trade, "account price amount event_type cause")
        assert told == f"alice {order.price} {order.filled} fulfill_taker normal"
        assert (trade.fee, order.average_price) == (fee, order.price)
    resting = order if order.status == "partially_filled" else None
    assert desk.best("bid") is resting
    if resting:
        desk.limit("carol", "ask", "99000", "0.3")
        assert not order.remaining


def test_a_single_lot_cannot_be_filled_in_part_and_the_outcome_stays(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "0.001")
    force(desk, "partially_filled")
    lot: Any = {"side": "ask", "price": "110000", "amount": "0.00001", "reduce_only": True}
    desk.refuses(lambda: order_of(desk, **lot), "Order too small: one lot")
    assert shown(order_of(desk)) == "partially_filled 0.15"


@pytest.mark.parametrize(
    ("status", "reason", "fitting"),
    [
        ("cancelled", "post_only_rejected", "cancel, force_cancel, expired, self_trade_prevented"),
        ("rejected", "cancel", "post_only_rejected"),
        ("filled", "cancel", "none"),
    ],
)
def test_a_reason_that_does_not_go_with_the_status_is_refused(
    desk: Desk, status: Any, reason: str, fitting: str
) -> None:
    words = f"Invalid reason: for {status} there is {fitting}"
    desk.refuses(ForceOutcome(client_order_id=ID, status=status, reason=reason), words)


@pytest.mark.parametrize(
    ("reason", "words"), [(None, "Refused by the sandbox as asked"), ("Too late", "Too late")]
)
def test_a_refused_order_leaves_no_trace_and_is_refused_again(
    desk: Desk, reason: str | None, words: str
) -> None:
    old = order_of(desk, client_order_id=OTHER_ID)
    force(desk, "refused", reason)
    for _ in range(2):
        assert desk.refuses(lambda: order_of(desk)) == words
    desk.refuses(lambda: desk.stop("alice", "bid", "101000", "0.1", client_order_id=ID), words)
    loss = leg("95000", client_order_id=ID)
    desk.refuses(lambda: order_of(desk, client_order_id=None, stop_loss=loss), words)
    force(desk, "refused", reason, name=OTHER_ID)
    desk.refuses(lambda: desk.edit("alice", "98000", "0.2", client_order_id=OTHER_ID), words)
    assert old.status == "open"
    force(desk, "filled")
    assert order_of(desk).status == "filled"


# -- which order ---------------------------------------------------------------------------------


def test_the_latest_outcome_is_for_the_next_order_with_its_id_alone(desk: Desk) -> None:
    force(desk, "filled")
    force(desk, "cancelled")
    for other in (None, OTHER_ID):
        assert order_of(desk, client_order_id=other).status == "open"
    # An order that is wrong keeps the outcome for the next.
    desk.refuses(lambda: order_of(desk, price="99000.5"), "tick size")
    assert [order_of(desk).status for _ in range(2)] == ["cancelled", "open"]
    assert desk.exchange.state.forced_outcomes == {}


# -- orders that wait for a price ----------------------------------------------------------------


def triggered(desk: Desk, amount: str = "0.1", **more: Any) -> Order:
    """Let alice's stop order wait, and the mark price trigger it."""
    order = desk.stop("alice", "bid", "101000", amount, client_order_id=ID, **more)
    assert order.status == "open"
    desk.mark("101000")
    return order


@pytest.mark.parametrize(
    ("status", "more", "outcome", "price"),
    [
        ("filled", {}, "filled 0.1", 101000),
        ("partially_filled", {}, "cancelled expired 0.05", 101000),
        ("partially_filled", {"limit_price": "100500"}, "partially_filled 0.05", 100500),
        ("cancelled", {}, "cancelled force_cancel 0", 0),
        ("rejected", {}, "rejected post_only_rejected 0", 0),
    ],
)
def test_a_stop_order_meets_its_outcome_when_it_is_triggered(
    desk: Desk, status: str, more: dict[str, Any], outcome: str, price: int
) -> None:
    force(desk, status)
    order = triggered(desk, **more)
    assert [shown(order), order.average_price] == [outcome, price]
    assert desk.exchange.state.forced_outcomes == {}
    assert desk.best("bid") is (order if more else None)


def test_a_single_lot_is_triggered_but_nothing_of_it_filled(desk: Desk) -> None:
    desk.trade("bob", "alice", "100000", "0.001")
    force(desk, "partially_filled")
    order = triggered(desk, amount="0.00001", reduce_only=True)
    assert shown(order) == "cancelled expired 0"
