"""The Python SDK leaves nothing of the kit out, and the kit notices when it makes a mistake.

Of mistakes this is a sample: the nox sessions `conformance` and `ports` run all cases and make all mistakes.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.__main__ import main
from conformance.cases import all_cases, matches
from tests.conformance.mistakes import Mutation, changed
from tests.conformance.mutations import MUTATIONS, PROGRAM, RUNTIME, judged

OF_EACH_WING = ("keys-unsorted", "exponent-written", "any-failure-believed", "idempotent-repeated", "given-ids-trusted")  # fmt: skip


def test_the_sdk_skips_no_feature(tmp_path: Path) -> None:
    """The session `conformance` would pass if it did."""
    report = tmp_path / "report.json"

    assert main(["--only", "encode/id-given", "--json", str(report), "--", *PROGRAM]) == 0

    program = json.loads(report.read_text("utf-8"))["program"]
    assert (program["language"], program["skips"]) == ("python", {})


@pytest.mark.parametrize(
    "mutation", [m for m in MUTATIONS if m.name in OF_EACH_WING], ids=lambda m: m.name
)
def test_a_mistake_is_noticed_by_the_cases_about_it(mutation: Mutation) -> None:
    cases = [case for case in all_cases() if matches(case.name, mutation.globs)]

    assert judged(mutation, cases) is not None


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: f"{m.module}-{m.name}")
def test_every_mistake_can_be_made(mutation: Mutation) -> None:
    """A text that the runtime has no longer would test nothing: change the table of mutations."""
    source = (RUNTIME / "trading_runtime" / f"{mutation.module}.py").read_text("utf-8")

    assert changed(source, mutation) != source


def test_there_are_mutations_enough() -> None:
    assert len({mutation.name for mutation in MUTATIONS}) == len(MUTATIONS) > 50
