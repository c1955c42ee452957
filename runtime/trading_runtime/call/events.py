"""The events of a call, for logs, metrics and traces: what happened to each attempt, and how it ended.

They hold names, numbers and words of this package alone: no argument of a call, no id of an order, no header,
no signature and no text of the service. So they may be sent anywhere.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from decimal import Decimal
from typing import ClassVar

from attrs import frozen

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
