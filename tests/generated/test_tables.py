"""The tables of calls name all that the client offers, so that none of it goes untested."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs
import pytest

from tests.generated.actions_table import BATCH_CASES, BATCHED
from tests.generated.operations_table import CASES, OUTCOMES, ROUTES
from trading_runtime.operation import Action, Operation
from trading_sdk.operations import API


@pytest.mark.parametrize(
    ("table", "tested", "offered"),
    [
        ("_ROUTES of operations_table.py", ROUTES, set(API.operations) - {"orders.batch"}),
        ("OUTCOMES of operations_table.py", OUTCOMES, ROUTES),
        ("CASES of operations_table.py", [case.operation for case in CASES], ROUTES),
        ("BATCHED of actions_table.py", BATCHED, {"orders.batch"} | (set(API.actions) - {*ROUTES})),
        ("BATCH_CASES of actions_table.py", [case.operation for case in BATCH_CASES], BATCHED),
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
            assert calls.count(called.name) > 1, f"add a Case with all arguments: {called.name}"
