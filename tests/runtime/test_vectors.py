"""Every case of spec/vectors that needs no server, told to this SDK in one process.

The kit asks a program over pipes; here coverage sees what each case reaches. What may be attempted again, which error
a failure becomes, what an answer means and what settles a message stands in these cases, and in no other test.
"""

from __future__ import annotations

import json

import pytest

from conformance.cases import Case, all_cases
from conformance.checks import CHECKS
from conformance.exchange import Exchange
from conformance.leaks import leaked
from conformance.program import PortAnswer
from conformance.values import Value, read_line, tagged
from tests.conformance.python_program import answer

CASES = [case for case in all_cases() if case.kind != "scenario"]


class Asked:
    """Asks the program of this SDK without a process between: see `Ask`."""

    exchange = Exchange()
    """Cases without steps start no sandbox."""

    def __call__(self, do: str, **members: Value) -> PortAnswer:
        """Answer a command, which goes through JSON both ways."""
        command = {"do": do, **{name: tagged(each) for name, each in members.items()}}
        told = {"id": 1, **answer(json.loads(json.dumps(command)))}
        found = read_line(json.dumps(told).encode("ascii"))
        (kind,) = found.keys() - {"id"}
        assert leaked(do, members, found[kind]) is None
        return PortAnswer(kind, found[kind])


# Some cases ask for what the second spec calls deprecated.
@pytest.mark.filterwarnings("ignore:.* is deprecated:DeprecationWarning")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_sdk_does_what_the_case_says(case: Case) -> None:
    assert CHECKS[case.kind](case, Asked()) is None


def test_there_are_cases_of_every_level_but_the_one_of_the_sandbox() -> None:
    assert len(CASES) > 1_400
    assert {case.kind for case in CASES} == CHECKS.keys() - {"scenario"}
