"""The fault matrix: every fault, and by row and operation what a call of it does."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from tests.faults.answers import ANSWERS
from tests.faults.connections import CONNECTIONS
from tests.faults.rows import Row
from tests.faults.stories import STORIES
from tests.faults.subjects import SUBJECTS, Subject

ROWS: tuple[Row, ...] = (*CONNECTIONS, *ANSWERS, *STORIES)


@frozen
class Cell:
    """A fault against an operation."""

    row: Row
    subject: Subject

    @property
    def id(self) -> str:
        return f"{self.row.name} x {self.subject.name}"


def cells() -> Iterator[Cell]:
    """Every cell, those that do not apply included."""
    for row in ROWS:
        for subject in SUBJECTS.values():
            yield Cell(row, subject)
