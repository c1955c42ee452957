"""The Python SDK passes the kit, and the kit notices when it makes a mistake.

A sample of both: the nox sessions `conformance` and `ports` run all of it.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from conformance.__main__ import main
from conformance.cases import all_cases, matches
from tests.conformance.mistakes import Mutation, changed
from tests.conformance.mutations import MUTATIONS, PROGRAM, RUNTIME, judged

SAMPLE = (
    "encode/*given*",
    "outcome/*-by-key",
    "pages/*",
    "settle/settle-s*",
    "scenarios/lost-order-e*",
)
OF_EACH_WING = ("keys-unsorted", "exponent-written", "any-failure-believed", "idempotent-repeated", "given-ids-trusted")  # fmt: skip


def test_the_sdk_passes(tmp_path: Path) -> None:
    globs = [option for glob in SAMPLE for option in ("--only", glob)]

    status = main([*globs, "--json", str(tmp_path / "report.json"), "--", *PROGRAM])

    report = json.loads((tmp_path / "report.json").read_text("utf-8"))
    assert [case["why"] for case in report["cases"] if case["outcome"] != "passed"] == []
    assert (status, report["program"]["language"]) == (0, "python")
    assert report["program"]["skips"] == {}


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
