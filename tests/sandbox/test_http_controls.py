"""The controls over HTTP: the same set and names as in Python, and nothing makes them fail."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from hypothesis import given, settings, strategies as st

from tests.sandbox.raw import CREATE
from trading_sandbox import Sandbox
from trading_sandbox.controls.declared import CONTROLS, Controls
from trading_sdk import Keypair

JSON = {"Content-Type": "application/json"}


def send(sandbox: Sandbox, name: str, body: str) -> requests.Response:
    url = f"{sandbox.url}/sandbox/v1/{name}"
    return requests.post(url, data=body, headers=JSON, timeout=10)


def post(sandbox: Sandbox, name: str, **arguments: Any) -> Any:
    answer = send(sandbox, name, json.dumps(arguments))
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


def test_every_control_is_offered_over_http(sandbox: Sandbox) -> None:
    methods = {
        name
        for name, _ in inspect.getmembers(Controls, inspect.isfunction)
        if not name.startswith("_")
    }
    assert {name for name in CONTROLS if "." not in name} - {"requests"} == methods
    listed = requests.get(f"{sandbox.url}/sandbox/v1/", timeout=10).json()
    assert set(listed) == set(CONTROLS)
    assert all(each["does"] for each in listed.values())
    assert listed["create_account"]["call"] == 'create_account(usdc="10000", spot=None)'


def test_a_program_in_any_language_reads_keys_money_and_the_log_as_json(sandbox: Sandbox) -> None:
    account = post(sandbox, "create_account", usdc="1000.50", spot={"SOL": "1"})
    assert Keypair.from_base58(account["private_key"]).address == account["address"]
    found = post(sandbox, "account", account=account["address"])
    assert (found["balance"], found["spot"], found["positions"]) == ("1000.5", {"SOL": "1"}, {})
    assert post(sandbox, "market", symbol="BTC") == {
        "mark_price": "100000",
        "last_price": None,
        "best_bid": None,
        "best_ask": None,
    }
    # Half a character in a request does not spoil the log.
    body = json.dumps({"account": "\ud800"})
    for _ in range(2):
        requests.post(sandbox.url + CREATE, data=body, headers=JSON, timeout=10)
    [entry] = post(sandbox, "requests", limit=1)
    assert (entry["operation"], entry["status"]) == ("orders.create", 400)
    assert entry["body"] == {"account": "\ud800"}
    assert [len(post(sandbox, "requests")), post(sandbox, "requests", limit=0)] == [2, []]


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("advance", {"ms": "1"}, "advance: ms: expected an integer"),
        ("advance", {}, "missing a required argument: 'ms'; it is advance(ms"),
        ("deposit", [], "must be a JSON object"),
        ("set_rate_limit", {"credits": "1" + "0" * 60}, "below 10^9"),
    ],
)
def test_a_mistake_over_http_is_explained(
    sandbox: Sandbox, name: str, body: Any, words: str
) -> None:
    answer = send(sandbox, name, json.dumps(body))
    assert answer.status_code == 400
    assert words in answer.json()["error"]


def test_an_unknown_control_is_not_found_and_a_known_one_called_by_post(sandbox: Sandbox) -> None:
    answer = send(sandbox, "rob", "{}")
    assert answer.status_code == 404
    assert answer.json() == {"error": "rob is no control; GET /sandbox/v1/ lists them all"}
    assert requests.get(f"{sandbox.url}/sandbox/v1/rob", timeout=10).json() == answer.json()
    answer = requests.get(f"{sandbox.url}/sandbox/v1/digest", timeout=10)
    assert answer.status_code == 405
    assert answer.json()["error"].startswith("digest is called by POST")


@pytest.mark.parametrize(
    "value", ["NaN", "1e999", "[" * 20 + "]" * 20, "[" * 5000 + "]" * 5000, '{"a":1,"a":2}']
)
def test_what_json_cannot_hold_is_refused_where_it_comes_in(sandbox: Sandbox, value: str) -> None:
    body = f'{{"operation":"*","kind":"wrong_shape","value":{value}}}'
    assert send(sandbox, "faults.inject", body).status_code == 400
    assert post(sandbox, "faults.pending") == []


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["\ud800", "BTC", "SOL", "-1", "1" + "0" * 60, "0." + "0" * 40 + "1", "NaN"])
    | st.sampled_from([0, 1, 10**18, 10**40, "filled", "settlement", "orders.create", "reset"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=5,
)
TAKEN = {name: [each.name for each in control.arguments] for name, control in CONTROLS.items()} | {
    # Neither far into the future, because each hour on the way costs time.
    "advance": ["ms", "s"],
    "freeze": ["at"],
    "faults.inject": ["operation", "kind", "times", "status", "body", "value", "field", "headers"],
}


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, Any]:
    name = draw(st.sampled_from(sorted(TAKEN)))
    arguments = {argument: draw(values) for argument in TAKEN[name] if draw(st.integers(0, 9))}
    return name, arguments


@pytest.fixture(scope="module")
def abused() -> Iterator[tuple[Sandbox, Keypair]]:
    with Sandbox(maker=False) as running:
        yield running, running.create_account()


@settings(max_examples=150)
@given(call=calls() | st.tuples(st.sampled_from(sorted(CONTROLS)), values), known=st.booleans())
def test_no_arguments_make_a_control_fail(abused: Any, call: Any, known: bool) -> None:
    sandbox, key = abused
    name, arguments = call
    if known and isinstance(arguments, dict):
        arguments.update({each: key.address for each in ("account", "main") if each in arguments})
    answer = send(sandbox, name, json.dumps(arguments))
    shapes = {200: [["result"]], 400: [["error"], ["error", "type"]]}
    assert list(answer.json()) in shapes[answer.status_code], (name, arguments)
