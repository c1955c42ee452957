"""The fault matrix: every fault against every operation, and the cells of it that are tried by default."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from attrs import frozen

from tests.faults.answers import ANSWERS
from tests.faults.connections import CONNECTIONS
from tests.faults.rows import LETTERS, Row
from tests.faults.sessions import over_session
from tests.faults.stories import STORIES
from tests.faults.subjects import KINDS, SUBJECTS, Subject

ROWS: tuple[Row, ...] = (*CONNECTIONS, *ANSWERS, *STORIES)
SESSION_ROWS: tuple[Row, ...] = tuple(map(over_session, ROWS))
"""The same faults, and what a call over a session of requests does."""
Extent = Literal["some", "all", "sessions"]


@frozen
class Cell:
    """A fault against an operation."""

    row: Row
    subject: Subject
    over_session: bool = False
    """Whether the call goes over a session of requests."""

    @property
    def id(self) -> str:
        over = " over a session" if self.over_session else ""
        return f"{self.row.name} x {self.subject.name}{over}"


def cells(extent: Extent) -> Iterator[Cell]:
    """The cells to try, those that do not apply included.

    Args:
        extent: `some`: every fault with an operation of each kind, every operation with a fault of each
            class, and over a session every fault with one operation. `all`: every fault with every
            operation, and over a session with one of each kind. `sessions`: every cell, twice.
    """
    of_kinds = (cell for number, row in enumerate(ROWS) for cell in _of_each_kind(row, number))
    some = {cell.id for cell in (*of_kinds, *_of_each_class())}
    every = (Cell(row, subject) for row in ROWS for subject in SUBJECTS.values())
    yield from (cell for cell in every if extent != "some" or cell.id in some)
    for number, row in enumerate(SESSION_ROWS):
        if extent == "sessions":
            yield from (Cell(row, subject, True) for subject in SUBJECTS.values())
            continue
        subjects = [cell.subject for cell in _of_each_kind(row, number)]
        if extent == "some":
            subjects = [_of_turn(row, subjects, number)]
        yield from (Cell(row, subject, True) for subject in subjects)


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
