"""The tables of the interface document, written down as data.

A second copy on purpose: typed from service-interface.md, never from spec/openapi.yaml, so that a
slip in either shows. Numbers in comments are its sections; a note is one of field-notes.md.
"""

from __future__ import annotations

from typing import NamedTuple


class Limit(NamedTuple):
    """Bounds of a number, or of the length of a text or list."""

    minimum: int | None = None
    maximum: int | None = None
    alphabet: str = "any"


class Field(NamedTuple):
    """One row of a field table; `fields` are the rows of a nested object or of a list's items.

    `type` is string, decimal, integer, boolean, uuid, object, array, string[], any, null, false or
    the name of an enum. `unit` is empty where the document states none.
    """

    name: str
    type: str
    required: bool = True
    nullable: bool = False
    default: str = ""
    limit: Limit | None = None
    unit: str = ""
    source: str = "documented"
    fields: tuple[Field, ...] = ()


Fields = tuple[Field, ...]


class Route(NamedTuple):
    """Where an operation stands on the client and on the wire, and the type it is signed as.

    Of a batch action, the verb is `action` and the path is its `type` on the wire.
    """

    method: str
    verb: str
    path: str
    signing_type: str | None = None
    source: str = "documented"


def rows(text: str) -> Fields:
    """Read rows of `name? type|null=default unit source`, of which name and type are needed."""
    return tuple(_row(*row.split()) for row in text.split(","))


def _row(name: str, type_: str, *marks: str) -> Field:
    type_, _, default = type_.partition("=")
    source = "".join(mark for mark in marks if mark in ("observed", "assumed"))
    return Field(
        name.rstrip("?"),
        type_.removesuffix("|null"),
        required=not name.endswith("?"),
        nullable=type_.endswith("|null"),
        default=default,
        unit="".join(mark for mark in marks if mark != source),
        source=source or "documented",
    )


def observed(*fields: Field) -> Fields:
    """Mark rows that only the field notes give."""
    return tuple(row._replace(source="observed", fields=observed(*row.fields)) for row in fields)


# 4, 5.2, notes 11 and 12; the methods are those of design.md section 3. 9: the prefix of all paths.
PREFIX = "/api/v1"
_ROUTES = """
    orders.create                  POST /orders/create            create_order
    orders.create_stop             POST /orders/stop/create       create_stop_order
    orders.edit                    POST /orders/edit              edit_order
    orders.cancel_stop             POST /orders/stop/cancel       cancel_stop_order
    orders.batch                   POST /orders/batch
    orders.history                 GET  /orders/history
    trades.history                 GET  /trades/history
    spot.withdraw                  POST /account/spot_asset/withdraw withdraw_spot_asset
    spot.balance_history           GET  /account/spot_balance/history
    spot.withdrawal_history        GET  /account/spot_asset/withdraw/history
    account.settings               GET  /account/settings
    account.update_spot_settings   POST /account/settings/spot    update_account_spot_settings
    account.set_auto_lend_disabled POST /account/settings/auto_lend_disabled set_auto_lend_disabled
    subaccounts.list               POST /account/subaccount/list  list_subaccounts          observed
    subaccounts.transfer           POST /account/subaccount/transfer transfer_funds          assumed
    vaults.add_max_leverage        POST /lake/add_max_leverage    add_lake_max_leverage
    vaults.remove_max_leverage     POST /lake/remove_max_leverage remove_lake_max_leverage
    vaults.remove_blacklist        POST /lake/remove_blacklist    remove_lake_blacklist
    vaults.claim_manager           POST /lake/claim_manager       claim_lake_manager
    funding.history                GET  /funding_rate/history
    api_keys.create                POST /account/api_keys/create  create_api_key            observed
    api_keys.revoke                POST /account/api_keys/revoke  revoke_api_key            observed
    api_keys.list                  POST /account/api_keys         list_api_keys             observed
"""
ROUTES = tuple(Route(*row.split()) for row in _ROUTES.strip().splitlines())

