"""What the error of a failed call holds: why, the answer, the message; never the request.

spec/vectors/outcome says which error it is, for each failure and retry class.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.second import package
from tests.doubles.calls import create, settings
from tests.doubles.orders import HERE, ID
from tests.doubles.signer import KEY
from tests.doubles.transport import ScriptedTransport, ok, refusal
from trading_runtime.codec.answers import ResultReader
from trading_runtime.errors import ApiError, DecodeError, OutcomeUnknownError, TradingError
from trading_runtime.http.transport import Response
from trading_sdk import Client, Retry

CANARY = "canary-secret"


def failed(call: Any, answer: Response | BaseException) -> TradingError:
    """The error of a call with one attempt, whose request and answer hold a secret."""
    transport = ScriptedTransport(answer)
    once = Retry(max_attempts=1)
    with (
        Client(HERE, signer=KEY, api_key=CANARY, transport=transport, retry=once) as client,
        pytest.raises(TradingError) as caught,
    ):
        call(client)
    return caught.value


def test_a_stack_without_room_for_the_transport_leaves_the_outcome_unknown() -> None:
    found = failed(create, RecursionError())

    assert isinstance(found, OutcomeUnknownError)
    assert (found.client_ids, found.status, found.body) == ((ID,), None, None)
    assert found.reason == "the stack has no room for the transport"


def test_a_stack_without_room_to_read_an_answer_leaves_the_outcome_unknown_and_keeps_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def read(*_: object) -> None:
        raise RecursionError

    monkeypatch.setattr(ResultReader, "read", read)
    found = failed(create, ok({"order_id": 1}))

    assert isinstance(found, OutcomeUnknownError)
    assert (found.client_ids, found.status, found.body) == ((ID,), 200, b'{"order_id": 1}')
    assert found.reason == "the stack has no room to read it"
    assert isinstance(failed(settings, ok({})), DecodeError)


UNKNOWN = f"Account not found: {KEY.address}"


@pytest.mark.parametrize(
    ("account", "status", "error", "hint"),
    [
        ("1" * 32, 401, "Verification failed", "if that is a subaccount, sign with its own key)"),
        (None, 400, UNKNOWN, f"(if {KEY.address} is an agent wallet, write"),
    ],
)
def test_a_refusal_says_whose_key_signed_where_another_may_have_been_meant(
    account: str | None, status: int, error: str, hint: str
) -> None:
    script = ScriptedTransport(refusal(status, error))
    with (
        Client(HERE, signer=KEY, account=account, transport=script) as client,
        pytest.raises(ApiError) as caught,
    ):
        create(client)
    assert hint in str(caught.value)


def test_a_refusal_of_what_nobody_signed_says_nothing_of_keys() -> None:
    garden = package()
    transport = ScriptedTransport(refusal(401, "who are you"))
    with garden.Client(HERE, transport=transport) as client, pytest.raises(ApiError) as caught:
        client.plans.delete(name="night")
    assert str(caught.value) == "plans.delete: 401 (code 401): who are you"
