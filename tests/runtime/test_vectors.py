"""Every conformance case of spec/vectors, run against the runtime; its README says what counts."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from uuid import UUID

import attrs
import pytest

from conformance.cases import Case, all_cases
from conformance.checks.signing import special
from tests.runtime.reading import decode
from trading_runtime.batch import batch_body, checked_actions
from trading_runtime.codec.decoder import structure
from trading_runtime.codec.requests import unstructure
from trading_runtime.errors import ApiError, DecodeError, RequestError, SigningError, TradingError
from trading_runtime.http.transport import Response
from trading_runtime.operation import Action, BatchOperation, ListOperation
from trading_runtime.signing.keys import Keypair
from trading_runtime.signing.request import SignedRequest, sign_request
from trading_sdk.operations import API, ORDERS_BATCH

# What else there is runs in the conformance kit, against a program of the SDK.
CASES = [case for case in all_cases() if case.name.startswith(("signing/", "batch/", "decode/"))]
RUN: list[str] = []
"""The names of the cases that some test below runs."""


def each(kind: str, key: str) -> pytest.MarkDecorator:
    """Run a test once for each case of a kind that has this key."""
    found = [case for case in CASES if case.kind == kind and getattr(case, key) is not None]
    names = [case.name for case in found]
    RUN.extend(names)
    return pytest.mark.parametrize("case", found, ids=names)


class Counting:
    """A signer that counts what it signs."""

    def __init__(self, private_key: str) -> None:
        self._keypair = Keypair.from_base58(private_key)
        self.address = self._keypair.address
        self.signed = 0

    def sign(self, message: bytes) -> bytes:
        self.signed += 1
        return self._keypair.sign(message)


def sign(given: Mapping[str, Any], signer: Counting) -> SignedRequest:
    names = ("data", "signing_type", "account", "timestamp", "expiry_window")
    return sign_request(signer=signer, **{name: given[name] for name in names})


@each("signing", "expect")
def test_a_message_is_signed_and_sent_as_every_other_implementation_does(case: Case) -> None:
    given, expected = special(case.given), case.expect

    signed = sign(given, Counting(given["private_key"]))

    assert signed.address == expected["address"]
    assert signed.canonical == expected["canonical"]
    assert signed.signature == expected["signature"]
    assert json.dumps(signed.body, sort_keys=True) == json.dumps(expected["body"], sort_keys=True)


@each("signing-refused", "refused")
def test_what_must_not_be_signed_is_refused_before_it_is_signed(case: Case) -> None:
    given = special(case.given)

    if "data" not in given:
        with pytest.raises(SigningError) as caught:
            Keypair.from_base58(given["private_key"])
        assert given["private_key"] == "" or given["private_key"] not in str(caught.value)
        return

    signer = Counting(given["private_key"])
    with pytest.raises(SigningError) as caught:
        sign(given, signer)
    assert signer.signed == 0
    assert case.refused is not None and case.refused["path"] in str(caught.value)


def batch_request(given: Mapping[str, Any], signer: Counting) -> dict[str, Any]:
    """The body of a batch, built as the client does: models, actions, signatures, wrapping."""
    kinds = {action.type: action for action in API.actions.values()}
    models = [
        structure(action["data"], kinds[action["type"]].params) for action in given["actions"]
    ]
    pairs = checked_actions(ORDERS_BATCH.name, ORDERS_BATCH.batch, models)
    bodies = [_signed(action, model, given, signer) for action, model in pairs]
    return batch_body(ORDERS_BATCH.batch, [action for action, _ in pairs], bodies)


def _signed(
    action: Action, model: object, given: Mapping[str, Any], signer: Counting
) -> dict[str, Any]:
    fields = {"data": unstructure(model), "signing_type": action.signing_type}
    return sign({**given, **fields}, signer).body


@each("batch", "expect")
def test_a_batch_signs_each_action_and_keeps_their_order(case: Case) -> None:
    given = special(case.given)

    body = batch_request(given, Counting(given["private_key"]))

    assert body == case.expect["body"]


@each("batch", "refused")
def test_a_refused_batch_is_refused_before_anything_is_signed(case: Case) -> None:
    given = special(case.given)
    signer = Counting(given["private_key"])

    with pytest.raises(ValueError) as caught:
        batch_request(given, signer)

    assert signer.signed == 0
    if case.refused is not None and case.refused["reason"] in ("too-many-actions", "no-actions"):
        assert isinstance(caught.value, RequestError)


def body_of(given: Mapping[str, Any]) -> bytes:
    if "body" in given:
        return bytes(given["body"].encode())
    return base64.b64decode(given["body_base64"])


def decoded(given: Mapping[str, Any]) -> Any:
    operation = API.operations[given["operation"]]
    response = Response(given["status"], {}, body_of(given))
    if isinstance(operation, ListOperation):
        return decode(operation, response)
    if isinstance(operation, BatchOperation):
        return decode(operation, response)
    return decode(operation, response)


def check(actual: Any, expected: Any) -> None:
    """Compare a typed value with the one of a case, as the README of the vectors says."""
    if isinstance(expected, dict):
        check_object(actual, expected)
    elif isinstance(expected, list):
        assert isinstance(actual, Sequence) and len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            check(one, other)
    elif isinstance(actual, Decimal):
        assert actual == Decimal(expected)
    elif isinstance(actual, UUID):
        assert str(actual) == expected
    else:
        assert actual == expected
        assert isinstance(actual, type(expected))


def check_object(actual: Any, expected: Mapping[str, Any]) -> None:
    fields = [field.name for field in attrs.fields(type(actual))]
    assert expected.keys() <= set(fields)
    for name in fields:
        if name in expected:
            check(getattr(actual, name), expected[name])
        else:
            assert getattr(actual, name) in (None, ())


@each("decode", "expect")
def test_an_answer_means_what_the_case_says(case: Case) -> None:
    given, expected = special(case.given), case.expect
    if "value" in expected:
        check(decoded(given), expected["value"])
        return

    with pytest.raises(TradingError) as caught:
        decoded(given)

    error = caught.value
    assert isinstance(error, ApiError if expected["error"] == "api" else DecodeError)
    assert error.body == body_of(given)
    assert error.operation == given["operation"]
    if isinstance(error, ApiError):
        assert (error.status, error.code) == (expected["status"], expected["code"])
        if "reason" in expected:
            assert error.reason == expected["reason"]
        assert error.error == (
            given["body"] if expected["message"] is None else expected["message"]
        )


def test_every_case_is_run() -> None:
    assert sorted(RUN) == sorted(case.name for case in CASES)
    assert len(CASES) > 100
