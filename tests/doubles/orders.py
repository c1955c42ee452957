"""Builders: the arguments of orders, the records of lists, and the errors of calls whose outcome is unknown.

Each builder takes changes by name. An order of `order` is not meant to be executed; the sandbox takes one of
`resting`, which nothing fills.
"""

from __future__ import annotations

from typing import Any

from tests.doubles.signer import KEY
from tests.doubles.transport import HERE as HERE
from tests.interface import OPERATIONS
from trading_runtime import ApiError, Operation
from trading_runtime.clock import now_ms
from trading_runtime.codec import refusals
from trading_runtime.errors import Code, OutcomeUnknownError
from trading_runtime.intent import Intent, Message

ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
OTHER_ID = "6a0b1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
WINDOW = 30_000
"""The expiry window of a message, in ms."""
MINUTE = 60_000


# -- arguments ---------------------------------------------------------------------------------------


def order(**changes: Any) -> dict[str, Any]:
    """The arguments of a limit order."""
    whole = {"symbol": "BTC", "side": "bid", "price": "1", "amount": "1", "tif": "ALO"}
    return {**whole, "reduce_only": False, **changes}


def resting(**changes: Any) -> dict[str, Any]:
    """The arguments of a limit order that the sandbox takes and that rests in its book."""
    return order(**{"price": "90000", "amount": "0.1", **changes})


def market_order(**changes: Any) -> dict[str, Any]:
    """The arguments of a market order."""
    whole = {"symbol": "BTC", "side": "bid", "amount": "1", "slippage_percent": "1"}
    return {**whole, "reduce_only": False, **changes}


def stop_order(**changes: Any) -> dict[str, Any]:
    """The arguments of a stop order, whose leg has the price that triggers it and nothing else."""
    whole = {"symbol": "BTC", "side": "bid", "stop_order": {"stop_price": "2"}}
    return {**whole, "reduce_only": False, **changes}


# -- records -----------------------------------------------------------------------------------------


def order_record(at: int, **changes: Any) -> dict[str, Any]:
    """A record of `orders.history`: the order of `order` with the id `ID`, made at a time in ms."""
    _, least = OPERATIONS["orders.history"].answer["data"]
    told = {"client_order_id": ID, "symbol": "BTC", "side": "bid", "price": "1", "amount": "1"}
    times = {"created_at": at, "updated_at": at}
    return {**least, **told, "initial_price": "1", **times, **changes}


def withdrawal_record(at: int, **changes: Any) -> dict[str, Any]:
    """A record of `spot.withdrawals`, made at a time in ms."""
    whole = {"symbol": "BTC", "amount": "1", "batch_nonce": 3, "transaction_id": "t"}
    return {**whole, "created_at": at, **changes}


# -- errors ------------------------------------------------------------------------------------------


def message(
    name: str = "orders.create", client_id: str | None = ID, *, minted: bool = True, **changes: Any
) -> Message:
    """A message whose fields are those of `order_record`, and whose id was made for it alone."""
    bid = {"symbol": "BTC", "side": "bid", "price": "1", "amount": "1"}
    return Message(name=name, client_id=client_id, fields={**bid, **changes}, minted=minted)


def unknown(
    *messages: Message, ago: int = MINUTE, window: int = WINDOW, **more: Any
) -> OutcomeUnknownError:
    """The error of a call that was signed so many ms ago."""
    intent = Intent(
        id="an id",
        operation=messages[0].name,
        base_url=HERE,
        account=KEY.address,
        timestamp=now_ms() - ago,
        expiry_window=window,
        messages=messages,
    )
    return OutcomeUnknownError(intent, "the connection was reset", **more)


def api_error(operation: str, status: int, code: Code, error: str, body: bytes) -> ApiError:
    """The error for an answer of this status, from a service that tells no reasons."""
    named: Operation[None] = Operation(name=operation, method="GET", path="/")
    return refusals.api_error(named, status, refusals.Refusal(error, code), body)


def refused(status: int, *messages: Message, ago: int = MINUTE) -> ApiError:
    """The error of a call of these messages that was answered with a status other than 200."""
    error = api_error(messages[0].name, status, None, "No", b"")
    error.intent = unknown(*messages, ago=ago).intent
    return error
