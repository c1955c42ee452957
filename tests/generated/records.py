"""The records that list operations answer with, as JSON and as what the caller gets.

Typed from section 2 of service-interface.md by hand. Each list holds a record with every field and
one with as little as the document allows.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import UUID

from trading_sdk import (
    AccountSettings,
    FundingRecord,
    MarginSetting,
    Order,
    OrderReason,
    OrderStatus,
    OrderType,
    Side,
    SpotBalanceEvent,
    SpotSetting,
    SpotWithdrawal,
    Subaccount,
    Trade,
    TradeCause,
    TradeEventType,
    TradeSide,
)


def wrapped(data: Any) -> dict[str, Any]:
    """The envelope of section 4.0."""
    return {"success": True, "data": data, "error": None, "code": None}


def page(*records: Any) -> dict[str, Any]:
    """The envelope of section 2.10, on the last page."""
    return {"success": True, "data": list(records), "next_cursor": None, "has_more": False}


_ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"

# 2.1
ORDERS = (
    page(
        {
            "order_id": 315979358,
            "client_order_id": _ID,
            "symbol": "BTC",
            "side": "bid",
            "price": "100000",
            "initial_price": "100000",
            "average_filled_price": "99999.50",
            "amount": "0.1",
            "filled_amount": "0.04",
            "order_status": "cancelled",
            "order_type": "stop_limit",
            "stop_price": "99000",
            "stop_parent_order_id": 9007199254740993,
            "reduce_only": True,
            "reason": "self_trade_prevented",
            "created_at": 1759224706737,
            "updated_at": 1759224706738,
        },
        {
            "order_id": 1,
            "client_order_id": None,
            "symbol": "ETH",
            "side": "ask",
            "initial_price": "1",
            "average_filled_price": "0",
            "amount": "2",
            "filled_amount": "0",
            "order_status": "open",
            "order_type": "limit",
            "stop_price": None,
            "stop_parent_order_id": None,
            "reduce_only": False,
            "reason": None,
            "created_at": 1,
            "updated_at": 2,
        },
    ),
    [
        Order(
            order_id=315979358,
            client_order_id=UUID(_ID),
            symbol="BTC",
            side=Side.BID,
            price=Decimal("100000"),
            initial_price=Decimal("100000"),
            average_filled_price=Decimal("99999.50"),
            amount=Decimal("0.1"),
            filled_amount=Decimal("0.04"),
            order_status=OrderStatus.CANCELLED,
            order_type=OrderType.STOP_LIMIT,
            stop_price=Decimal("99000"),
            stop_parent_order_id=9007199254740993,
            reduce_only=True,
            reason=OrderReason.SELF_TRADE_PREVENTED,
            created_at=1759224706737,
            updated_at=1759224706738,
        ),
        Order(
            order_id=1,
            client_order_id=None,
            symbol="ETH",
            side=Side.ASK,
            price=None,
            initial_price=Decimal("1"),
            average_filled_price=Decimal("0"),
            amount=Decimal("2"),
            filled_amount=Decimal("0"),
            order_status=OrderStatus.OPEN,
            order_type=OrderType.LIMIT,
            stop_price=None,
            stop_parent_order_id=None,
            reduce_only=False,
            reason=None,
            created_at=1,
            updated_at=2,
        ),
    ],
)

# 2.2
TRADES = (
    page(
        {
            "history_id": 19329801,
            "order_id": 315293920,
            "client_order_id": _ID,
            "symbol": "LDO",
            "amount": "0.1",
            "price": "1.1904",
            "entry_price": "1.176247",
            "fee": "0",
            "pnl": "-0.001415",
            "event_type": "fulfill_maker",
            "side": "close_short",
            "created_at": 1759215599188,
            "cause": "backstop_liquidation",
        }
    ),
    [
        Trade(
            history_id=19329801,
            order_id=315293920,
            client_order_id=UUID(_ID),
            symbol="LDO",
            amount=Decimal("0.1"),
            price=Decimal("1.1904"),
            entry_price=Decimal("1.176247"),
            fee=Decimal("0"),
            pnl=Decimal("-0.001415"),
            event_type=TradeEventType.FULFILL_MAKER,
            side=TradeSide.CLOSE_SHORT,
            created_at=1759215599188,
            cause=TradeCause.BACKSTOP_LIQUIDATION,
        )
    ],
)

# 2.3
BALANCE_EVENTS = (
    page(
        {
            "amount": "-1.5",
            "balance": "98.5",
            "symbol": "SOL",
            "event_type": "withdraw",
            "created_at": 1759215599188,
        }
    ),
    [
        SpotBalanceEvent(
            amount=Decimal("-1.5"),
            balance=Decimal("98.5"),
            symbol="SOL",
            event_type="withdraw",
            created_at=1759215599188,
        )
    ],
)

# 2.4
WITHDRAWALS = (
    page(
        {
            "symbol": "SOL",
            "amount": "1.5",
            "batch_nonce": 42,
            "transaction_id": "3vZ67CGoRYkuT76TtpP2VrtTPBfnvG2xj6mUTvvux46qbnpThgQDgm27nC3yQVUZrABFjT9Qo7",
            "created_at": 1759215599188,
        }
    ),
    [
        SpotWithdrawal(
            symbol="SOL",
            amount=Decimal("1.5"),
            batch_nonce=42,
            transaction_id="3vZ67CGoRYkuT76TtpP2VrtTPBfnvG2xj6mUTvvux46qbnpThgQDgm27nC3yQVUZrABFjT9Qo7",
            created_at=1759215599188,
        )
    ],
)

# 2.5
FUNDING_RECORDS = (
    page(
        {
            "oracle_price": "117170.410304",
            "bid_impact_price": "117126",
            "ask_impact_price": "117142",
            "funding_rate": "0.0000125",
            "next_funding_rate": "-0.0000125",
            "created_at": 1753806934249,
        }
    ),
    [
        FundingRecord(
            oracle_price=Decimal("117170.410304"),
            bid_impact_price=Decimal("117126"),
            ask_impact_price=Decimal("117142"),
            funding_rate=Decimal("0.0000125"),
            next_funding_rate=Decimal("-0.0000125"),
            created_at=1753806934249,
        )
    ],
)

# 2.6
SUBACCOUNTS = (
    wrapped(
        {
            "subaccounts": [
                {
                    "address": "69trU9A5Ap61NLFNhQJBRwSF7bVyyERzn2vtq5KVs7dp",
                    "balance": "100.000000",
                    "pending_balance": "0.5",
                    "fee_level": 0,
                    "fee_mode": "auto",
                    "use_ltp_for_stop_orders": False,
                    "created_at": 1683216000000,
                }
            ]
        }
    ),
    (
        Subaccount(
            address="69trU9A5Ap61NLFNhQJBRwSF7bVyyERzn2vtq5KVs7dp",
            balance=Decimal("100.000000"),
            pending_balance=Decimal("0.5"),
            fee_level=0,
            fee_mode="auto",
            use_ltp_for_stop_orders=False,
            created_at=1683216000000,
        ),
    ),
)

# 2.7
_MARGIN = {"symbol": "WLFI", "isolated": False, "leverage": 5, "created_at": 1, "updated_at": 2}
SETTINGS = (
    wrapped(
        {
            "auto_lend_disabled": None,
            "margin_settings": [_MARGIN],
            "spot_settings": [{"symbol": "SOL", "unified_margin_excluded": True}],
        }
    ),
    AccountSettings(
        auto_lend_disabled=None,
        margin_settings=(
            MarginSetting(symbol="WLFI", isolated=False, leverage=5, created_at=1, updated_at=2),
        ),
        spot_settings=(SpotSetting(symbol="SOL", unified_margin_excluded=True),),
    ),
)
