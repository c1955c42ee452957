"""What a refusal is: an error whose text says why, and nothing has changed."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import pytest

from tests.sandbox.desk import Desk
from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.records import Changes, InsufficientBalance, Refused


def refusal(desk: Desk, attempt: Callable[[], object]) -> Refused:
    """Let an attempt be refused without a trace; return the error."""
    before = deepcopy(desk.exchange.state)
    with pytest.raises(Refused) as caught:
        attempt()
    assert desk.exchange.state == before
    assert desk.exchange.venue.changes == Changes()
    return caught.value


def refused(desk: Desk, command: Command, *words: str, error: type[Refused] = Refused) -> None:
    """Let a command be refused with exactly this error and a text that holds these words."""
    caught = refusal(desk, lambda: desk.run(command))
    assert type(caught) is error
    # The web tells a lack of funds by its kind, people by how its text begins.
    assert str(caught).startswith("Insufficient balance") == (error is InsufficientBalance)
    for word in words:
        assert word in str(caught)
