"""A stock mock server understands spec/openapi.yaml, and enforces what the interface table says of requests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from tests.codegen.specs import REAL
from tests.interface import API_KEY_HEADER, OPERATIONS
from tests.interface.operation import Operation
from tests.spec.prism import prism_mock, violations
from tests.spec.test_interface import request_of
from tests.spec.test_stock_generators import ENDPOINTS, sent

pytestmark = pytest.mark.node

SAMPLES = [
    pytest.param(each, sample, id=f"{each.name}-{name}")
    for each in ENDPOINTS
    for name, sample in each.samples.items()
]
REQUIRED = [
    pytest.param(each, row.name, id=f"{each.name}-{row.name}")
    for each in ENDPOINTS
    for row in (*request_of(each), *each.query)
    if row.required
]


@pytest.fixture(scope="module")
def mock_url() -> Iterator[str]:
    with prism_mock(REAL) as url:
        yield url


def answered(url: str, operation: Operation, given: Any, **headers: str) -> requests.Response:
    # Prism reads integers as doubles, and refuses those that a double does not hold.
    small = json.loads(json.dumps(given).replace(str(2**53 + 1), "7"))
    given = {"params" if operation.verb == "GET" else "json": small}
    return requests.request(
        operation.verb, url + operation.path, headers=headers, timeout=30, **given
    )


def wrong(answer: requests.Response) -> str:
    """What Prism found wrong with the request, or with the answer that it made up from the file."""
    is_problem = answer.headers.get("content-type") == "application/problem+json"
    return answer.text if is_problem else "".join(violations(answer.headers))


def some(name: str) -> dict[str, Any]:
    """The first sample of an operation, as it is sent."""
    operation = OPERATIONS[name]
    return dict(sent(operation, next(iter(operation.samples.values()))))


@pytest.mark.parametrize(("operation", "sample"), SAMPLES)
def test_each_sample_is_answered(mock_url: str, operation: Operation, sample: Any) -> None:
    answer = answered(mock_url, operation, sent(operation, sample))

    assert (wrong(answer), answer.status_code) == ("", 200)


@pytest.mark.parametrize(("operation", "field"), REQUIRED)
def test_a_request_without_a_required_field_is_refused(
    mock_url: str, operation: Operation, field: str
) -> None:
    given = some(operation.name)
    del given[field]
    answer = answered(mock_url, operation, given)

    assert answer.status_code in {400, 422}
    assert f"'{field}'" in wrong(answer)


def test_an_api_key_is_taken(mock_url: str) -> None:
    headers = {API_KEY_HEADER: "abcdefgh_key"}
    answer = answered(mock_url, OPERATIONS["orders.create"], some("orders.create"), **headers)

    assert (wrong(answer), answer.status_code) == ("", 200)


ACTIONS = some("orders.batch")["actions"]
BOTH_IDS = {"order_id": 1, "client_order_id": "5f2b8c1e-6d0a-4c3b-9e57-0a1b2c3d4e5f"}


@pytest.mark.parametrize(
    ("name", "more", "because"),
    [
        ("orders.batch", {"actions": ACTIONS[:1] * 11}, "more than 10 items"),
        ("orders.edit", BOTH_IDS, "oneOf"),
    ],
)
def test_what_the_table_forbids_is_refused(
    mock_url: str, name: str, more: dict[str, Any], because: str
) -> None:
    answer = answered(mock_url, OPERATIONS[name], {**some(name), **more})

    assert answer.status_code in {400, 422}
    assert because in wrong(answer)
