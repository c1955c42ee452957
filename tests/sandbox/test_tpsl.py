"""Take-profit and stop-loss of orders and of positions (interface sections 2.1, 4.1 and 4.5)."""

from __future__ import annotations

import copy
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import Desk, leg
from tests.sandbox.refused import refusal
from trading_sandbox.engine.commands import SetPositionTpsl
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.records import Order

ID = "3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b"
TP_ID = "00000000-0000-4000-8000-000000000001"
SL_ID = "00000000-0000-4000-8000-000000000002"
BOTH: dict[str, Any] = {"take_profit": leg("105000"), "stop_loss": leg("95000")}


def outcome(order: Order) -> tuple[str, str | None]:
    return order.status, order.reason


def bought(desk: Desk, amount: str = "0.1", **legs: Any) -> tuple[Order, list[Order]]:
    """Let alice buy from carol at 100000; return her order and its legs."""
    desk.limit("carol", "ask", "100000", amount)
    parent = desk.limit("alice", "bid", "100000", amount, **(legs or BOTH))
    return parent, desk.legs(parent)


def refused(desk: Desk, what: Callable[[], object]) -> str:
    """Expect something to be refused without a trace; return the words."""
    return str(refusal(desk, what))


# -- legs of an order ----------------------------------------------------------------------------


def test_legs_are_orders_of_their_own_with_the_ids_after_their_parents() -> None:
    desk = Desk()
    parent = desk.limit(
        "alice",
        "bid",
        "99000",
        "0.1",
        take_profit=leg("105000", "104900", client_order_id=TP_ID),
        stop_loss=leg("95000", client_order_id=SL_ID),
    )
    profit, loss = desk.legs(parent)
    assert [profit.order_id, loss.order_id] == [parent.order_id + 1, parent.order_id + 2]
    assert [one.attached for one in (parent, profit, loss)] == [profit.order_id, None, None]
    assert [profit.order_type, loss.order_type] == ["take_profit_limit", "stop_loss_market"]
    assert [profit.client_order_id, loss.client_order_id] == [TP_ID, SL_ID]
    assert [profit.price, loss.price] == [Decimal(104900), Decimal(95000)]
    for one in (profit, loss):
        assert (one.status, one.side, one.reduce_only) == ("open", "ask", True)
        assert one.amount == Decimal("0.1")


def test_the_other_two_types_of_legs_occur_as_well() -> None:
    desk = Desk()
    parent = desk.limit(
        "alice", "bid", "99000", "0.1", take_profit=leg("105000"), stop_loss=leg("95000", "94000")
    )
    types = [order.order_type for order in desk.legs(parent)]
    assert types == ["take_profit_market", "stop_loss_limit"]


def test_a_market_order_may_have_legs() -> None:
    desk = Desk()
    desk.limit("carol", "ask", "100000", "0.1")
    parent = desk.market("alice", "bid", "0.1", **BOTH)
    profit, loss = desk.legs(parent)
    desk.limit("bob", "bid", "105000", "0.1")
    desk.mark("105000")
    assert outcome(profit) == ("filled", None)
    assert outcome(loss) == ("cancelled", "force_cancel")
    assert desk.size("alice") == 0


@pytest.mark.parametrize(
    ("side", "profit_price", "loss_price", "mark", "fired"),
    [
        ("bid", "105000", "95000", "104999", None),
        ("bid", "105000", "95000", "105000", "take_profit"),
        ("bid", "105000", "95000", "95001", None),
        ("bid", "105000", "95000", "95000", "stop_loss"),
        ("ask", "95000", "105000", "95000", "take_profit"),
        ("ask", "95000", "105000", "105000", "stop_loss"),
    ],
)
def test_one_is_triggered_and_the_other_is_cancelled(
    side: Any, profit_price: str, loss_price: str, mark: str, fired: str | None
) -> None:
    desk = Desk()
    desk.limit("carol", "ask" if side == "bid" else "bid", "100000", "0.1")
    parent = desk.limit(
        "alice",
        side,
        "100000",
        "0.1",
        take_profit=leg(profit_price, profit_price),
        stop_loss=leg(loss_price, loss_price),
    )
    desk.mark(mark)
    profit, loss = desk.legs(parent)
    assert [profit.in_trigger_book, loss.in_trigger_book] == [
        fired != "take_profit",
        fired != "stop_loss",
    ]
    if fired is None:
        assert [profit.status, loss.status] == ["open", "open"]
        return
    hit, other = (profit, loss) if fired == "take_profit" else (loss, profit)
    assert outcome(hit) == ("open", None)
    assert outcome(other) == ("cancelled", "force_cancel")
    assert desk.exchange.venue.books["BTC"].best(hit.side) is hit


