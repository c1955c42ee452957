"""The judge tells every word that differs, and takes none for expected without a belief."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.judge.__main__ import rows, unpacked
from tests.judge.verdict import SILENT, Difference, Expected, differences, judged

SETTLED = Difference("worlds: lag 12 3: create (given)", "unsettled", "executed")


def expected(**more: str) -> Expected:
    return Expected(**{"belief": "ids", "where": "worlds: lag *", **more})


def test_each_word_that_differs_is_told_also_one_that_only_one_version_says() -> None:
    before, after = {"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"}

    assert differences(before, after) == [
        Difference("b", "1", "2"),
        Difference("c", "1", SILENT),
        Difference("d", SILENT, "1"),
    ]


def test_a_belief_explains_a_difference() -> None:
    explained, problems = judged([SETTLED], [expected(before="unsettled", after="executed")])

    assert explained == [f"ids: {SETTLED}"]
    assert problems == []


@pytest.mark.parametrize(
    "row",
    [expected(where="faults: *"), expected(before="executed"), expected(after="not executed")],
)
def test_what_no_row_explains_fails_and_so_does_a_row_about_nothing(row: Expected) -> None:
    assert judged([SETTLED], [row]) == ([], [f"UNEXPECTED {SETTLED}", f"NOTHING MATCHES {row}"])


def test_no_belief_explains_a_false_word() -> None:
    false = Difference(SETTLED.where, "unsettled", "executed, which is false")

    assert judged([false], [expected()])[1][0] == f"UNEXPECTED {false}"


def test_the_rows_of_the_file_name_beliefs() -> None:
    assert all(len(row.belief) > 10 for row in rows())


def test_a_clone_without_the_commit_says_what_to_do(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)

    with pytest.raises(SystemExit, match=r"its commit 5bcb6049: git fetch --unshallow"):
        unpacked(tmp_path, "5bcb604957ea", tmp_path / "out")
