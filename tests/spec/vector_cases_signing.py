"""Signing cases for every signing type: smallest, largest and the forms between."""

from __future__ import annotations

from dataclasses import dataclass

from tests.spec.vector_cases_base import (
    COUNTING,
    LOSS_UUID,
    ORDER_UUID,
    PROFIT_UUID,
    RFC_1,
    RFC_2,
    TIMESTAMP,
    WINDOW,
    Case,
    Key,
    Object,
    canonical_text,
    flat_body,
)

VAULT = RFC_2.address


@dataclass(frozen=True)
class Signing:
    """One signing case; `owner` set means that `key` signs as the agent of that account."""

    name: str
    description: str
    signing_type: str
    data: Object
    key: Key = COUNTING
    owner: Key | None = None
    timestamp: int = TIMESTAMP
    window: int = WINDOW

    def given(self) -> Case:
        return {
            "private_key": self.key.text,
            "account": (self.owner or self.key).address,
            "agent_wallet": self.key.address if self.owner else None,
            "signing_type": self.signing_type,
            "timestamp": self.timestamp,
            "expiry_window": self.window,
            "data": self.data,
        }

    def case(self) -> Case:
        canonical = canonical_text(self.signing_type, self.data, self.timestamp, self.window)
        account = (self.owner or self.key).address
        agent_wallet = self.key.address if self.owner else None
        header = (self.timestamp, self.window)
        body = flat_body(self.key, account, agent_wallet, canonical, header, self.data)
        expect = {
            "address": self.key.address,
            "canonical": canonical,
            "signature": body["signature"],
            "body": body,
        }
        return {
            "name": self.name,
            "kind": "signing",
            "description": self.description,
            "given": self.given(),
            "expect": expect,
        }


LIMIT_ORDER: Object = {
    "symbol": "BTC",
    "price": "100000",
    "amount": "0.1",
    "side": "bid",
    "tif": "GTC",
    "reduce_only": False,
}
FULL_PROFIT: Object = {
    "stop_price": "120000",
    "limit_price": "119990",
    "client_order_id": PROFIT_UUID,
    "trigger_price_type": "last_trade_price",
}
FULL_LOSS: Object = {
    "stop_price": "90000",
    "limit_price": "89990",
    "client_order_id": LOSS_UUID,
    "trigger_price_type": "mid_price",
}
ORDER_EXTRAS: Object = {
    "client_order_id": ORDER_UUID,
    "take_profit": FULL_PROFIT,
    "stop_loss": FULL_LOSS,
    "builder_code": "Builder001",
}

CREATE_ORDERS = (
    Signing(
        "create-order-minimal",
        "A limit order with its required fields only.",
        "create_order",
        LIMIT_ORDER,
    ),
    Signing(
        "create-order-maximal",
        "A limit order with every field, both attached stop orders in full.",
        "create_order",
        {**LIMIT_ORDER, **ORDER_EXTRAS},
    ),
    Signing(
        "create-order-take-profit-only",
        "A limit order with the smallest take-profit and no stop-loss.",
        "create_order",
        {**LIMIT_ORDER, "tif": "ALO", "take_profit": {"stop_price": "120000"}},
    ),
    Signing(
        "create-order-ask-stop-loss",
        "A selling limit order with the smallest stop-loss.",
        "create_order",
        {
            "tif": "IOC",
            "symbol": "ETH",
            "stop_loss": {"stop_price": "4100.5"},
            "side": "ask",
            "reduce_only": True,
            "price": "4000.1",
            "amount": "12.0001",
        },
        key=RFC_1,
    ),
    Signing(
        "create-order-agent",
        "The agent's key signs; account stays the owner's, and neither address is signed.",
        "create_order",
        {**LIMIT_ORDER, "tif": "TOB"},
        key=RFC_1,
        owner=COUNTING,
    ),
    Signing(
        "create-order-window-short",
        "A window of one second stands in the signed header and in the body.",
        "create_order",
        LIMIT_ORDER,
        window=1_000,
    ),
    Signing(
        "create-order-window-long",
        "A window of five minutes stands in the signed header and in the body.",
        "create_order",
        LIMIT_ORDER,
        window=300_000,
    ),
)

