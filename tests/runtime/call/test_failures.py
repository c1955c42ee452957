"""What the error of a failed call holds: why, the answer, the message; never the request.

spec/vectors/outcome says which error it is, for each failure and retry class.
"""

from __future__ import annotations

import json
import pickle
import traceback
from typing import Any

import pytest

from tests.doubles.calls import Call, create, settings
from tests.doubles.orders import HERE, ID, api_error, message, unknown
from tests.doubles.signer import KEY
from tests.doubles.transport import LOST, NOT_SENT, ScriptedTransport, refusal, response
from trading_runtime.call.failures import is_duplicate
from trading_runtime.codec.requests import client_id
from trading_runtime.errors import (
    ApiError,
    BadRequestError,
    DecodeError,
    InternalServerError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    TradingError,
    UnprocessableEntityError,
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
    ("status", "error"), [(422, UnprocessableEntityError), (200, BadRequestError)]
)
@pytest.mark.parametrize("call", [create, settings])
def test_a_refusal_is_the_error_of_its_status_in_the_services_words(
    call: Call, status: int, error: type[ApiError]
) -> None:
    payload = {"success": False, "data": None, "error": "Insufficient balance", "code": 5}
    found = failed(call, response(status, payload))

    assert type(found) is error
    assert (found.status, found.code, found.error) == (status, 5, "Insufficient balance")
    assert json.loads(found.body) == payload
    name = "orders.create" if call is create else "account.settings"
    assert str(found) == f"{name}: {status} (code 5): Insufficient balance"


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


@pytest.mark.parametrize("call", [create, settings])
@pytest.mark.parametrize("answer", [NOT_SENT, LOST, CUT, HTML, refusal(400), FAILING])
def test_an_error_names_its_operation_and_holds_nothing_of_the_request(
    call: Any, answer: Any
) -> None:
    found = failed(call, answer)
    shown = "".join(traceback.format_exception(found)) + repr(vars(found))
    assert CANARY not in shown
    assert CANARY.encode() not in pickle.dumps(found)
    assert str(found).startswith("orders.create" if call is create else "account.settings")
    if isinstance(answer, TransportError):
        assert answer.reason in str(found)


@pytest.mark.parametrize("fault", [Fault.RATE_LIMITED, Fault.DUPLICATE, Fault.REFUSED])
def test_a_transport_that_reports_a_refusal_without_its_answer_leaves_a_change_unknown(
    fault: Fault,
) -> None:
    refused = TransportError(fault, "slow down")
    assert isinstance(failed(create, refused), OutcomeUnknownError)
    assert isinstance(failed(settings, refused), NoResponseError)


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
    ("error", "duplicate"),
    [
        (api_error("orders.create", 409, None, "no", b""), True),
        (api_error("orders.create", 400, None, "no", b""), False),
        (unknown(message(), status=409, body=b""), True),
        (unknown(message(), status=500, body=b""), False),
        (unknown(message()), False),
    ],
    ids=["refused-409", "refused-400", "unknown-409", "unknown-500", "unknown"],
)
def test_a_duplicate_is_told_by_its_status(
    error: ApiError | OutcomeUnknownError, duplicate: bool
) -> None:
    assert is_duplicate(error) is duplicate


@pytest.mark.parametrize("wrong", ["x", 5, [], None, NotSentError("things.make", "refused")])
def test_an_error_that_does_not_know_what_was_sent_cannot_be_reconciled(wrong: Any) -> None:
    with Client(HERE) as client:
        for settle in (client.reconcile, client.acknowledge):
            with pytest.raises(TypeError) as caught:
                settle(wrong)
            says = "error must be an OutcomeUnknownError or an ApiError, not a "
            assert str(caught.value) == says + type(wrong).__name__
