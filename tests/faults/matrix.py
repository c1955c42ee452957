"""The fault matrix: every fault against every operation, and the cells of it that are tried by default."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from attrs import frozen

from tests.faults.answers import ANSWERS
from tests.faults.connections import CONNECTIONS
from tests.faults.rows import LETTERS, Row
from tests.faults.stories import STORIES
from tests.faults.subjects import KINDS, SUBJECTS, Subject

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


def cells(extent: Extent) -> Iterator[Cell]:
    """The cells to try, those that do not apply included.

    Args:
        extent: `some`: every fault with an operation of each kind, and every operation with a fault of each
            class. `all`: every fault with every operation.
    """
    of_kinds = (cell for number, row in enumerate(ROWS) for cell in _of_each_kind(row, number))
    some = {cell.id for cell in (*of_kinds, *_of_each_class())}
    every = (Cell(row, subject) for row in ROWS for subject in SUBJECTS.values())
    yield from (cell for cell in every if extent != "some" or cell.id in some)


def _of_each_kind(row: Row, number: int) -> Iterator[Cell]:
    """The nth fault with an operation of each kind."""
    for kind in KINDS:
        of_kind = [each for each in SUBJECTS.values() if each.kind == kind]
        yield Cell(row, _of_turn(row, of_kind, number))


def _of_each_class() -> Iterator[Cell]:
    """Every operation with a fault of each class."""
    for number, subject in enumerate(SUBJECTS.values()):
        for letter in dict.fromkeys(LETTERS.values()):
            applies = [
                row for row in ROWS if row.letter == letter and row.not_applicable(subject) is None
            ]
            yield Cell(applies[number % len(applies)], subject)


def _of_turn(row: Row, subjects: Sequence[Subject], number: int) -> Subject:
    """The operation whose turn it is: the nth fault meets the nth of those that it applies to."""
    applies = [each for each in subjects if row.not_applicable(each) is None]
    found = applies or subjects
    return found[number % len(found)]
