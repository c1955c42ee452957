"""Take-profit and stop-loss of orders and of positions (interface sections 2.1, 4.1 and 4.5)."""

from __future__ import annotations

from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from tests.sandbox.desk import ID, OTHER_ID, Desk, fields, leg, shown
from trading_sandbox.engine.records import Order

BOTH: dict[str, Any] = {"take_profit": leg("105000"), "stop_loss": leg("95000")}
SAME_ID: dict[str, Any] = {"stop_loss": leg("95000", client_order_id=OTHER_ID)}
GONE = "cancelled force_cancel 0"
DUPLICATE = "Duplicate client_order_id:"


def bought(desk: Desk, amount: str = "0.1", **legs: Any) -> tuple[Order, list[Order]]:
    """Let alice buy from carol at 100000; return her order and its legs."""
    desk.limit("carol", "ask", "100000", amount)
    parent = desk.limit("alice", "bid", "100000", amount, **(legs or BOTH))
    return parent, desk.legs(parent)


def bids(desk: Desk, amount: str = "0.1", **more: Any) -> tuple[Order, list[Order]]:
    """Let alice bid 99000; return her order and its legs."""
    parent = desk.limit("alice", "bid", "99000", amount, **{**BOTH, **more})
    return parent, desk.legs(parent)


def sells(desk: Desk, amount: str) -> None:
    """Let alice sell at 100000 to bob."""
    desk.limit("bob", "bid", "100000", amount)
    desk.market("alice", "ask", amount)


def falls(desk: Desk) -> None:
    """Let the price fall to 95000, where bob buys."""
    desk.limit("bob", "bid", "95000", "1")
    desk.mark("95000")


# -- legs of an order ----------------------------------------------------------------------------


def test_legs_are_orders_of_their_own_with_the_ids_after_their_parents(desk: Desk) -> None:
    parent, legs = bids(
        desk,
        take_profit=leg("105000", "104900", client_order_id=ID),
        stop_loss=leg("95000", client_order_id=OTHER_ID),
    )
    told = "client_order_id order_type price status side reduce_only amount attached"
    assert [fields(one, told) for one in legs] == [
        f"{ID} take_profit_limit 104900 open ask True 0.1 None",
        f"{OTHER_ID} stop_loss_market 95000 open ask True 0.1 None",
    ]
    assert [one.order_id - parent.order_id for one in legs] == [1, 2]
    assert parent.attached == legs[0].order_id
    other, _ = bids(desk, take_profit=leg("105000"), stop_loss=leg("95000", "94000"))
    types = [order.order_type for order in desk.legs(other)]
    assert types == ["take_profit_market", "stop_loss_limit"]


@pytest.mark.parametrize(
    ("side", "profit_price", "loss_price", "mark", "fired"),
    [
        ("bid", "105000", "95000", "105000", 0),
        ("bid", "105000", "95000", "95001", None),
        ("bid", "105000", "95000", "95000", 1),
        ("ask", "95000", "105000", "95000", 0),
        ("ask", "95000", "105000", "105000", 1),
    ],
)
def test_one_is_triggered_and_the_other_is_cancelled(
    desk: Desk, side: Any, profit_price: str, loss_price: str, mark: str, fired: int | None
) -> None:
    desk.limit("carol", "ask" if side == "bid" else "bid", "100000", "0.1")
    given = {
        "take_profit": leg(profit_price, profit_price),
        "stop_loss": leg(loss_price, loss_price),
    }
    legs = desk.legs(desk.limit("alice", side, "100000", "0.1", **given))
    desk.mark(mark)
    if fired is None:
        assert [one.in_trigger_book for one in legs] == [True, True]
        return
    hit, other = legs[fired], legs[1 - fired]
    assert [shown(hit), shown(other)] == ["open 0", GONE]
    assert desk.best(hit.side) is hit


# -- what the parent has filled ------------------------------------------------------------------


def test_legs_wait_while_the_parent_has_filled_nothing_and_act_once_it_has(desk: Desk) -> None:
    # A position that is not their parent's is left alone.
    bought(desk, "0.3", take_profit=leg("150000"))
    parent, (_, loss) = bids(desk)
    desk.limit("bob", "bid", "94000", "0.1")
    desk.mark("94500")
    assert (loss.in_trigger_book, desk.size("alice")) == (True, Decimal("0.3"))
    desk.limit("carol", "ask", "99000", "0.1")
    assert [shown(parent), shown(loss)] == ["filled 0.1", "filled 0.1"]
    assert [loss.average_price, desk.size("alice")] == [94000, Decimal("0.3")]


