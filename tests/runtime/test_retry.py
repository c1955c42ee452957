"""The decision: another attempt, or which error, from what happened and from what is left."""

from __future__ import annotations

import random
import socket
import time
from itertools import product
from typing import Any

import pytest

from trading_runtime.errors import RequestError
from trading_runtime.operation import RetryWord
from trading_runtime.retry import Again, Failed, Fault, Retry, Verdict, decide, fault_of_status

POLICY = Retry(attempts=3, first_wait=0.05, longest_wait=2.0, patience=5.0, budget=10.0)
WORDS: tuple[RetryWord, ...] = ("safe", "idempotent", "by-key", "never")

# The fault matrix, written by hand: what a fault leads to under each x-retry word. The first half is
# whether another attempt follows while there is one left, the second what is raised when none does.
AGAIN = {
    #                  safe   idempotent  by-key  never
    Fault.NOT_SENT: (True, True, True, True),
    Fault.NOT_TRUSTED: (False, False, False, False),
    Fault.MAYBE_SENT: (True, False, False, False),
    Fault.RATE_LIMITED: (True, True, False, False),
    Fault.DUPLICATE: (False, False, False, False),
    Fault.REFUSED: (False, False, False, False),
    Fault.UNUSABLE: (False, False, False, False),
}
N, T, U = Verdict.RAISE_NOT_SENT, Verdict.RAISE_TYPED, Verdict.RAISE_UNKNOWN
RAISED = {
    #              safe idempotent by-key never
    Fault.NOT_SENT: (N, N, N, N),
    Fault.NOT_TRUSTED: (N, N, N, N),
    Fault.MAYBE_SENT: (T, U, U, U),
    Fault.RATE_LIMITED: (T, T, T, T),
    Fault.DUPLICATE: (T, T, T, T),
    Fault.REFUSED: (T, T, T, T),
    Fault.UNUSABLE: (T, U, U, U),
}
# On a second attempt a 409 says that the first, which seemed not to have been sent, was accepted.
# What is safe to repeat changes nothing, so nothing of it is ever unknown.
RAISED_LATER = {**RAISED, Fault.DUPLICATE: (T, U, U, U)}


def failed(
    fault: Fault = Fault.NOT_SENT,
    word: RetryWord = "safe",
    *,
    attempt: int = 1,
    left: float = 60.0,
    budget: float = 10.0,
    asked: float | None = None,
) -> Failed:
    return Failed(fault=fault, word=word, attempt=attempt, left=left, budget=budget, asked=asked)


def wait(outcome: Again | Verdict) -> float:
    assert isinstance(outcome, Again)
    return outcome.after


def test_the_table_knows_every_fault() -> None:
    assert set(AGAIN) == set(RAISED) == set(Fault)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("fault", Fault)
def test_another_attempt_follows_only_where_it_is_safe_and_all_of_it_is_left(
    fault: Fault, word: RetryWord
) -> None:
    column = WORDS.index(word)
    cases = product((1, 2, 3, 4), (0.0, 0.9, 1.0, 10.0), (-1.0, 0.0, 3.0, 60.0), (None, 0.0, 4, 6))
    for attempt, budget, left, asked in cases:
        case = failed(fault, word, attempt=attempt, left=left, budget=budget, asked=asked)
        outcome = decide(case, POLICY, 0.5)
        enough_time = left > (asked or 0) + 0.1
        patient = asked is None or asked <= 5
        if AGAIN[fault][column] and attempt < 3 and budget >= 1 and enough_time and patient:
            assert isinstance(outcome, Again), case
        else:
            raised = RAISED if attempt == 1 else RAISED_LATER
            assert outcome is raised[fault][column], case


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("fault", Fault)
def test_a_policy_of_one_attempt_repeats_nothing(fault: Fault, word: RetryWord) -> None:
    outcome = decide(failed(fault, word), Retry(attempts=1), 0.0)
    assert outcome is RAISED[fault][WORDS.index(word)]


def test_a_decision_does_no_io_and_depends_on_nothing_but_what_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(*_: object, **__: object) -> Any:
        raise AssertionError("the decision is not pure")

    for where, name in ((time, "time"), (time, "monotonic"), (time, "sleep"), (random, "random")):
        monkeypatch.setattr(where, name, forbidden)
    monkeypatch.setattr(socket, "socket", forbidden)
    case = failed(asked=1.5)
    assert [decide(case, POLICY, 0.25) for _ in range(5)] == [Again(1.5 + 0.25 * 0.05)] * 5


# How long it waits


@pytest.mark.parametrize("jitter", [0.0, 0.25, 0.999, 1.0])
@pytest.mark.parametrize("attempt", range(1, 12))
def test_a_wait_is_a_share_of_a_bound_that_doubles_up_to_the_longest(
    attempt: int, jitter: float
) -> None:
    policy = Retry(attempts=20)
    bound = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0, 2.0, 2.0, 2.0][attempt - 1]
    waited = wait(decide(failed(attempt=attempt), policy, jitter))
    assert waited == pytest.approx(jitter * bound)
    assert 0 <= waited <= bound


