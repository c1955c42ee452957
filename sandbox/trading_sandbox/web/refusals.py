"""Refusals of requests, with the status and body of each endpoint (interface section 7).

An endpoint that documents 400 but not 401 answers 400 in place of 401 (section 5.3). An endpoint
that documents no body answers with the common envelope, with the status as its code.
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
_INSUFFICIENT_BALANCE = 5
STATUSES: dict[type[Refused], int] = {NotTheCreator: 403, DuplicateKey: 409}
"""The statuses of what the exchange refuses; 400 for the rest."""


class Refusal(Exception):
    """A request is refused, with this status and this error text."""

    def __init__(
        self, status: int, error: str, code: int | None = None, observed: str = ""
    ) -> None:
        """Make a refusal.

        Args:
            status: The status.
            error: Why, for the reader and the request log.
            code: An error code of its own; the default is the status.
            observed: How the live service words it, where that is known.
        """
        super().__init__(error)
        self.status = status
        self.error = error
        self.code = code
        self.observed = observed or error

    def inside(self, where: str) -> Refusal:
        """Return the same refusal, its text preceded by the part of the request it is about."""
        error = f"{where}: {self.error}"
        return Refusal(self.status, error, self.code, f"{where}: {self.observed}")


class PlainRefusal(Refusal):
    """A refusal that is answered with its text alone, without JSON (field note 36)."""


def bad_request(error: str) -> Refusal:
    """Return a 400, for a malformed request."""
    return Refusal(400, error)


def not_modelled(name: str) -> Refusal:
    """Return a 501, for an operation, a field or a value of the spec that this sandbox does not model."""
    return Refusal(501, f"{name} is not modelled by this sandbox")


def unauthorized(error: str, observed: str = "") -> Refusal:
    """Return a 401, for an invalid signature or API key, or a wallet that may not sign."""
    return Refusal(401, error, None, observed)


def refusal_of(refused: Refused, operation: Operation[Any]) -> Refusal:
    """Turn a refusal of the exchange into one with the endpoint's status and code."""
    short = operation.name == _TRANSFER and isinstance(refused, InsufficientBalance)
    code = _INSUFFICIENT_BALANCE if short else None
    return Refusal(STATUSES.get(type(refused), 400), str(refused), code)


def answer_of(refusal: Refusal, operation: Operation[Any] | None) -> tuple[int, dict[str, Any]]:
    """Return the status and body of a refusal; operation None: no path matched."""
    name = None if operation is None else operation.name
    status = refusal.status
    if status == 401 and operation is not None and _has_only_400(operation):
        status = 400
    code = status if refusal.code is None else refusal.code
    if name in _PLAIN:
        return status, {"error": refusal.error, "code": code}
    if name == _EDIT:
        return status, {"success": False, "error": refusal.error, "code": code}
    return status, refused_in_envelope(status, refusal.error, code, operation)


def refused_in_envelope(
    status: int, error: str, code: int, operation: Operation[Any] | None
) -> dict[str, Any]:
    """Return the common envelope of a refusal; the list of subaccounts documents no code (section 4.12)."""
    no_code = operation is not None and operation.name == _LIST and status in (400, 401)
    return {"success": False, "data": None, "error": error, "code": None if no_code else code}


def _has_only_400(operation: Operation[Any]) -> bool:
    """Whether an operation documents 400 but not 401."""
    return 400 in operation.statuses and 401 not in operation.statuses
