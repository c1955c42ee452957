"""spec/ir.schema.json describes what `python -m codegen ir` prints, member by member."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from codegen.__main__ import main
from tests.codegen.specs import ROOT, SMALL

KEPT = ROOT / "spec" / "ir.schema.json"
OBSERVED = ROOT / "spec" / "overlays" / "observed.yaml"


def schema() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(KEPT.read_text("utf-8"))
    return document


def members(node: Any, at: str) -> Iterator[tuple[str, Any]]:
    """Every member of every object that the schema describes."""
    for name, each in node["properties"].items():
        yield f"{at}.{name}", each


def test_what_is_printed_is_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ir", "--schema"]) == 0

    assert capsys.readouterr().out == KEPT.read_text("utf-8")


@pytest.mark.parametrize(
    "arguments",
    [[], ["--spec", str(SMALL)], ["--overlay", str(OBSERVED)]],
    ids=["the spec", "a small one", "with an overlay"],
)
def test_the_ir_is_valid_by_its_schema(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ir", *arguments]) == 0

    printed = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator.check_schema(schema())
    jsonschema.validate(printed, schema())


def test_an_unknown_member_and_a_wrong_type_are_not_valid(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["ir", "--spec", str(SMALL)])
    printed = json.loads(capsys.readouterr().out)

    for wrong in ({**printed, "new": 1}, {**printed, "rate_scale": "ten"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema())


def test_every_member_is_described() -> None:
    found = schema()
    named = {"Api": found, **found["$defs"]}
    silent = [
        place
        for name, node in named.items()
        for place, each in members(node, name)
        if not each.get("description")
    ]

    assert silent == []


def test_the_page_of_the_ir_names_no_member_that_is_gone() -> None:
    page = (ROOT / "docs" / "ir.md").read_text("utf-8")
    found = schema()
    known = {name for node in (found, *found["$defs"].values()) for name in node["properties"]}
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    cells = [each for row in rows for each in row.split("|")[1].split("`")[1::2]]

    assert {each for each in cells if each.isidentifier()} - known <= {"request", "response"}