@pytest.mark.parametrize("attempt", [100, 5_000, 10**9, 10**30])
def test_a_huge_number_of_attempts_does_not_overflow(attempt: int) -> None:
    policy = Retry(attempts=attempt + 1)
    assert wait(decide(failed(attempt=attempt), policy, 1.0)) == 2.0


def test_a_first_wait_beyond_the_longest_is_cut_to_it() -> None:
    assert wait(decide(failed(), Retry(first_wait=30, longest_wait=2), 1.0)) == 2.0


def test_no_wait_at_all_is_possible() -> None:
    assert wait(decide(failed(), Retry(first_wait=0, longest_wait=0), 1.0)) == 0


@pytest.mark.parametrize("asked", [0.0, 0.5, 3, 5.0])
def test_a_wait_that_the_service_asks_for_is_never_cut_short(asked: float) -> None:
    assert wait(decide(failed(Fault.RATE_LIMITED, asked=asked), POLICY, 0.0)) == asked
    waited = wait(decide(failed(Fault.RATE_LIMITED, asked=asked), POLICY, 1.0))
    assert waited == pytest.approx(asked + 0.05)


@pytest.mark.parametrize("asked", [5.001, 3600, 1e9, float("inf"), float("nan")])
def test_a_wait_beyond_the_patience_raises_at_once(asked: float) -> None:
    case = failed(Fault.RATE_LIMITED, left=1e12, asked=asked)
    assert decide(case, POLICY, 0.0) is Verdict.RAISE_TYPED


def test_a_policy_without_patience_repeats_what_the_service_asked_no_wait_for() -> None:
    policy = Retry(patience=0)
    for asked in (None, 0.0):
        assert decide(failed(asked=asked), policy, 0.0) == Again(0)
    assert decide(failed(asked=0.001), policy, 0.0) is Verdict.RAISE_NOT_SENT


def test_a_wait_that_would_end_after_the_deadline_raises_at_once() -> None:
    assert decide(failed(left=0.05), POLICY, 1.0) is Verdict.RAISE_NOT_SENT
    assert wait(decide(failed(left=0.05), POLICY, 0.9)) == pytest.approx(0.045)


# What a policy may be


@pytest.mark.parametrize("attempts", [0, -1, -(10**9)])
def test_a_policy_has_at_least_one_attempt(attempts: int) -> None:
    with pytest.raises(RequestError, match=r"^Retry: attempts must be 1 .* or more"):
        Retry(attempts=attempts)


@pytest.mark.parametrize("attempts", [1.0, "3", None, True])
def test_attempts_that_are_no_integer_are_a_type_error(attempts: Any) -> None:
    with pytest.raises(TypeError, match=r"^Retry: attempts must be an integer"):
        Retry(attempts=attempts)


NUMBERS = ("first_wait", "longest_wait", "patience", "budget")


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", [-0.001, -1, float("inf"), float("nan"), float("-inf")])
def test_a_wait_and_a_budget_are_finite_and_not_negative(name: str, value: Any) -> None:
    with pytest.raises(RequestError, match=f"^Retry: {name} must be finite and not negative"):
        Retry(**{name: value})


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", ["1", None, True, [1]])
def test_a_wait_or_a_budget_that_is_no_number_is_a_type_error(name: str, value: Any) -> None:
    with pytest.raises(TypeError, match=f"^Retry: {name} must be a number"):
        Retry(**{name: value})


def test_zero_is_a_wait_and_a_budget() -> None:
    assert Retry(first_wait=0, longest_wait=0, patience=0, budget=0).budget == 0


def test_a_policy_compares_by_value_and_cannot_be_changed() -> None:
    assert Retry() == Retry(attempts=3)
    with pytest.raises(AttributeError):
        setattr(Retry(), "attempts", 5)  # noqa: B010


# What a status stands for

MAYBE_SENT = {408, 460, 499, 500, *range(502, 600)}


def fault_by_hand(status: int) -> Fault | None:
    special = {409: Fault.DUPLICATE, 429: Fault.RATE_LIMITED}
    if status in MAYBE_SENT:
        return Fault.MAYBE_SENT
    by_class = {2: None, 3: Fault.UNUSABLE, 4: Fault.REFUSED, 5: Fault.REFUSED}
    return special.get(status, by_class[status // 100])


def test_every_status_tells_how_far_the_call_came() -> None:
    told = {status: fault_of_status(status) for status in range(200, 600)}
    assert told == {status: fault_by_hand(status) for status in range(200, 600)}


@pytest.mark.parametrize("status", [408, 460, 499])
def test_what_a_gateway_gave_up_waiting_for_may_have_gone_through(status: int) -> None:
    assert fault_of_status(status) is Fault.MAYBE_SENT


def test_an_operation_that_is_not_implemented_was_not_executed() -> None:
    assert fault_of_status(501) is Fault.REFUSED


@pytest.mark.parametrize("status", [-1, 0, 100, 103, 199, 600, 999])
def test_a_status_that_http_does_not_know_promises_nothing(status: int) -> None:
    assert fault_of_status(status) is Fault.MAYBE_SENT
