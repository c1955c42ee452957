"""The decision: another attempt, or which error, from what happened and from what is left."""

from __future__ import annotations

import random
import socket
import time
from itertools import product
from typing import Any

import pytest

from trading_runtime.call.retry import FailedAttempt, NextAttempt, Raise, Retry, decide
from trading_runtime.errors import RequestError
from trading_runtime.http.fault import Fault
from trading_runtime.operation import RetryClass

POLICY = Retry(max_attempts=3, base_delay=0.05, max_delay=2.0, max_retry_after=5.0, quota=10)
CLASSES: tuple[RetryClass, ...] = ("safe", "idempotent", "by-key", "never")

# The fault matrix, written by hand: what a fault leads to for each retry class. The first half is
# whether another attempt follows while there is one left, the second what is raised when none does.
REPEATED = {
    #                  safe   idempotent  by-key  never
    Fault.NOT_SENT: (True, True, True, True),
    Fault.NOT_TRUSTED: (False, False, False, False),
    Fault.MAYBE_SENT: (True, False, False, False),
    Fault.RATE_LIMITED: (True, True, False, False),
    Fault.DUPLICATE: (False, False, False, False),
    Fault.REFUSED: (False, False, False, False),
    Fault.UNREADABLE: (True, False, False, False),
    Fault.UNUSABLE: (False, False, False, False),
}
N, T, U = Raise.NOT_SENT, Raise.TYPED, Raise.UNKNOWN
RAISED = {
    #              safe idempotent by-key never
    Fault.NOT_SENT: (N, N, N, N),
    Fault.NOT_TRUSTED: (N, N, N, N),
    Fault.MAYBE_SENT: (T, U, U, U),
    Fault.RATE_LIMITED: (T, T, T, T),
    Fault.DUPLICATE: (T, T, T, T),
    Fault.REFUSED: (T, T, T, T),
    Fault.UNREADABLE: (T, U, U, U),
    Fault.UNUSABLE: (T, U, U, U),
}
# On a second attempt a 409 says that the first, which seemed not to have been sent, was accepted.
# What is safe to repeat changes nothing, so nothing of it is ever unknown.
RAISED_LATER = {**RAISED, Fault.DUPLICATE: (T, U, U, U)}


def failed(
    fault: Fault = Fault.NOT_SENT,
    retry_class: RetryClass = "safe",
    *,
    number: int = 1,
    time_left: float = 60.0,
    quota_left: float = 10.0,
    retry_after: float | None = None,
) -> FailedAttempt:
    return FailedAttempt(
        fault=fault,
        retry_class=retry_class,
        number=number,
        time_left=time_left,
        quota_left=quota_left,
        retry_after=retry_after,
    )


def delay(decision: NextAttempt | Raise) -> float:
    assert isinstance(decision, NextAttempt)
    return decision.delay


def test_the_table_knows_every_fault() -> None:
    assert set(REPEATED) == set(RAISED) == set(Fault)


@pytest.mark.parametrize("retry_class", CLASSES)
@pytest.mark.parametrize("fault", Fault)
def test_another_attempt_follows_only_where_it_is_safe_and_all_of_it_is_left(
    fault: Fault, retry_class: RetryClass
) -> None:
    column = CLASSES.index(retry_class)
    cases = product((1, 2, 3, 4), (0.0, 0.9, 1.0, 10.0), (-1.0, 0.0, 3.0, 60.0), (None, 0.0, 4, 6))
    for number, quota, left, asked in cases:
        case = failed(
            fault,
            retry_class,
            number=number,
            time_left=left,
            quota_left=quota,
            retry_after=asked,
        )
        decision = decide(case, POLICY, 0.5)
        enough_time = left > (asked or 0) + 0.1
        short = asked is None or asked <= 5
        if REPEATED[fault][column] and number < 3 and quota >= 1 and enough_time and short:
            assert isinstance(decision, NextAttempt), case
        else:
            raised = RAISED if number == 1 else RAISED_LATER
            assert decision is raised[fault][column], case


@pytest.mark.parametrize("retry_class", CLASSES)
@pytest.mark.parametrize("fault", Fault)
def test_a_policy_of_one_attempt_repeats_nothing(fault: Fault, retry_class: RetryClass) -> None:
    outcome = decide(failed(fault, retry_class), Retry(max_attempts=1), 0.0)
    assert outcome is RAISED[fault][CLASSES.index(retry_class)]


def test_a_decision_does_no_io_and_depends_on_nothing_but_what_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(*_: object, **__: object) -> Any:
        raise AssertionError("the decision is not pure")

    for where, name in ((time, "time"), (time, "monotonic"), (time, "sleep"), (random, "random")):
        monkeypatch.setattr(where, name, forbidden)
    monkeypatch.setattr(socket, "socket", forbidden)
    case = failed(retry_after=1.5)
    assert [decide(case, POLICY, 0.25) for _ in range(5)] == [NextAttempt(1.5 + 0.25 * 0.05)] * 5


# The delay


