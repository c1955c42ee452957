"""The histories keep records as the wire shows them."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from tests.sandbox.desk import ID, Desk, leg
from tests.sandbox.trading import NOW
from trading_sandbox.engine.records import (
    Changes,
    Funding,
    Order,
)
from trading_sandbox.store.records import rows


def record_of(**changes: Any) -> dict[str, Any]:
    (row,) = rows(Changes(**changes))
    record: dict[str, Any] = json.loads(row.record)
    return record


def order_record(order: Order, names: str) -> list[Any]:
    """Some fields of the record of an order; tests/sandbox/test_http_orders.py has all of one."""
    record = record_of(orders={order.order_id: order})
    return [record[name] for name in names.split()]


def test_the_numbers_of_an_order_are_kept_as_the_wire_shows_them(desk: Desk) -> None:
    sold = desk.limit("alice", "ask", "1.2E+5", "0.30")
    desk.limit("bob", "bid", "1.2E+5", "0.10")
    names = "price initial_price average_filled_price amount filled_amount order_status updated_at"
    expected = ["120000", "120000", "120000", "0.3", "0.1", "partially_filled", desk.now]
    assert order_record(sold, names) == expected
    waiting = desk.stop("alice", "bid", "1.3E+5", "0.30", limit_price="131000.0")
    assert order_record(waiting, "stop_price price average_filled_price order_type") == [
        *("130000", "131000", "0", "stop_limit")
    ]


def test_what_an_order_has_not_is_null_and_it_names_the_stop_order_that_is_attached(
    desk: Desk,
) -> None:
    plain = desk.limit("alice", "bid", "99000", "0.1")
    names = "stop_price client_order_id reason stop_parent_order_id"
    assert order_record(plain, names) == [None] * 4
    parent = desk.limit("alice", "bid", "99000", "0.1", client_order_id=ID, stop_loss=leg("95000"))
    loss = parent.order_id + 1
    assert order_record(parent, names) == [None, ID, None, loss]
    desk.cancel("alice", order_id=parent.order_id)
    assert order_record(parent, names) == [None, ID, "cancel", loss]
    assert order_record(desk.order(loss), names) == ["95000", None, "force_cancel", None]


def test_a_funding_record_is_kept_as_the_wire_shows_it() -> None:
    funding = Funding(
        symbol="BTC",
        oracle_price=Decimal("1E+5"),
        bid_impact_price=Decimal("99999"),
        ask_impact_price=Decimal("100001"),
        funding_rate=Decimal("0.00001250"),
        next_funding_rate=Decimal("0E-8"),
        created_at=NOW,
    )

    assert record_of(fundings=[funding]) == {
        "oracle_price": "100000",
        "bid_impact_price": "99999",
        "ask_impact_price": "100001",
        "funding_rate": "0.0000125",
        "next_funding_rate": "0",
        "created_at": NOW,
    }
