"""Every fault against every operation; what is held of each cell stands in `checks.py`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import evolve

from tests.faults.calls import PREPARE
from tests.faults.cell import Bench, run
from tests.faults.checks import Unpunctual
from tests.faults.matrix import ROWS, Cell, cells, session_cells
from tests.faults.report import STALLED
from tests.faults.rows import Story
from tests.faults.sessions import DIFFERENCES
from tests.faults.stories import PLAYS
from tests.faults.subjects import KINDS, SUBJECTS
from tests.pulse import Pulse
from trading_sandbox.web.dialects.documented import MODELLED

EVERY = "TRADING_FAULTS_OVER_SESSIONS"
"""The variable that, if it is set, asks for the whole matrix over sessions, too: `nox -s session-faults`."""


def _parameters() -> Iterator[Any]:
    for cell in (*cells(), *session_cells(every=bool(os.environ.get(EVERY)))):
        reason = cell.row.not_applicable(cell.subject)
        marks = () if reason is None else (pytest.mark.skip(f"not applicable: {reason}"),)
        yield pytest.param(cell, id=cell.id, marks=marks)


@pytest.mark.parametrize("cell", list(_parameters()))
def test_cell(
    bench: Bench, pulse: Pulse, cell: Cell, record_property: Callable[[str, object], None]
) -> None:
    """A fault is told as what it is, and nothing happens twice."""
    bench = evolve(bench, over_session=cell.over_session)
    way = cell.row.way
    play = PLAYS[way.name] if isinstance(way, Story) else run
    for _ in range(_TRIES - 1):
        pulse.begin()
        try:
            return play(bench, cell.row, cell.subject)
        except Unpunctual:
            if not pulse.stalled:
                raise
        record_property(STALLED, True)
    return play(bench, cell.row, cell.subject)


_TRIES = 3


def test_a_difference_is_that_of_a_fault_and_every_fault_is_met_over_a_session() -> None:
    assert DIFFERENCES.keys() <= {row.name for row in ROWS}
    met = {(cell.row.name, cell.subject.kind) for cell in session_cells(every=False)}
    assert len(met) == len(ROWS) * len(KINDS)


def test_the_matrix_has_every_operation_and_action() -> None:
    assert SUBJECTS.keys() == MODELLED >= PREPARE.keys()
    assert len({row.name for row in ROWS}) == len(ROWS) >= 30