# 4.5, note 7.
_ACTIONS = """
    orders.create            action Create          create_order        observed
    orders.create_market     action CreateMarket    create_market_order observed
    orders.cancel            action Cancel          cancel_order        observed
    orders.edit              action Edit            edit_order          observed
    orders.set_position_tpsl action SetPositionTpsl set_position_tpsl   observed
    orders.cancel_stop       action CancelStopOrder cancel_stop_order   observed
"""
ACTIONS = tuple(Route(*row.split()) for row in _ACTIONS.strip().splitlines())

# The statuses each endpoint lists, 4.1 to 4.18. Note 15: others seen beside them.
_STATUSES = {
    "200": "api_keys.create api_keys.revoke api_keys.list",
    "200 400 401": "subaccounts.list",
    "200 400 500": "orders.create orders.create_stop orders.edit orders.cancel_stop orders.batch"
    " spot.balance_history subaccounts.transfer",
    "200 400 401 500": "orders.history trades.history spot.withdrawal_history funding.history"
    " account.settings account.update_spot_settings account.set_auto_lend_disabled"
    " vaults.claim_manager",
    "200 400 401 403 500": "vaults.add_max_leverage vaults.remove_max_leverage"
    " vaults.remove_blacklist",
    "200 400 401 409 500": "spot.withdraw",
}
STATUSES = {name: codes.split() for codes, names in _STATUSES.items() for name in names.split()}
# Endpoints that list no refusal at all (4.18); section 7 names both in general.
ASSUMED_STATUSES = {f"api_keys.{method}": ("400", "401") for method in ("create", "revoke", "list")}
OBSERVED_STATUSES = ("403", "404", "422", "429", "503", "504")

_ENUMS = {
    "Side": "bid ask",
    "TimeInForce": "GTC IOC ALO TOB",
    "TriggerPriceType": "mark_price last_trade_price mid_price",
    "OrderStatus": "open partially_filled filled cancelled rejected",
    "OrderType": "limit market stop_limit stop_market take_profit_limit stop_loss_limit"
    " take_profit_market stop_loss_market",
    "OrderReason": "cancel force_cancel expired post_only_rejected self_trade_prevented",
    "TradeEventType": "fulfill_taker fulfill_maker",
    "TradeSide": "open_long open_short close_long close_short",
    "TradeCause": "normal market_liquidation backstop_liquidation settlement",
}
ENUMS = {name: tuple(values.split()) for name, values in _ENUMS.items()}

# 4.0; agent_wallet may be null by 5.1 step 7. 5.4: the header that selects a rate-limit class.
SIGNED = rows("""account string, signature string, timestamp integer ms,
    agent_wallet? string|null, expiry_window? integer=30000 ms""")
API_KEY_HEADER = "PF-API-KEY"

# 4.1, 4.2 and note 10: the same four rows, and an amount where the whole position is the default.
TPSL = rows("""stop_price decimal, limit_price? decimal, client_order_id? uuid,
    trigger_price_type? TriggerPriceType=mark_price""")
STOP_ORDER = (*TPSL, *rows("amount? decimal"))
LEGS = tuple(Field(name, "object", False, fields=TPSL) for name in ("take_profit", "stop_loss"))
POSITION_LEGS = tuple(leg._replace(fields=STOP_ORDER) for leg in LEGS)
BUILDER_CODE = Field("builder_code", "string", False, limit=Limit(3, 16, "alphanumeric"))