def test_a_leg_can_wait_for_a_price_of_its_own_choice() -> None:
    desk = Desk()
    by_trade = leg("95000", "90000", trigger_price_type="last_trade_price")
    parent, (loss,) = bought(desk, stop_loss=by_trade)
    desk.mark("94000")
    assert loss.in_trigger_book
    desk.limit("bob", "bid", "95000", "0.1")
    desk.limit("carol", "ask", "95000", "0.1")
    assert not loss.in_trigger_book
    assert parent.status == "filled"


# -- what the parent has filled ------------------------------------------------------------------


def test_legs_wait_while_the_parent_has_filled_nothing_and_act_once_it_has() -> None:
    desk = Desk()
    parent = desk.limit("alice", "bid", "99000", "0.1", stop_loss=leg("95000"))
    (loss,) = desk.legs(parent)
    desk.limit("bob", "bid", "94000", "0.1")
    desk.mark("94500")
    assert loss.in_trigger_book
    desk.limit("carol", "ask", "99000", "0.1")
    assert parent.status == "filled"
    assert (loss.status, loss.average_price) == ("filled", Decimal(94000))


def test_legs_leave_a_position_alone_that_is_not_their_parents() -> None:
    desk = Desk()
    bought(desk, "0.3", take_profit=leg("150000"))
    parent = desk.limit("alice", "bid", "99000", "0.1", stop_loss=leg("95000"))
    (loss,) = desk.legs(parent)
    desk.mark("94500")
    assert loss.in_trigger_book
    assert desk.size("alice") == Decimal("0.3")


def test_a_leg_closes_what_a_partly_filled_parent_has_filled() -> None:
    desk = Desk()
    bought(desk, "0.3", take_profit=leg("150000"))
    parent = desk.limit("alice", "bid", "99000", "0.1", take_profit=leg("105000"))
    (profit,) = desk.legs(parent)
    desk.limit("carol", "ask", "99000", "0.04")
    desk.limit("bob", "bid", "104000", "1")
    desk.mark("105000")
    assert (profit.status, profit.amount) == ("filled", Decimal("0.04"))
    assert desk.size("alice") == Decimal("0.3")
    assert parent.status == "partially_filled"


def test_a_leg_closes_no_more_than_the_position() -> None:
    desk = Desk()
    _, (profit, loss) = bought(desk, "0.1")
    desk.limit("bob", "bid", "100000", "1")
    desk.market("alice", "ask", "0.07")
    desk.mark("105000")
    assert (profit.status, profit.amount) == ("filled", Decimal("0.03"))
    assert outcome(loss) == ("cancelled", "force_cancel")
    assert desk.size("alice") == 0


def test_legs_of_a_cancelled_parent_are_cancelled() -> None:
    desk = Desk()
    parent = desk.limit("alice", "bid", "99000", "0.1", client_order_id=ID, **BOTH)
    desk.cancel("alice", client_order_id=ID)
    assert outcome(parent) == ("cancelled", "cancel")
    assert [outcome(one) for one in desk.legs(parent)] == [("cancelled", "force_cancel")] * 2


@pytest.mark.parametrize(("tif", "reason"), [("IOC", "expired"), ("ALO", "post_only_rejected")])
def test_legs_of_a_parent_that_ends_at_once_without_a_fill_are_cancelled(
    tif: str, reason: str
) -> None:
    desk = Desk()
    if tif == "ALO":
        desk.limit("carol", "ask", "99000", "0.1")
    parent = desk.limit("alice", "bid", "99000", "0.1", tif=tif, **BOTH)
    assert parent.reason == reason
    assert [outcome(one) for one in desk.legs(parent)] == [("cancelled", "force_cancel")] * 2
    assert desk.account("alice").open_orders == {}


