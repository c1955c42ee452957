"""docs/recovery.md says of failed calls, and of finding out, what the code does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from trading_runtime.call.retry import Again, FailedAttempt, Raise, Retry, decide
from trading_runtime.http.fault import Fault
from trading_runtime.http.transport import MAX_BODY_BYTES
from trading_runtime.operation import Action, Operation, RetryClass
from trading_sdk.operations import API

PAGE = (Path(__file__).parents[3] / "docs" / "recovery.md").read_text("utf-8")
WORDS: tuple[RetryClass, ...] = get_args(RetryClass)
NOT_SENT, UNKNOWN = "`NotSentError`", "`OutcomeUnknownError`"


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, with its first row."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def documented() -> dict[tuple[Fault, RetryClass], str]:
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
def test_the_table_says_what_is_decided(fault: Fault, word: RetryClass) -> None:
    cell = documented()[fault, word]
    policy = Retry()
    first, last = (
        decide(FailedAttempt(fault=fault, word=word, attempt=n, left=9, budget=9), policy, 0.5)
        for n in (1, policy.max_attempts)
    )

    assert isinstance(first, Again) == cell.startswith("again, then ")
    verdict = first if isinstance(first, Raise) else last
    named = cell.removeprefix("again, then ")
    assert (verdict is Raise.NOT_SENT) == (named == NOT_SENT)
    assert (verdict is Raise.UNKNOWN) == (named == UNKNOWN)


def test_the_numbers_are_those_of_the_code() -> None:
    policy = Retry()
    for words in (
        f"at most {policy.max_attempts} `attempts`",
        f"up to {policy.base_delay} s (`base_delay`)",
        f"up to {policy.max_delay:g} s (`max_delay`)",
        f"beyond {policy.max_retry_after:g} s (`patience`)",
        f"`budget` of {policy.quota:g} further attempts",
        f"{MAX_BODY_BYTES // 1024**2} MiB",
    ):
        assert words in " ".join(PAGE.split())


def test_every_operation_that_can_be_found_again_is_documented() -> None:
    cells = [row[0] for row in rows("An order whose outcome is not known")[1:]]
    named = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    traced: dict[str, Action | Operation[Any]] = {**API.actions, **API.operations}
    assert named == {name for name, each in traced.items() if each.trace is not None}
