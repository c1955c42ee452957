"""What a failure means: how far the call came, and whether it may be repeated (fault matrix)."""

from __future__ import annotations

import pickle
import traceback
from typing import Any

import pytest

from tests.doubles.orders import api_error
from trading_runtime.call.draft import Prepared
from trading_runtime.call.failures import error_of, is_duplicate
from trading_runtime.call.retry import FailedAttempt, Raise, Retry, decide
from trading_runtime.codec.requests import client_id
from trading_runtime.errors import (
    ApiError,
    BadRequestError,
    ConflictError,
    DecodeError,
    InternalServerError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    RateLimitError,
    TradingError,
    UnprocessableEntityError,
)
from trading_runtime.http.fault import Failure, Fault, TransportError, fault_of
from trading_runtime.http.transport import Request
from trading_runtime.intent import Intent, Message
from trading_runtime.operation import Operation, RetryClass
from trading_sdk import Client

CANARY = "canary-secret"
READ: Operation[Any] = Operation(name="things.list", method="GET", path="/things", retry="safe")


def post(word: RetryClass) -> Operation[Any]:
    return Operation(name="things.make", method="POST", path="/things", retry=word)


MAKE = post("never")
SAFE = post("safe")
INTENT = Intent(
    id="call-1",
    operation="things.make",
    base_url="https://x",
    account="me",
    timestamp=1748970123456,
    expiry_window=30_000,
    messages=(
        Message(name="things.make", client_id="id-1", fields={}),
        Message(name="things.cut", client_id=None, fields={}),
    ),
)
PREPARED = Prepared(
    request=Request("POST", "https://x/things", {"Key": CANARY}, CANARY.encode()), intent=INTENT
)

NOT_SENT = TransportError(Fault.NOT_SENT, "cannot connect: refused")
NOT_TRUSTED = TransportError(Fault.NOT_TRUSTED, "cannot connect: certificate verify failed")
LOST = TransportError(Fault.MAYBE_SENT, "no answer came: reset")
STOPPED = TransportError(Fault.MAYBE_SENT, "the body stopped coming", 200)
CUT = TransportError(Fault.UNREADABLE, "the body was cut: EOF", 200)
TOO_LONG = TransportError(Fault.UNUSABLE, "the body is longer than 9 bytes", 200)
UNUSABLE = DecodeError("things.make", "not JSON", b"<html>", 200)


def refused(status: int, code: int | str = 7) -> ApiError:
    return api_error("things.make", status, code, "no", b'{"error":"no"}')


def judge(operation: Operation[Any], failure: Failure, *, attempt: int = 1) -> TradingError:
    """The error of a failure that nothing follows."""
    failed = FailedAttempt(
        fault=fault_of(failure),
        retry_class=operation.retry,
        number=attempt,
        time_left=9,
        quota_left=9,
    )
    decision = decide(failed, Retry(max_attempts=1), 0.5)
    assert isinstance(decision, Raise)
    return error_of(operation, None if operation.retry == "safe" else INTENT, failure, decision)


@pytest.mark.parametrize(
    ("failure", "if_repeatable", "otherwise"),
    [
        (NOT_SENT, NotSentError, NotSentError),
        (NOT_TRUSTED, NotSentError, NotSentError),
        (LOST, NoResponseError, OutcomeUnknownError),
        (STOPPED, NoResponseError, OutcomeUnknownError),
        (CUT, DecodeError, OutcomeUnknownError),
        (UNUSABLE, DecodeError, OutcomeUnknownError),
        (refused(200), BadRequestError, BadRequestError),
        *(
            (refused(200, code), BadRequestError, OutcomeUnknownError)
            for code in (408, 460, 499, 500, 504, 599, 600, 999, 100, 202, 302, -1, "E504", "504 ")
        ),
        *(
            (refused(200, code), BadRequestError, BadRequestError)
            for code in (0, 5, 400, 429, 501, 5040, "0400", 10**30)
        ),
        (refused(422, 504), UnprocessableEntityError, UnprocessableEntityError),
        (refused(302), ApiError, OutcomeUnknownError),
        (refused(400), BadRequestError, BadRequestError),
        (refused(408), ApiError, OutcomeUnknownError),
        (refused(409), ConflictError, ConflictError),
        (refused(429), RateLimitError, RateLimitError),
        (refused(500), InternalServerError, OutcomeUnknownError),
        (refused(501), InternalServerError, InternalServerError),
        (refused(503), InternalServerError, OutcomeUnknownError),
    ],
    ids=str,
)
@pytest.mark.parametrize(
    ("operation", "repeatable"),
    [(READ, True), (SAFE, True)]
    + [(post(word), False) for word in ("never", "by-key", "idempotent")],
    ids=lambda value: getattr(value, "retry", value),
)
def test_the_failure_and_the_operation_decide_the_error(
    operation: Operation[Any],
    repeatable: bool,
    failure: Failure,
    if_repeatable: type[TradingError],
    otherwise: type[TradingError],
) -> None:
    error = judge(operation, failure)
    assert type(error) is (if_repeatable if repeatable else otherwise)


