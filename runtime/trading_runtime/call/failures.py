"""Which error the user sees for the failure of the last attempt, and what it tells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeGuard
from urllib.parse import urlsplit

from trading_runtime.call.message import Call
from trading_runtime.call.retry import Raise, Stop
from trading_runtime.clock import Clock
from trading_runtime.codec.batch import NO_REASON, BatchResult
from trading_runtime.codec.refusals import Refusal, api_error
from trading_runtime.errors import (
    OF_A_COPY,
    ApiError,
    AuthenticationError,
    BadRequestError,
    BatchError,
    DecodeError,
    NoResponseError,
    NotFoundError,
    NotSentError,
    OutcomeUnknownError,
    RequestError,
    TradingError,
    UnprocessableEntityError,
    one_line,
)
from trading_runtime.http.fault import (
    REFUSALS,
    Failure,
    Fault,
    TransportError,
    fault_of,
)
from trading_runtime.http.transport import Response
from trading_runtime.intent import Intent
from trading_runtime.operation import Kind, Operation
from trading_runtime.rate_limit import RateLimit
from trading_runtime.signing.keys import Signer

_CONFLICT = 409


def with_intent(error: object) -> OutcomeUnknownError | ApiError | BatchError:
    """An error that can be reconciled, because it knows what was sent; of a batch's result, that of its failures.

    Raises:
        TypeError: it is another object; of the client's other errors nothing is unknown.
        RequestError: no action of the batch failed.
    """
    if isinstance(error, BatchResult):
        if error.failure is None:
            raise RequestError("no action of this batch failed, so there is nothing to reconcile")
        return error.failure
    if isinstance(error, (OutcomeUnknownError, ApiError, BatchError)):
        return error
    raise TypeError(
        "error must be an OutcomeUnknownError, an ApiError, a BatchError or the result of a batch, not a "
        f"{type(error).__name__}"
    )


def is_refusal(error: TradingError) -> TypeGuard[ApiError]:
    """Whether the service refused, so that this message is not executed."""
    return isinstance(error, ApiError) and fault_of(error) in REFUSALS


def is_rate_limited(error: TradingError) -> TypeGuard[ApiError]:
    """Whether the service refused for now, so that the same may be sent later."""
    return isinstance(error, ApiError) and fault_of(error) is Fault.RATE_LIMITED


def is_duplicate(error: OutcomeUnknownError | ApiError) -> bool:
    """Whether the service said that the id of the message was used before."""
    if isinstance(error, OutcomeUnknownError):
        cause = error.__cause__
        return error.status == _CONFLICT or (isinstance(cause, ApiError) and cause.is_duplicate)
    return error.is_duplicate


def note_duplicate(operation: Operation[Any], refusal: ApiError) -> ApiError:
    """A refusal, with what its reason says of the id of the message."""
    reason = operation.reasons.get(refusal.reason or "")
    if reason is not None and reason.as_status == _CONFLICT:
        refusal.is_duplicate = True
    return refusal


def refused_actions(
    error: OutcomeUnknownError | ApiError | BatchError, count: int
) -> dict[int, OutcomeUnknownError | ApiError]:
    """How each message of a call ended that is open: all of them, or the actions of a batch that failed."""
    if isinstance(error, BatchError):
        return {**error.refusals}
    return dict.fromkeys(range(count), error)


def explain(call: Call[Any], result: BatchResult[Any], response: Response) -> None:
    """Put the refusal of each failed action into the result of a batch."""
    refusals = {}
    for index, (each, code) in enumerate(zip(result, result.codes, strict=True)):
        if not each.success:
            said = Refusal(each.error or NO_REASON, code)
            refusal = api_error(call.operation, response.status, said, response.body)
            refusal.intent, refusals[index] = call.intent, note_duplicate(call.operation, refusal)
    if refusals:
        result.explain(refusals, call.intent)


def failure_text(failure: Failure | OutcomeUnknownError) -> str:
    """The text of a failure, without the name of the operation."""
    if isinstance(failure, ApiError):
        return str(failure).removeprefix(f"{failure.operation}: ")
    return failure.reason


def annotate(
    call: Call[Any],
    refusal: ApiError,
    response: Response,
    clock: Clock,
    rate_limit: RateLimit,
    signer: Signer | None,
) -> None:
    """Put into a refusal what only its answer and the client's clock can tell."""
    refusal.intent = intent = call.intent
    refusal.rate_budget = rate_limit.budget_of(response.headers)
    hints = [_redirect(response), _of_a_copy(call.kinds, refusal)]
    is_limited = is_rate_limited(refusal)
    refusal.retry_after = rate_limit.asked_wait(
        response.headers, clock.local_ms(), is_limited=is_limited
    )
    if intent is not None and intent.signed and signer is not None:
        hints.append(_whose_key(refusal, intent, signer))
        if isinstance(refusal, (BadRequestError, AuthenticationError)):
            refusal.clock_hint = clock.hint(intent.timestamp, intent.accepted_until)
    for hint in filter(None, hints):
        refusal.args = (f"{refusal.args[0]} ({hint})",)


def _whose_key(refusal: ApiError, intent: Intent, signer: Signer) -> str | None:
    """Whose key signed what was refused, where another key may have been meant."""
    address, account = signer.address, intent.account
    if isinstance(refusal, AuthenticationError) and address != account:
        return f"signed by {address} as the agent wallet of {account}; if that is a subaccount, sign with its own key"
    if address == account and "account" in (refusal.reason or "") and account in refusal.error:
        return f"if {account} is an agent wallet, write Client(..., account=...) with the account that it signs for"
    return None


def _of_a_copy(kinds: Sequence[Kind], refusal: ApiError) -> str | None:
    """Why a cancel or an edit that is refused may have been executed nevertheless."""
    is_of_the_order = isinstance(
        refusal, (BadRequestError, NotFoundError, UnprocessableEntityError)
    )
    if not is_of_the_order or not any(each.trace and each.trace.target for each in kinds):
        return None
    return OF_A_COPY


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


def error_of(
    operation: Operation[Any], intent: Intent | None, failure: Failure, stop: Stop
) -> TradingError:
    """The error to raise for a failure; if an answer was read, its error is the `__cause__`."""
    error = _error(operation, intent, failure, stop.error)
    error.stop_reason = stop.reason
    return error


def _error(
    operation: Operation[Any], intent: Intent | None, failure: Failure, kind: Raise
) -> TradingError:
    if kind is Raise.NOT_SENT:
        return NotSentError(operation.name, failure_text(failure))
    if kind is Raise.TYPED:
        return _typed(operation, failure)
    assert intent is not None, "the outcome of a read is never unknown"
    body = None if failure.status is None else failure.body
    unknown = OutcomeUnknownError(
        intent,
        failure_text(failure),
        status=failure.status,
        body=body,
        key_is_used=isinstance(failure, ApiError) and failure.is_duplicate,
    )
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
