"""The retry policy and quota: when all that another attempt needs is left, and what a policy may be.

spec/vectors/outcome has the table: for each fault and retry class another attempt or an error, and the delays.
"""

from __future__ import annotations

import random
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest

from trading_runtime.call.retry import (
    FailedAttempt,
    NextAttempt,
    Raise,
    Retry,
    RetryQuota,
    Stop,
    StopReason,
    decide,
)
from trading_runtime.errors import RequestError
from trading_runtime.http.fault import Fault

POLICY = Retry(max_attempts=3, base_delay=0.05, max_delay=2.0, max_retry_after=5.0, quota=10)


def failed(number: int = 1, left: float = 60.0, quota: float = 10.0, asked: Any = None) -> Any:
    """An attempt of a read that was not sent, which may follow once more by its fault and class."""
    return FailedAttempt(
        fault=Fault.NOT_SENT,
        retry_class="safe",
        number=number,
        time_left=left,
        quota_left=quota,
        retry_after=asked,
    )


def test_another_attempt_follows_only_if_all_that_it_needs_is_left() -> None:
    cases = product((1, 2, 3, 4), (-1.0, 0.0, 3.0, 60.0), (0.0, 0.9, 1.0, 10.0), (None, 0.0, 4, 6))
    for number, left, quota, asked in cases:
        enough_time = left > (asked or 0) + 0.1
        short = asked is None or asked <= 5
        decision = decide(failed(number, left, quota, asked), POLICY, 0.5)
        if number < 3 and quota >= 1 and enough_time and short:
            assert isinstance(decision, NextAttempt), (number, left, quota, asked)
        else:
            why: StopReason = "max_attempts" if number >= 3 else "quota" if quota < 1 else "wait"
            assert decision == Stop(Raise.NOT_SENT, why), (number, left, quota, asked)


def test_a_decision_does_no_io_and_depends_on_nothing_but_what_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(*_: object, **__: object) -> Any:
        raise AssertionError("the decision is not pure")

    for where, name in ((time, "time"), (time, "monotonic"), (time, "sleep"), (random, "random")):
        monkeypatch.setattr(where, name, forbidden)
    monkeypatch.setattr(socket, "socket", forbidden)
    found = [decide(failed(asked=1.5), POLICY, 0.25) for _ in range(5)]
    assert found == [NextAttempt(1.5 + 0.25 * 0.05)] * 5


@pytest.mark.parametrize("attempt", [100, 10**9, 10**30])
def test_a_huge_number_of_attempts_does_not_overflow(attempt: int) -> None:
    assert decide(failed(attempt), Retry(max_attempts=attempt + 1), 1.0) == NextAttempt(2.0)


@pytest.mark.parametrize("asked", [5.001, 1e9, float("inf"), float("nan")])
def test_a_delay_beyond_max_retry_after_raises_at_once(asked: float) -> None:
    assert decide(failed(left=1e12, asked=asked), POLICY, 0.0) == Stop(Raise.NOT_SENT, "wait")


DELAYS = ("base_delay", "max_delay", "max_retry_after")
SECONDS = "must be a number of seconds"
A_DAY = "must be at least 0 and at most 86400 seconds"


@pytest.mark.parametrize(
    ("name", "value", "error", "says"),
    [
        *(("max_attempts", each, RequestError, "must be at least 1, not ") for each in (0, -9)),
        *(("max_attempts", each, TypeError, "must be an integer") for each in (1.0, "3", None, True)),
        *(("quota", each, RequestError, "must be at least 0, not ") for each in (-1, -9)),
        *(("quota", each, TypeError, "must be an integer") for each in (1.5, "1", None, True)),
        *((name, each, RequestError, A_DAY) for name in DELAYS for each in (-0.001, 86_401)),
        *((name, float(each), RequestError, A_DAY) for name in DELAYS for each in ("inf", "nan")),
        *((name, each, TypeError, SECONDS) for name in DELAYS for each in ("1", None, True, [1])),
    ],
)  # fmt: skip
def test_a_policy_refuses_a_wrong_value_by_its_name(
    name: str, value: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=f"^Retry: {name} {says}"):
        Retry(**{name: value})


def test_a_policy_compares_by_value_and_cannot_be_changed() -> None:
    assert Retry(base_delay=0, max_delay=0, max_retry_after=0, quota=0).quota == 0
    assert Retry() == Retry(max_attempts=3)
    with pytest.raises(AttributeError):
        setattr(Retry(), "max_attempts", 5)  # noqa: B010


# -- the retry quota ---------------------------------------------------------------------------


@pytest.mark.parametrize("full", [1, 10, 10**400])
@pytest.mark.parametrize("spent", [1, 2, 7])
def test_ten_answered_calls_restore_exactly_one(full: int, spent: int) -> None:
    quota = RetryQuota()
    for count in range(spent):
        assert quota.left(full) == full - count
        quota.spend()
    for _ in range(9):
        quota.restore()
    assert quota.left(full) < full - spent + 1
    quota.restore()
    assert quota.left(full) == full - spent + 1


def test_a_full_quota_restores_nothing() -> None:
    quota = RetryQuota()
    for left in (2, 2):
        for _ in range(100):
            quota.restore()
        assert (quota.left(left), quota.left(0)) == (left, 0)
        quota.spend()


def test_threads_lose_no_token_of_a_shared_quota() -> None:
    quota = RetryQuota()

    def work(_: int) -> None:
        for _ in range(500):
            quota.spend()
        for _ in range(500):
            quota.restore()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert quota.left(10_000) == 10_000 - 8 * 500 + 8 * 50