@pytest.mark.parametrize("word", ["never", "by-key", "idempotent"])
def test_a_duplicate_of_a_second_attempt_was_accepted_by_the_first(word: RetryClass) -> None:
    duplicate = refused(409)
    error = judge(post(word), duplicate, attempt=2)
    assert isinstance(error, OutcomeUnknownError)
    assert error.__cause__ is duplicate
    assert error.status == 409


def test_a_duplicate_of_a_read_is_a_refusal_at_any_attempt() -> None:
    assert type(judge(READ, refused(409), attempt=2)) is ConflictError


def test_a_refusal_within_a_success_is_a_refusal() -> None:
    assert fault_of(refused(200)) is Fault.REFUSED


def unknown(failure: Failure) -> OutcomeUnknownError:
    error = judge(MAKE, failure)
    assert isinstance(error, OutcomeUnknownError)
    return error


def test_an_unknown_outcome_carries_what_is_needed_to_find_out() -> None:
    error = unknown(LOST)
    assert error.intent is INTENT
    assert error.operation == "things.make"
    assert error.client_ids == ("id-1", None)
    assert (error.timestamp, error.expiry_window) == (1748970123456, 30_000)
    assert (error.status, error.body, error.__cause__) == (None, None, None)
    assert error.reason == "no answer came: reset"


@pytest.mark.parametrize("failure", [refused(500), refused(307)])
def test_an_unknown_outcome_after_an_answer_is_caused_by_it(failure: ApiError) -> None:
    error = unknown(failure)
    assert error.__cause__ is failure
    assert (error.status, error.body) == (failure.status, b'{"error":"no"}')
    assert error.reason == f"{failure.status} (code 7): no"


def test_an_unknown_outcome_after_an_unusable_answer_keeps_its_body() -> None:
    error = unknown(UNUSABLE)
    assert error.__cause__ is UNUSABLE
    assert error.body == b"<html>"
    assert error.reason == "not JSON"


def test_an_unknown_outcome_after_a_cut_answer_keeps_its_status() -> None:
    error = unknown(CUT)
    assert (error.status, error.body, error.__cause__) == (200, b"", None)
    assert error.reason == "the body was cut: EOF"


@pytest.mark.parametrize("operation", [READ, MAKE])
@pytest.mark.parametrize("failure", [NOT_SENT, LOST])
def test_a_call_without_an_answer_says_operation_and_reason(
    operation: Operation[Any], failure: TransportError
) -> None:
    error = judge(operation, failure)
    assert operation.name in str(error)
    assert failure.reason in str(error)


@pytest.mark.parametrize(("failure", "is_json"), [(CUT, False), (TOO_LONG, True)], ids=str)
def test_an_answer_to_a_read_that_is_cut_or_too_long_cannot_be_used(
    failure: TransportError, is_json: bool
) -> None:
    error = judge(READ, failure)
    assert isinstance(error, DecodeError)
    assert (error.operation, error.reason, error.body) == ("things.list", failure.reason, b"")
    assert (error.status, error.is_json) == (200, is_json)


@pytest.mark.parametrize("operation", [READ, MAKE])
@pytest.mark.parametrize("failure", [NOT_SENT, LOST, CUT, UNUSABLE, refused(400), refused(500)])
def test_no_error_holds_the_request(operation: Operation[Any], failure: Failure) -> None:
    error = judge(operation, failure)
    shown = "".join(traceback.format_exception(error)) + repr(vars(error))
    assert CANARY not in shown
    assert CANARY.encode() not in pickle.dumps(error)
    assert CANARY not in repr(PREPARED)


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
        (refused(409), True),
        (refused(400), False),
        (OutcomeUnknownError(INTENT, "409", status=409, body=b""), True),
        (OutcomeUnknownError(INTENT, "500", status=500, body=b""), False),
        (OutcomeUnknownError(INTENT, "no answer"), False),
    ],
    ids=str,
)
def test_a_duplicate_is_told_by_its_status(
    error: ApiError | OutcomeUnknownError, duplicate: bool
) -> None:
    assert is_duplicate(error) is duplicate


@pytest.mark.parametrize("wrong", ["x", 5, [], None, NotSentError("things.make", "refused")])
def test_an_error_that_does_not_know_what_was_sent_cannot_be_reconciled(wrong: Any) -> None:
    with Client("http://127.0.0.1:9", journal=None) as client:
        for settle in (client.reconcile, client.acknowledge):
            with pytest.raises(TypeError) as caught:
                settle(wrong)
            says = "error must be an OutcomeUnknownError or an ApiError, not a "
            assert str(caught.value) == says + type(wrong).__name__