# Own body fields of every POST and of the actions that occur only in a batch (4.5, notes 8 to 10).
# An operation that is not here has none. The two ids fall under the rules below.
_IDS = "order_id? integer, client_order_id? uuid"
REQUESTS: dict[str, Fields] = {
    "orders.create": (
        *rows("""symbol string, price decimal, amount decimal, side Side, tif TimeInForce,
            reduce_only boolean, client_order_id? uuid"""),
        *(*LEGS, BUILDER_CODE),
    ),
    "orders.create_stop": (
        *rows("symbol string, side Side, reduce_only boolean"),
        *(Field("stop_order", "object", fields=STOP_ORDER), BUILDER_CODE),
    ),
    "orders.edit": rows(f"symbol string, price decimal, amount decimal, {_IDS}"),
    "orders.cancel_stop": rows(f"symbol string, {_IDS}"),
    "orders.batch": (Field("actions", "array", limit=Limit(maximum=10)),),
    "orders.create_market": (
        *rows("symbol string, amount decimal, side Side, slippage_percent decimal percent"),
        *rows("reduce_only boolean, client_order_id? uuid observed"),
        *(leg._replace(source="observed") for leg in (*LEGS, BUILDER_CODE)),
    ),
    "orders.cancel": rows(f"symbol string, {_IDS} observed"),
    "orders.set_position_tpsl": observed(*rows("symbol string, side Side"), *POSITION_LEGS),
    "spot.withdraw": rows("symbol string, amount decimal, idempotency_key? uuid"),
    "account.update_spot_settings": rows("symbol string, unified_margin_excluded boolean"),
    "account.set_auto_lend_disabled": rows("disabled? boolean|null"),
    "subaccounts.transfer": rows("to_account string, amount decimal USDC"),
    "vaults.add_max_leverage": rows("lake string, symbols string[], max_leverage decimal"),
    "vaults.remove_max_leverage": rows("lake string, symbols string[]"),
    "vaults.remove_blacklist": rows("lake string, symbols string[]"),
    "vaults.claim_manager": rows("lake string, deposit_amount decimal"),
    "api_keys.revoke": rows("api_key string observed"),
}

# 4.3, 4.4, notes 9 and 10.
_EITHER = ("order_id", "client_order_id")
EXACTLY_ONE = {"orders.edit": _EITHER, "orders.cancel_stop": _EITHER, "orders.cancel": _EITHER}
AT_LEAST_ONE = {"orders.set_position_tpsl": ("take_profit", "stop_loss")}

# Query parameters of every GET. `cursor` is passed back as received (2.10), so it is a string also
# where 4.9 declares an integer; assumed, because the document contradicts itself.
_PAGE = "limit? integer=100, cursor? string"
QUERIES: dict[str, Fields] = {
    "orders.history": rows(f"account string, {_PAGE}"),
    "trades.history": rows(f"""account string, symbol? string, start_time? integer ms,
        end_time? integer ms, {_PAGE} assumed"""),
    "spot.balance_history": rows("account string, symbol? string, limit? integer, cursor? string"),
    "spot.withdrawal_history": rows("account string, limit? integer, cursor? string"),
    "account.settings": rows("account string"),
    "funding.history": (
        *rows("symbol string, cursor? string"),
        Field("limit", "integer", False, default="100", limit=Limit(maximum=4000)),
    ),
}

# 2.1 to 2.7. Assumed where the document contradicts itself: `price` is absent from its own sample,
# and two tables map `event_type` in opposite ways. Note 14: the two lists of 2.7 may be absent.
ORDER = rows("""order_id integer, client_order_id uuid|null, symbol string, side Side,
    price? decimal assumed, initial_price decimal, average_filled_price decimal,
    amount decimal token, filled_amount decimal token, order_status OrderStatus,
    order_type OrderType, stop_price decimal|null, stop_parent_order_id integer|null,
    reduce_only boolean, reason OrderReason|null, created_at integer ms, updated_at integer ms""")
TRADE = rows("""history_id integer, order_id integer, client_order_id uuid|null assumed, symbol string,
    amount decimal, price decimal, entry_price decimal, fee decimal, pnl decimal,
    event_type TradeEventType assumed, side TradeSide, created_at integer ms, cause TradeCause""")
BALANCE_EVENT = rows("""amount decimal, balance decimal, symbol string, event_type string,
    created_at integer ms""")
WITHDRAWAL = rows("""symbol string, amount decimal, batch_nonce integer, transaction_id string,
    created_at integer ms""")
FUNDING = rows("""oracle_price decimal, bid_impact_price decimal, ask_impact_price decimal,
    funding_rate decimal, next_funding_rate decimal, created_at integer ms""")
