"""Enums, records and bodies that several operations share: sections 2, 4.0, 5.4 and 7."""

from __future__ import annotations

from tests.interface.model import Field, Fields, Limit, rows

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
SIGNED_FIELDS = rows("""account string, signature string, timestamp integer ms,
    agent_wallet? string|null, expiry_window? integer=30000 ms""")
API_KEY_HEADER = "PF-API-KEY"

# Note 15: statuses seen beside those that an endpoint lists. Note 16: a credit is ten in the headers.
OBSERVED_STATUSES = ("403", "404", "422", "429", "503", "504")
RATE_SCALE = 10

# 4.1, 4.2 and note 10: the same four rows, and an amount where the whole position is the default.
TPSL = rows("""stop_price decimal, limit_price? decimal, client_order_id? uuid,
    trigger_price_type? TriggerPriceType=mark_price""")
STOP_ORDER = (*TPSL, *rows("amount? decimal token"))
LEGS = tuple(Field(name, "object", False, fields=TPSL) for name in ("take_profit", "stop_loss"))
POSITION_LEGS = tuple(leg._replace(fields=STOP_ORDER) for leg in LEGS)
BUILDER_CODE = Field("builder_code", "string", False, limit=Limit(3, 16, "alphanumeric"))
IDS = "order_id? integer, client_order_id? uuid"
PAGE = "limit? integer=100, cursor? string"

# 2.1 to 2.7. Assumed where the document contradicts itself: `price` is absent from its own sample,
# and two tables map the values of `event_type` in opposite ways. It does not say that the client id of
# a trade or the next cursor may be null. Note 14: the two lists of 2.7 may be absent.
ORDER = rows("""order_id integer, client_order_id uuid|null, symbol string, side Side,
    price? decimal required:assumed, initial_price decimal, average_filled_price decimal,
    amount decimal token, filled_amount decimal token, order_status OrderStatus,
    order_type OrderType, stop_price decimal|null, stop_parent_order_id integer|null,
    reduce_only boolean, reason OrderReason|null, created_at integer ms, updated_at integer ms""")
TRADE = rows("""history_id integer, order_id integer, client_order_id uuid|null null:assumed, symbol string,
    amount decimal, price decimal, entry_price decimal, fee decimal, pnl decimal,
    event_type TradeEventType enum:assumed, side TradeSide, created_at integer ms, cause TradeCause""")
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
    Field("margin_settings", "array", False, fields=MARGIN_SETTING, source="required:observed"),
    Field("spot_settings", "array", False, fields=SPOT_SETTING, source="required:observed"),
)


# Of 4.0; the samples of 4.6 and 4.16 leave out its nulls.
_ENVELOPE = rows("success boolean, error? string|null, code? integer|null")


def wrapped(*data: Field) -> Fields:
    """Put a result into the envelope of 4.0."""
    return (*_ENVELOPE, Field("data", "object", fields=data))


def page(record: Fields) -> Fields:
    """Put records into the envelope of 2.10."""
    envelope = rows(
        "success boolean, next_cursor? string|null required:assumed null:assumed, has_more boolean"
    )
    return (*envelope, Field("data", "array", fields=record))


def wrapped_list(record: Fields) -> Fields:
    """Put a list of records that has no pages into the envelope of 4.0, as CONTRIBUTING shows it."""
    return (*_ENVELOPE, Field("data", "array", fields=record))


PAGINATION = {key: key for key in ("cursor", "next_cursor", "has_more", "limit")} | {
    "items": "data"
}

PLACED, DONE = rows("order_id integer"), rows("success boolean")
ACTION_RESULT = rows("success boolean, order_id? integer, error? string|null")
RECEIPT = rows("""symbol string, batch_nonce integer, requested_amount decimal,
    fee_amount decimal""")
API_KEY = (Field("data", "object", fields=rows("api_key string")),)
_KEY = rows("api_key? string required:observed")
REVOKED_KEY = (Field("data", "object", nullable=True, source="null:observed", fields=_KEY),)

# 7: the bodies of refusals.
BARE_ERROR = rows("error string, code integer")
EDIT_ERROR = rows("success false, error string, code integer")
LIST_ERROR = rows("success false, data null, error string, code null")
WRAPPED_ERROR = rows("success false, data null, error string, code integer")