def test_legs_of_a_parent_that_ends_partly_filled_keep_what_it_filled() -> None:
    desk = Desk()
    desk.limit("carol", "ask", "100000", "0.04")
    parent = desk.limit("alice", "bid", "100000", "0.1", tif="IOC", **BOTH)
    assert outcome(parent) == ("cancelled", "expired")
    profit, loss = desk.legs(parent)
    assert (profit.status, profit.amount) == ("open", Decimal("0.04"))
    desk.limit("bob", "bid", "95000", "1")
    desk.mark("95000")
    assert (loss.status, loss.filled) == ("filled", Decimal("0.04"))


def test_a_leg_that_shrinks_to_what_its_parent_has_filled_was_modified_then() -> None:
    desk = Desk()
    parent = desk.limit("alice", "bid", "100000", "0.1", **BOTH)
    desk.market("carol", "ask", "0.04")
    desk.cancel("alice", order_id=parent.order_id)
    [profit, loss] = desk.legs(parent)
    assert profit.amount == loss.amount == Decimal("0.04")
    assert profit.updated_at == loss.updated_at == desk.now > profit.created_at


def test_legs_keep_what_a_parent_filled_before_it_was_cancelled() -> None:
    desk = Desk()
    parent = desk.limit("alice", "bid", "99000", "0.1", **BOTH)
    desk.limit("carol", "ask", "99000", "0.04")
    desk.cancel("alice", order_id=parent.order_id)
    assert [one.amount for one in desk.legs(parent)] == [Decimal("0.04")] * 2
    assert [one.status for one in desk.legs(parent)] == ["open", "open"]


def test_legs_go_on_after_the_exchange_was_read_back() -> None:
    desk = Desk()
    parent = desk.limit("alice", "bid", "99000", "0.1", **BOTH)
    desk.limit("carol", "ask", "99000", "0.04")
    desk.exchange = Exchange(copy.deepcopy(desk.exchange.state))
    desk.limit("carol", "ask", "99000", "0.05")
    desk.limit("bob", "bid", "95000", "1")
    desk.exchange = Exchange(copy.deepcopy(desk.exchange.state))
    desk.mark("95000")
    profit, loss = desk.legs(parent)
    assert (loss.status, loss.filled) == ("filled", Decimal("0.09"))
    assert outcome(profit) == ("cancelled", "force_cancel")


# -- what becomes of the position ----------------------------------------------------------------


def test_legs_are_cancelled_when_the_position_is_closed_by_hand() -> None:
    desk = Desk()
    _, legs = bought(desk)
    desk.limit("bob", "bid", "100000", "0.1")
    desk.market("alice", "ask", "0.1")
    assert [outcome(one) for one in legs] == [("cancelled", "force_cancel")] * 2


def test_legs_are_cancelled_when_the_position_turns_around() -> None:
    desk = Desk()
    _, legs = bought(desk)
    desk.limit("bob", "bid", "100000", "0.3")
    desk.market("alice", "ask", "0.3")
    assert desk.size("alice") < 0
    assert [outcome(one) for one in legs] == [("cancelled", "force_cancel")] * 2


def test_legs_of_an_order_that_only_closed_a_position_are_cancelled() -> None:
    desk = Desk()
    desk.limit("carol", "bid", "100000", "0.1")
    desk.limit("alice", "ask", "100000", "0.1")
    _, legs = bought(desk, "0.1")
    assert desk.size("alice") == 0
    assert [outcome(one) for one in legs] == [("cancelled", "force_cancel")] * 2


def test_legs_stay_while_their_parent_may_still_open_a_position() -> None:
    desk = Desk()
    desk.limit("carol", "bid", "100000", "0.05")
    desk.limit("alice", "ask", "100000", "0.05")
    parent = desk.limit("alice", "bid", "99000", "0.1", **BOTH)
    profit, loss = desk.legs(parent)
    desk.limit("carol", "ask", "99000", "0.03")
    desk.mark("94000")
    assert (desk.size("alice"), loss.in_trigger_book) == (Decimal("-0.02"), True)
    desk.limit("bob", "bid", "93000", "1")
    desk.limit("carol", "ask", "99000", "0.07")
    assert (loss.status, loss.amount) == ("filled", Decimal("0.05"))
    assert outcome(profit) == ("cancelled", "force_cancel")
    assert desk.size("alice") == 0


def test_one_leg_can_be_cancelled_and_the_other_stays() -> None:
    desk = Desk()
    parent, (profit, loss) = bought(desk)
    desk.cancel_stop("alice", order_id=profit.order_id)
    assert outcome(profit) == ("cancelled", "cancel")
    assert loss.status == "open"
    assert parent.status == "filled"


