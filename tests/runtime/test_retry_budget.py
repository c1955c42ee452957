"""The retry budget: second attempts stay few even when everything fails for everybody."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from trading_runtime.retry_budget import RetryBudget


def test_a_budget_begins_full() -> None:
    assert RetryBudget(10).tokens == 10


def test_each_second_attempt_takes_one() -> None:
    budget = RetryBudget(3)
    for left in (2, 1, 0):
        budget.spend()
        assert budget.tokens == left


@pytest.mark.parametrize("full", [1, 2.5, 10, 1e6])
@pytest.mark.parametrize("spent", [1, 2, 7])
def test_ten_answered_calls_bring_back_exactly_one(full: float, spent: int) -> None:
    budget = RetryBudget(full)
    for _ in range(spent):
        budget.spend()
    for _ in range(9):
        budget.earn()
    assert budget.tokens < full - spent + 1
    budget.earn()
    assert budget.tokens == full - spent + 1


def test_a_full_budget_earns_nothing() -> None:
    budget = RetryBudget(2)
    for _ in range(100):
        budget.earn()
    assert budget.tokens == 2
    budget.spend()
    for _ in range(100):
        budget.earn()
    assert budget.tokens == 2


def test_a_budget_of_nothing_stays_empty() -> None:
    budget = RetryBudget(0)
    budget.earn()
    assert budget.tokens == 0


def test_threads_lose_no_token_of_a_shared_budget() -> None:
    budget = RetryBudget(10_000)

    def work(_: int) -> None:
        for _ in range(500):
            budget.spend()
        for _ in range(500):
            budget.earn()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert budget.tokens == 10_000 - 8 * 500 + 8 * 50
