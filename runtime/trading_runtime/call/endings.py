"""The events of a failed attempt, and the last one of a call. Pure."""

from __future__ import annotations

from trading_runtime.call.draft import Draft
from trading_runtime.call.events import (
    AttemptRetried,
    CallEnded,
    CallSettled,
    ClockSkewed,
    Event,
    OutcomeUnknown,
)
from trading_runtime.call.retry import FailedAttempt, NextAttempt
from trading_runtime.clock import Skew
from trading_runtime.errors import (
    ApiError,
    DecodeError,
    OutcomeUnknownError,
    TradingError,
    one_line,
)
from trading_runtime.http.fault import Failure


def of_failure(
    draft: Draft,
    attempt: FailedAttempt,
    failure: Failure,
    then: NextAttempt | TradingError,
    *,
    seconds: float,
    skew: Skew | None,
) -> list[Event]:
    """The events of an attempt that failed so many seconds after the call began."""
    name, call, number, status = draft.operation.name, draft.id, attempt.number, failure.status
    events: list[Event] = []
    hint = failure.clock_hint if isinstance(failure, ApiError) else None
    if hint is not None and skew is not None:
        events.append(ClockSkewed(operation=name, call=call, skew=skew.middle, reason=hint))
    if isinstance(then, NextAttempt):
        retried = AttemptRetried(
            operation=name,
            call=call,
            attempt=number,
            status=status,
            fault=attempt.fault.name,
            reason=_reason(failure),
            delay=then.delay,
        )
        return [*events, retried]
    return [*events, end_of(draft, number, status, seconds, then, _reason(failure))]


def end_of(
    draft: Draft,
    attempts: int,
    status: int | None,
    seconds: float,
    error: Exception | None,
    reason: str,
) -> CallEnded:
    """The last event of a call, which succeeded, or ended with this error for this reason."""
    name, call = draft.operation.name, draft.id
    stop_reason = getattr(error, "stop_reason", None)
    is_known = error is None or (
        isinstance(error, TradingError) and not isinstance(error, OutcomeUnknownError)
    )
    if is_known or draft.operation.method == "GET" or draft.operation.retry == "safe":
        return CallSettled(
            operation=name,
            call=call,
            attempts=attempts,
            status=status,
            seconds=seconds,
            error=None if error is None else type(error).__name__,
            stop_reason=stop_reason,
        )
    return OutcomeUnknown(
        operation=name,
        call=call,
        attempts=attempts,
        status=status,
        seconds=seconds,
        reason=reason,
        stop_reason=stop_reason,
    )


def _reason(failure: Failure) -> str:
    """Why an attempt failed, in words of ours: those of the service may repeat what was sent."""
    if isinstance(failure, ApiError):
        return f"the service answered {failure.status}"
    if isinstance(failure, DecodeError):
        return "the answer cannot be used"
    return one_line(failure.reason)
