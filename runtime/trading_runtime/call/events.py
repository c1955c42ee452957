"""The events of a call, for logs, metrics and traces: what happened to each attempt, and how it ended.

They hold names, numbers and words of this package alone: no argument of a call, no id of an order, no header,
no signature and no text of the service. So they may be sent anywhere. The log `trading_sdk` and the
`on_event` of a client get the same: an event is made once, and its line in the log is its text.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from decimal import Decimal
from time import monotonic
from typing import Any, ClassVar, TypeAlias

from attrs import frozen

from trading_runtime.call.message import Call
from trading_runtime.call.retry import FailedAttempt, NextAttempt
from trading_runtime.errors import (
    ApiError,
    DecodeError,
    OutcomeUnknownError,
    TradingError,
    one_line,
)
from trading_runtime.http.fault import Failure
from trading_runtime.http.transport import Response
from trading_runtime.log import note
from trading_runtime.rate_limit import RateBudget

_SHOWN = 8


@frozen(kw_only=True)
class Event(ABC):
    """Something that happened in a call. Its text is the line in the log, and its level that of the line."""

    level: ClassVar[int] = logging.DEBUG

    operation: str
    """Name of the operation or action, like `orders.create`."""

    call: str
    """Id of the call, which all its events share. It is `intent.id` of its errors and of the journal, too."""

    def __str__(self) -> str:
        return f"{self.operation} [{self.call[:_SHOWN]}]: {self._says()}"

    @abstractmethod
    def _says(self) -> str:
        """Its text, after the name and the id of the call."""


@frozen(kw_only=True)
class AttemptSent(Event):
    """An attempt is about to be sent. It is in the journal by now."""

    attempt: int
    """Which attempt of the call it is; the first is 1."""

    bytes: int
    """Length of the body; 0 where there is none."""

    def _says(self) -> str:
        return f"attempt {self.attempt}, {self.bytes} bytes"


@frozen(kw_only=True)
class AttemptAnswered(Event):
    """An attempt was answered, with whatever status. The answer is not read yet."""

    attempt: int

    status: int
    """HTTP status of the answer."""

    seconds: float
    """From sending the attempt until the whole answer was there."""

    bytes: int
    """Length of the body, decompressed."""

    credits: Decimal | None
    """Credits of the rate limit that are left; None where the answer does not tell."""

    def _says(self) -> str:
        told = "" if self.credits is None else f", {self.credits} credits left"
        return (
            f"attempt {self.attempt} was answered {self.status} after {self.seconds:.3f} s, "
            f"{self.bytes} bytes{told}"
        )


@frozen(kw_only=True)
class AttemptRetried(Event):
    """An attempt failed, and another one follows."""

    level: ClassVar[int] = logging.WARNING

    attempt: int
    """Which attempt failed; the next one has the number after it."""

    status: int | None
    """HTTP status of its answer; None if there was none."""

    fault: str
    """What the failure shows: the name of a `Fault`, like `NOT_SENT`."""

    reason: str
    """Why it failed."""

    delay: float
    """Seconds until the next attempt."""

    def _says(self) -> str:
        return (
            f"attempt {self.attempt} failed ({self.reason}); "
            f"attempt {self.attempt + 1} follows in {self.delay:.3f} s"
        )


@frozen(kw_only=True)
class ClockSkewed(Event):
    """The service refused a message, maybe because its clock and the clock that was signed by differ."""

    level: ClassVar[int] = logging.WARNING

    skew: int
    """How far the service's clock is ahead of this machine's, in ms."""

    reason: str
    """What the difference did, and what helps."""

    def _says(self) -> str:
        return self.reason


@frozen(kw_only=True)
class CallEnded(Event):
    """The last event of a call, either `CallSettled` or `OutcomeUnknown`."""

    attempts: int
    """How many attempts it took."""

    status: int | None
    """HTTP status of the last answer; None if the last attempt got none."""

    seconds: float
    """From the beginning of the call, without the time that `clock="server"` took to learn the time."""

    stop_reason: str | None = None
    """Why no further attempt was made, as its error says; None if the last attempt did not fail."""

    def _took(self) -> str:
        plural = "" if self.attempts == 1 else "s"
        return f"after {self.attempts} attempt{plural} and {self.seconds:.3f} s"


@frozen(kw_only=True)
class CallSettled(CallEnded):
    """A call ended, and its outcome is known."""

    error: str | None
    """Class of the error that is raised, like `BadRequestError`; None if the call succeeded."""

    def _says(self) -> str:
        how = "succeeded" if self.error is None else f"failed with {self.error}"
        status = "" if self.status is None else f" ({self.status})"
        return f"{how}{status} {self._took()}"


@frozen(kw_only=True)
class OutcomeUnknown(CallEnded):
    """A call ended, and it may have been executed."""

    level: ClassVar[int] = logging.WARNING

    reason: str
    """Why that is unknown."""

    def _says(self) -> str:
        return f"it may have been executed ({self.reason}), {self._took()}; reconcile it"


# -- telling them ---------------------------------------------------------------------------------

_OnEvent: TypeAlias = "Callable[[Event], object] | None"
"""The callback of a client, if it has one."""


def tell(on_event: _OnEvent, event: Event) -> None:
    """Tell an event. No lock is held meanwhile, so the callback may make calls of its own.

    Nothing that goes wrong in the callback or in a handler of the log changes a call. KeyboardInterrupt
    and the like pass, and the call is then left open in the journal.
    """
    if on_event is not None:
        try:
            on_event(event)
        except Exception:
            text = "on_event raised at %s, which changes nothing of the call"
            note(logging.ERROR, text, type(event).__name__, exc_info=True)
    note(event.level, "%s", event)


def tell_sent(on_event: _OnEvent, call: Call[Any]) -> None:
    """Tell that an attempt is about to be sent."""
    assert call.request is not None
    size = len(call.request.body or b"")
    name = call.operation.name
    tell(on_event, AttemptSent(operation=name, call=call.id, attempt=call.number, bytes=size))


def tell_answered(
    on_event: _OnEvent,
    call: Call[Any],
    response: Response,
    seconds: float,
    budget: RateBudget | None,
) -> None:
    """Tell that an attempt was answered after so many seconds."""
    answered = AttemptAnswered(
        operation=call.operation.name,
        call=call.id,
        attempt=call.number,
        status=response.status,
        seconds=seconds,
        bytes=len(response.body),
        credits=None if budget is None else budget.remaining,
    )
    tell(on_event, answered)


def tell_failed(
    on_event: _OnEvent,
    call: Call[Any],
    failed: FailedAttempt,
    failure: Failure,
    then: NextAttempt | TradingError,
    skew: int | None,
) -> None:
    """Tell that an attempt failed, and what follows: another one, or an error, which ends the call."""
    name, reason = call.operation.name, _reason(failure)
    events: list[Event] = []
    hint = failure.clock_hint if isinstance(failure, ApiError) else None
    if hint is not None and skew is not None:
        events.append(ClockSkewed(operation=name, call=call.id, skew=skew, reason=hint))
    if isinstance(then, NextAttempt):
        retried = AttemptRetried(
            operation=name,
            call=call.id,
            attempt=failed.number,
            status=failure.status,
            fault=failed.fault.name,
            reason=reason,
            delay=then.delay,
        )
        events.append(retried)
    else:
        events.append(_end(call, failure.status, then, reason))
    for event in events:
        tell(on_event, event)


def tell_ended(on_event: _OnEvent, call: Call[Any], foreign: Exception | None) -> None:
    """Tell that a call succeeded, or ended with what the transport raised beside failures."""
    status = None if call.response is None else call.response.status
    reason = f"the transport raised {type(foreign).__name__}"
    tell(on_event, _end(call, status, foreign, reason))


def _end(call: Call[Any], status: int | None, error: Exception | None, reason: str) -> CallEnded:
    """The last event of a call, which succeeded, or ended with this error for this reason."""
    how: dict[str, Any] = {
        "operation": call.operation.name,
        "call": call.id,
        "attempts": call.number,
        "status": status,
        "seconds": monotonic() - call.began,
        "stop_reason": getattr(error, "stop_reason", None),
    }
    is_known = error is None or (
        isinstance(error, TradingError) and not isinstance(error, OutcomeUnknownError)
    )
    if is_known or not call.messages:
        return CallSettled(**how, error=None if error is None else type(error).__name__)
    return OutcomeUnknown(**how, reason=reason)


def _reason(failure: Failure) -> str:
    """Why an attempt failed, in words of ours: those of the service may repeat what was sent."""
    if isinstance(failure, ApiError):
        return f"the service answered {failure.status}"
    if isinstance(failure, DecodeError):
        return "the answer cannot be used"
    return one_line(failure.reason)
