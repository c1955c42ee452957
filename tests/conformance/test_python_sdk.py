"""The Python SDK leaves nothing of the kit out, and the kit notices when a port breaks a rule.

Of the mistakes in Python this makes a sample, and the session `typescript` one of those in TypeScript; the session
`ports` makes all of them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.__main__ import main
from tests.conformance.mistakes import MUTATIONS, PROGRAM, Mutation, sample, unnoticed

IN_PYTHON = [each for each in MUTATIONS if each.port == "python"]


def test_the_sdk_skips_no_feature(tmp_path: Path) -> None:
    """The session `conformance` would pass if it did."""
    report = tmp_path / "report.json"

    assert main(["--only", "encode/id-given", "--json", str(report), "--", *PROGRAM]) == 0

    program = json.loads(report.read_text("utf-8"))["program"]
    assert (program["language"], program["skips"]) == ("python", {})


@pytest.mark.parametrize("mutation", sample(IN_PYTHON), ids=lambda each: each.name)
def test_a_mistake_is_noticed_by_its_cases(mutation: Mutation) -> None:
    assert unnoticed(mutation) == ""


@pytest.mark.parametrize("mutation", IN_PYTHON, ids=lambda each: each.name)
def test_every_mistake_can_be_made(mutation: Mutation) -> None:
    """A text that the runtime has no longer would test nothing: change the table of mutations."""
    assert mutation.new in mutation.made()
