"""Refused requests, and the body that each endpoint documents for them (interface section 7).

Where an endpoint lists 400 but not 401, what would be 401 elsewhere is answered 400 (section 5.3).
Where it documents no body, the common envelope is used, with the status as its code.
"""

from __future__ import annotations

from typing import Any

from trading_runtime import Operation
from trading_sandbox.engine.records import (
    DuplicateKey,
    InsufficientBalance,
    NotTheCreator,
    Refused,
)

_PLAIN = frozenset({"orders.create", "orders.create_stop", "orders.cancel_stop", "orders.batch"})
_EDIT = "orders.edit"
_LIST = "subaccounts.list"
_TRANSFER = "subaccounts.transfer"
_WITHOUT_401 = _PLAIN | {_EDIT, _TRANSFER, "spot.balance_history"}
_INSUFFICIENT_BALANCE = 5
_STATUSES: dict[type[Refused], int] = {NotTheCreator: 403, DuplicateKey: 409}


class Refusal(Exception):
    """A request is not carried out; the status and the words to answer with."""

    def __init__(self, status: int, error: str, code: int | None = None) -> None:
        """Take a code where the endpoint has one of its own; else it is the status."""
        super().__init__(error)
        self.status = status
        self.error = error
        self.code = code

    def inside(self, where: str) -> Refusal:
        """Return the same refusal, saying which part of the request it is about."""
        return Refusal(self.status, f"{where}: {self.error}", self.code)


def bad_request(error: str) -> Refusal:
    """A request of the wrong shape."""
    return Refusal(400, error)


def not_modelled(name: str) -> Refusal:
    """An operation that the spec has, but this sandbox does not know yet."""
    return Refusal(501, f"{name} is not modelled by this sandbox")


def unauthorized(error: str) -> Refusal:
    """A signature that does not hold, or a key that may not sign."""
    return Refusal(401, error)


def refusal_of(refused: Refused, operation: Operation[Any]) -> Refusal:
    """What the exchange refuses, with the status that the endpoint documents for it."""
    short = operation.name == _TRANSFER and isinstance(refused, InsufficientBalance)
    code = _INSUFFICIENT_BALANCE if short else None
    return Refusal(_STATUSES.get(type(refused), 400), str(refused), code)


def answer_of(refusal: Refusal, operation: Operation[Any] | None) -> tuple[int, dict[str, Any]]:
    """Return the status and body that an operation refuses with; None where no path matched."""
    name = None if operation is None else operation.name
    status = 400 if refusal.status == 401 and name in _WITHOUT_401 else refusal.status
    code = status if refusal.code is None else refusal.code
    if name in _PLAIN or name == _EDIT:
        body: dict[str, Any] = {"error": refusal.error, "code": code}
        return status, ({"success": False, **body} if name == _EDIT else body)
    without_code = name == _LIST and status in (400, 401)
    return status, {
        "success": False,
        "data": None,
        "error": refusal.error,
        "code": None if without_code else code,
    }