def test_legs_of_two_orders_close_each_their_own() -> None:
    desk = Desk()
    _, (near, _) = bought(desk, "0.1", take_profit=leg("103000"), stop_loss=leg("97000"))
    _, (far, far_loss) = bought(desk, "0.2", take_profit=leg("106000"), stop_loss=leg("94000"))
    desk.limit("bob", "bid", "102000", "1")
    desk.mark("103000")
    assert (near.status, near.filled) == ("filled", Decimal("0.1"))
    assert (far.status, far_loss.status) == ("open", "open")
    assert desk.size("alice") == Decimal("0.2")


# -- edits of the parent -------------------------------------------------------------------------


def test_legs_follow_an_edited_parent() -> None:
    desk = Desk()
    old = desk.limit("alice", "bid", "99000", "0.1", **BOTH)
    legs = desk.legs(old)
    new = desk.edit("alice", "98000", "0.2", order_id=old.order_id)
    assert desk.legs(new) == legs
    assert old.attached == new.attached == legs[0].order_id
    assert [(one.status, one.amount) for one in legs] == [("open", Decimal("0.2"))] * 2
    desk.limit("carol", "ask", "98000", "0.2")
    desk.limit("bob", "bid", "95000", "1")
    desk.mark("95000")
    assert (legs[1].status, legs[1].filled) == ("filled", Decimal("0.2"))


def test_legs_still_close_what_was_filled_before_the_edits() -> None:
    desk = Desk()
    first = desk.limit("alice", "bid", "99000", "0.1", **BOTH)
    profit, loss = desk.legs(first)
    desk.limit("carol", "ask", "99000", "0.04")
    second = desk.edit("alice", "98000", "0.1", order_id=first.order_id)
    desk.limit("carol", "ask", "98000", "0.03")
    third = desk.edit("alice", "97000", "0.1", order_id=second.order_id)
    assert (profit.status, profit.amount) == ("open", Decimal("0.17"))
    desk.cancel("alice", order_id=third.order_id)
    assert (loss.status, loss.amount) == ("open", Decimal("0.07"))
    desk.limit("bob", "bid", "95000", "1")
    desk.mark("95000")
    assert (loss.filled, desk.size("alice")) == (Decimal("0.07"), Decimal(0))


@pytest.mark.parametrize(("filled", "status"), [("0.04", "open"), (None, "cancelled")])
def test_legs_keep_only_what_was_filled_when_the_edited_order_is_rejected(
    filled: str | None, status: str
) -> None:
    desk = Desk()
    old = desk.limit("alice", "bid", "99000", "0.1", **BOTH)
    profit, _ = desk.legs(old)
    if filled is not None:
        desk.limit("carol", "ask", "99000", filled)
    desk.limit("carol", "ask", "99500", "0.1")
    new = desk.edit("alice", "99500", "0.1", order_id=old.order_id)
    assert new.reason == "post_only_rejected"
    assert profit.status == status
    assert profit.amount == Decimal(filled or "0.1")


def test_an_edit_beyond_its_own_leg_is_refused() -> None:
    desk = Desk()
    order = desk.limit("alice", "bid", "99000", "0.1", stop_loss=leg("95000"))
    words = refused(desk, lambda: desk.edit("alice", "95000", "0.1", order_id=order.order_id))
    assert words.startswith("Invalid stop_loss: its stop_price must be below 95000")


