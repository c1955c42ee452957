"""The table of the interface names all that the client offers, so that none of it goes untested."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from tests.interface import ACTIONS, OPERATIONS
from trading_sdk.operations import API


@pytest.mark.parametrize(
    ("table", "tested", "offered"),
    [
        ("OPERATIONS", OPERATIONS, API.operations),
        ("ACTIONS", [each.name for each in ACTIONS.values()], API.actions),
    ],
)
def test_the_table_holds_every_operation_and_nothing_else(
    table: str, tested: Iterable[str], offered: Iterable[str]
) -> None:
    missing, gone = sorted(set(offered) - set(tested)), sorted(set(tested) - set(offered))

    add = f"add to {table} in tests/interface, from the interface document"
    assert not missing, f"{add}: {', '.join(missing)}"
    assert not gone, f"take out of {table}: {', '.join(gone)}"
