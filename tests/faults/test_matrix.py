"""Faults against operations; what is held of each cell stands in `checks.py`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from tests.faults.calls import PREPARE
from tests.faults.cell import Bench, run
from tests.faults.checks import Unpunctual
from tests.faults.matrix import ROWS, Cell, cells
from tests.faults.rows import Story
from tests.faults.stories import PLAYS
from tests.faults.subjects import SUBJECTS
from tests.pulse import STALL, Pulse
from trading_sandbox.web.dialects.documented import MODELLED
from trading_sdk import TradingError

EXTENT: Any = os.environ.get("TRADING_FAULTS", "some")
"""Which cells are tried: `some` or `all` (`nox -s faults -- all`)."""
SPEEDS = (1, 4, 16)
"""How much slower each try of a cell is than the one before, on a machine that stood still meanwhile."""


def _parameters() -> Iterator[Any]:
    for cell in cells(EXTENT):
        reason = cell.row.not_applicable(cell.subject)
        marks = () if reason is None else (pytest.mark.skip(f"not applicable: {reason}"),)
        yield pytest.param(cell, id=cell.id, marks=marks)


@pytest.mark.parametrize("cell", list(_parameters()))
def test_cell(bench: Bench, pulse: Pulse, cell: Cell) -> None:
    """A fault is told as what it is, and nothing happens twice."""
    way = cell.row.way
    play = PLAYS[way.name] if isinstance(way, Story) else run
    for slower in SPEEDS:
        lost = pulse.lost
        try:
            play(bench, cell.row.slower(slower), cell.subject)
            return
        except (Unpunctual, TradingError):
            if pulse.lost - lost < STALL or slower == SPEEDS[-1]:
                raise


def test_some_cells_have_each_fault_for_each_kind_and_each_operation_with_each_class() -> None:
    usual, every = [*cells("some")], [*cells("all")]
    applicable = [each for each in every if each.row.not_applicable(each.subject) is None]
    assert {each.id for each in usual} < {each.id for each in applicable}
    assert set().union(*(each.pairs for each in usual)) == set().union(
        *(each.pairs for each in applicable)
    )
    assert SUBJECTS.keys() == MODELLED >= PREPARE.keys()
    assert len(every) == len({row.name for row in ROWS}) * len(SUBJECTS) >= 30 * len(SUBJECTS)