def test_a_leg_closes_what_a_partly_filled_parent_has_filled(desk: Desk) -> None:
    bought(desk, "0.3", take_profit=leg("150000"))
    parent, (profit, _) = bids(desk)
    desk.limit("carol", "ask", "99000", "0.04")
    desk.limit("bob", "bid", "104000", "1")
    desk.mark("105000")
    assert [shown(parent), shown(profit)] == ["partially_filled 0.04", "filled 0.04"]
    assert (profit.amount, desk.size("alice")) == (Decimal("0.04"), Decimal("0.3"))


@pytest.mark.parametrize(
    ("tif", "asked", "reason"),
    [("IOC", None, "expired"), ("ALO", "99000", "post_only_rejected"), ("GTC", None, "cancel")],
)
def test_legs_of_a_parent_that_ends_without_a_fill_are_cancelled(
    desk: Desk, tif: str, asked: str | None, reason: str
) -> None:
    if asked is not None:
        desk.limit("carol", "ask", asked, "0.1")
    parent, legs = bids(desk, tif=tif, client_order_id=ID)
    if reason == "cancel":
        desk.cancel("alice", client_order_id=ID)
    assert parent.reason == reason
    assert [shown(one) for one in legs] == [GONE] * 2
    assert desk.account("alice").open_orders == {}


@pytest.mark.parametrize("tif", ["IOC", "GTC"])
def test_legs_of_a_parent_that_ends_partly_filled_shrink_to_what_it_filled(
    desk: Desk, tif: str
) -> None:
    desk.limit("carol", "ask", "99000", "0.04")
    parent, (profit, loss) = bids(desk, tif=tif)
    if tif == "GTC":
        desk.cancel("alice", order_id=parent.order_id)
    # The histories are told of it, too.
    assert {profit.order_id, loss.order_id} <= desk.latest.orders.keys()
    assert shown(parent).startswith("cancelled") and parent.filled == Decimal("0.04")
    told = f"open 0.04 {desk.now}"
    assert [fields(one, "status amount updated_at") for one in (profit, loss)] == [told] * 2
    falls(desk)
    assert [shown(profit), shown(loss)] == [GONE, "filled 0.04"]


# -- what becomes of the position ----------------------------------------------------------------


@pytest.mark.parametrize("of_the_position", [False, True])
@pytest.mark.parametrize("sold", ["0.1", "0.3"])
def test_legs_are_cancelled_when_the_position_is_closed_or_turns_around(
    desk: Desk, sold: str, of_the_position: bool
) -> None:
    _, legs = bought(desk)
    if of_the_position:
        for one in legs:
            desk.cancel_stop("alice", order_id=one.order_id)
        legs = desk.tpsl("alice", "ask", **BOTH)
    sells(desk, sold)
    assert desk.size("alice") == Decimal("0.1") - Decimal(sold)
    assert [shown(one) for one in legs] == [GONE] * 2


# -- edits of the parent -------------------------------------------------------------------------


def test_legs_follow_an_edited_parent(desk: Desk) -> None:
    old, legs = bids(desk)
    new = desk.edit("alice", "98000", "0.2", order_id=old.order_id)
    assert desk.legs(new) == legs
    assert {one.order_id for one in legs} <= desk.latest.orders.keys()
    assert old.attached == new.attached == legs[0].order_id
    told = f"open 0.2 {desk.now}"
    assert [fields(one, "status amount updated_at") for one in legs] == [told] * 2
    desk.limit("carol", "ask", "98000", "0.2")
    falls(desk)
    assert shown(legs[1]) == "filled 0.2"


def test_an_edit_beyond_its_own_leg_is_refused(desk: Desk) -> None:
    order, _ = bids(desk)
    for price, words in (
        ("95000", "Invalid stop_loss: its stop_price must be below 95000, the price of its order"),
        ("105000", "Invalid take_profit: its stop_price must be above 105000"),
    ):
        desk.refuses(partial(desk.edit, "alice", price, "0.1", order_id=order.order_id), words)


# -- refusals of orders with legs ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "legs", "words"),
    [
        ("bid", {"take_profit": leg("99000")}, "take_profit: its stop_price must be above 99000,"),
        ("bid", {"stop_loss": leg("99000")}, "stop_loss: its stop_price must be below 99000, the"),
        ("ask", {"take_profit": leg("99000")}, "take_profit: its stop_price must be below"),
        ("bid", {"take_profit": leg("105000", "1.5")}, "limit_price: 1.5 is not a multiple"),
        ("bid", {"take_profit": leg("105000", amount="0.1")}, "Invalid take_profit: it"),
        ("bid", {"take_profit": leg("105000"), "reduce_only": True}, "Reduce-only: such"),
        ("bid", {**BOTH, "amount": "100"}, "Insufficient balance"),
        ("bid", {"take_profit": leg("105000", client_order_id=ID)}, f"{DUPLICATE} or"),
        ("bid", {**SAME_ID, "client_order_id": OTHER_ID}, f"{DUPLICATE} an order and its legs"),
        ("bid", {**SAME_ID, "take_profit": leg("105000", client_order_id=OTHER_ID)}, DUPLICATE),
    ],
)
def test_an_order_with_a_leg_that_cannot_be_is_refused(
    desk: Desk, side: Any, legs: dict[str, Any], words: str
) -> None:
    desk.limit("alice", "bid", "90000", "0.1", client_order_id=ID)
    given = {"price": "99000", "amount": "0.1", **legs}
    desk.refuses(lambda: desk.limit("alice", side, **given), words)


