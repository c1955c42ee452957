"""The errors: what they say, what they carry, and that they survive a trip between processes."""

from __future__ import annotations

import copy
import json
import pickle
from decimal import Decimal

import pytest
from attrs import evolve

from tests.doubles.orders import api_error
from trading_runtime.errors import (
    ApiError,
    BatchError,
    DecodeError,
    JournalError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    PaginationError,
    RequestError,
    SigningError,
    TradingError,
)
from trading_runtime.intent import Intent, Message, as_fields
from trading_runtime.rate_limit import RateBudget

INTENT = Intent(
    id="call-1",
    operation="orders.batch",
    base_url="https://exchange.example",
    account="me",
    timestamp=5,
    expiry_window=30,
    messages=(
        Message(name="orders.create", client_id="one", fields={"price": "1", "tpsl": {"a": None}}),
        Message(name="orders.cancel", client_id=None, fields={}),
        Message(name="orders.create", client_id="two", fields={}),
    ),
)


def annotated() -> ApiError:
    """A refusal with all that its answer and the client's clock can tell."""
    error = api_error("orders.create", 429, None, "slow down", b"{}")
    error.intent = INTENT
    error.rate_budget = RateBudget(remaining=Decimal("0.1"), resets_in=3, quota=None, window=None)
    error.retry_after = 3.0
    error.clock_hint = "the message had expired"
    return error


EVERY: list[TradingError] = [
    RequestError("price must be text"),
    SigningError("no key"),
    PaginationError("twice"),
    BatchError("orders.batch", {1: "Insufficient balance"}, 3),
    NotSentError("orders.create", "cannot connect"),
    NoResponseError("orders.history", "timed out"),
    JournalError("the disk is full"),
    OutcomeUnknownError(INTENT, "timed out", status=502, body=b"<html>"),
    DecodeError("orders.create", "not JSON", b"<html>"),
    api_error("orders.create", 400, 5, "Insufficient balance", b"{}"),
    annotated(),
]


@pytest.mark.parametrize("error", EVERY, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling_and_copying(error: TradingError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is type(error)
        assert str(again) == str(error)
        assert vars(again) == vars(error)
        assert again == error
        assert hash(again) == hash(error)
    assert error not in (str(error), NotSentError("a", "b"))


@pytest.mark.parametrize(
    ("code", "words", "body", "text"),
    [
        (5, "Insufficient balance", b"{}", "orders.create: 400 (code 5): Insufficient balance"),
        ("E7\n", "No", b"{}", "orders.create: 400 (code E7): No"),
        (None, "", b"<h1>\r\n Bad\xff </h1>", "orders.create: 400: <h1> Bad\ufffd </h1>"),
        (None, "red \x1b[31m\x00", b"", "orders.create: 400: red ?[31m?"),
    ],
)
def test_an_api_error_says_operation_status_code_and_the_words_of_the_service(
    code: int | str | None, words: str, body: bytes, text: str
) -> None:
    assert str(api_error("orders.create", 400, code, words, body)) == text


def test_an_unknown_outcome_names_what_to_look_for() -> None:
    error = OutcomeUnknownError(INTENT, "timed out")
    assert str(error) == (
        "orders.batch: it may have been executed (timed out)."
        " Call client.reconcile(error) before you send it again."
        " Its client id: one, two."
        " The service can accept it until 35 ms."
    )
    assert error.client_ids == ("one", None, "two")
    assert (error.operation, error.timestamp, error.expiry_window) == ("orders.batch", 5, 30)
    nameless = Message(name="a.b", client_id=None, fields={})
    error = OutcomeUnknownError(evolve(INTENT, messages=(nameless,)), "timed out")
    assert " It carries no client id. The service" in str(error)


def test_an_unknown_outcome_travels_as_text_without_the_body_of_the_answer() -> None:
    intent = evolve(INTENT, skew=-7)
    error = OutcomeUnknownError(intent, "timed out", status=502, body=b"canary")
    text = error.to_json()
    assert "canary" not in text
    again = OutcomeUnknownError.from_json(text)
    assert again == OutcomeUnknownError(intent, "timed out", status=502)
    assert again.intent == intent
    assert str(again) == str(error)


def replaced(**fields: object) -> str:
    error = json.loads(OutcomeUnknownError(INTENT, "timed out").to_json())
    return json.dumps({**error, **fields})


def other(**fields: object) -> str:
    """The text of an error whose intent has other fields; None takes a field away."""
    intent = {**as_fields(INTENT), **fields}
    return replaced(intent={name: each for name, each in intent.items() if each is not None})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "Expecting"),
        ("[]", "expected an object with reason, status and intent"),
        ("[" * 100_000, "recursion"),
        (replaced(reason=5), "its reason or status is of the wrong type"),
        (replaced(status=True), "its reason or status is of the wrong type"),
        (replaced(intent=None), "intent"),
        (replaced(intent=[]), "intent"),
        (replaced(intent={"version": 1, "id": "x"}), "required field missing"),
        (other(account=None), "intent"),
        (other(id=4), "intent"),
        (other(timestamp=True), "intent"),
        (other(messages=[{}]), "intent"),
        (other(messages=[{"name": "a", "client_id": 5, "fields": {}}]), "intent"),
        (replaced(intent={"version": 2, "id": "x"}), "it is of version 2, not 1"),
        (other(messages=[]), "intent.messages is empty"),
    ],
)
def test_what_is_no_text_of_an_unknown_outcome_is_refused(text: str, words: str) -> None:
    with pytest.raises(RequestError, match="not the JSON of an OutcomeUnknownError") as caught:
        OutcomeUnknownError.from_json(text)
    assert words in str(caught.value)
