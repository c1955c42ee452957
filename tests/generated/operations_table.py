"""What each operation puts on the wire and gets back, typed from service-interface.md by hand.

Nothing here is derived from spec/openapi.yaml. Every operation stands here with the fewest and with
the most arguments; the numbers are sections of the interface document, a note is one of
field-notes.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple, TypeAlias
from uuid import UUID

from tests.generated import records
from tests.generated.records import wrapped
from trading_sdk import (
    ApiKey,
    OrderPlaced,
    SharesMinted,
    Side,
    StopOrderConfig,
    TimeInForce,
    TpslConfig,
    TriggerPriceType,
    WithdrawalReceipt,
)

ACCOUNT = "<the client's account>"
"""Stands for the address that the client reads unless it is given another one."""

MINTED = "<a new UUID>"
"""Stands for an id that nobody gave."""


Fields: TypeAlias = dict[str, Any]


class Route(NamedTuple):
    """Where an operation goes, and the type it is signed as."""

    operation: str
    method: str
    path: str
    signing_type: str = ""


class Case(NamedTuple):
    """A call, and the query or the own fields that it sends."""

    operation: str
    label: str
    arguments: Mapping[str, Any]
    fields: Mapping[str, Any]


# 4.1 to 4.18 and 5.2; the last five signing types from notes 11 and 12.
_ROUTES = """
    orders.create                  POST /orders/create            create_order
    orders.create_stop             POST /orders/stop/create       create_stop_order
    orders.edit                    POST /orders/edit              edit_order
    orders.cancel_stop             POST /orders/stop/cancel       cancel_stop_order
    orders.history                 GET  /orders/history
    trades.history                 GET  /trades/history
    spot.withdraw                  POST /account/spot_asset/withdraw withdraw_spot_asset
    spot.balance_history           GET  /account/spot_balance/history
    spot.withdrawal_history        GET  /account/spot_asset/withdraw/history
    account.settings               GET  /account/settings
    account.update_spot_settings   POST /account/settings/spot    update_account_spot_settings
    account.set_auto_lend_disabled POST /account/settings/auto_lend_disabled set_auto_lend_disabled
    vaults.add_max_leverage        POST /lake/add_max_leverage    add_lake_max_leverage
    vaults.remove_max_leverage     POST /lake/remove_max_leverage remove_lake_max_leverage
    vaults.remove_blacklist        POST /lake/remove_blacklist    remove_lake_blacklist
    vaults.claim_manager           POST /lake/claim_manager       claim_lake_manager
    funding.history                GET  /funding_rate/history
    subaccounts.list               POST /account/subaccount/list  list_subaccounts
    subaccounts.transfer           POST /account/subaccount/transfer transfer_funds
    api_keys.create                POST /account/api_keys/create  create_api_key
    api_keys.revoke                POST /account/api_keys/revoke  revoke_api_key
    api_keys.list                  POST /account/api_keys         list_api_keys
