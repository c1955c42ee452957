"""Short runs of what the nox session `soak` does with ten thousand operations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.servers import serving
from tests.interface import METHODS
from tests.soak.intents import soak
from tests.soak.leaks import ECHO, forks, leaks
from tests.soak.plan import calls_of

PLANNED = [call for thread in range(6) for call in calls_of(1, thread, 6, 200)]


@pytest.fixture
def echo() -> Iterator[str]:
    with serving(*ECHO) as url:
        yield url


def test_clients_that_are_killed_lose_no_intent_and_double_none(tmp_path: Path) -> None:
    report = soak(operations=102, seed=4, folder=tmp_path, threads=34, mean=30)

    assert "doubled 0, unreported 0, money adds up" in report
    assert " 0 kills" not in report


def test_no_two_operations_of_a_plan_can_be_taken_for_each_other() -> None:
    marks = [move.mark for call in PLANNED for move in call.moves]

    assert len(set(marks)) == len(marks) > 1_200


def test_a_plan_has_everything_whose_outcome_can_be_found_out() -> None:
    traced = {name for name, each in METHODS.items() if each.trace is not None}

    # What became of a transfer shows in balances alone.
    assert {move.name for call in PLANNED for move in call.moves} == {
        *traced,
        "subaccounts.transfer",
    }


def test_a_client_that_threads_share_mixes_nothing_up_and_holds_on_to_nothing(
    echo: str, tmp_path: Path
) -> None:
    assert "1600 calls by 800 threads" in leaks(echo, tmp_path, calls=1_600, seed=1)


def test_children_of_a_process_with_threads_use_the_client_of_their_parent(echo: str) -> None:
    assert "3 children x 20 calls" in forks(echo, children=3, calls=20, seed=3)
