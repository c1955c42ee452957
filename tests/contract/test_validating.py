"""Prism between client and service sees what either of them does against spec/openapi.yaml."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests.contract.relay import Answer, Message, Validator, serving
from trading_sandbox import Sandbox

pytestmark = pytest.mark.contract

SPEC = Path(__file__).parents[2] / "spec" / "openapi.yaml"
FUNDING = "/api/v1/funding_rate/history"


@pytest.fixture(scope="module")
def validator() -> Iterator[Validator]:
    made = Validator(SPEC)
    yield made
    made.close()


def get(url: str, **query: str) -> requests.Response:
    return requests.get(url + FUNDING, params=query, timeout=30)


def test_given_a_right_answer_to_a_right_request_then_it_passes(validator: Validator) -> None:
    with Sandbox() as sandbox:
        answer = get(validator.entrance(sandbox.url), symbol="BTC", limit="2")

    assert len(answer.json()["data"]) == 2
    assert "sl-violations" not in answer.headers
    assert validator.passed[-1] == ("GET", FUNDING, 200, [])


def test_given_a_wrong_request_then_the_violation_names_the_field(validator: Validator) -> None:
    with Sandbox() as sandbox:
        assert get(validator.entrance(sandbox.url), limit="2").status_code == 400

    (violation,) = validator.passed[-1].violations
    assert violation.startswith("request.query: ")
    assert "symbol" in violation


def test_given_a_wrong_answer_then_the_violation_names_the_field(validator: Validator) -> None:
    def answer(method: str, path: str, message: Message) -> Answer:
        body = json.dumps({"success": True, "data": [], "has_more": "no"}).encode()
        return Answer(200, Message({"content-type": "application/json"}, body))

    with serving(answer) as upstream:
        get(validator.entrance(upstream), symbol="BTC")

    (violation,) = validator.passed[-1].violations
    assert violation.startswith("response.body.has_more: ")


def test_given_an_undocumented_status_then_it_is_a_violation(validator: Validator) -> None:
    def answer(method: str, path: str, message: Message) -> Answer:
        return Answer(418, Message({"content-type": "application/json"}, b"{}"))

    with serving(answer) as upstream:
        assert get(validator.entrance(upstream), symbol="BTC").status_code == 418

    (violation,) = validator.passed[-1].violations
    assert "status code" in violation


def test_given_a_service_that_hangs_up_then_the_client_sees_that(validator: Validator) -> None:
    def answer(method: str, path: str, message: Message) -> Answer:
        raise ConnectionError

    with serving(answer) as upstream, pytest.raises(requests.ConnectionError):
        get(validator.entrance(upstream), symbol="BTC")
