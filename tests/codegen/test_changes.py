"""`codegen.changes`: what is told of a change of the spec, with whom it breaks, as the documentation has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs
import pytest

from codegen import ir
from codegen.changes.change import Effect
from codegen.changes.compare import compare
from codegen.changes.table import EFFECTS, ITSELF, TABLE
from codegen.ir import Action, Api, Operation
from tests.codegen.specs import ROOT, built, changed, table

ROWS = table("changes.yaml")
WHOM = dict(
    re.findall(
        r"^\| `([a-z-]+)` \| (.*?) \|", (ROOT / "docs" / "spec-changes.md").read_text("utf-8"), re.M
    )
)
"""The ids of the documentation, and whom each breaks."""
OPPOSITE = {"added": "removed", "on": "off", "tightened": "loosened"}
OPPOSITE |= {word: other for other, word in OPPOSITE.items()}
OBJECTS = [each for each in vars(ir).values() if isinstance(each, type) and attrs.has(each)]
AUDIENCES = ("callers", "wire", "answers", "ports")


def told(row: dict[str, Any]) -> list[tuple[set[str], set[str]]]:
    """The ids of what is told of each change of a row, and of its way back."""
    there = [set(each.split()) for each in row["told"]]
    back = [set(each.split()) for each in row.get("back", ())]
    return list(zip(there, back or [{*map(opposite, ids)} for ids in there], strict=True))


def steps(row: dict[str, Any]) -> Iterator[tuple[Api, Api, set[str]]]:
    """Each change of a row and its way back: two services, and the ids of what is told."""
    spec = changed(row.get("with", {}))
    old = built(spec)
    for edits, (there, back) in zip(row["changes"], told(row), strict=True):
        spec = changed(edits, spec)
        new = built(spec)
        yield old, new, there
        yield new, old, back
        old = new


def opposite(id_: str) -> str:
    start, _, verb = id_.rpartition("-")
    return f"{start}-{OPPOSITE.get(verb, verb)}"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["told"][0] or "nothing")
def test_a_change_of_the_spec_is_told_with_whom_it_breaks(row: dict[str, Any]) -> None:
    lines: set[str] = set()
    for old, new, ids in steps(row):
        found = compare(old, new)
        assert {each.id for each in found} == ids
        assert compare(old, old) == ()
        for each in found:
            lines.add(f"{each.place}: {each.text}")
            broken = [name for name in AUDIENCES if name in each.effect.breaks]
            whom = row.get("breaks", {}).get(each.text, WHOM[each.id])
            assert (", ".join(broken) or "nobody") == whom, each
            assert each.effect.breaks <= each.effect.concerns <= {*AUDIENCES}
            assert each.is_breaking == bool(broken)
    assert lines >= {*row.get("says", ())}


def test_every_kind_of_the_documentation_has_a_row_here() -> None:
    assert {id_ for row in ROWS for pair in told(row) for ids in pair for id_ in ids} == {*WHOM}


def documented(effect: str) -> str:
    return ", ".join(name for name in AUDIENCES if name in Effect.of(effect).breaks) or "nobody"


def test_the_table_has_every_member_of_the_ir_and_the_documentation_follows_from_it() -> None:
    classes: dict[str, set[Any]] = {"method": {Operation, Action}}
    classes |= {
        each: {next(c for c in OBJECTS if c.__name__.lower() == each.rpartition("-")[2])}
        for each in TABLE
        if each != "method"
    }
    for label, found in classes.items():
        members = {each.name for class_ in found for each in attrs.fields(class_)}
        assert {*TABLE[label]} - {ITSELF, "choice"} == members, label
    assert {id_: documented(effect) for id_, effect in EFFECTS.items()} == WHOM
