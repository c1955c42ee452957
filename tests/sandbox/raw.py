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


def canonical(header: dict[str, Any], data: dict[str, Any]) -> str:
    return json.dumps({**header, "data": data}, sort_keys=True, separators=(",", ":"))


class RawClient:
    """Signs and posts what it is told to, right or wrong."""

    def __init__(self, url: str, private_key: str | None = None) -> None:
        self.url = url
        self.key = Keypair() if private_key is None else Keypair.from_base58_string(private_key)
        self.address = str(self.key.pubkey())

    def body(self, signing_type: str, data: dict[str, Any], **header: Any) -> dict[str, Any]:
        """The signed flat body; `header` replaces the timestamp or the window."""
        header = {"timestamp": now(), "expiry_window": 30_000, **header}
        message = canonical({**header, "type": signing_type}, data)
        signature = str(self.key.sign_message(message.encode()))
        return {"account": self.address, "signature": signature, **header, **data}

    def action(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        return {"type": kind, "data": self.body(SIGNING_TYPES[kind], data)}

    def post(self, path: str, body: Any) -> requests.Response:
        return requests.post(self.url + path, json=body, timeout=10)

    def get(self, path: str, **query: Any) -> requests.Response:
        return requests.get(self.url + path, params=query, timeout=10)

    def create(self, **changes: Any) -> requests.Response:
        return self.post(CREATE, self.body("create_order", limit_order(**changes)))

    def edit(self, **data: Any) -> requests.Response:
        return self.post(EDIT, self.body("edit_order", data))

    def batch(self, *actions: dict[str, Any]) -> requests.Response:
        return self.post(BATCH, {"actions": list(actions)})

    def orders(self) -> list[dict[str, Any]]:
        """The orders of the account, newest first."""
        page = self.get("/api/v1/orders/history", account=self.address, limit=1000).json()
        return list(page["data"])
