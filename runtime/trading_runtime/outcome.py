"""What a failed attempt was: from a failure to the fault, and to the error that the caller sees."""

from __future__ import annotations

from typing import Any, TypeAlias

from trading_runtime.errors import (
    ApiError,
    DecodeError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    TradingError,
)
from trading_runtime.intents import Intent
from trading_runtime.operation import Operation
from trading_runtime.retry import Fault, Verdict, fault_of_status
from trading_runtime.transport import TransportFailure

Failure: TypeAlias = TransportFailure | ApiError | DecodeError


def fault_of(failure: Failure) -> Fault:
    """How far the attempt came that failed so."""
    if isinstance(failure, TransportFailure):
        return failure.fault
    if isinstance(failure, DecodeError):
        return Fault.UNUSABLE
    return fault_of_status(failure.status) or Fault.REFUSED


def error_of(
    operation: Operation[Any], intent: Intent | None, failure: Failure, verdict: Verdict
) -> TradingError:
    """The error to raise for a failure; its `__cause__` is the answer that it was read from."""
    if verdict is Verdict.RAISE_NOT_SENT:
        return NotSentError(operation.name, _reason(failure))
    if verdict is Verdict.RAISE_TYPED:
        return _typed(operation, failure)
    assert intent is not None, "what is safe to repeat, and so changes nothing, is never unknown"
    body = None if failure.status is None else failure.body
    unknown = OutcomeUnknownError(intent, _reason(failure), status=failure.status, body=body)
    unknown.__cause__ = failure if isinstance(failure, TradingError) else None
    return unknown


def _typed(operation: Operation[Any], failure: Failure) -> TradingError:
    if not isinstance(failure, TransportFailure):
        return failure
    if failure.fault is Fault.UNUSABLE:
        return DecodeError(operation.name, failure.reason, failure.body, failure.status)
    return NoResponseError(operation.name, failure.reason)


def _reason(failure: Failure) -> str:
    if isinstance(failure, ApiError):
        return str(failure).removeprefix(f"{failure.operation}: ")
    return failure.reason
