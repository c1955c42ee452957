"""The tables of docs/recovery.md, and of its neighbours, as data: what a fault leads to stands there, and all tests read it here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from attrs import frozen

from trading_runtime import Fault
from trading_runtime.operation import RetryClass

DOCS = Path(__file__).parents[1] / "docs"
PAGE = "\n".join(
    (DOCS / name).read_text("utf-8") for name in ("guides/recovering.md", "recovery.md")
)
CLASSES: tuple[RetryClass, ...] = get_args(RetryClass)
_AGAIN, _UNKNOWN = "again, then ", "OutcomeUnknownError"


@frozen
class Decision:
    """What follows an attempt with a fault, for one retry class."""

    again: bool
    """Whether another attempt follows, if the retry policy allows one."""
    errors: tuple[str, ...]
    """What the call raises if there is no further attempt: the names, of which one is right."""

    @property
    def is_unknown(self) -> bool:
        """Whether the outcome of the call is unknown then."""
        return self.errors == (_UNKNOWN,)


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, with its first row."""
    section = re.split(rf"\n#{{1,3}} {heading}\n", PAGE)[1]
    lines = [line for line in re.split(r"\n##", section)[0].splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def named(cell: str) -> list[str]:
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def _decisions() -> dict[tuple[Fault, str], Decision]:
    head, *table = rows("What is attempted again")
    assert tuple(head[1:]) == CLASSES
    return {
        (Fault[cells[0].partition(":")[0]], retry_class): Decision(
            cell.startswith(_AGAIN), tuple(named(cell))
        )
        for cells in table
        for retry_class, cell in zip(CLASSES, cells[1:], strict=True)
    }


DECISIONS: Mapping[tuple[Fault, str], Decision] = _decisions()
"""What a fault leads to on the first attempt, by retry class."""
