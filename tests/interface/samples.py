"""Values that the samples of several operations share, and the answers that follow from rows.

Each list of records holds one with every field and one with as little as the document allows.
"""

from __future__ import annotations

from typing import Any

from tests.interface.model import Field, Fields, Json
from tests.interface.records import ENUMS

ID_A = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
ID_B = "0b9e6d3a-94c1-4d0e-8b59-3f5a6f1c2e22"
ID_C = "c4a7f2d8-1e35-4b6f-a0d2-7e8c9b0a1f33"
LAKE = "69trU9A5Ap61NLFNhQJBRwSF7bVyyERzn2vtq5KVs7dp"
OTHER = "6ETnufiec2CxVWTS4u5Wiq33Zh5Y3Qm6Pkdpi375fuxP"
KEY = "AbCdEfGh_2VfUX1kcVgDnUyZ7xLqNbP"
# It does not fit into a float.
LARGE_ID = 2**53 + 1
TIME = 1759224706737

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


def answered(rows: Fields, *, full: bool = True) -> dict[str, Any]:
    """An answer with these rows: all of them, or as few and as little as they allow."""
    told = {"success": True, "error": None, "code": None, "next_cursor": None, "has_more": False}
    return {
        row.name: told[row.name] if row.name in told else _value(row, full)
        for row in rows
        if full or row.required
    }


def _value(row: Field, full: bool) -> Any:
    if row.nullable and not full:
        return None
    if row.fields:
        records = [answered(row.fields, full=each) for each in (full, False)]
        return records if row.type == "array" else records[0]
    if row.type in ENUMS:
        return ENUMS[row.type][-1 if full else 0]
    if row.unit == "ms":
        return TIME if full else 1
    values: Json = {
        "decimal": "-1.50" if full else "0",
        "integer": LARGE_ID if full else 1,
        "boolean": full,
        "uuid": ID_A,
        "any": [{"api_key": KEY, "new": [7, 1.5, None]}],
    }
    return values.get(row.type, f"{row.name} 1")


RESULTS = wrapped(
    {
        "results": [
            {"success": True, "order_id": LARGE_ID, "error": None},
            {"success": False, "error": "Order not found"},
        ]
    }
)
