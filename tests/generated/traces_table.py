"""Where it shows that a message was carried out, typed from service-interface.md by hand.

Nothing here is derived from spec/openapi.yaml. The numbers are sections of the interface document, a
note is one of field-notes.md.
"""

from __future__ import annotations

from trading_runtime.operation import Target, Trace

# 2.1: an order shows its client id, which the user gave or the SDK minted (4.1, 4.2, note 9). An id may
# be used again, so what else it shows of the message must agree: price and amount where it has them.
_MARKET = {"symbol": "symbol", "side": "side"}


def _placed(**more: str) -> Trace:
    return Trace(
        lists=("orders.history",),
        made_at="created_at",
        id="client_order_id",
        agrees={**_MARKET, **more},
    )


_IDS = {"order_id": "order_id", "client_order_id": "client_order_id"}
_CANCELLED = {"order_status": "cancelled"}
# 4.4, 4.5: the order that is named is cancelled, and nothing takes its place.
CANCELLED = Trace(
    lists=("orders.history",),
    made_at="created_at",
    agrees={"symbol": "symbol"},
    target=Target(names=_IDS, becomes=_CANCELLED, changed_at="updated_at"),
)
# 3, 4.3: the original is cancelled; the new order has its side and client id, and a price of its own.
EDITED = Trace(
    lists=("orders.history",),
    made_at="created_at",
    agrees={"symbol": "symbol", "initial_price": "price", "amount": "amount"},
    target=Target(
        names=_IDS,
        becomes=_CANCELLED,
        changed_at="updated_at",
        inherits=("symbol", "side", "client_order_id"),
    ),
)
# 2.3, 2.4: no record shows an idempotency key, and the fee is deducted from the amount (4.6).
WITHDRAWN = Trace(
    lists=("spot.withdrawal_history", "spot.balance_history"),
    made_at="created_at",
    agrees={"symbol": "symbol"},
    at_most={"amount": "amount"},
)
# Operations and batch actions; nothing shows what became of the others.
TRACES = {
    "orders.create": _placed(initial_price="price", amount="amount"),
    "orders.create_stop": _placed(),
    "orders.create_market": _placed(amount="amount"),
    "orders.edit": EDITED,
    "orders.cancel": CANCELLED,
    "orders.cancel_stop": CANCELLED,
    "spot.withdraw": WITHDRAWN,
}

# Whether it may be sent again when its outcome is not known, and by which key. A read and a setting
# may; a new order, a withdrawal and an edit may not, unless an id tells two calls apart.
_RETRIES = {
    "safe": """orders.history trades.history spot.balance_history spot.withdrawal_history
        account.settings funding.history subaccounts.list api_keys.list""",
    "idempotent": """orders.cancel orders.cancel_stop account.update_spot_settings
        account.set_auto_lend_disabled vaults.add_max_leverage vaults.remove_max_leverage
        vaults.remove_blacklist api_keys.revoke""",
    "by-key": "orders.create orders.create_stop orders.create_market spot.withdraw",
    "never": """orders.edit orders.batch orders.set_position_tpsl subaccounts.transfer
        vaults.claim_manager api_keys.create""",
}
RETRIES = {name: retry for retry, names in _RETRIES.items() for name in names.split()}
KEYS = {
    "orders.create": "client_order_id",
    "orders.create_stop": "stop_order.client_order_id",
    "orders.create_market": "client_order_id",
    "spot.withdraw": "idempotency_key",
}

# 4.7, 4.9 to 4.11: whose records these are. A market's funding (4.15) is nobody's.
ACCOUNTS = {
    "orders.history": "account",
    "trades.history": "account",
    "spot.balance_history": "account",
    "spot.withdrawal_history": "account",
    "funding.history": None,
}

# Note 16.
RATE_SCALE = 10
