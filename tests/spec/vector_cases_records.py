"""Sample records as the service sends them, shared by the decode cases."""

from __future__ import annotations

from tests.spec.vector_cases_base import ORDER_UUID, RFC_1, Object

ORDER: Object = {
    "order_id": 315992721,
    "client_order_id": ORDER_UUID,
    "symbol": "BTC",
    "side": "bid",
    "initial_price": "100000",
    "average_filled_price": "99999.5",
    "amount": "0.1",
    "filled_amount": "0.05",
    "order_status": "partially_filled",
    "order_type": "limit",
    "stop_price": None,
    "stop_parent_order_id": None,
    "reduce_only": False,
    "reason": None,
    "created_at": 1748970123456,
    "updated_at": 1748970123999,
}
TRADE: Object = {
    "history_id": 19329801,
    "order_id": 315293920,
    "client_order_id": ORDER_UUID,
    "symbol": "LDO",
    "amount": "0.1",
    "price": "1.1904",
    "entry_price": "1.176247",
    "fee": "0",
    "pnl": "-0.001415",
    "event_type": "fulfill_maker",
    "side": "close_short",
    "created_at": 1759215599188,
    "cause": "normal",
}
SUBACCOUNT: Object = {
    "address": RFC_1.address,
    "balance": "1000.123456789",
    "pending_balance": "0",
    "fee_level": 0,
    "fee_mode": "auto",
    "use_ltp_for_stop_orders": False,
    "created_at": 1748970123456,
}
SETTINGS: Object = {
    "auto_lend_disabled": True,
    "margin_settings": [
        {
            "symbol": "BTC",
            "isolated": True,
            "leverage": 12,
            "created_at": 1748970123456,
            "updated_at": 1748970123999,
        }
    ],
    "spot_settings": [{"symbol": "SOL", "unified_margin_excluded": True}],
}
RECEIPT: Object = {
    "symbol": "SOL",
    "batch_nonce": 11,
    "requested_amount": "1.5",
    "fee_amount": "0.001",
}
# More digits than any float holds.
EXACT: Object = {
    "amount": "123456789012345678901234567890.123456789",
    "price": "0.000000000000000001",
    "fee": "1.50",
}
