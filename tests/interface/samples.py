"""Values that the samples of several operations share, and the answers that hold records.

Each list of records holds one with every field and one with as little as the document allows.
"""

from __future__ import annotations

from typing import Any

from tests.interface.model import Json

ID_A = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
ID_B = "0b9e6d3a-94c1-4d0e-8b59-3f5a6f1c2e22"
ID_C = "c4a7f2d8-1e35-4b6f-a0d2-7e8c9b0a1f33"
LAKE = "69trU9A5Ap61NLFNhQJBRwSF7bVyyERzn2vtq5KVs7dp"
OTHER = "6ETnufiec2CxVWTS4u5Wiq33Zh5Y3Qm6Pkdpi375fuxP"
KEY = "AbCdEfGh_2VfUX1kcVgDnUyZ7xLqNbP"
# It does not fit into a float.
LARGE_ID = 2**53 + 1

ORDER: Json = {"symbol": "BTC", "side": "bid", "reduce_only": False}
LIMIT: Json = {**ORDER, "price": "100000", "amount": "0.10", "tif": "ALO"}
MARKET: Json = {**ORDER, "amount": "0.10", "slippage_percent": "0.5"}
LEG: Json = {"stop_price": "90000"}
FULL_LEG: Json = {
    "stop_price": "120000.0",
    "limit_price": "119990",
    "client_order_id": ID_B,
    "trigger_price_type": "last_trade_price",
}
FULL_STOP: Json = {**FULL_LEG, "amount": "0.10"}
CODE: Json = {"builder_code": "Builder001"}
EXTRAS: Json = {"client_order_id": ID_A, "take_profit": FULL_LEG, "stop_loss": LEG, **CODE}
BY_ID: Json = {"symbol": "BTC", "order_id": LARGE_ID}
BY_CLIENT_ID: Json = {"symbol": "BTC", "client_order_id": ID_C}
EITHER_ID = {"minimal": BY_ID, "by client id": BY_CLIENT_ID}
CAP: Json = {"lake": LAKE, "symbols": ["BTC", "ETH", "BTC"]}
PAGE: Json = {"account": OTHER, "limit": 4000, "cursor": "a+b/c=d &e"}
OWN: Json = {}
"""A query without an account: that of the caller is meant."""


def wrapped(data: Any) -> dict[str, Any]:
    """The envelope of section 4.0."""
    return {"success": True, "data": data, "error": None, "code": None}


def page(*records: Any) -> dict[str, Any]:
    """The envelope of section 2.10, on the last page."""
    return {"success": True, "data": list(records), "next_cursor": None, "has_more": False}


PLACED = {"order_id": 123498765}
DONE = {"success": True}
CHANGED = wrapped({"success": True})
KEY_MADE = {"data": {"api_key": KEY}}
RESULTS = wrapped(
    {
        "results": [
            {"success": True, "order_id": 9007199254740993, "error": None},
            {"success": False, "error": "Order not found"},
        ]
    }
)

# 2.1
ORDERS = page(
    {
        "order_id": 315979358,
        "client_order_id": ID_A,
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
)

# 2.2
TRADES = page(
    {
        "history_id": 19329801,
        "order_id": 315293920,
        "client_order_id": ID_A,
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
)

# 2.3
BALANCE_EVENTS = page(
    {
        "amount": "-1.5",
        "balance": "98.5",
        "symbol": "SOL",
        "event_type": "withdraw",
        "created_at": 1759215599188,
    }
)

# 2.4
TRANSACTION = "3vZ67CGoRYkuT76TtpP2VrtTPBfnvG2xj6mUTvvux46qbnpThgQDgm27nC3yQVUZrABFjT9Qo7"
WITHDRAWALS = page(
    {
        "symbol": "SOL",
        "amount": "1.5",
        "batch_nonce": 42,
        "transaction_id": TRANSACTION,
        "created_at": 1759215599188,
    }
)

# 2.5
FUNDING_RECORDS = page(
    {
        "oracle_price": "117170.410304",
        "bid_impact_price": "117126",
        "ask_impact_price": "117142",
        "funding_rate": "0.0000125",
        "next_funding_rate": "-0.0000125",
        "created_at": 1753806934249,
    }
)

# 2.6
_SUBACCOUNT = {
    "address": LAKE,
    "balance": "100.000000",
    "pending_balance": "0.5",
    "fee_level": 0,
    "fee_mode": "auto",
    "use_ltp_for_stop_orders": False,
    "created_at": 1683216000000,
}
SUBACCOUNTS = wrapped({"subaccounts": [_SUBACCOUNT]})

# 2.7
_MARGIN = {"symbol": "WLFI", "isolated": False, "leverage": 5, "created_at": 1, "updated_at": 2}
SETTINGS = wrapped(
    {
        "auto_lend_disabled": None,
        "margin_settings": [_MARGIN],
        "spot_settings": [{"symbol": "SOL", "unified_margin_excluded": True}],
    }
)
