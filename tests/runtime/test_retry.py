"""The decision: which error follows from how far a call came and whether it may be repeated."""

from __future__ import annotations

import pytest

from trading_runtime.retry import Fault, Verdict, decide, fault_of_status


@pytest.mark.parametrize(
    ("status", "fault"),
    [
        (100, Fault.MAYBE_SENT),
        (199, Fault.MAYBE_SENT),
        (200, None),
        (204, None),
        (299, None),
        (300, Fault.MAYBE_SENT),
        (308, Fault.MAYBE_SENT),
        (400, Fault.REFUSED),
        (429, Fault.REFUSED),
        (499, Fault.REFUSED),
        (500, Fault.MAYBE_SENT),
        (501, Fault.REFUSED),
        (502, Fault.MAYBE_SENT),
        (504, Fault.MAYBE_SENT),
        (999, Fault.MAYBE_SENT),
    ],
)
def test_the_status_tells_how_far_the_call_came(status: int, fault: Fault | None) -> None:
    assert fault_of_status(status) is fault


@pytest.mark.parametrize(
    ("fault", "repeatable", "otherwise"),
    [
        (Fault.NOT_SENT, Verdict.RAISE_NOT_SENT, Verdict.RAISE_NOT_SENT),
        (Fault.MAYBE_SENT, Verdict.RAISE_TYPED, Verdict.RAISE_UNKNOWN),
        (Fault.REFUSED, Verdict.RAISE_TYPED, Verdict.RAISE_TYPED),
        (Fault.UNUSABLE, Verdict.RAISE_TYPED, Verdict.RAISE_UNKNOWN),
    ],
)
def test_only_what_may_not_be_repeated_has_an_unknown_outcome(
    fault: Fault, repeatable: Verdict, otherwise: Verdict
) -> None:
    assert decide(fault, repeatable=True) is repeatable
    assert decide(fault, repeatable=False) is otherwise


@pytest.mark.parametrize("repeatable", [True, False])
@pytest.mark.parametrize("fault", Fault)
def test_every_fault_has_a_verdict(fault: Fault, repeatable: bool) -> None:
    assert decide(fault, repeatable=repeatable) in Verdict