SUBACCOUNT = rows("""address string, balance decimal USD, pending_balance decimal USD,
    fee_level integer, fee_mode string, use_ltp_for_stop_orders boolean, created_at integer ms""")
MARGIN_SETTING = rows("""symbol string, isolated boolean, leverage integer,
    created_at integer ms, updated_at integer ms""")
SPOT_SETTING = rows("symbol string, unified_margin_excluded boolean")
SETTINGS = (
    *rows("auto_lend_disabled boolean|null"),
    Field("margin_settings", "array", False, fields=MARGIN_SETTING, source="observed"),
    Field("spot_settings", "array", False, fields=SPOT_SETTING, source="observed"),
)


def wrapped(*data: Field) -> Fields:
    """Put a result into the envelope of 4.0, whose nulls the samples of 4.6 and 4.16 leave out."""
    envelope = rows("success boolean, error? string|null, code? integer|null")
    return (*envelope, Field("data", "object", fields=data))


def page(record: Fields) -> Fields:
    """Put records into the envelope of 2.10."""
    envelope = rows("success boolean, next_cursor? string|null assumed, has_more boolean")
    return (*envelope, Field("data", "array", fields=record))


_PLACED, _DONE = rows("order_id integer"), rows("success boolean")
_ACTION_RESULT = rows("success boolean, order_id? integer, error? string|null")
_WITHDRAWN = "symbol string, batch_nonce integer, requested_amount decimal, fee_amount decimal"
_API_KEY = (Field("data", "object", fields=rows("api_key string")),)
# The whole body of status 200. Note 12: the list of API keys is any JSON.
RESULTS: dict[str, Fields] = {
    **dict.fromkeys(("orders.create", "orders.create_stop", "orders.edit"), _PLACED),
    "orders.cancel_stop": _DONE,
    "orders.batch": wrapped(Field("results", "array", fields=_ACTION_RESULT)),
    "orders.history": page(ORDER),
    "trades.history": page(TRADE),
    "spot.withdraw": wrapped(*rows(_WITHDRAWN)),
    "spot.balance_history": page(BALANCE_EVENT),
    "spot.withdrawal_history": page(WITHDRAWAL),
    "account.settings": wrapped(*SETTINGS),
    "account.update_spot_settings": _DONE,
    "account.set_auto_lend_disabled": _DONE,
    "subaccounts.list": wrapped(Field("subaccounts", "array", fields=SUBACCOUNT)),
    "subaccounts.transfer": wrapped(*rows("success boolean, error? string|null")),
    "vaults.add_max_leverage": wrapped(*_DONE),
    "vaults.remove_max_leverage": wrapped(*_DONE),
    "vaults.remove_blacklist": wrapped(*_DONE),
    "vaults.claim_manager": wrapped(*rows("shares_minted decimal")),
    "funding.history": page(FUNDING),
    "api_keys.create": _API_KEY,
    "api_keys.revoke": _API_KEY,
    "api_keys.list": rows("data any observed"),
}

PAGINATION = {key: key for key in ("cursor", "next_cursor", "has_more")} | {"items": "data"}
PAGINATED = tuple(route.method for route in ROUTES if route.method.endswith("history"))

# 7, by method and status. An error status that is not here has no described body.
_ERRORS = {
    "error string, code integer": "orders.create orders.create_stop orders.cancel_stop"
    " orders.batch",
    "success false, error string, code integer": "orders.edit",
    "success false, data null, error string, code null": "subaccounts.list",
    "success false, data null, error string, code integer": "subaccounts.transfer",
}
ERRORS = {f"{key} 400": rows(row) for row, names in _ERRORS.items() for key in names.split()}
ERRORS["subaccounts.list 401"] = ERRORS["subaccounts.list 400"]

# 8: limits that a schema cannot hold, as a pattern for the operation's own words.
PROSE = {"orders.create": "200 ms", "orders.batch": "200 ms", "api_keys.create": "five|5"}
