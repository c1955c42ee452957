"""Which error the user sees for the failure of the last attempt, and what it tells."""

from __future__ import annotations

from random import random
from typing import Any, TypeGuard
from urllib.parse import urlsplit

from trading_runtime.call.retry import FailedAttempt, NextAttempt, Raise, Retry, RetryQuota, decide
from trading_runtime.client_ids import tell_refused
from trading_runtime.clock import Clock
from trading_runtime.errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    DecodeError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    TradingError,
    one_line,
)
from trading_runtime.http.fault import Failure, Fault, TransportError, fault_of, fault_of_status
from trading_runtime.http.transport import Response
from trading_runtime.intent import Intent
from trading_runtime.operation import Operation
from trading_runtime.rate_limit import RateLimit
from trading_runtime.signing.keys import Signer


def with_intent(error: object) -> OutcomeUnknownError | ApiError:
    """An error that can be reconciled, because it knows what was sent.

    Raises:
        TypeError: it is another object; of the client's other errors nothing is unknown.
    """
    if isinstance(error, (OutcomeUnknownError, ApiError)):
        return error
    raise TypeError(
        f"error must be an OutcomeUnknownError or an ApiError, not a {type(error).__name__}"
    )


def is_refusal(error: TradingError) -> TypeGuard[ApiError]:
    """Whether the service refused, so that this message is not executed."""
    refused = (Fault.REFUSED, Fault.RATE_LIMITED, Fault.DUPLICATE)
    return isinstance(error, ApiError) and fault_of(error) in refused


def is_rate_limited(error: TradingError) -> TypeGuard[ApiError]:
    """Whether the service refused for now, so that the same may be sent later."""
    return isinstance(error, ApiError) and fault_of(error) is Fault.RATE_LIMITED


def is_duplicate(error: OutcomeUnknownError | ApiError) -> bool:
    """Whether its status says that the idempotency key was used before, like a 409."""
    return error.status is not None and fault_of_status(error.status) is Fault.DUPLICATE


def failure_text(failure: Failure | OutcomeUnknownError) -> str:
    """The text of a failure, without the name of the operation."""
    if isinstance(failure, ApiError):
        return str(failure).removeprefix(f"{failure.operation}: ")
    return failure.reason


def annotate(
    refusal: ApiError,
    intent: Intent | None,
    response: Response,
    clock: Clock,
    rate_limit: RateLimit,
) -> None:
    """Put into a refusal what only its answer and the client's clock can tell."""
    refusal.intent = intent
    refusal.rate_budget = rate_limit.budget_of(response.headers)
    redirect = _redirect(response)
    if redirect is not None:
        refusal.args = (f"{refusal.args[0]} ({redirect})",)
    is_limited = is_rate_limited(refusal)
    refusal.retry_after = rate_limit.asked_wait(
        response.headers, clock.local_ms(), is_limited=is_limited
    )
    if (
        intent is not None
        and intent.signed
        and isinstance(refusal, (BadRequestError, AuthenticationError))
    ):
        refusal.clock_hint = clock.hint(intent.timestamp, intent.accepted_until)


def name_agent(refusal: ApiError, signer: Signer | None) -> None:
    """Say of a refused signature that it was an agent's: a subaccount under its main key looks like one."""
    intent = refusal.intent
    if not isinstance(refusal, AuthenticationError) or intent is None or signer is None:
        return
    if intent.signed and signer.address != intent.account:
        told = f"signed by {signer.address} as the agent wallet of {intent.account}; if that is a subaccount"
        refusal.args = (f"{refusal.args[0]} ({told}, sign with its own key)",)


def _redirect(response: Response) -> str | None:
    """Where a 3xx points to: the host alone, because the rest of a URL may hold a secret."""
    location = response.headers.get("Location")
    if response.status // 100 != 3 or location is None:
        return None
    try:
        host = urlsplit(location).hostname
    except ValueError:
        return "a redirect to a URL that is none, which is not followed"
    place = one_line(host) if host else "the same host"
    return f"a redirect to {place}, which is not followed"


def failed_attempt(
    operation: Operation[Any],
    failure: Failure,
    number: int,
    time_left: float,
    policy: Retry,
    quota: RetryQuota,
) -> FailedAttempt:
    """What the retry policy must know of a failure; `number` and `time_left` are the attempt's."""
    return FailedAttempt(
        fault=fault_of(failure),
        retry_class=operation.retry,
        number=number,
        time_left=time_left,
        quota_left=quota.left(policy.quota),
        retry_after=failure.retry_after if isinstance(failure, ApiError) else None,
    )


def what_follows(
    operation: Operation[Any],
    intent: Intent | None,
    failure: Failure,
    failed: FailedAttempt,
    policy: Retry,
) -> NextAttempt | TradingError:
    """Another attempt, or the error to raise."""
    decision = decide(failed, policy, random())
    if isinstance(decision, NextAttempt):
        return decision
    error = error_of(operation, intent, failure, decision.error)
    error.stop_reason = decision.reason
    return error


def error_of(
    operation: Operation[Any], intent: Intent | None, failure: Failure, kind: Raise
) -> TradingError:
    """The error to raise for a failure; if an answer was read, its error is the `__cause__`."""
    if kind is Raise.NOT_SENT:
        return NotSentError(operation.name, failure_text(failure))
    if kind is Raise.TYPED:
        if intent is not None:
            tell_refused(intent.uses)
        return _typed(operation, failure)
    assert intent is not None, "the outcome of a read is never unknown"
    body = None if failure.status is None else failure.body
    unknown = OutcomeUnknownError(intent, failure_text(failure), status=failure.status, body=body)
    unknown.__cause__ = failure if isinstance(failure, TradingError) else None
    return unknown


def _typed(operation: Operation[Any], failure: Failure) -> TradingError:
    if not isinstance(failure, TransportError):
        return failure
    if failure.fault in (Fault.UNREADABLE, Fault.UNUSABLE):
        is_json = failure.fault is Fault.UNUSABLE
        return DecodeError(
            operation.name, failure.reason, failure.body, failure.status, is_json=is_json
        )
    return NoResponseError(operation.name, failure.reason)
