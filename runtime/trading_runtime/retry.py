"""What a failed call means for the caller; pure, no I/O (the fault matrix).

Decided here: how far a status says that a call came, and which error is raised. Nothing is retried
yet. When it is, "try again" becomes a further verdict, and the client makes the attempt: it has to
be signed anew, with the same ids, which the transport cannot do.
"""

from __future__ import annotations

from enum import Enum, auto


class Fault(Enum):
    """How far a failed call came."""

    NOT_SENT = auto()
    """Certainly not sent: no connection, no DNS answer, a bad certificate."""

    MAYBE_SENT = auto()
    """May have been sent and executed: a reset, a timeout, a 3xx, a 5xx other than 501."""

    REFUSED = auto()
    """Refused by the service: a 4xx, a 501, or success: false."""

    UNUSABLE = auto()
    """A 2xx that cannot be used: cut, not JSON, of the wrong shape."""


class Verdict(Enum):
    """What to raise."""

    RAISE_NOT_SENT = auto()
    """NotSentError."""

    RAISE_TYPED = auto()
    """The ApiError or DecodeError of the answer; NoResponseError if there was none."""

    RAISE_UNKNOWN = auto()
    """OutcomeUnknownError, caused by the ApiError or DecodeError if there was an answer."""


def fault_of_status(status: int) -> Fault | None:
    """Return the fault that a status stands for, None for a 2xx."""
    if 200 <= status <= 299:
        return None
    # 501: the service does not implement the operation, so nothing was executed.
    if 400 <= status <= 499 or status == 501:
        return Fault.REFUSED
    return Fault.MAYBE_SENT


def decide(fault: Fault, *, repeatable: bool) -> Verdict:
    """Return what to raise; `repeatable` means a GET or a call whose x-retry is safe."""
    if fault is Fault.NOT_SENT:
        return Verdict.RAISE_NOT_SENT
    if repeatable or fault is Fault.REFUSED:
        return Verdict.RAISE_TYPED
    return Verdict.RAISE_UNKNOWN
