"""What the error of a failed call holds: why, the answer, the message; never the request.

spec/vectors/outcome says which error it is, for each failure and retry class.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.doubles.calls import create, settings
from tests.doubles.orders import HERE, ID
from tests.doubles.signer import KEY
from tests.doubles.transport import LOST, ScriptedTransport, ok, refusal, response
from trading_runtime.codec.answers import ResultReader
from trading_runtime.codec.requests import client_id
from trading_runtime.errors import (
    ApiError,
    BadRequestError,
    DecodeError,
    InternalServerError,
    OutcomeUnknownError,
    TradingError,
)
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Response
from trading_sdk import Client, Retry

CANARY = "canary-secret"
CUT = TransportError(Fault.UNREADABLE, "the body was cut: EOF", 200)
TOO_LONG = TransportError(Fault.UNUSABLE, "the body is longer than 9 bytes", 200)
STOPPED = TransportError(Fault.MAYBE_SENT, "the body stopped coming", 200)
HTML = response(200, b"<html>", Content_Type="text/html")
NOT_JSON = "not JSON (text/html): it is a page of HTML"
FAILING = refusal(503, "off")


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


@pytest.mark.parametrize(
    ("answer", "status", "body", "reason", "cause"),
    [
        (LOST, None, None, "the connection was reset", None),
        (STOPPED, 200, b"", "the body stopped coming", None),
        (CUT, 200, b"", "the body was cut: EOF", None),
        (HTML, 200, b"<html>", NOT_JSON, DecodeError),
        (FAILING, 503, FAILING.body, "503 (code 503): off", InternalServerError),
    ],
)
def test_an_unknown_outcome_says_why_and_keeps_the_answer(
    answer: Any, status: int | None, body: bytes | None, reason: str, cause: Any
) -> None:
    found = failed(create, answer)

    assert isinstance(found, OutcomeUnknownError)
    assert (found.operation, found.client_ids) == ("orders.create", (ID,))
    assert (found.reason, found.body) == (reason, body)
    assert found.status == status
    assert type(found.__cause__) is (cause or type(None))


@pytest.mark.parametrize(
    ("answer", "is_json", "reason"),
    [
        (CUT, False, "the body was cut: EOF"),
        (TOO_LONG, True, "the body is longer than 9 bytes"),
        (HTML, False, NOT_JSON),
    ],
)
def test_an_answer_to_a_read_that_cannot_be_used_says_why(
    answer: Any, is_json: bool, reason: str
) -> None:
    found = failed(settings, answer)

    assert isinstance(found, DecodeError)
    assert (found.operation, found.reason, found.status) == ("account.settings", reason, 200)
    assert (found.is_json, found.body) == (is_json, b"<html>" if answer is HTML else b"")


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


@pytest.mark.parametrize(
    ("key", "fields", "found"),
    [
        (None, {"id": "a"}, None),
        ("id", {"id": "a"}, "a"),
        ("id", {}, None),
        ("id", {"id": 5}, None),
        ("leg.id", {"leg": {"id": "b"}, "id": "a"}, "b"),
        ("leg.id", {"id": "a"}, None),
        ("leg.id", {"leg": {}}, None),
    ],
)
def test_the_id_of_a_call_is_found_by_its_path(
    key: str | None, fields: dict[str, Any], found: str | None
) -> None:
    assert client_id(key, fields) == found


@pytest.mark.parametrize(
    ("account", "status", "error", "hint"),
    [
        ("1" * 32, 401, "Verification failed", "if that is a subaccount, sign with its own key)"),
        (
            None,
            400,
            f"Account not found: {KEY.address}",
            f"(if {KEY.address} is an agent wallet, write",
        ),
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


@pytest.mark.parametrize("error", ["Account not found: bob", f"Not enough margin: {KEY.address}"])
def test_another_refusal_says_nothing_of_the_key(error: str) -> None:
    script = ScriptedTransport(refusal(400, error))
    with (
        Client(HERE, signer=KEY, transport=script) as client,
        pytest.raises(BadRequestError) as caught,
    ):
        create(client)
    assert "agent wallet" not in str(caught.value)
