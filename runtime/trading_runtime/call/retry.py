"""The retry policy, which says what a failed attempt leads to, and the retry quota. No I/O.

`decide` reads no clock, no socket and no random numbers: everything is an argument. `Caller` acts on
its decision, because each attempt is signed anew, with the same ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Literal, TypeAlias

from attrs import Attribute, field, frozen

from trading_runtime.call.file_lock import ForkSafeLock
from trading_runtime.checks import integer, names_what_was_meant, seconds
from trading_runtime.http.fault import REFUSALS, Fault
from trading_runtime.operation import RetryClass


class Raise(Enum):
    """The error to raise."""

    NOT_SENT = auto()
    """NotSentError."""

    TYPED = auto()
    """The ApiError or DecodeError of the answer; NoResponseError if there was none."""

    UNKNOWN = auto()
    """OutcomeUnknownError, caused by the ApiError or DecodeError if there was an answer."""


StopReason: TypeAlias = Literal["not_repeatable", "max_attempts", "quota", "wait"]
"""Why a call makes no further attempt; docs/recovery.md says what each of them means."""


@frozen
class Stop:
    """Make no further attempt."""

    error: Raise

    reason: StopReason


@frozen
class NextAttempt:
    """Make another attempt."""

    delay: float
    """Seconds to wait before it."""


def _attempts(policy: Retry, attribute: Attribute[int], value: int) -> None:
    integer(f"Retry: {attribute.name}", value, minimum=1)


def _count(policy: Retry, attribute: Attribute[int], value: int) -> None:
    integer(f"Retry: {attribute.name}", value, minimum=0)


def _delay(policy: Retry, attribute: Attribute[float], value: float) -> None:
    seconds(f"Retry: {attribute.name}", value, zero=True)


@frozen(kw_only=True)
class Retry:
    """The retry policy of a client: how often, and after what delays, a call is attempted again.

    Only what is safe to repeat is repeated, and always within the `timeout` of the call.

    Args:
        max_attempts: Attempts of a call, the first one included; 1 repeats nothing.
        base_delay: Longest delay before the second attempt, in seconds; it doubles with each further
            one.
        max_delay: Longest delay of the client's own choice, in seconds. A delay is random, up to its
            bound.
        max_retry_after: Longest wait that a service may ask for, in seconds; beyond it the error is
            raised at once.
        quota: Retries that all calls of a client may make together. Ten calls that succeed restore
            one.
    """

    max_attempts: int = field(default=3, validator=_attempts)
    base_delay: float = field(default=0.05, validator=_delay)
    max_delay: float = field(default=2.0, validator=_delay)
    max_retry_after: float = field(default=5.0, validator=_delay)
    quota: int = field(default=10, validator=_count)


names_what_was_meant(
    Retry,
    {
        "backoff_factor": "base_delay=...",
        "total": "max_attempts=..., which counts the first one, too",
        **dict.fromkeys(
            ("retries", "max_retries"), "max_attempts=..., which counts the first one, too"
        ),
    },
)

ONE_ATTEMPT = Retry(max_attempts=1)
"""The policy of calls that are not repeated, or that their caller repeats."""


@frozen(kw_only=True)
class FailedAttempt:
    """A failed attempt, and what is left for another one."""

    fault: Fault

    retry_class: RetryClass
    """The `x-retry` of the operation."""

    number: int
    """Which attempt it was; the first is 1."""

    time_left: float
    """Seconds until the deadline of the call."""

    quota_left: float
    """Retries that the client's quota still allows."""

    retry_after: float | None = None
    """Seconds that the service asked to wait; None if it did not."""


REPEATED: Mapping[Fault, frozenset[RetryClass]] = {
    Fault.NOT_SENT: frozenset({"safe", "idempotent", "by-key", "never"}),
    Fault.MAYBE_SENT: frozenset({"safe"}),
    Fault.RATE_LIMITED: frozenset({"safe", "idempotent"}),
    Fault.UNREADABLE: frozenset({"safe"}),
}
"""The retry classes (`x-retry`) for which an attempt with this fault is repeated."""

_RETRY, _SUCCESS = 10, 1
"""What a retry takes from the quota and a success restores, in tenths of a retry."""
_MAX_DOUBLINGS = 60
"""Enough for any delay; a float overflows after a thousand."""


def decide(failed: FailedAttempt, policy: Retry, jitter: float) -> NextAttempt | Stop:
    """What a failed attempt leads to; `jitter`, from 0 to 1, is the share of a random delay."""
    delay = _delay_after(failed, policy, jitter)
    reason = _stop_reason(failed, policy, delay)
    return NextAttempt(delay) if reason is None else Stop(_error(failed), reason)


def _stop_reason(failed: FailedAttempt, policy: Retry, delay: float) -> StopReason | None:
    if failed.retry_class not in REPEATED.get(failed.fault, ()):
        return "not_repeatable"
    if failed.number >= policy.max_attempts:
        return "max_attempts"
    if failed.quota_left < 1:
        return "quota"
    is_in_time = delay < failed.time_left
    # Not the other way round: a wait that is no number is too long.
    return None if is_in_time and (failed.retry_after or 0) <= policy.max_retry_after else "wait"


def _delay_after(failed: FailedAttempt, policy: Retry, jitter: float) -> float:
    doublings = min(failed.number - 1, _MAX_DOUBLINGS)
    bound = min(policy.max_delay, policy.base_delay * 2.0**doublings)
    return (failed.retry_after or 0) + jitter * bound


def _error(failed: FailedAttempt) -> Raise:
    if failed.fault in (Fault.NOT_SENT, Fault.NOT_TRUSTED):
        return Raise.NOT_SENT
    if failed.retry_class == "safe":
        return Raise.TYPED
    if failed.fault is Fault.DUPLICATE and failed.number > 1:
        # The attempt before, which seemed not to have been sent, was accepted.
        return Raise.UNKNOWN
    if failed.fault in REFUSALS:
        return Raise.TYPED
    return Raise.UNKNOWN


class RetryQuota:
    """A token bucket that all calls of a client share: a retry takes a token, a success a tenth back.

    A service that fails for everybody thus sees few more requests than calls. The size of the bucket is
    the `quota` of a call's retry policy, so that clients with other policies can share what was taken.
    """

    def __init__(self) -> None:
        """Begin with a full bucket."""
        self._lock = ForkSafeLock()
        self.spent = 0
        """What was taken and not restored, in tenths of a retry."""

    def left(self, size: int) -> int:
        """How many retries a bucket of this size allows now; below 1 it allows none."""
        return size - -(-self.spent // _RETRY)

    def spend(self) -> None:
        """Take a token for a retry."""
        with self._lock.held():
            self.spent += _RETRY

    def restore(self) -> None:
        """A call succeeded."""
        with self._lock.held():
            self.spent = max(0, self.spent - _SUCCESS)
