"""The histories keep records as the wire shows them."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any
from uuid import UUID

import attrs

from tests.sandbox.trading import NOW
from trading_sandbox.engine.records import (
    Changes,
    Funding,
    Order,
    Stop,
    Trade,
)
from trading_sandbox.store.records import rows

STOP = Stop(
    kind="take_profit",
    price=Decimal("120000.0"),
    trigger_price_type="mark_price",
    rising=True,
    limit_price=None,
    parent=1000007,
)
ORDER = Order(
    order_id=1000008,
    account="alice",
    symbol="BTC",
    side="ask",
    order_type="take_profit_market",
    tif="IOC",
    price=Decimal("1.2E+5"),
    initial_price=Decimal("120000"),
    amount=Decimal("0.30"),
    reduce_only=True,
    client_order_id=str(UUID(int=5)),
    created_at=NOW,
    updated_at=NOW + 1,
    filled=Decimal("0.10"),
    quote=Decimal("12000"),
    status="cancelled",
    reason="force_cancel",
    stop=STOP,
)


def record_of(**changes: Any) -> dict[str, Any]:
    (row,) = rows(Changes(**changes))
    record: dict[str, Any] = json.loads(row.record)
    return record


def test_an_order_is_kept_as_the_wire_shows_it() -> None:
    assert record_of(orders={ORDER.order_id: ORDER}) == {
        "order_id": 1000008,
        "client_order_id": "00000000-0000-0000-0000-000000000005",
        "symbol": "BTC",
        "side": "ask",
        "price": "120000",
        "initial_price": "120000",
        "average_filled_price": "120000",
        "amount": "0.3",
        "filled_amount": "0.1",
        "order_status": "cancelled",
        "order_type": "take_profit_market",
        "stop_price": "120000",
        "stop_parent_order_id": None,
        "reduce_only": True,
        "reason": "force_cancel",
        "created_at": NOW,
        "updated_at": NOW + 1,
    }


def test_what_an_order_has_not_is_null_and_it_names_the_stop_order_that_is_attached() -> None:
    plain = attrs.evolve(ORDER, stop=None, client_order_id=None, status="open", reason=None)
    names = ("stop_price", "stop_parent_order_id", "client_order_id", "reason")
    for attached in (None, 1000008):
        record = record_of(orders={1: attrs.evolve(plain, attached=attached)})
        expected = {**dict.fromkeys(names), "stop_parent_order_id": attached}
        assert {name: record[name] for name in names} == expected


def test_a_trade_names_its_cause() -> None:
    trade = Trade(
        history_id=5,
        account="alice",
        order_id=6,
        client_order_id=None,
        symbol="ETH",
        amount=Decimal("1.50"),
        price=Decimal("3500"),
        entry_price=Decimal("3508.33333333"),
        fee=Decimal("-0.0"),
        pnl=Decimal("-12.50"),
        event_type="fulfill_taker",
        side="close_long",
        created_at=NOW,
        cause="backstop_liquidation",
        is_public=False,
    )
    record = record_of(trades=[trade])
    names = ("cause", "price", "entry_price", "fee", "pnl", "client_order_id")
    assert [record[name] for name in names] == [
        *("backstop_liquidation", "3500", "3508.33333333", "0", "-12.5", None)
    ]


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
