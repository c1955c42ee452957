"""The retry quota: retries stay few even when everything fails for everybody."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from trading_runtime.call.quota import RetryQuota


def test_a_quota_begins_full() -> None:
    assert RetryQuota().left(10) == 10


def test_each_retry_takes_one() -> None:
    quota = RetryQuota()
    for left in (2, 1, 0):
        quota.spend()
        assert quota.left(3) == left


@pytest.mark.parametrize("full", [1, 10, 10**6])
@pytest.mark.parametrize("spent", [1, 2, 7])
def test_ten_answered_calls_restore_exactly_one(full: int, spent: int) -> None:
    quota = RetryQuota()
    for _ in range(spent):
        quota.spend()
    for _ in range(9):
        quota.restore()
    assert quota.left(full) < full - spent + 1
    quota.restore()
    assert quota.left(full) == full - spent + 1


def test_a_full_quota_restores_nothing() -> None:
    quota = RetryQuota()
    for _ in range(100):
        quota.restore()
    assert quota.left(2) == 2
    quota.spend()
    for _ in range(100):
        quota.restore()
    assert quota.left(2) == 2


def test_a_quota_of_nothing_stays_empty() -> None:
    quota = RetryQuota()
    quota.restore()
    assert quota.left(0) == 0


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


def test_a_quota_of_any_size_is_counted_exactly() -> None:
    quota = RetryQuota()
    quota.spend()
    quota.restore()
    assert quota.left(10**400) == 10**400 - 1
