"""From evidence to a settlement: its state, its records, and what it rests on."""

from __future__ import annotations

from typing import Any

import pytest

from trading_runtime.intent import Message
from trading_runtime.operation import Operation, Target, Trace
from trading_runtime.recovery.conclusion import (
    BY_CHANGE,
    BY_ID,
    BY_REFUSAL,
    YOURS,
    Conclusion,
    combined,
    conclude_refused,
)
from trading_runtime.recovery.evidence import ANOTHERS, Evidence
from trading_runtime.recovery.settlement import Settlement

RECORD = object()
MESSAGE = Message(name="things.make", client_id="id-1", fields={})
CHANGE: Operation[Any] = Operation(
    name="things.cut",
    method="POST",
    path="/cut",
    trace=Trace(
        lists=("things.list",),
        made_at="made",
        target=Target(names={"id": "id"}, becomes={"state": "cut"}, changed_at="changed"),
    ),
)
ABSENT, EXECUTED = Evidence("absent", "no list shows it"), Evidence("executed", "a list shows it")
UNCLEAR = Evidence("unclear", "it may be either")


def settled(state: Any, reason: str, records: tuple[object, ...], rests_on: str) -> Settlement:
    return Settlement(
        operation="things.make",
        client_id="id-1",
        state=state,
        reason=reason,
        records=records,
        rests_on=rests_on,
    )


@pytest.mark.parametrize(
    ("evidence", "expected"),
    [
        (
            Evidence("executed", "a list shows its id", (RECORD,)),
            settled(
                "executed", "the service refused it, but a list shows its id", (RECORD,), BY_ID
            ),
        ),
        (
            Evidence("unclear", ANOTHERS, (RECORD,)),
            settled("unsettled", f"the service refused it; {ANOTHERS}{YOURS}", (RECORD,), ""),
        ),
        (ABSENT, settled("not executed", "the service refused it", (), BY_REFUSAL)),
        (None, settled("not executed", "the service refused it", (), BY_REFUSAL)),
    ],
    ids=["its id", "an earlier one", "nothing", "no list"],
)
def test_a_refused_message_is_settled_by_what_was_executed_before(
    evidence: Evidence | None, expected: Settlement
) -> None:
    assert conclude_refused(MESSAGE, evidence) == expected


def test_an_executed_change_rests_on_two_looks_after_the_margin() -> None:
    evidence = Evidence("executed", "a list shows the change", (RECORD,))
    found = Conclusion(15.0, "").of(MESSAGE, CHANGE, evidence)
    expected = BY_CHANGE.format(margin=15.0)
    assert found == settled("executed", "a list shows the change", (RECORD,), expected)


def test_two_looks_that_agree_count_unless_both_together_show_otherwise() -> None:
    assert combined(ABSENT, ABSENT, ABSENT) is ABSENT
    assert combined(ABSENT, ABSENT, UNCLEAR) is UNCLEAR
    assert combined(EXECUTED, EXECUTED, EXECUTED) is EXECUTED
    for looks in ((ABSENT, ABSENT, EXECUTED), (ABSENT, EXECUTED, ABSENT)):
        assert combined(*looks) == Evidence("unclear", "two looks at the lists differ")
