"""docs/recovery.md says of failed calls, and of finding out, what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from trading_runtime.operation import Action, Operation, RetryWord
from trading_runtime.retry import Again, Failed, Fault, Retry, Verdict, decide
from trading_runtime.transport import LONGEST_BODY
from trading_sdk.operations import API

PAGE = (Path(__file__).parents[2] / "docs" / "recovery.md").read_text("utf-8")
WORDS: tuple[RetryWord, ...] = get_args(RetryWord)
NOT_SENT, UNKNOWN = "`NotSentError`", "`OutcomeUnknownError`"


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, with its first row."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def documented() -> dict[tuple[Fault, RetryWord], str]:
    head, *table = rows("One call")
    assert tuple(head[1:]) == WORDS
    return {
        (Fault[cells[0].partition(":")[0]], word): cell
        for cells in table
        for word, cell in zip(WORDS, cells[1:], strict=True)
    }


def test_every_fault_and_word_is_documented() -> None:
    assert documented().keys() == {(fault, word) for fault in Fault for word in WORDS}


@pytest.mark.parametrize(("fault", "word"), documented())
def test_the_table_says_what_is_decided(fault: Fault, word: RetryWord) -> None:
    cell = documented()[fault, word]
    policy = Retry()
    first, last = (
        decide(Failed(fault=fault, word=word, attempt=n, left=9, budget=9), policy, 0.5)
        for n in (1, policy.attempts)
    )

    assert isinstance(first, Again) == cell.startswith("again, then ")
    verdict = first if isinstance(first, Verdict) else last
    named = cell.removeprefix("again, then ")
    assert (verdict is Verdict.RAISE_NOT_SENT) == (named == NOT_SENT)
    assert (verdict is Verdict.RAISE_UNKNOWN) == (named == UNKNOWN)


def test_the_numbers_are_those_of_the_code() -> None:
    policy = Retry()
    for words in (
        f"at most {policy.attempts} `attempts`",
        f"up to {policy.first_wait} s (`first_wait`)",
        f"up to {policy.longest_wait:g} s (`longest_wait`)",
        f"beyond {policy.patience:g} s (`patience`)",
        f"`budget` of {policy.budget:g} further attempts",
        f"{LONGEST_BODY // 1024**2} MiB",
    ):
        assert words in " ".join(PAGE.split())


def test_every_operation_that_can_be_found_again_is_documented() -> None:
    cells = [row[0] for row in rows("An order whose outcome is not known")[1:]]
    named = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    traced: dict[str, Action | Operation[Any]] = {**API.actions, **API.operations}
    assert named == {name for name, each in traced.items() if each.trace is not None}
