"""An operation that the sandbox does not know is answered in so many words, not by a failure."""

from __future__ import annotations

import pytest

from tests.generated.calls import BATCH_CASES, CASES
from tests.interface import METHODS
from trading_runtime import BatchOperation
from trading_sandbox.web.commands import BUILDERS
from trading_sandbox.web.dispatch import MODELLED
from trading_sandbox.web.lists import LISTS
from trading_sandbox.web.reads import READS
from trading_sandbox.web.responses import RESPONSES
from trading_sdk import ApiError, Client, Paginator
from trading_sdk.operations import API

BATCHES = {name for name, each in API.operations.items() if isinstance(each, BatchOperation)}
ARGUMENTS = {each.operation: each.arguments for each in BATCH_CASES}
ARGUMENTS |= {each.operation: each.arguments for each in CASES}
"""Of a call of every operation and action, by its name."""


def test_what_is_modelled_is_offered_and_has_an_answer() -> None:
    assert {*API.operations, *API.actions} >= MODELLED
    assert BUILDERS.keys() & API.operations.keys() == RESPONSES.keys()


@pytest.mark.parametrize("name", sorted(METHODS.keys() - BATCHES))
def test_an_operation_that_is_not_modelled_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for known in (BUILDERS, LISTS, READS):
        monkeypatch.delitem(known, name, raising=False)
    group, method = name.split(".")

    with pytest.raises(ApiError, match=rf"{name} is not modelled") as refused:
        result = getattr(getattr(client, group), method)(**ARGUMENTS[name])
        if isinstance(result, Paginator):
            list(result)

    assert refused.value.status == 501
