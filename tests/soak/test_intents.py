"""Short runs of what the nox session `soak` does with ten thousand operations."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.servers import serving
from tests.interface import METHODS
from tests.soak.intents import soak
from tests.soak.leaks import ECHO, forks, leaks
from tests.soak.plan import calls_of


def test_clients_that_are_killed_lose_no_intent_and_double_none(tmp_path: Path) -> None:
    report = soak(operations=102, seed=4, folder=tmp_path, threads=34, mean=30)

    assert "doubled 0, unreported 0, money adds up" in report
    assert " 0 kills" not in report


def test_a_plan_has_all_whose_outcome_can_be_found_out_and_no_two_that_are_taken_for_each_other() -> (
    None
):
    planned = [move for n in range(6) for call in calls_of(1, n, 6, 200) for move in call.moves]
    assert len({move.mark for move in planned}) == len(planned) > 1_200
    traced = {name for name, each in METHODS.items() if each.trace is not None}
    # What became of a transfer shows in balances alone.
    assert {move.name for move in planned} == {*traced, "subaccounts.transfer"}


def test_a_client_that_threads_and_children_share_mixes_nothing_up_and_holds_on_to_nothing(
    tmp_path: Path,
) -> None:
    with serving(*ECHO) as url:
        assert "1600 calls by 800 threads" in leaks(url, tmp_path, calls=1_600, seed=1)
        assert "3 children x 20 calls" in forks(url, children=3, calls=20, seed=3)
