"""The fault matrix: every fault against every operation, and the cells of it that are tried by default."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Literal

from attrs import frozen

from tests.faults.answers import ANSWERS
from tests.faults.connections import CONNECTIONS
from tests.faults.rows import Row
from tests.faults.stories import STORIES
from tests.faults.subjects import SUBJECTS, Subject

ROWS: tuple[Row, ...] = (*CONNECTIONS, *ANSWERS, *STORIES)
Extent = Literal["some", "all"]


@frozen
class Cell:
    """A fault against an operation."""

    row: Row
    subject: Subject

    @property
    def id(self) -> str:
        return f"{self.row.name} x {self.subject.name}"

    @property
    def pairs(self) -> set[tuple[str, str]]:
        """Its fault with the kind of its operation, and its operation with the class of its fault."""
        return {(self.row.name, self.subject.kind), (self.row.letter, self.subject.name)}


def cells(extent: Extent) -> Iterator[Cell]:
    """The cells to try.

    Args:
        extent: `some`: every fault with an operation of each kind, and every operation with a fault of each
            class, where there are such. `all`: every fault with every operation, those that do not apply included.
    """
    subjects, tried = [*SUBJECTS.values()], set[tuple[str, str]]()
    for number, row in enumerate(ROWS):
        # Each fault has another order of the operations, and always the same one.
        for cell in (Cell(row, each) for each in Random(number).sample(subjects, len(subjects))):
            is_new = row.not_applicable(cell.subject) is None and not cell.pairs <= tried
            if extent == "all" or is_new:
                tried |= cell.pairs
                yield cell
