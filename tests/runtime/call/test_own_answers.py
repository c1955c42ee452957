"""An answer that cannot be read may be that of another message: its connection is not used again."""

from __future__ import annotations

import pytest

from tests.doubles.calls import CHANGES, Call
from tests.doubles.server import Server, answer, answers
from tests.doubles.signer import KEY
from trading_runtime.errors import OutcomeUnknownError
from trading_sdk import Client


@pytest.mark.parametrize("change", CHANGES)
def test_an_answer_that_cannot_be_read_may_be_that_of_another(change: Call) -> None:
    wrong = answers(answer(b'{"next":1}'), answer(b'{"next":1}'))
    with Server(wrong, wrong) as server, Client(server.url, signer=KEY) as client:
        for _ in range(2):
            with pytest.raises(OutcomeUnknownError):
                change(client)
    assert server.connections == 2
