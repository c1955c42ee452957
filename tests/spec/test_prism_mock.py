"""A stock mock server understands spec/openapi.yaml and enforces what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import requests
import yaml

from tests.spec.prism import prism_mock

pytestmark = pytest.mark.node

SPEC = Path(__file__).parents[2] / "spec" / "openapi.yaml"
DOCUMENT: dict[str, Any] = yaml.safe_load(SPEC.read_text(encoding="utf-8"))
TEXTS = {"uuid": "5f2b8c1e-6d0a-4c3b-9e57-0a1b2c3d4e5f", "decimal": "1.5"}
PLAIN: dict[str, Any] = {"string": "text", "integer": 1, "boolean": False, "null": None}


class Call(NamedTuple):
    """One request of an operation; `required` names the fields that it cannot do without."""

    name: str
    method: str
    path: str
    query: dict[str, Any]
    body: dict[str, Any] | None
    required: tuple[str, ...]

    def without(self, field: str) -> Call:
        body = None if self.body is None else {k: v for k, v in self.body.items() if k != field}
        query = {k: v for k, v in self.query.items() if k != field}
        return self._replace(query=query, body=body)


def resolve(node: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        target: Any = DOCUMENT
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        node = target
    return node


def flatten(schema: dict[str, Any]) -> dict[str, Any]:
    """Merge what a schema composes, taking the first of alternatives."""
    schema = resolve(schema)
    parts = [*schema.get("allOf", ()), *schema.get("oneOf", ())[:1], *schema.get("anyOf", ())[:1]]
    for part in map(flatten, parts):
        properties: dict[str, Any] = part.get("properties", {}) | schema.get("properties", {})
        required: list[str] = part.get("required", []) + schema.get("required", [])
        schema = {**part, **schema, "properties": properties, "required": required}
    return schema


def smallest(schema: dict[str, Any]) -> Any:
    """Make the smallest value that a schema allows; a list holds one item of every kind."""
    schema = flatten(schema)
    for word in ("example", "const", "default"):
        if word in schema:
            return schema[word]
    if "enum" in schema:
        return schema["enum"][0]
    if schema.get("properties"):
        return {name: smallest(schema["properties"][name]) for name in schema.get("required", ())}
    if schema["type"] == "array":
        items = resolve(schema["items"])
        return [smallest(item) for item in items.get("oneOf", [items])]
    return TEXTS.get(schema.get("format", ""), PLAIN.get(schema["type"]))


def example_or_smallest(media: dict[str, Any]) -> Any:
    for example in media.get("examples", {}).values():
        return resolve(example)["value"]
    return media["example"] if "example" in media else smallest(media["schema"])


def call_of(method: str, path: str, operation: dict[str, Any]) -> Call:
    parameters = [resolve(parameter) for parameter in operation.get("parameters", ())]
    needed = [p for p in parameters if p["in"] == "query" and p.get("required")]
    query = {p["name"]: p.get("example", smallest(p["schema"])) for p in needed}
    if "requestBody" not in operation:
        return Call(operation["operationId"], method, path, query, None, tuple(query))
    media = resolve(operation["requestBody"])["content"]["application/json"]
    required = (*query, *flatten(media["schema"])["required"])
    body = example_or_smallest(media)
    return Call(operation["operationId"], method, path, query, body, required)


CALLS = {
    call.name: call
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
    if method in {"get", "post"}
    for call in [call_of(method, path, operation)]
}
REQUIRED = [
    pytest.param(call, field, id=f"{call.name}-{field}")
    for call in CALLS.values()
    for field in call.required
]


@pytest.fixture(scope="module")
def mock_url() -> Iterator[str]:
    with prism_mock(SPEC) as url:
        yield url


def send(base_url: str, call: Call, headers: dict[str, str] | None = None) -> requests.Response:
    return requests.request(
        call.method,
        base_url + call.path,
        params=call.query,
        json=call.body,
        headers=headers,
        timeout=30,
    )


def violations(answer: requests.Response) -> list[dict[str, Any]]:
    """What Prism found wrong with the request, or with the answer that it made up from the file."""
    found: list[dict[str, Any]]
    if answer.headers.get("content-type") == "application/problem+json":
        found = answer.json().get("validation", [answer.json()])
    else:
        found = json.loads(answer.headers.get("sl-violations", "[]"))
    return found


def assert_refused(answer: requests.Response, because: str) -> None:
    assert answer.status_code in {400, 422}
    assert because in str(violations(answer))


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_given_a_valid_request_then_the_mock_answers_success(mock_url: str, call: Call) -> None:
    answer = send(mock_url, call)
    assert violations(answer) == []
    assert answer.status_code == 200


@pytest.mark.parametrize(("call", "field"), REQUIRED)
def test_given_a_request_without_a_required_field_then_the_mock_refuses_it(
    mock_url: str, call: Call, field: str
) -> None:
    assert_refused(send(mock_url, call.without(field)), because=f"'{field}'")


def test_given_an_api_config_key_then_the_mock_answers_success(mock_url: str) -> None:
    answer = send(mock_url, CALLS["createOrder"], headers={"PF-API-KEY": "abcdefgh_key"})
    assert violations(answer) == []
    assert answer.status_code == 200


def test_given_eleven_actions_then_the_mock_refuses_the_batch(mock_url: str) -> None:
    batch = CALLS["batchOrders"]
    assert batch.body is not None
    eleven = {"actions": batch.body["actions"][:1] * 11}
    assert_refused(send(mock_url, batch._replace(body=eleven)), because="maxItems")


def test_given_both_ids_of_an_order_then_the_mock_refuses_the_edit(mock_url: str) -> None:
    edit = CALLS["editOrder"]
    both = {**(edit.body or {}), "order_id": 1, "client_order_id": TEXTS["uuid"]}
    assert_refused(send(mock_url, edit._replace(body=both)), because="oneOf")
