"""The report of the matrix: what became of every cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from tests.faults.matrix import ROWS, Cell
from tests.faults.sessions import DIFFERENCES
from tests.faults.subjects import KINDS, SUBJECTS

PROPERTY = "cell of the fault matrix"
STALLED = "tried again, because the machine stalled"
PASSED, FAILED, NOT_APPLICABLE, LEFT_OUT = "passed", "failed", "not applicable", "left out"


@frozen
class Told:
    """What became of one cell."""

    row: str
    subject: str
    over_session: bool
    outcome: str
    stalled: bool
    """Whether it was tried again, because the machine stalled."""


def as_property(cell: Cell) -> tuple[str, list[object]]:
    """A cell as it is written into the report of its test, which is sent between processes."""
    return PROPERTY, [cell.row.name, cell.subject.name, cell.over_session]


def told(outcome: str, properties: Iterable[tuple[str, object]]) -> Iterator[Told]:
    """What the report of a test tells of a cell, if it was one."""
    found = dict(properties)
    cell = found.get(PROPERTY)
    if isinstance(cell, list | tuple):
        row, subject, over = cell
        yield Told(row, subject, over, outcome, STALLED in found)


def lines(cells: Sequence[Told]) -> Iterator[str]:
    """A line for each fault, with what became of it by kind of operation; then the sums."""
    counts = _counted(each for each in cells if not each.over_session)
    width = max(len(row.name) for row in ROWS)
    yield "passed, +not applicable, -left out, !failed; by kind of operation"
    yield f"{'':{width + 4}}" + "  ".join(f"{kind:>15}" for kind in KINDS)
    for row in ROWS:
        texts = (_text(counts[row.name, kind]) for kind in KINDS)
        yield f"{row.letter:3} {row.name:{width}}" + "  ".join(f"{text:>15}" for text in texts)
    yield ""
    yield f"{len(ROWS)} faults x {len(SUBJECTS)} operations: {_sum(counts)}"
    yield from _reasons()
    over_sessions = _counted(each for each in cells if each.over_session)
    yield ""
    yield f"over a session: {_sum(over_sessions)}; it differs here:"
    yield from (f"      {row}: {each.reason}" for row, each in DIFFERENCES.items())
    yield "`python -m nox -s faults -- all` leaves no fault of an operation out, and `session-faults` no cell"
    yield f"{sum(each.stalled for each in cells)} cells were {STALLED}"


def _counted(cells: Iterable[Told]) -> dict[tuple[str, str], Counter[str]]:
    """How many cells ended in which way, by fault and kind of operation."""
    kinds = Counter[str](each.kind for each in SUBJECTS.values())
    counts: dict[tuple[str, str], Counter[str]]
    counts = {(row.name, kind): Counter[str]() for row in ROWS for kind in KINDS}
    for each in cells:
        counts[each.row, SUBJECTS[each.subject].kind][each.outcome] += 1
    for (_, kind), found in counts.items():
        found[LEFT_OUT] = kinds[kind] - found.total()
    return counts


def _text(found: Counter[str]) -> str:
    marks = (("+", NOT_APPLICABLE), ("-", LEFT_OUT), ("!", FAILED))
    others = [f"{mark}{found[outcome]}" for mark, outcome in marks if found[outcome]]
    return " ".join((str(found[PASSED]), *others))


def _sum(counts: dict[tuple[str, str], Counter[str]]) -> str:
    sums = sum(counts.values(), Counter[str]())
    words = (f"{sums[each]} {each}" for each in (PASSED, FAILED, NOT_APPLICABLE, LEFT_OUT))
    return f"{sums.total()} cells, {', '.join(words)}"


def _reasons() -> Iterator[str]:
    """Why cells of the whole matrix do not apply."""
    found = (row.not_applicable(subject) for row in ROWS for subject in SUBJECTS.values())
    yield "not applicable, because:"
    for reason, count in Counter(filter(None, found)).most_common():
        yield f"{count:5} {reason}"