# -- refusals of orders with legs ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "legs", "words"),
    [
        ("bid", {"take_profit": leg("99000")}, "Invalid take_profit: its stop_price must be above"),
        ("bid", {"take_profit": leg("98000")}, "Invalid take_profit: its stop_price must be above"),
        ("bid", {"stop_loss": leg("99000")}, "Invalid stop_loss: its stop_price must be below"),
        ("bid", {"stop_loss": leg("99500")}, "Invalid stop_loss: its stop_price must be below"),
        ("ask", {"take_profit": leg("99000")}, "Invalid take_profit: its stop_price must be below"),
        ("ask", {"stop_loss": leg("98000")}, "Invalid stop_loss: its stop_price must be above"),
        ("bid", {"take_profit": leg("105000.5")}, "Invalid stop_price"),
        ("bid", {"take_profit": leg("105000", "1.5")}, "Invalid limit_price"),
        ("bid", {"take_profit": leg("105000", amount="0.1")}, "Invalid take_profit: it closes"),
        ("bid", {"take_profit": leg("105000"), "reduce_only": True}, "Reduce-only"),
        ("bid", {"stop_loss": leg("95000", client_order_id=ID)}, "Duplicate client_order_id"),
        (
            "bid",
            {"stop_loss": leg("95000", client_order_id=SL_ID), "client_order_id": SL_ID},
            "Duplicate client_order_id",
        ),
        (
            "bid",
            {
                "take_profit": leg("105000", client_order_id=SL_ID),
                "stop_loss": leg("95000", client_order_id=SL_ID),
            },
            "Duplicate client_order_id",
        ),
    ],
)
def test_an_order_with_a_leg_that_cannot_be_is_refused(
    side: Any, legs: dict[str, Any], words: str
) -> None:
    desk = Desk()
    desk.limit("alice", "bid", "90000", "0.1", client_order_id=ID)
    assert refused(desk, lambda: desk.limit("alice", side, "99000", "0.1", **legs)).startswith(
        words
    )


def test_an_order_that_is_refused_has_no_legs_either() -> None:
    desk = Desk()
    words = refused(desk, lambda: desk.limit("alice", "bid", "99000", "100", **BOTH))
    assert words.startswith("Insufficient balance")


def test_the_legs_of_a_market_order_lie_around_the_current_price() -> None:
    desk = Desk()
    desk.limit("bob", "bid", "99000", "1")
    desk.limit("carol", "ask", "99200", "1")
    words = refused(desk, lambda: desk.market("alice", "bid", "0.1", take_profit=leg("99100")))
    assert words == (
        "Invalid take_profit: its stop_price must be above 99100, the price of its order"
    )


# -- of a position -------------------------------------------------------------------------------


def held(desk: Desk, side: Any = "bid", amount: str = "0.1") -> None:
    """Give alice a position at 100000."""
    desk.limit("carol", "ask" if side == "bid" else "bid", "100000", amount)
    desk.limit("alice", side, "100000", amount)


def test_a_position_gets_both_at_once() -> None:
    desk = Desk()
    held(desk)
    profit, loss = desk.tpsl(
        "alice",
        "ask",
        take_profit=leg("105000", "104000", client_order_id=ID),
        stop_loss=leg("95000"),
    )
    assert [profit.order_type, loss.order_type] == ["take_profit_limit", "stop_loss_market"]
    assert profit.client_order_id == ID
    for one in (profit, loss):
        assert (one.status, one.side, one.reduce_only) == ("open", "ask", True)
        assert one.amount == Decimal("0.1")
        assert one.stop is not None
        assert one.stop.parent is None


@pytest.mark.parametrize(
    ("side", "closing", "profit_price", "loss_price", "mark", "fired"),
    [
        ("bid", "ask", "105000", "95000", "105000", 0),
        ("bid", "ask", "105000", "95000", "95000", 1),
        ("ask", "bid", "95000", "105000", "95000", 0),
        ("ask", "bid", "95000", "105000", "105000", 1),
    ],
)
def test_one_closes_the_whole_position_and_the_other_is_cancelled(
    side: Any, closing: Any, profit_price: str, loss_price: str, mark: str, fired: int
) -> None:
    desk = Desk()
    held(desk, side)
    legs = desk.tpsl("alice", closing, take_profit=leg(profit_price), stop_loss=leg(loss_price))
    held(desk, side, "0.05")
    desk.limit("bob", side, mark, "1")
    desk.mark(mark)
    assert (legs[fired].status, legs[fired].amount) == ("filled", Decimal("0.15"))
    assert outcome(legs[1 - fired]) == ("cancelled", "force_cancel")
    assert desk.size("alice") == 0


def test_a_part_of_a_position_may_be_closed_and_the_other_leg_stays() -> None:
    desk = Desk()
    held(desk)
    profit, loss = desk.tpsl(
        "alice", "ask", take_profit=leg("105000", amount="0.04"), stop_loss=leg("95000")
    )
    desk.limit("bob", "bid", "104000", "0.04")
    desk.mark("105000")
    assert (profit.status, profit.filled) == ("filled", Decimal("0.04"))
    assert loss.status == "open"
    desk.limit("bob", "bid", "95000", "1")
    desk.mark("95000")
    assert (loss.status, loss.filled) == ("filled", Decimal("0.06"))


