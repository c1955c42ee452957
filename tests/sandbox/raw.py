"""A client that is not ours: plain requests, and solders for keys and signatures."""

from __future__ import annotations

import json
import time
from typing import Any

import requests
from solders.keypair import Keypair

from tests.doubles import orders
from tests.doubles.orders import order
from tests.interface import ACTIONS, OPERATIONS, READS, Json, Operation
from trading_sandbox import Sandbox

CREATE, EDIT, BATCH = (OPERATIONS[f"orders.{name}"].path for name in ("create", "edit", "batch"))


def now() -> int:
    return time.time_ns() // 1_000_000


def limit_order(**changes: Any) -> dict[str, Any]:
    """The fields of an order that rests far from any market."""
    return order(**{"price": "50000", "amount": "0.001", **changes})


def market_order(**changes: Any) -> dict[str, Any]:
    """The fields of a market order that may fill within one percent."""
    return orders.market_order(**{"amount": "0.01", **changes})


def stop_order(**leg: Any) -> dict[str, Any]:
    """The fields of a stop order that waits far above the market."""
    return orders.stop_order(stop_order={"stop_price": "120000", "amount": "0.001", **leg})


def refusal(response: requests.Response, status: int = 400, code: int | None = None) -> str:
    """What a refusal in the common envelope says."""
    error = str(response.json().get("error"))
    assert response.status_code == status, response.text
    answer = {"success": False, "data": None, "error": error, "code": code or status}
    assert response.json() == answer
    return error


def bare_refusal(response: requests.Response, status: int = 400) -> str:
    """What a refusal of an order says, which is not in the envelope."""
    error = str(response.json().get("error"))
    assert response.status_code == status, response.text
    assert response.json() == {"error": error, "code": status}
    return error


def row(record: dict[str, Any]) -> str:
    """Every field of a record in its order, as in `symbol=BTC price=100000`."""
    return " ".join(f"{name}={value}" for name, value in record.items())


def canonical(header: Json, data: Json) -> str:
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

    @classmethod
    def of(cls, sandbox: Sandbox, usdc: str = "10000", **spot: str) -> RawClient:
        """A client of a new account."""
        key = sandbox.create_account(usdc=usdc, spot=spot)
        return cls(sandbox.url, key.export_base58())

    def body(self, signing_type: str, data: Json, **header: Any) -> dict[str, Any]:
        """The signed flat body; `header` replaces the timestamp or the window."""
        header = {"timestamp": now(), "expiry_window": 30_000, **header}
        message = canonical({**header, "type": signing_type}, data)
        signature = str(self.key.sign_message(message.encode()))
        agent = {} if self.account == self.address else {"agent_wallet": self.address}
        return {"account": self.account, **agent, "signature": signature, **header, **data}

    def signed(self, operation: Operation, data: Json, **header: Any) -> dict[str, Any]:
        """The body of an operation, or the data of an action."""
        assert operation.signing_type is not None
        return self.body(operation.signing_type, data, **header)

    def action(self, kind: str, data: dict[str, Any]) -> dict[str, Any]:
        return {"type": kind, "data": self.signed(ACTIONS[kind], data)}

    def post(self, path: str, body: Any) -> requests.Response:
        return requests.post(self.url + path, json=body, headers=self.headers, timeout=10)

    def get(self, path: str, **query: Any) -> requests.Response:
        return requests.get(self.url + path, params=query, headers=self.headers, timeout=10)

    def call(self, name: str, **data: Any) -> requests.Response:
        """Send a signed operation, or read one as this account."""
        operation = OPERATIONS[name]
        if name in READS:
            return self.get(operation.path, **data)
        return self.post(operation.path, self.signed(operation, data))

    def data(self, name: str, **data: Any) -> Any:
        """What a call that must succeed answers under `data`."""
        response = self.call(name, **data)
        assert response.status_code == 200, response.text
        return response.json()["data"]

    def create(self, **changes: Any) -> requests.Response:
        return self.call("orders.create", **limit_order(**changes))

    def edit(self, **data: Any) -> requests.Response:
        return self.call("orders.edit", **data)

    def batch(self, *actions: dict[str, Any]) -> requests.Response:
        return self.post(BATCH, {"actions": list(actions)})

    def orders(self) -> list[dict[str, Any]]:
        """The orders of the account, newest first."""
        page = self.call("orders.history", account=self.account, limit=1000).json()
        return list(page["data"])
