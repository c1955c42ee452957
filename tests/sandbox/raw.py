"""A client that is not ours: plain requests, and solders for keys and signatures."""

from __future__ import annotations

import json
import time
from typing import Any

import requests
from solders.keypair import Keypair

CREATE = "/api/v1/orders/create"
EDIT = "/api/v1/orders/edit"
BATCH = "/api/v1/orders/batch"
SIGNED = {
    "orders.create": (CREATE, "create_order"),
    "orders.create_stop": ("/api/v1/orders/stop/create", "create_stop_order"),
    "orders.edit": (EDIT, "edit_order"),
    "orders.cancel_stop": ("/api/v1/orders/stop/cancel", "cancel_stop_order"),
    "spot.withdraw": ("/api/v1/account/spot_asset/withdraw", "withdraw_spot_asset"),
    "account.update_spot_settings": (
        "/api/v1/account/settings/spot",
        "update_account_spot_settings",
    ),
    "account.set_auto_lend_disabled": (
        "/api/v1/account/settings/auto_lend_disabled",
        "set_auto_lend_disabled",
    ),
    "subaccounts.list": ("/api/v1/account/subaccount/list", "list_subaccounts"),
    "subaccounts.transfer": ("/api/v1/account/subaccount/transfer", "transfer_funds"),
    "vaults.add_max_leverage": ("/api/v1/lake/add_max_leverage", "add_lake_max_leverage"),
    "vaults.remove_max_leverage": ("/api/v1/lake/remove_max_leverage", "remove_lake_max_leverage"),
    "vaults.remove_blacklist": ("/api/v1/lake/remove_blacklist", "remove_lake_blacklist"),
    "vaults.claim_manager": ("/api/v1/lake/claim_manager", "claim_lake_manager"),
    "api_keys.create": ("/api/v1/account/api_keys/create", "create_api_key"),
    "api_keys.revoke": ("/api/v1/account/api_keys/revoke", "revoke_api_key"),
    "api_keys.list": ("/api/v1/account/api_keys", "list_api_keys"),
}
READ = {
    "orders.history": "/api/v1/orders/history",
    "trades.history": "/api/v1/trades/history",
    "spot.balance_history": "/api/v1/account/spot_balance/history",
    "spot.withdrawal_history": "/api/v1/account/spot_asset/withdraw/history",
    "account.settings": "/api/v1/account/settings",
    "funding.history": "/api/v1/funding_rate/history",
}
SIGNING_TYPES = {
    "Create": "create_order",
    "CreateMarket": "create_market_order",
    "Cancel": "cancel_order",
    "Edit": "edit_order",
    "SetPositionTpsl": "set_position_tpsl",
    "CancelStopOrder": "cancel_stop_order",
}


def now() -> int:
    return time.time_ns() // 1_000_000


def limit_order(**changes: Any) -> dict[str, Any]:
    """The fields of an order that rests far from any market."""
    order = {
        "symbol": "BTC",
        "price": "50000",
        "amount": "0.001",
        "side": "bid",
        "tif": "ALO",
        "reduce_only": False,
    }
    return {**order, **changes}


def market_order(**changes: Any) -> dict[str, Any]:
    """The fields of a market order that may fill within one percent."""
    order = {
        "symbol": "BTC",
        "amount": "0.01",
        "side": "bid",
        "slippage_percent": "1",
        "reduce_only": False,
    }
    return {**order, **changes}


def canonical(header: dict[str, Any], data: dict[str, Any]) -> str:
    return json.dumps({**header, "data": data}, sort_keys=True, separators=(",", ":"))


class RawClient:
    """Signs and posts what it is told to, right or wrong."""

    def __init__(self, url: str, private_key: str | None = None) -> None:
        self.url = url
        self.key = Keypair() if private_key is None else Keypair.from_base58_string(private_key)
        self.address = str(self.key.pubkey())
        self.account = self.address
        """Set it to another address to sign as an agent wallet of that account."""
        self.headers: dict[str, str] = {}

    def body(self, signing_type: str, data: dict[str, Any], **header: Any) -> dict[str, Any]:
        """The signed flat body; `header` replaces the timestamp or the window."""
        header = {"timestamp": now(), "expiry_window": 30_000, **header}
        message = canonical({**header, "type": signing_type}, data)
        signature = str(self.key.sign_message(message.encode()))
        agent = {} if self.account == self.address else {"agent_wallet": self.address}
        return {"account": self.account, **agent, "signature": signature, **header, **data}

    def action(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        return {"type": kind, "data": self.body(SIGNING_TYPES[kind], data)}

    def post(self, path: str, body: Any) -> requests.Response:
        return requests.post(self.url + path, json=body, headers=self.headers, timeout=10)

    def get(self, path: str, **query: Any) -> requests.Response:
        return requests.get(self.url + path, params=query, headers=self.headers, timeout=10)

    def call(self, name: str, **data: Any) -> requests.Response:
        """Send a signed operation, or read one as this account."""
        if name in READ:
            return self.get(READ[name], **data)
        path, signing_type = SIGNED[name]
        return self.post(path, self.body(signing_type, data))

    def data(self, name: str, **data: Any) -> Any:
        """What a call that must succeed answers under `data`."""
        response = self.call(name, **data)
        assert response.status_code == 200, response.text
        return response.json()["data"]

    def create(self, **changes: Any) -> requests.Response:
        return self.post(CREATE, self.body("create_order", limit_order(**changes)))

    def edit(self, **data: Any) -> requests.Response:
        return self.post(EDIT, self.body("edit_order", data))

    def batch(self, *actions: dict[str, Any]) -> requests.Response:
        return self.post(BATCH, {"actions": list(actions)})

    def orders(self) -> list[dict[str, Any]]:
        """The orders of the account, newest first."""
        page = self.get("/api/v1/orders/history", account=self.account, limit=1000).json()
        return list(page["data"])