def test_setting_one_again_replaces_it_and_leaves_the_other() -> None:
    desk = Desk()
    held(desk)
    profit, loss = desk.tpsl(
        "alice", "ask", take_profit=leg("105000", client_order_id=ID), stop_loss=leg("95000")
    )
    (renewed,) = desk.tpsl("alice", "ask", take_profit=leg("106000", client_order_id=ID))
    assert outcome(profit) == ("cancelled", "cancel")
    assert (loss.status, renewed.status) == ("open", "open")
    desk.limit("bob", "bid", "104000", "1")
    desk.mark("106000")
    assert renewed.status == "filled"
    assert outcome(loss) == ("cancelled", "force_cancel")


def test_what_a_position_gets_replaces_no_leg_of_an_order_and_no_stop_order() -> None:
    desk = Desk()
    _, of_the_order = bought(desk)
    stop = desk.stop("alice", "ask", "96000")
    desk.tpsl("alice", "ask", **BOTH)
    assert [one.status for one in (*of_the_order, stop)] == ["open"] * 3


def test_what_a_position_gets_replaces_nothing_of_others_or_elsewhere() -> None:
    desk = Desk()
    held(desk)
    desk.limit("carol", "ask", "150", "10", symbol="SOL")
    desk.limit("alice", "bid", "150", "10", symbol="SOL")
    (elsewhere,) = desk.tpsl("alice", "ask", symbol="SOL", stop_loss=leg("140"))
    (others,) = desk.tpsl("carol", "bid", stop_loss=leg("105000"))
    desk.tpsl("alice", "ask", stop_loss=leg("95000"))
    assert (elsewhere.status, others.status) == ("open", "open")


@pytest.mark.parametrize("sold", ["0.1", "0.3"])
def test_they_are_cancelled_when_the_position_is_gone(sold: str) -> None:
    desk = Desk()
    held(desk)
    legs = desk.tpsl("alice", "ask", **BOTH)
    desk.limit("bob", "bid", "100000", "1")
    desk.market("alice", "ask", sold)
    assert [outcome(one) for one in legs] == [("cancelled", "force_cancel")] * 2


@pytest.mark.parametrize("by", ["cancel", "cancel_stop"])
def test_they_are_cancelled_like_any_stop_order(by: str) -> None:
    desk = Desk()
    held(desk)
    (loss,) = desk.tpsl("alice", "ask", stop_loss=leg("95000", client_order_id=ID))
    getattr(desk, by)("alice", client_order_id=ID)
    assert outcome(loss) == ("cancelled", "cancel")


@pytest.mark.parametrize(
    ("side", "legs", "words"),
    [
        ("ask", {}, "At least one of"),
        ("bid", BOTH, "Position not found"),
        ("ask", {"take_profit": leg("100000")}, "Invalid stop_price: a take_profit at 100000"),
        ("ask", {"stop_loss": leg("101000")}, "Invalid stop_price: a stop_loss at 101000"),
        ("ask", {"stop_loss": leg("95000.5")}, "Invalid stop_price"),
        ("ask", {"stop_loss": leg("95000", "0.5")}, "Invalid limit_price"),
        ("ask", {"stop_loss": leg("95000", amount="0.000001")}, "Invalid amount"),
        ("ask", {"stop_loss": leg("95000", client_order_id=ID)}, "Duplicate client_order_id"),
        ("ask", {"symbol": "DOGE", **BOTH}, "Unknown symbol"),
        ("ask", {"symbol": "ETH", **BOTH}, "Position not found"),
        ("ask", {"account": "mallory", **BOTH}, "Account not found"),
        (
            "ask",
            {
                "take_profit": leg("105000", client_order_id=TP_ID),
                "stop_loss": leg("95000", client_order_id=TP_ID),
            },
            "Duplicate client_order_id",
        ),
    ],
)
def test_what_a_position_cannot_get_is_refused(side: Any, legs: dict[str, Any], words: str) -> None:
    desk = Desk()
    held(desk)
    desk.limit("alice", "bid", "90000", "0.1", client_order_id=ID)
    desk.tpsl("alice", "ask", **BOTH)
    fields: dict[str, Any] = {"account": "alice", "symbol": "BTC", "side": side, **legs}
    assert refused(desk, lambda: desk.run(SetPositionTpsl(**fields))).startswith(words)
