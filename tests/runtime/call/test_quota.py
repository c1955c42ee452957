"""The retry quota: retries stay few even when everything fails for everybody."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from trading_runtime.call.retry import RetryQuota


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
