"""Refused requests, and the body that each endpoint documents for them (interface section 7).

Where an endpoint documents no status for a failed signature (the order endpoints), it is answered
400; where it documents no body, the common envelope is used, with the status as its code.
"""

from __future__ import annotations

from typing import Any

from trading_runtime.operation import BatchOperation, Operation

_PLAIN = frozenset({"orders.create", "orders.create_stop", "orders.cancel_stop"})
_EDIT = "orders.edit"
_WITHOUT_CODE = "subaccounts.list"


class Refusal(Exception):
    """A request is not carried out; the status and the words to answer with."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status = status
        self.error = error

    def inside(self, where: str) -> Refusal:
        """Return the same refusal, saying which part of the request it is about."""
        return Refusal(self.status, f"{where}: {self.error}")


def bad_request(error: str) -> Refusal:
    """A request of the wrong shape."""
    return Refusal(400, error)


def unauthorized(error: str) -> Refusal:
    """A signature that does not hold, or a key that may not sign."""
    return Refusal(401, error)


def not_modelled(what: str) -> Refusal:
    """Something that the service does and this sandbox does not yet."""
    return Refusal(501, f"{what} is not modelled by this sandbox yet")


def answer_of(refusal: Refusal, operation: Operation[Any] | None) -> tuple[int, dict[str, Any]]:
    """Return the status and body that an operation refuses with; None where no path matched."""
    name = None if operation is None else operation.name
    if name in _PLAIN or name == _EDIT or isinstance(operation, BatchOperation):
        status = 400 if refusal.status == 401 else refusal.status
        body: dict[str, Any] = {"error": refusal.error, "code": status}
        return status, ({"success": False, **body} if name == _EDIT else body)
    code = None if name == _WITHOUT_CODE and refusal.status in (400, 401) else refusal.status
    return refusal.status, {"success": False, "data": None, "error": refusal.error, "code": code}
