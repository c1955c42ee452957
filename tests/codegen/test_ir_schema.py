"""spec/ir.schema.json describes what `python -m codegen ir` prints, member by member."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from tests.codegen.conftest import Run
from tests.codegen.specs import OVERLAY, ROOT, SMALL

KEPT = ROOT / "spec" / "ir.schema.json"


def schema() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(KEPT.read_text("utf-8"))
    return document


def test_what_is_printed_is_what_is_kept(run: Run) -> None:
    assert run("ir", "--schema") == (0, KEPT.read_text("utf-8"), "")


@pytest.mark.parametrize(
    "arguments",
    [[], ["--spec", str(SMALL)], ["--overlay", str(OVERLAY)]],
    ids=["the spec", "a small one", "with an overlay"],
)
def test_the_ir_is_valid_by_its_schema_and_what_is_strange_is_not(
    arguments: list[str], run: Run
) -> None:
    printed = json.loads(run("ir", *arguments).out)
    validator = jsonschema.Draft202012Validator(schema())
    validator.check_schema(schema())
    validator.validate(printed)
    if str(SMALL) in arguments:
        assert not validator.is_valid({**printed, "new": 1})
        assert not validator.is_valid({**printed, "rate_scale": "ten"})


def test_every_member_is_described() -> None:
    found = schema()
    named = {"Api": found, **found["$defs"]}

    assert [
        f"{name}.{member}"
        for name, node in named.items()
        for member, each in node["properties"].items()
        if not each.get("description")
    ] == []


def test_the_page_of_the_ir_names_no_member_that_is_gone() -> None:
    page = (ROOT / "docs" / "ir.md").read_text("utf-8")
    found = schema()
    known = {name for node in (found, *found["$defs"].values()) for name in node["properties"]}
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    cells = [each for row in rows for each in row.split("|")[1].split("`")[1::2]]

    assert {each for each in cells if each.isidentifier()} - known <= {"request", "response"}
