"""The fault matrix: every fault, and by row and operation what a call of it does."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from tests.faults.answers import ANSWERS
from tests.faults.connections import CONNECTIONS
from tests.faults.rows import Row
from tests.faults.sessions import over_session
from tests.faults.stories import STORIES
from tests.faults.subjects import KINDS, SUBJECTS, Subject

ROWS: tuple[Row, ...] = (*CONNECTIONS, *ANSWERS, *STORIES)


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


def cells() -> Iterator[Cell]:
    """Every cell, those that do not apply included."""
    for row in ROWS:
        for subject in SUBJECTS.values():
            yield Cell(row, subject)


def session_cells(every: bool) -> Iterator[Cell]:
    """The same over a session, or of each fault one operation of each kind, which takes a quarter of the time.

    The operations of a kind take turns: the nth fault meets the nth of those that it applies to.
    """
    for number, usual in enumerate(ROWS):
        row = over_session(usual)
        if every:
            yield from (Cell(row, subject, True) for subject in SUBJECTS.values())
            continue
        for kind in KINDS:
            of_kind = [each for each in SUBJECTS.values() if each.kind == kind]
            applies = [each for each in of_kind if row.not_applicable(each) is None]
            found = applies or of_kind
            yield Cell(row, found[number % len(found)], True)
