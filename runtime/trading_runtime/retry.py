"""What a failed attempt leads to: another one, or an error (the fault matrix); pure, no I/O.

`decide` knows no clock, no socket and no chance: it is told what happened and what is left, and says
what to do. The caller carries it out, because each attempt is signed anew, with the same ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from attrs import Attribute, field, frozen

from trading_runtime.errors import RequestError
from trading_runtime.operation import RetryWord


class Fault(Enum):
    """How far a failed attempt came."""

    NOT_SENT = auto()
    """Certainly not sent: no connection, no DNS answer."""

    NOT_TRUSTED = auto()
    """Certainly not sent: the certificate of the service is not to be trusted."""

    MAYBE_SENT = auto()
    """May have been sent and executed: a reset, a timeout, a 5xx other than 501."""

    RATE_LIMITED = auto()
    """Refused for now: a 429."""

    DUPLICATE = auto()
    """Refused because its id was used before: a 409."""

    REFUSED = auto()
    """Refused by the service: any other 4xx, a 501, or success: false."""

    UNUSABLE = auto()
    """An answer that says neither yes nor no: cut, not JSON, of the wrong shape, or a 3xx."""


class Verdict(Enum):
    """What to raise."""

    RAISE_NOT_SENT = auto()
    """NotSentError."""

    RAISE_TYPED = auto()
    """The ApiError or DecodeError of the answer; NoResponseError if there was none."""

    RAISE_UNKNOWN = auto()
    """OutcomeUnknownError, caused by the ApiError or DecodeError if there was an answer."""


@frozen
class Again:
    """Make another attempt."""

    after: float
    """Seconds to wait before it."""


def _at_least_once(policy: Retry, attribute: object, value: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"Retry: attempts must be an integer, not {value!r}")
    if value < 1:
        raise RequestError(f"Retry: attempts must be 1 (no second attempt) or more, not {value}")


def _finite(policy: Retry, attribute: Attribute[float], value: float) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"Retry: {attribute.name} must be a number, not {value!r}")
    if not 0 <= value < float("inf"):
        raise RequestError(
            f"Retry: {attribute.name} must be finite and not negative, not {value!r}"
        )


@frozen(kw_only=True)
class Retry:
    """How often, and after what waits, a call is attempted again where that is safe.

    Everything happens within the `timeout` of the call.
    """

    attempts: int = field(default=3, validator=_at_least_once)
    """Attempts of a call, the first one included; 1 repeats nothing."""

    first_wait: float = field(default=0.05, validator=_finite)
    """Longest wait before the second attempt, in seconds; it doubles with each further one."""

    longest_wait: float = field(default=2.0, validator=_finite)
    """Longest wait of the client's own choice, in seconds. A wait is random, up to its bound."""

    patience: float = field(default=5.0, validator=_finite)
    """Longest wait that a service may ask for, in seconds; beyond it the error is raised at once."""

    budget: float = field(default=10.0, validator=_finite)
    """Second attempts that all calls of a client may make together; ten that succeed bring
    back one."""


@frozen(kw_only=True)
class Failed:
    """A failed attempt, and what is left for another one."""

    fault: Fault
    word: RetryWord
    """The `x-retry` of the operation."""
    attempt: int
    """Which one it was; the first is 1."""
    left: float
    """Seconds that are left of the call's deadline."""
    budget: float
    """Attempts that the client's retry budget still pays for."""
    asked: float | None = None
    """Seconds that the service asked to wait; None if it did not."""


REPEATED: Mapping[Fault, frozenset[RetryWord]] = {
    Fault.NOT_SENT: frozenset({"safe", "idempotent", "by-key", "never"}),
    Fault.MAYBE_SENT: frozenset({"safe"}),
    Fault.RATE_LIMITED: frozenset({"safe", "idempotent"}),
}
"""The `x-retry` words under which an attempt that failed so is followed by another one."""

_GIVEN_UP_ON = frozenset({408, 460, 499})
"""Gateways say so of a request that they stopped waiting for, which may have gone through."""


_MOST_DOUBLINGS = 60
"""Enough for any wait; a float has no room for many more than a thousand."""


def fault_of_status(status: int) -> Fault | None:
    """Return the fault that a status stands for, None for a 2xx."""
    if 200 <= status <= 299:
        return None
    if 300 <= status <= 399:
        return Fault.UNUSABLE
    if status == 409:
        return Fault.DUPLICATE
    if status == 429:
        return Fault.RATE_LIMITED
    # 501: the service does not implement the operation, so nothing was executed.
    if status == 501 or (400 <= status <= 499 and status not in _GIVEN_UP_ON):
        return Fault.REFUSED
    return Fault.MAYBE_SENT


def decide(failed: Failed, policy: Retry, jitter: float) -> Again | Verdict:
    """Return what a failed attempt leads to; `jitter`, from 0 to 1, is the share of a random wait."""
    wait = _wait(failed, policy, jitter)
    if (
        failed.word in REPEATED.get(failed.fault, ())
        and failed.attempt < policy.attempts
        and failed.budget >= 1
        and wait < failed.left
        and (failed.asked or 0) <= policy.patience
    ):
        return Again(wait)
    return _verdict(failed)


def _wait(failed: Failed, policy: Retry, jitter: float) -> float:
    doublings = min(failed.attempt - 1, _MOST_DOUBLINGS)
    bound = min(policy.longest_wait, policy.first_wait * 2.0**doublings)
    return (failed.asked or 0) + jitter * bound


def _verdict(failed: Failed) -> Verdict:
    if failed.fault in (Fault.NOT_SENT, Fault.NOT_TRUSTED):
        return Verdict.RAISE_NOT_SENT
    if failed.word == "safe":
        return Verdict.RAISE_TYPED
    if failed.fault is Fault.DUPLICATE and failed.attempt > 1:
        # The attempt before, which seemed not to have been sent, was accepted.
        return Verdict.RAISE_UNKNOWN
    if failed.fault in (Fault.RATE_LIMITED, Fault.DUPLICATE, Fault.REFUSED):
        return Verdict.RAISE_TYPED
    return Verdict.RAISE_UNKNOWN
