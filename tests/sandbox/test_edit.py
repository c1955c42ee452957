"""The edit rule (interface section 3): the original is cancelled, an ALO order takes its place."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.sandbox.desk import Desk
from trading_sandbox.engine.records import Refused

ID = "3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b"


def test_an_edit_cancels_the_order_and_places_another_under_a_new_id() -> None:
    desk = Desk()
    old = desk.limit("alice", "bid", "99000", "0.1", client_order_id=ID)
    new = desk.edit("alice", "98000", "0.2", order_id=old.order_id)
    assert (old.status, old.reason) == ("cancelled", "cancel")
    assert new.order_id > old.order_id
    assert (new.side, new.tif, new.price, new.status) == ("bid", "ALO", Decimal(98000), "open")
    assert (new.client_order_id, new.reduce_only) == (ID, False)


def test_an_edit_may_name_the_order_by_its_client_id_again_and_again() -> None:
    desk = Desk()
    desk.limit("alice", "bid", "99000", "0.1", client_order_id=ID)
    for price in ("98000", "97000", "96000"):
        last = desk.edit("alice", price, "0.1", client_order_id=ID)
    assert [o.status for o in desk.orders_of("alice")] == ["cancelled"] * 3 + ["open"]
    assert last.price == 96000


def test_an_edit_keeps_reduce_only() -> None:
    desk = Desk()
    desk.limit("bob", "ask", "100000", "0.1")
    desk.limit("alice", "bid", "100000", "0.1")
    old = desk.limit("alice", "ask", "101000", "0.1", reduce_only=True)
    assert desk.edit("alice", "102000", "0.05", order_id=old.order_id).reduce_only


def test_an_edit_that_would_cross_is_rejected_and_the_original_is_gone() -> None:
    desk = Desk()
    desk.limit("bob", "ask", "100000", "0.1")
    old = desk.limit("alice", "bid", "99000", "0.1")
    new = desk.edit("alice", "100000", "0.1", order_id=old.order_id)
    assert (new.status, new.reason) == ("rejected", "post_only_rejected")
    assert old.status == "cancelled"


@pytest.mark.parametrize(("price", "amount"), [("99000.5", "0.1"), ("99000", "100"), ("99", "0.1")])
def test_a_refused_edit_leaves_the_original_alone(price: str, amount: str) -> None:
    desk = Desk()
    old = desk.limit("alice", "bid", "99000", "0.1")
    with pytest.raises(Refused):
        desk.edit("alice", price, amount, order_id=old.order_id)
    assert old.status == "open"


def test_an_edit_can_use_the_margin_of_the_order_it_replaces() -> None:
    desk = Desk(usdc="2100")
    old = desk.limit("alice", "bid", "100000", "1")
    assert desk.edit("alice", "100500", "1", order_id=old.order_id).status == "open"


def test_a_filled_order_cannot_be_edited() -> None:
    desk = Desk()
    old = desk.limit("alice", "bid", "99000", "0.1")
    desk.limit("bob", "ask", "99000", "0.1")
    with pytest.raises(Refused, match="Order not found"):
        desk.edit("alice", "98000", "0.1", order_id=old.order_id)