@pytest.mark.parametrize("jitter", [0.0, 0.25, 0.999, 1.0])
@pytest.mark.parametrize("attempt", range(1, 12))
def test_a_delay_is_a_share_of_a_bound_that_doubles_up_to_the_longest(
    attempt: int, jitter: float
) -> None:
    policy = Retry(max_attempts=20)
    bound = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0, 2.0, 2.0][attempt - 1]
    waited = delay(decide(failed(number=attempt), policy, jitter))
    assert waited == pytest.approx(jitter * bound)
    assert 0 <= waited <= bound


@pytest.mark.parametrize("attempt", [100, 5_000, 10**9, 10**30])
def test_a_huge_number_of_attempts_does_not_overflow(attempt: int) -> None:
    policy = Retry(max_attempts=attempt + 1)
    assert delay(decide(failed(number=attempt), policy, 1.0)) == 2.0


def test_a_base_delay_beyond_the_longest_is_cut_to_it() -> None:
    assert delay(decide(failed(), Retry(base_delay=30, max_delay=2), 1.0)) == 2.0


def test_no_delay_at_all_is_possible() -> None:
    assert delay(decide(failed(), Retry(base_delay=0, max_delay=0), 1.0)) == 0


@pytest.mark.parametrize("asked", [0.0, 0.5, 3, 5.0])
def test_a_delay_that_the_service_asks_for_is_never_cut_short(asked: float) -> None:
    assert delay(decide(failed(Fault.RATE_LIMITED, retry_after=asked), POLICY, 0.0)) == asked
    waited = delay(decide(failed(Fault.RATE_LIMITED, retry_after=asked), POLICY, 1.0))
    assert waited == pytest.approx(asked + 0.05)


@pytest.mark.parametrize("asked", [5.001, 3600, 1e9, float("inf"), float("nan")])
def test_a_delay_beyond_max_retry_after_raises_at_once(asked: float) -> None:
    case = failed(Fault.RATE_LIMITED, time_left=1e12, retry_after=asked)
    assert decide(case, POLICY, 0.0) is Raise.TYPED


def test_a_policy_without_retry_after_repeats_what_the_service_asked_no_wait_for() -> None:
    policy = Retry(max_retry_after=0)
    for asked in (None, 0.0):
        assert decide(failed(retry_after=asked), policy, 0.0) == NextAttempt(0)
    assert decide(failed(retry_after=0.001), policy, 0.0) is Raise.NOT_SENT


def test_a_delay_that_would_end_after_the_deadline_raises_at_once() -> None:
    assert decide(failed(time_left=0.05), POLICY, 1.0) is Raise.NOT_SENT
    assert delay(decide(failed(time_left=0.05), POLICY, 0.9)) == pytest.approx(0.045)


# What a policy may be


@pytest.mark.parametrize("attempts", [0, -1, -(10**9)])
def test_a_policy_has_at_least_one_attempt(attempts: int) -> None:
    with pytest.raises(
        RequestError, match=f"^Retry: max_attempts must be at least 1, not {attempts}$"
    ):
        Retry(max_attempts=attempts)


@pytest.mark.parametrize("attempts", [1.0, "3", None, True])
def test_attempts_that_are_no_integer_are_a_type_error(attempts: Any) -> None:
    with pytest.raises(TypeError, match=r"^Retry: max_attempts must be an integer"):
        Retry(max_attempts=attempts)


DELAYS = ("base_delay", "max_delay", "max_retry_after")


@pytest.mark.parametrize("name", DELAYS)
@pytest.mark.parametrize("value", [-0.001, -1, 86_401, float("inf"), float("nan"), float("-inf")])
def test_a_delay_is_at_least_0_and_at_most_a_day(name: str, value: Any) -> None:
    says = f"^Retry: {name} must be at least 0 and at most 86400 seconds"
    with pytest.raises(RequestError, match=says):
        Retry(**{name: value})


@pytest.mark.parametrize("name", DELAYS)
@pytest.mark.parametrize("value", ["1", None, True, [1]])
def test_a_delay_that_is_no_number_is_a_type_error(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"^Retry: {name} must be a number of seconds"):
        Retry(**{name: value})


@pytest.mark.parametrize("quota", [-1, -(10**9)])
def test_a_quota_is_not_negative(quota: int) -> None:
    with pytest.raises(RequestError, match=f"^Retry: quota must be at least 0, not {quota}$"):
        Retry(quota=quota)


@pytest.mark.parametrize("quota", [1.5, "1", None, True])
def test_a_quota_that_is_no_integer_is_a_type_error(quota: Any) -> None:
    with pytest.raises(TypeError, match=r"^Retry: quota must be an integer"):
        Retry(quota=quota)


def test_zero_is_a_delay_and_a_quota() -> None:
    assert Retry(base_delay=0, max_delay=0, max_retry_after=0, quota=0).quota == 0


def test_a_policy_compares_by_value_and_cannot_be_changed() -> None:
    assert Retry() == Retry(max_attempts=3)
    with pytest.raises(AttributeError):
        setattr(Retry(), "max_attempts", 5)  # noqa: B010
