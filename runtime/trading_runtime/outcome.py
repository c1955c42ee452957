"""What a call that brought no result means: from a failure to the error that the caller sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from trading_runtime.errors import (
    ApiError,
    DecodeError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    TradingError,
)
from trading_runtime.operation import Operation
from trading_runtime.retry import Fault, Verdict, decide, fault_of_status
from trading_runtime.transport import Request, TransportFailure

Failure = TransportFailure | ApiError | DecodeError


@frozen(kw_only=True)
class Prepared:
    """A request that is ready to be sent, and what its outcome is judged by."""

    request: Request = field(repr=False)

    timestamp: int | None = None
    """When it was signed, in ms; None where it is not signed."""

    expiry_window: int | None = None
    """How long its signature is accepted, in ms."""

    client_ids: tuple[str | None, ...] = ()
    """The id of each message in it, None where a message has none."""


def judge(operation: Operation[Any], prepared: Prepared, failure: Failure) -> TradingError:
    """The error to raise for a failure; its `__cause__` is the answer that it was read from."""
    repeatable = operation.method == "GET" or operation.retry == "safe"
    verdict = decide(_fault(failure), repeatable=repeatable)
    if verdict is Verdict.RAISE_NOT_SENT:
        return NotSentError(operation.name, _reason(failure))
    if verdict is Verdict.RAISE_TYPED:
        return _typed(operation, failure)
    unknown = OutcomeUnknownError(
        operation.name,
        _reason(failure),
        client_ids=prepared.client_ids,
        timestamp=prepared.timestamp,
        expiry_window=prepared.expiry_window,
        status=failure.status,
        body=None if failure.status is None else failure.body,
    )
    unknown.__cause__ = failure if isinstance(failure, TradingError) else None
    return unknown


def client_id(key: str | None, fields: Mapping[str, Any]) -> str | None:
    """The id of one logical call, found by its path among the fields sent; None if not there."""
    value: Any = fields
    for name in key.split(".") if key else ():
        value = value.get(name, {})
    return value if isinstance(value, str) else None


def _typed(operation: Operation[Any], failure: Failure) -> TradingError:
    if not isinstance(failure, TransportFailure):
        return failure
    if failure.fault is Fault.UNUSABLE:
        return DecodeError(operation.name, failure.reason, failure.body, failure.status)
    return NoResponseError(operation.name, failure.reason)


def _fault(failure: Failure) -> Fault:
    if isinstance(failure, TransportFailure):
        return failure.fault
    if isinstance(failure, DecodeError):
        return Fault.UNUSABLE
    return fault_of_status(failure.status) or Fault.REFUSED


def _reason(failure: Failure) -> str:
    if isinstance(failure, ApiError):
        return str(failure).removeprefix(f"{failure.operation}: ")
    return failure.reason
