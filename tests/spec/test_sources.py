"""What the texts of the spec say and the interface document does not has its `x-source`.

A unit, a default or a limit that the table in tests/interface lacks needs a source, as test_interface says. Here are the
sentences that are marked as observed or assumed, and our own readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.specs import DELETED, Tree, changed
from tests.spec.description import FOREIGN, TOLD
from tests.spec.test_interface import SPEC
from tests.trees import objects

READINGS = {"x-retry", "x-reconcile"}
"""Words whose sources stand in spec/README.md, because they are our own reading."""


def described(node: Any, at: str = "", home: str = "") -> Iterator[tuple[str, Tree, str]]:
    """Every part of the spec that has a text, and the source of what it stands in."""
    if isinstance(node, list):
        for number, each in enumerate(node):
            yield from described(each, f"{at}/{number}", home)
    elif isinstance(node, dict):
        given = node.get("x-source")
        # Of an endpoint without a section it speaks of everything, elsewhere of the signing type alone.
        signed = {"x-signing-type", "x-batch-action"} & node.keys()
        whole = not signed or ("operationId" in node and "externalDocs" not in node)
        if isinstance(given, str) and whole and at:
            home = given
        if isinstance(node.get("description"), str):
            yield at, node, home
        if isinstance(node.get("summary"), str):
            # It has no place for a source, so it says only what the document says.
            yield f"{at}/summary", {"description": node["summary"]}, home
        for name, each in node.items():
            yield from described(each, f"{at}/{name}", home)


def sentences(spec: Tree) -> Iterator[str]:
    """Every text whose "(observed)" and "(assumed)" are not what its x-source says, or are missing."""
    for at, node, home in described(spec):
        text, given = " ".join(node["description"].split()), node.get("x-source")
        marks = set(re.findall(r"\((observed|assumed)\)", text))
        words = given if isinstance(given, dict) else {}
        said = {words[word] for word in ("description", *TOLD) if word in words}
        # Of several sources of one text, the x-source is the weakest.
        agree = (
            said <= marks
            and bool(said) == bool(marks)
            and ("assumed" in said) == ("assumed" in marks)
        )
        if not agree and not (marks and home in FOREIGN):
            yield f"{at}: the text says {sorted(marks)}, its x-source {sorted(said)}"


def test_texts_and_sources_say_the_same() -> None:
    assert list(sentences(SPEC)) == []


def readings(spec: Tree) -> Iterator[str]:
    """The words of the spec that are our own reading, with the retry classes told apart."""
    for node in objects(spec):
        for word in READINGS & node.keys():
            value = node[word]
            told = f"by-key {value['by-key']}" if "by-key" in value else value
            yield f"x-retry: {told}" if word == "x-retry" else word


def test_every_reading_of_our_own_has_its_source_in_the_readme() -> None:
    page = (Path(__file__).parents[2] / "spec" / "README.md").read_text("utf-8")
    section = page.split("\n## Provenance\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:2] == "| "][1:]
    told = {row[0].strip("`"): row[1] for row in rows}
    assert told.keys() == {*readings(SPEC)}
    assert {*told.values()} <= {"documented", *FOREIGN}


S = "/components/schemas"
EDIT = "/paths/~1api~1v1~1orders~1edit/post"


@pytest.mark.parametrize(
    ("pointer", "value", "place"),
    [
        (f"{S}/TimeInForce/x-source", DELETED, "/TimeInForce: the text says"),
        (f"{S}/TimeInForce/description", "`ALO` rests.", "/TimeInForce: the text says []"),
        (f"{EDIT}/summary", "Edit an open order (observed).", "/summary: "),
        ("/info/x-source", DELETED, "/info: the text says"),
    ],
)
def test_a_text_that_lost_its_source_is_found(pointer: str, value: Any, place: str) -> None:
    assert [line for line in sentences(changed({pointer: value}, SPEC)) if place in line]
