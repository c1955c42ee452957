"""What a failed call means for the caller; pure, no I/O (the fault matrix).

Nothing is retried yet. When it is, `decide` is where "try again" becomes a further verdict and
transport.py is where the wait happens.
"""

from __future__ import annotations

from enum import Enum


class Fault(Enum):
    """How far a failed call came."""

    NOT_SENT = "N"
    """Certainly not sent: no connection, no DNS answer, a bad certificate."""

    MAYBE_SENT = "U"
    """May have been sent and executed: a reset, a timeout, a 3xx, a 5xx."""

    REFUSED = "R"
    """Refused by the service: a 4xx, or success: false."""

    UNUSABLE = "D"
    """A 2xx that cannot be used: cut, not JSON, of the wrong shape."""


class Verdict(Enum):
    """What to raise."""

    RAISE_NOT_SENT = "NotSentError"
    """NotSentError."""

    RAISE_TYPED = "typed"
    """The ApiError or DecodeError of the answer; NoResponseError if there was none."""

    RAISE_UNKNOWN = "OutcomeUnknownError"
    """OutcomeUnknownError, caused by the ApiError or DecodeError if there was an answer."""


_IF_REPEATABLE = {
    Fault.NOT_SENT: Verdict.RAISE_NOT_SENT,
    Fault.MAYBE_SENT: Verdict.RAISE_TYPED,
    Fault.REFUSED: Verdict.RAISE_TYPED,
    Fault.UNUSABLE: Verdict.RAISE_TYPED,
}
_IF_NOT = {
    Fault.NOT_SENT: Verdict.RAISE_NOT_SENT,
    Fault.MAYBE_SENT: Verdict.RAISE_UNKNOWN,
    Fault.REFUSED: Verdict.RAISE_TYPED,
    Fault.UNUSABLE: Verdict.RAISE_UNKNOWN,
}


def fault_of_status(status: int) -> Fault | None:
    """Return the fault that a status stands for, None for a 2xx."""
    if 200 <= status <= 299:
        return None
    return Fault.REFUSED if 400 <= status <= 499 else Fault.MAYBE_SENT


def decide(fault: Fault, *, repeatable: bool) -> Verdict:
    """Return what to raise; `repeatable` means a GET or a call whose x-retry is safe."""
    return (_IF_REPEATABLE if repeatable else _IF_NOT)[fault]
