"""Every case of `reconcile` in spec/vectors, asked and compared as the conformance kit does, in this process."""

from __future__ import annotations

import json

import pytest

from conformance.cases import Case, all_cases
from conformance.checks import CHECKS
from conformance.exchange import Exchange
from conformance.program import Answer
from conformance.values import Value, read_line, tagged
from tests.conformance.python_program import answer

CASES = [case for case in all_cases() if case.kind == "settle"]


class InProcess:
    """Asks the program of the Python SDK without a pipe between."""

    @property
    def exchange(self) -> Exchange:
        """The sandbox of scenarios, which no case here has."""
        raise NotImplementedError

    def __call__(self, do: str, **members: Value) -> Answer:
        """Answer a command; the answer goes through JSON as it does between two processes."""
        command = {"do": do, **{name: tagged(each) for name, each in members.items()}}
        found = read_line(json.dumps(answer(command)).encode())
        kind = "error" if "error" in found else "result"
        return Answer(kind, found[kind])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_reconcile_says_what_the_case_says(case: Case) -> None:
    assert CHECKS[case.kind](case, InProcess()) is None
