"""`codegen.changes`: what is told of a change of the spec, with whom it breaks, as the documentation has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations
from typing import Any, get_type_hints

import attrs
import pytest

from codegen import ir
from codegen.changes.compare import Walk, compare
from codegen.changes.table import Change
from codegen.ir import Api
from tests.codegen.specs import ROOT, built, changed, table, tree

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


PLAIN: dict[Any, tuple[Any, ...]] = {
    str: ("a", "b"),
    str | None: (None, "a", "b"),
    int: (1, 2),
    int | None: (None, 1, 2),
    bool: (False, True),
}


def compared(value: Any) -> Iterator[Any]:
    """An object of the IR and all that it holds, if their members are compared one by one."""
    if isinstance(value, tuple):
        for each in value:
            yield from compared(each)
    elif attrs.has(type(value)):
        members = attrs.fields(type(value))
        if "change" in members[0].metadata:
            yield value
        for member in members:
            yield from compared(getattr(value, member.name))


def of_plain_members() -> Iterator[Change]:
    """What is told of each member that is a text, a number or a switch, whatever its spec would be."""
    api = built(tree())
    for value in {(type(each), getattr(each, "role", "")): each for each in compared(api)}.values():
        for name, hint in get_type_hints(type(value)).items():
            for pair in permutations(PLAIN.get(hint, ()), 2):
                before, after = (attrs.evolve(value, **{name: each}) for each in pair)
                yield from Walk(api, api).changes("here", before, after, "request")


def test_every_kind_of_the_documentation_is_shown() -> None:
    """By a row here, or by a member that needs none, because its change depends on nothing else."""
    rows = {id_ for row in ROWS for pair in told(row) for ids in pair for id_ in ids}

    assert rows | {each.id for each in of_plain_members()} == {*WHOM}
    assert rows <= {*WHOM}


def test_every_member_of_what_is_compared_says_whom_its_change_breaks() -> None:
    for class_ in OBJECTS:
        said = ["change" in each.metadata for each in attrs.fields(class_)]
        assert all(said) or not any(said), class_
