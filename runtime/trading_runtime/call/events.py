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
from typing import Any, TypeAlias

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
    """Something that happened in a call. Its text is the line in the log."""

    operation: str
    """Name of the operation or action, like `orders.create`."""

    call: str
    """Id of the call, which all its events share. It is `intent.id` of its errors and of the journal, too."""

    @property
    def level(self) -> int:
        """The level of the line in the log."""
        return logging.DEBUG

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

    @property
    def level(self) -> int:
        """The level of the line in the log."""
        return logging.WARNING

    def _says(self) -> str:
        return (
            f"attempt {self.attempt} failed ({self.reason}); "
            f"attempt {self.attempt + 1} follows in {self.delay:.3f} s"
        )


@frozen(kw_only=True)
class CallEnded(Event):
    """The last event of a call."""

    attempts: int
    """How many attempts it took."""

    status: int | None
    """HTTP status of the last answer; None if the last attempt got none."""

    seconds: float
    """From the beginning of the call, without the time that `clock="server"` took to learn the time."""

    error: str | None
    """Class of the error that is raised, like `BadRequestError`; None if the call succeeded."""

    is_unknown: bool
    """Whether the call may have been executed."""

    reason: str | None
    """Why it failed, and which clock is wrong, where that may be why; None if the call succeeded."""

    stop_reason: str | None
    """Why no further attempt was made, as the error says; None if the last attempt did not fail."""

    is_skewed: bool = False
    """Whether the service may have refused a message because its clock and the clock that was signed by differ."""

    @property
    def level(self) -> int:
        """The level of the line in the log."""
        return logging.WARNING if self.is_unknown or self.is_skewed else logging.DEBUG

    def _says(self) -> str:
        plural = "" if self.attempts == 1 else "s"
        took = f"after {self.attempts} attempt{plural} and {self.seconds:.3f} s"
        if self.is_unknown:
            return f"it may have been executed ({self.reason}), {took}; reconcile it"
        how = "succeeded" if self.error is None else f"failed with {self.error}"
        status = "" if self.status is None else f" ({self.status})"
        why = f"; {self.reason}" if self.is_skewed else ""
        return f"{how}{status} {took}{why}"


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
) -> None:
    """Tell that an attempt failed, and what follows: another one, or an error, which ends the call."""
    if not isinstance(then, NextAttempt):
        hint = failure.clock_hint if isinstance(failure, ApiError) else None
        reason = hint or _reason(failure)
        tell(on_event, _end(call, failure.status, then, reason, is_skewed=hint is not None))
        return
    retried = AttemptRetried(
        operation=call.operation.name,
        call=call.id,
        attempt=failed.number,
        status=failure.status,
        fault=failed.fault.name,
        reason=_reason(failure),
        delay=then.delay,
    )
    tell(on_event, retried)


def tell_ended(on_event: _OnEvent, call: Call[Any], foreign: Exception | None) -> None:
    """Tell that a call succeeded, or ended with what the transport raised beside failures."""
    status = None if call.response is None else call.response.status
    reason = None if foreign is None else f"the transport raised {type(foreign).__name__}"
    tell(on_event, _end(call, status, foreign, reason))


def _end(
    call: Call[Any],
    status: int | None,
    error: Exception | None,
    reason: str | None,
    *,
    is_skewed: bool = False,
) -> CallEnded:
    """The last event of a call, which succeeded, or ended with this error for this reason."""
    is_known = error is None or (
        isinstance(error, TradingError) and not isinstance(error, OutcomeUnknownError)
    )
    return CallEnded(
        operation=call.operation.name,
        call=call.id,
        attempts=call.number,
        status=status,
        seconds=monotonic() - call.began,
        error=None if error is None else type(error).__name__,
        is_unknown=bool(call.messages) and not is_known,
        reason=reason,
        stop_reason=getattr(error, "stop_reason", None),
        is_skewed=is_skewed,
    )


def _reason(failure: Failure) -> str:
    """Why an attempt failed, in words of ours: those of the service may repeat what was sent."""
    if isinstance(failure, ApiError):
        return f"the service answered {failure.status}"
    if isinstance(failure, DecodeError):
        return "the answer cannot be used"
    return one_line(failure.reason)
