"""The report of the matrix: what became of every cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from tests.faults.matrix import ROWS, Cell
from tests.faults.sessions import DIFFERENCES
from tests.faults.subjects import KINDS, SUBJECTS

PROPERTY = "cell of the fault matrix"
OVER_SESSION = "over a session"
STALLED = "tried again, because the machine stalled"
PASSED, FAILED, NOT_APPLICABLE = "passed", "failed", "not applicable"


@frozen
class Told:
    """What became of one cell."""

    row: str
    subject: str
    outcome: str
    over_session: bool
    stalled: bool
    """Whether it was tried again, because the machine stalled."""


def as_property(cell: Cell) -> tuple[str, list[str]]:
    """A cell as it is written into the report of its test, which is sent between processes."""
    over = [OVER_SESSION] if cell.over_session else []
    return PROPERTY, [cell.row.name, cell.subject.name, *over]


def told(outcome: str, properties: Iterable[tuple[str, object]]) -> Iterator[Told]:
    """What the report of a test tells of a cell, if it was one."""
    found = dict(properties)
    names = found.get(PROPERTY)
    if isinstance(names, list | tuple):
        row, subject, *over = names
        yield Told(row, subject, outcome, bool(over), STALLED in found)


def lines(cells: Sequence[Told]) -> Iterator[str]:
    """A line for each fault, with what passed by kind of operation; then the sums."""
    counts = Counter[tuple[str, str, str]](
        (each.row, SUBJECTS[each.subject].kind, each.outcome)
        for each in cells
        if not each.over_session
    )
    width = max(len(row.name) for row in ROWS)
    yield "passed, +not applicable, !failed; by kind of operation"
    yield f"{'':{width + 4}}" + "  ".join(f"{kind:>15}" for kind in KINDS)
    for row in ROWS:
        texts = (_text(counts, row.name, kind) for kind in KINDS)
        yield f"{row.letter:3} {row.name:{width}}" + "  ".join(f"{text:>15}" for text in texts)
    yield from _sums(counts)
    yield from _of_sessions(cells)
    yield f"{sum(each.stalled for each in cells)} cells were {STALLED}"


def _text(counts: Counter[tuple[str, str, str]], row: str, kind: str) -> str:
    passed, failed, others = (
        counts[row, kind, outcome] for outcome in (PASSED, FAILED, NOT_APPLICABLE)
    )
    words = (str(passed), f"+{others}" if others else "", f"!{failed}" if failed else "")
    return " ".join(word for word in words if word)


def _sums(counts: Counter[tuple[str, str, str]]) -> Iterator[str]:
    sums = Counter[str]()
    for (_, _, outcome), count in counts.items():
        sums[outcome] += count
    words = ", ".join(f"{sums[each]} {each}" for each in (PASSED, FAILED, NOT_APPLICABLE))
    yield ""
    yield f"{len(ROWS)} faults x {len(SUBJECTS)} operations: {sums.total()} cells, {words}"
    reasons = Counter(
        reason
        for row in ROWS
        for subject in SUBJECTS.values()
        if (reason := row.not_applicable(subject)) is not None
    )
    yield "not applicable, because:"
    yield from (f"{count:5} {reason}" for reason, count in reasons.most_common())


def _of_sessions(cells: Sequence[Told]) -> Iterator[str]:
    """What became of the cells over a session, and where it differs from the usual transport."""
    sums = Counter(each.outcome for each in cells if each.over_session)
    words = ", ".join(f"{sums[each]} {each}" for each in (PASSED, FAILED, NOT_APPLICABLE))
    yield ""
    yield f"over a session: {sums.total()} cells, {words}; it differs here:"
    yield from (f"      {row}: {each.reason}" for row, each in DIFFERENCES.items())
