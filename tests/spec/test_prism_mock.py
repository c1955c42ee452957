"""A stock mock server understands spec/openapi.yaml, and takes every sample of the interface table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from tests.codegen.specs import REAL
from tests.interface import API_KEY_HEADER, OPERATIONS, samples
from tests.interface.operation import Operation
from tests.spec.prism import prism_mock
from tests.spec.test_interface import request_of

pytestmark = pytest.mark.node
ENDPOINTS = [pytest.param(each, id=name) for name, each in OPERATIONS.items()]
ENVELOPE: dict[str, Any] = {
    "account": samples.OTHER,
    "signature": "5" * 88,
    "timestamp": samples.TIME,
    "expiry_window": 30_000,
}


@pytest.fixture(scope="module")
def mock_url() -> Iterator[str]:
    with prism_mock(REAL) as url:
        yield url


def sent(operation: Operation, sample: Any) -> Any:
    if operation.verb == "GET":
        names = {row.name for row in operation.query}
        return {**({"account": ENVELOPE["account"]} if "account" in names else {}), **sample}
    if operation.name == "orders.batch":
        actions = [{**each, "data": {**ENVELOPE, **each["data"]}} for each in sample["actions"]]
        return {"actions": actions}
    return {**ENVELOPE, **operation.apart(sample)[0]}


def answered(url: str, operation: Operation, given: Any) -> tuple[int, str]:
    """The status, and what Prism found wrong with the request or with the answer that it made up."""
    # Prism reads integers as doubles, and refuses those that a double does not hold.
    small = json.loads(json.dumps(given).replace(str(2**53 + 1), "7"))
    told = {"params" if operation.verb == "GET" else "json": small}
    where, key = url + operation.path, {API_KEY_HEADER: "abcdefgh_key"}
    answer = requests.request(operation.verb, where, headers=key, timeout=30, **told)
    is_problem = answer.headers.get("content-type") == "application/problem+json"
    return answer.status_code, answer.text if is_problem else answer.headers.get(
        "sl-violations", ""
    )


@pytest.mark.parametrize("operation", ENDPOINTS)
def test_each_sample_is_answered_and_one_without_a_required_field_is_not(
    mock_url: str, operation: Operation
) -> None:
    for sample in operation.samples.values():
        assert answered(mock_url, operation, sent(operation, sample)) == (200, "")
    given = sent(operation, operation.least)
    required = [row.name for row in (*request_of(operation), *operation.query) if row.required]
    for field in required:
        without = {name: value for name, value in given.items() if name != field}
        status, told = answered(mock_url, operation, without)
        assert status in {400, 422}
        assert f"'{field}'" in told