"""
PREFIX = "/api/v1"
ROUTES = {row.split()[0]: Route(*row.split()) for row in _ROUTES.strip().splitlines()}

_PLACED = {"order_id": 123498765}, OrderPlaced(order_id=123498765)
_DONE = {"success": True}, None
_CHANGED = wrapped({"success": True}), None
_KEY = "AbCdEfGh_2VfUX1kcVgDnUyZ7xLqNbP"
_KEY_MADE = {"data": {"api_key": _KEY}}, ApiKey(api_key=_KEY)
_KEYS = [{"api_key": _KEY, "new": [7, 1.5, None]}]
_RECEIPT = {"symbol": "SOL", "batch_nonce": 7, "requested_amount": "1.50", "fee_amount": "0.01"}
_WITHDRAWN = WithdrawalReceipt(
    symbol="SOL", batch_nonce=7, requested_amount=Decimal("1.50"), fee_amount=Decimal("0.01")
)
# What the service answers, and what the caller gets.
OUTCOMES: dict[str, tuple[Any, Any]] = {
    **dict.fromkeys(("orders.create", "orders.create_stop", "orders.edit"), _PLACED),
    "orders.cancel_stop": _DONE,
    "orders.history": records.ORDERS,
    "trades.history": records.TRADES,
    "spot.withdraw": ({"success": True, "data": _RECEIPT}, _WITHDRAWN),
    "spot.balance_history": records.BALANCE_EVENTS,
    "spot.withdrawal_history": records.WITHDRAWALS,
    "account.settings": records.SETTINGS,
    "account.update_spot_settings": _DONE,
    "account.set_auto_lend_disabled": _DONE,
    "vaults.add_max_leverage": _CHANGED,
    "vaults.remove_max_leverage": _CHANGED,
    "vaults.remove_blacklist": _CHANGED,
    "vaults.claim_manager": (
        wrapped({"shares_minted": "9.50"}),
        SharesMinted(shares_minted=Decimal("9.50")),
    ),
    "funding.history": records.FUNDING_RECORDS,
    "subaccounts.list": records.SUBACCOUNTS,
    "subaccounts.transfer": (wrapped({"success": True, "error": None}), None),
    "api_keys.create": _KEY_MADE,
    "api_keys.revoke": _KEY_MADE,
    "api_keys.list": ({"data": _KEYS}, _KEYS),
}

ID_A = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
ID_B = "0b9e6d3a-94c1-4d0e-8b59-3f5a6f1c2e22"
ID_C = "c4a7f2d8-1e35-4b6f-a0d2-7e8c9b0a1f33"
LAKE = "69trU9A5Ap61NLFNhQJBRwSF7bVyyERzn2vtq5KVs7dp"
OTHER = "6ETnufiec2CxVWTS4u5Wiq33Zh5Y3Qm6Pkdpi375fuxP"
# An exponent is what str() gives for the first, a float is what the second does not fit into.
SMALL, SMALL_TEXT = Decimal("1E-8"), "0.00000001"
LARGE = "123456789012345678901234567890.50"

_ORDER: Fields = {"symbol": "BTC", "side": "bid", "reduce_only": False}
LIMIT: Fields = {**_ORDER, "price": "100000", "amount": "0.10", "tif": "ALO"}
MARKET: Fields = {**_ORDER, "amount": "0.10", "slippage_percent": "0.5"}
LEG: Fields = {"stop_price": "90000"}
_FULL_LEG: Fields = {
    "stop_price": "120000.0",
    "limit_price": "119990",
    "client_order_id": ID_B,
    "trigger_price_type": "last_trade_price",
}
_LEG_MODEL = TpslConfig(
    stop_price="120000.0",
    limit_price=119990,
    client_order_id=UUID(ID_B),
    trigger_price_type=TriggerPriceType.LAST_TRADE_PRICE,
)
FULL_STOP: Fields = {**_FULL_LEG, "amount": SMALL_TEXT}
NEW_ID: Fields = {"client_order_id": MINTED}
_CODE = {"builder_code": "Builder001"}
EXTRAS: Fields = {"client_order_id": ID_A, "take_profit": _FULL_LEG, "stop_loss": LEG, **_CODE}
EXTRA_ARGUMENTS: Fields = {**EXTRAS, "take_profit": _LEG_MODEL}
BY_ID: Fields = {"symbol": "BTC", "order_id": 2**53 + 1}
BY_CLIENT_ID: Fields = {"symbol": "BTC", "client_order_id": ID_C}
_CAP: Fields = {"lake": LAKE, "symbols": ["BTC", "ETH", "BTC"]}
NO_ID: Fields = {"client_order_id": None}
_PAGE: Fields = {"account": OTHER, "limit": 4000, "cursor": "a+b/c=d &e"}
_PAGE_SENT = {**_PAGE, "limit": "4000"}
_TIMES: Fields = {"start_time": 1748970123456, "end_time": 1748970123457}
_OWN = {"account": ACCOUNT}
_SOL = {"symbol": "SOL"}

CASES = (
    # 4.1
    Case("orders.create", "minimal", LIMIT, {**LIMIT, **NEW_ID}),
    Case(
        "orders.create",
        "maximal",
        {**LIMIT, "side": Side.ASK, "tif": TimeInForce.GTC, "price": SMALL, **EXTRA_ARGUMENTS},
        {**LIMIT, "side": "ask", "tif": "GTC", "price": SMALL_TEXT, **EXTRAS},
    ),
    Case("orders.create", "without an id", {**LIMIT, **NO_ID}, LIMIT),
    # 4.2
    Case(
        "orders.create_stop",
        "minimal",
        {**_ORDER, "stop_order": LEG},
        {**_ORDER, "stop_order": {**LEG, **NEW_ID}},
    ),
    Case(
        "orders.create_stop",
        "maximal",
        {**_ORDER, "stop_order": StopOrderConfig(**{**FULL_STOP, "amount": SMALL}), **_CODE},
        {**_ORDER, "stop_order": FULL_STOP, **_CODE},
    ),
    Case(
        "orders.create_stop",
        "without an id",
        {**_ORDER, "stop_order": {**LEG, **NO_ID}},
        {**_ORDER, "stop_order": LEG},
    ),
    # 4.3
    Case(
        "orders.edit",
        "minimal",
        {**BY_ID, "price": 100001, "amount": Decimal("0.2")},
        {**BY_ID, "price": "100001", "amount": "0.2"},
    ),
    Case(
        "orders.edit",
        "by client id",
        {**BY_CLIENT_ID, "client_order_id": UUID(ID_C), "price": LARGE, "amount": "0.200"},
        {**BY_CLIENT_ID, "price": LARGE, "amount": "0.200"},
    ),
    # 4.4
    Case("orders.cancel_stop", "minimal", BY_ID, BY_ID),
    Case("orders.cancel_stop", "by client id", BY_CLIENT_ID, BY_CLIENT_ID),
    # 4.6
    Case(
        "spot.withdraw",
        "minimal",
        {**_SOL, "amount": SMALL},
        {**_SOL, "amount": SMALL_TEXT, "idempotency_key": MINTED},
    ),
    Case(
        "spot.withdraw",
        "maximal",
        {**_SOL, "amount": 10**20, "idempotency_key": ID_A.upper()},
        {**_SOL, "amount": "1" + "0" * 20, "idempotency_key": ID_A},
    ),
    Case(
        "spot.withdraw",
        "without a key",
        {**_SOL, "amount": "1.0", "idempotency_key": None},
        {**_SOL, "amount": "1.0"},
    ),
    # 4.7 to 4.11, 4.15 and 4.16; all of them are queries, so every value is a text
    Case("orders.history", "minimal", {}, _OWN),
    Case("orders.history", "maximal", _PAGE, _PAGE_SENT),
    Case("trades.history", "minimal", {}, _OWN),
    Case(
        "trades.history",
        "maximal",
        {**_PAGE, "symbol": "BTC", **_TIMES},
        {**_PAGE_SENT, "symbol": "BTC", **{name: str(time) for name, time in _TIMES.items()}},
    ),
    Case("spot.balance_history", "minimal", {}, _OWN),
    Case("spot.balance_history", "maximal", {**_PAGE, **_SOL}, {**_PAGE_SENT, **_SOL}),
    Case("spot.withdrawal_history", "minimal", {}, _OWN),
    Case("spot.withdrawal_history", "maximal", _PAGE, _PAGE_SENT),
    Case("account.settings", "minimal", {}, _OWN),
    Case("account.settings", "maximal", {"account": OTHER}, {"account": OTHER}),
    Case("funding.history", "minimal", {"symbol": "BTC"}, {"symbol": "BTC"}),
    Case(
        "funding.history",
        "maximal",
        {"symbol": "../a%2f\r\n\0#?", "limit": 1, "cursor": "9"},
        {"symbol": "../a%2f\r\n\0#?", "limit": "1", "cursor": "9"},
    ),
    # 4.8
    Case(
        "vaults.add_max_leverage",
        "minimal",
        {"lake": LAKE, "symbols": (), "max_leverage": 5},
        {"lake": LAKE, "symbols": [], "max_leverage": "5"},
    ),
    Case(
        "vaults.add_max_leverage",
        "maximal",
        {**_CAP, "max_leverage": Decimal("2.50")},
        {**_CAP, "max_leverage": "2.50"},
    ),
    Case("vaults.remove_max_leverage", "maximal", _CAP, _CAP),
    Case("vaults.remove_blacklist", "maximal", _CAP, _CAP),
    Case(
        "vaults.claim_manager",
        "maximal",
        {"lake": LAKE, "deposit_amount": Decimal("1E+3")},
        {"lake": LAKE, "deposit_amount": "1000"},
    ),
    # 4.12 and 4.13
    Case("subaccounts.list", "minimal", {}, {}),
    Case(
        "subaccounts.transfer",
        "maximal",
        {"to_account": OTHER, "amount": LARGE},
        {"to_account": OTHER, "amount": LARGE},
    ),
    # 4.14 and 4.17
    *(
        Case("account.update_spot_settings", f"{value}", fields, fields)
        for value in (True, False)
        for fields in ({**_SOL, "unified_margin_excluded": value},)
    ),
    Case("account.set_auto_lend_disabled", "absent", {}, {}),
    *(
        Case("account.set_auto_lend_disabled", f"{value}", {"disabled": value}, {"disabled": value})
        for value in (True, False, None)
    ),
    # 4.18 and note 12
    Case("api_keys.create", "minimal", {}, {}),
    Case("api_keys.revoke", "maximal", {"api_key": _KEY}, {"api_key": _KEY}),
    Case("api_keys.list", "minimal", {}, {}),
)