def test_the_legs_of_a_market_order_lie_around_the_current_price(desk: Desk) -> None:
    desk.limit("bob", "bid", "99000", "1")
    desk.limit("carol", "ask", "99200", "1")
    desk.refuses(
        lambda: desk.market("alice", "bid", "0.1", take_profit=leg("99100")),
        "Invalid take_profit: its stop_price must be above 99100, the price of its order",
    )


# -- of a position -------------------------------------------------------------------------------


def held(desk: Desk, side: Any = "bid", amount: str = "0.1") -> None:
    """Give alice a position at 100000."""
    desk.limit("carol", "ask" if side == "bid" else "bid", "100000", amount)
    desk.limit("alice", side, "100000", amount)


def test_a_part_of_a_position_may_be_closed_and_the_other_leg_stays(desk: Desk) -> None:
    held(desk)
    part = leg("105000", amount="0.04")
    profit, loss = desk.tpsl("alice", "ask", take_profit=part, stop_loss=leg("95000"))
    desk.limit("bob", "bid", "104000", "0.04")
    desk.mark("105000")
    assert [shown(profit), shown(loss)] == ["filled 0.04", "open 0"]
    falls(desk)
    assert shown(loss) == "filled 0.06"

    # Nor does one of the whole position end one of a part while it rests in the book.
    held(desk)
    whole = leg("105000", "106000")
    profit, loss = desk.tpsl(
        "alice", "ask", take_profit=whole, stop_loss=leg("90000", amount="0.04")
    )
    desk.mark("105000")
    assert desk.best("ask") is profit
    assert shown(loss) == "open 0"


def test_setting_one_again_replaces_it_and_leaves_the_other(desk: Desk) -> None:
    held(desk)
    profit, loss = desk.tpsl(
        "alice",
        "ask",
        take_profit=leg("105000", client_order_id=ID),
        stop_loss=leg("95000", client_order_id=OTHER_ID),
    )
    # Each may keep the id of the one that it replaces, and have none of one that stays.
    taken = leg("106000", client_order_id=OTHER_ID)
    desk.refuses(
        lambda: desk.tpsl("alice", "ask", take_profit=taken),
        f"Duplicate client_order_id: order {loss.order_id} is open with it",
    )
    (renewed,) = desk.tpsl("alice", "ask", take_profit=leg("106000", client_order_id=ID))
    assert [shown(one) for one in (profit, loss, renewed)] == [
        *("cancelled cancel 0", "open 0", "open 0")
    ]
    # Where both are replaced, they may have each other's.
    swapped = {
        "take_profit": leg("107000", client_order_id=OTHER_ID),
        "stop_loss": leg("94000", client_order_id=ID),
    }
    legs = desk.tpsl("alice", "ask", **swapped)
    assert [shown(one) for one in (renewed, loss)] == ["cancelled cancel 0"] * 2
    assert [one.client_order_id for one in legs] == [OTHER_ID, ID]
    desk.limit("bob", "bid", "104000", "1")
    desk.mark("107000")
    assert [shown(one) for one in legs] == ["filled 0.1", GONE]


@pytest.mark.parametrize(
    ("legs", "words"),
    [
        ({}, "At least one of"),
        ({"side": "bid", **BOTH}, "Position not found"),
        ({"take_profit": leg("100000")}, "stop_price: a take_profit at 100000 would trigger"),
        ({"stop_loss": leg("101000")}, "Invalid stop_price: a stop_loss at 101000"),
        ({"stop_loss": leg("95000", amount="0.000001")}, "amount: 0.000001 is not a multiple"),
        ({"stop_loss": leg("95000", client_order_id=ID)}, f"{DUPLICATE} or"),
        ({"symbol": "ETH", **BOTH}, "Position not found"),
        ({**SAME_ID, "take_profit": leg("105000", client_order_id=OTHER_ID)}, DUPLICATE),
    ],
)
def test_what_a_position_cannot_get_is_refused(
    desk: Desk, legs: dict[str, Any], words: str
) -> None:
    held(desk)
    desk.limit("alice", "bid", "90000", "0.1", client_order_id=ID)
    desk.tpsl("alice", "ask", **BOTH)
    given = {"account": "alice", "side": "ask", **legs}
    desk.refuses(lambda: desk.tpsl(**given), words)
