"""Refusals of an operation that is known by its name alone."""

from __future__ import annotations

from trading_runtime import ApiError, Operation
from trading_runtime.codec import reasons
from trading_runtime.errors import Code


def api_error(operation: str, status: int, code: Code, error: str, body: bytes) -> ApiError:
    """The error for an answer of this status, from a service that tells no reasons."""
    named: Operation[None] = Operation(name=operation, method="GET", path="/")
    return reasons.api_error(named, status, code, error, body)
