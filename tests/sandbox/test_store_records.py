"""The histories keep records as the wire shows them."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any
from uuid import UUID

import attrs

from tests.sandbox.trading import NOW
from trading_sandbox.engine.records import (
    BalanceEvent,
    Changes,
    Funding,
    Order,
    Stop,
    Trade,
    Withdrawal,
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


def test_an_order_names_the_stop_order_that_is_attached_to_it() -> None:
    parent = attrs.evolve(ORDER, order_id=1000007, stop=None, attached=1000008)

    assert record_of(orders={1000007: parent})["stop_parent_order_id"] == 1000008


def test_what_an_order_has_not_is_null() -> None:
    plain = attrs.evolve(ORDER, stop=None, client_order_id=None, status="open", reason=None)

    record = record_of(orders={1: plain})

    names = ("stop_price", "stop_parent_order_id", "client_order_id", "reason")
    assert {name: record[name] for name in names} == dict.fromkeys(names)


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
        fee=Decimal(0),
        pnl=Decimal("-12.50"),
        event_type="fulfill_taker",
        side="close_long",
        created_at=NOW,
        cause="backstop_liquidation",
        is_public=False,
    )

    record = record_of(trades=[trade])

    assert record["cause"] == "backstop_liquidation"
    assert (record["price"], record["entry_price"]) == ("3500", "3508.33333333")
    assert record["pnl"] == "-12.5"
    assert record["client_order_id"] is None


def test_a_balance_event_and_a_withdrawal_are_kept_as_the_wire_shows_them() -> None:
    event = BalanceEvent(
        event_id=1,
        account="alice",
        symbol="SOL",
        amount=Decimal("-2.0"),
        balance=Decimal("3.00"),
        event_type="withdrawal",
        created_at=NOW,
    )
    withdrawal = Withdrawal(
        batch_nonce=4,
        account="alice",
        symbol="SOL",
        amount=Decimal("2.0"),
        fee=Decimal("0.005"),
        transaction_id="abc",
        created_at=NOW,
    )
    assert record_of(balance_events=[event]) == {
        "amount": "-2",
        "balance": "3",
        "symbol": "SOL",
        "event_type": "withdrawal",
        "created_at": NOW,
    }
    assert record_of(withdrawals=[withdrawal]) == {
        "symbol": "SOL",
        "amount": "2",
        "batch_nonce": 4,
        "transaction_id": "abc",
        "created_at": NOW,
    }


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