STOP_ORDER: Object = {
    "symbol": "BTC",
    "side": "ask",
    "reduce_only": True,
    "stop_order": {"stop_price": "95000"},
}
FULL_STOP: Object = {
    "stop_price": "95000",
    "limit_price": "94990.5",
    "client_order_id": ORDER_UUID,
    "trigger_price_type": "mark_price",
    "amount": "0.25",
}

OTHER_ORDERS = (
    Signing(
        "create-stop-order-minimal",
        "A stop order over the whole position, required fields only.",
        "create_stop_order",
        STOP_ORDER,
    ),
    Signing(
        "create-stop-order-maximal",
        "A stop order with every field.",
        "create_stop_order",
        {**STOP_ORDER, "stop_order": FULL_STOP, "builder_code": "ABC"},
    ),
    Signing(
        "edit-order-by-order-id",
        "An edit that names the order by the service's id, an integer.",
        "edit_order",
        {"symbol": "BTC", "price": "100001", "amount": "0.2", "order_id": 42069},
    ),
    Signing(
        "edit-order-by-client-order-id",
        "An edit that names the order by the client's id; the other id is absent, not null.",
        "edit_order",
        {"symbol": "BTC", "price": "100001", "amount": "0.2", "client_order_id": ORDER_UUID},
    ),
    Signing(
        "cancel-stop-order-by-order-id",
        "A stop order cancelled by the service's id.",
        "cancel_stop_order",
        {"symbol": "SOL", "order_id": 1},
    ),
    Signing(
        "cancel-stop-order-by-client-order-id",
        "A stop order cancelled by the client's id.",
        "cancel_stop_order",
        {"symbol": "SOL", "client_order_id": ORDER_UUID},
    ),
    Signing(
        "create-market-order-minimal",
        "A market order, known only as a batch action, with its required fields.",
        "create_market_order",
        {
            "symbol": "BTC",
            "amount": "0.1",
            "side": "bid",
            "slippage_percent": "0.5",
            "reduce_only": False,
        },
    ),
    Signing(
        "create-market-order-maximal",
        "A market order with every field.",
        "create_market_order",
        {
            "symbol": "BTC",
            "amount": "0.1",
            "side": "ask",
            "slippage_percent": "1",
            "reduce_only": True,
            **ORDER_EXTRAS,
        },
    ),
    Signing(
        "cancel-order-by-order-id",
        "An order cancelled by the service's id.",
        "cancel_order",
        {"symbol": "BTC", "order_id": 42069},
    ),
    Signing(
        "cancel-order-by-client-order-id",
        "An order cancelled by the client's id.",
        "cancel_order",
        {"symbol": "BTC", "client_order_id": ORDER_UUID},
    ),
    Signing(
        "set-position-tpsl-take-profit",
        "A position given a take-profit only.",
        "set_position_tpsl",
        {"symbol": "BTC", "side": "ask", "take_profit": {"stop_price": "120000"}},
    ),
    Signing(
        "set-position-tpsl-stop-loss",
        "A position given a stop-loss only.",
        "set_position_tpsl",
        {"symbol": "BTC", "side": "ask", "stop_loss": {"stop_price": "90000"}},
    ),
    Signing(
        "set-position-tpsl-maximal",
        "A position given both legs in full, each with its own amount.",
        "set_position_tpsl",
        {
            "symbol": "BTC",
            "side": "ask",
            "take_profit": {**FULL_PROFIT, "amount": "0.05"},
            "stop_loss": {**FULL_LOSS, "amount": "0.1"},
        },
    ),
)

ORDER_CASES = CREATE_ORDERS + OTHER_ORDERS
