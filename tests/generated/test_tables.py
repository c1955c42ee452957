"""The tables of calls name all that the client offers, so that none of it goes untested."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs
import pytest

from tests.generated.calls import BATCH, BATCH_CASES, CASES
from tests.interface import ACTIONS, METHODS, OPERATIONS
from trading_runtime.operation import Action, Operation
from trading_sdk.operations import API

SENT_ALONE = OPERATIONS.keys() - {BATCH}
SENT_IN_BATCHES = METHODS.keys() - SENT_ALONE


@pytest.mark.parametrize(
    ("table", "tested", "offered"),
    [
        ("OPERATIONS in tests/interface", OPERATIONS, API.operations),
        ("ACTIONS in tests/interface", [each.name for each in ACTIONS.values()], API.actions),
        ("CASES of calls.py", [case.operation for case in CASES], SENT_ALONE),
        ("BATCH_CASES of calls.py", [case.operation for case in BATCH_CASES], SENT_IN_BATCHES),
        (
            "the largest batch of calls.py",
            [action.operation for case in BATCH_CASES for action in case.actions],
            [each.name for each in ACTIONS.values()],
        ),
    ],
)
def test_the_tables_hold_every_operation_and_nothing_else(
    table: str, tested: Iterable[str], offered: Iterable[str]
) -> None:
    missing, gone = sorted(set(offered) - set(tested)), sorted(set(tested) - set(offered))

    assert not missing, f"add to {table}, from the interface document: {', '.join(missing)}"
    assert not gone, f"take out of {table}: {', '.join(gone)}"


def test_whatever_takes_optional_arguments_is_called_in_more_than_one_way() -> None:
    calls = [*(case.operation for case in CASES), *(case.operation for case in BATCH_CASES)]
    everything: list[Operation[Any] | Action] = [*API.operations.values(), *API.actions.values()]
    for called in everything:
        fields = attrs.fields(called.params) if called.params is not None else ()
        if any(field.default is not attrs.NOTHING for field in fields):
            assert calls.count(called.name) > 1, f"add a sample with all fields: {called.name}"
