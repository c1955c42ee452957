"""The controls over HTTP and from another process: the same set and names as in Python, and their schema."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
import requests
from hypothesis import given, settings, strategies as st

from tests.doubles.server import Server, answer, answers, refused_port
from tests.sandbox.raw import CREATE
from tests.sandbox.served import PATIENCE
from trading_sandbox import RemoteSandbox, Sandbox
from trading_sandbox.controls.declared import CONTROLS, Controls
from trading_sandbox.faults import FRAMES, KINDS
from trading_sdk import Client, Keypair

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


# -- from another process -------------------------------------------------------------------------


@pytest.fixture
def remote(sandbox: Sandbox) -> RemoteSandbox:
    return RemoteSandbox(sandbox.url)


def test_faults_are_injected_and_shown_as_in_python(
    sandbox: Sandbox, remote: RemoteSandbox
) -> None:
    remote.faults.inject("orders.create", "status", 2, status=429, headers={"Retry-After": "1"})
    remote.faults.inject("*", "second_answer", body=b"twice", seconds=0.5)
    remote.faults.inject("*", "wrong_shape", value=None, executed=False)
    assert remote.faults.pending() == sandbox.faults.pending()
    assert [fault.kind for fault in remote.faults.pending()] == [
        *("status", "second_answer", "wrong_shape")
    ]
    remote.faults.clear()
    assert sandbox.faults.pending() == []


@pytest.mark.parametrize(
    "url", ["127.0.0.1:8787", "https://127.0.0.1:1", "http://", "http://127.0.0.1:1/sandbox/v1"]
)
def test_a_url_that_is_none_of_a_sandbox_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="url must be like"):
        RemoteSandbox(url)
    with pytest.raises(ValueError, match="holds a user name") as refused:
        RemoteSandbox("http://me:canary@127.0.0.1:8787")
    assert "canary" not in str(refused.value)


def test_a_sandbox_says_where_it_is(sandbox: Sandbox, remote: RemoteSandbox) -> None:
    assert repr(sandbox) == f"<Sandbox with seed 7, {sandbox.url}>"
    assert repr(Sandbox(seed=3)) == "<Sandbox with seed 3, not running>"
    assert repr(remote) == f"RemoteSandbox({sandbox.url!r})"


def test_without_a_sandbox_there_is_a_runtime_error() -> None:
    url = refused_port()
    with pytest.raises(RuntimeError, match=f"no sandbox answers at {url}"):
        RemoteSandbox(url).digest()


@pytest.mark.parametrize(
    ("body", "words"),
    [(b"hello", "no sandbox answers"), (b"[]", "is no sandbox"), (b'{"error": "x"}', "x")],
)
def test_another_server_is_told_from_a_sandbox(body: bytes, words: str) -> None:
    with (
        Server(answers(answer(body, status="418 Teapot"))) as other,
        pytest.raises(RuntimeError, match=words),
    ):
        RemoteSandbox(other.url, PATIENCE).digest()


# -- the schema ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def schema(shared: Sandbox) -> Any:
    return requests.get(f"{shared.url}/sandbox/v1/schema", timeout=10).json()


def test_the_schema_has_every_control_and_every_fault(schema: Any) -> None:
    assert (list(schema["controls"]), list(schema["faults"])) == (list(CONTROLS), [*KINDS, *FRAMES])
    validator = jsonschema.Draft202012Validator
    for control in schema["controls"].values():
        validator.check_schema(control["arguments"])
        validator.check_schema(control["result"])
    for name, fault in schema["faults"].items():
        validator.check_schema(fault["options"])
        assert set(fault["outcome"].values()) <= schema["outcomes"].keys(), name
    assert schema["faults"]["redirect"]["outcome"] == {"GET": "R", "POST": "U"}
    assert schema["faults"]["reset_next"]["needs"] == "reused connection"
    assert schema["faults"]["gzip_bomb"]["options"]["properties"]["size"]["default"] == 2**28


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("create_account", {"usdc": "5", "spot": None}),
    ("create_subaccount", {"main": "KEY"}),
    ("create_vault", {"creator": "KEY", "blacklist": ["BTC"]}),
    ("account", {"account": "KEY"}),
    ("deposit", {"account": "KEY", "usdc": 5, "spot": {"SOL": "1"}}),
    ("set_margin", {"account": "KEY", "symbol": "BTC", "leverage": 10}),
    ("market", {"symbol": "ETH"}),
    ("advance", {"ms": 1}),
    ("set_rate_limit", {"credits": None}),
    ("snapshot", {}),
    ("faults.inject", {"operation": "orders.batch", "kind": "status", "status": 503}),
    ("faults.pending", {}),
    ("requests", {"limit": 5}),
]


def test_arguments_and_results_are_as_the_schema_says(
    sandbox: Sandbox, client: Client, schema: Any
) -> None:
    list(client.orders.history())
    key = client.account_address
    for name, sent in CALLS:
        arguments = {n: key if each == "KEY" else each for n, each in sent.items()}
        jsonschema.validate(arguments, schema["controls"][name]["arguments"])
        answer = requests.post(f"{sandbox.url}/sandbox/v1/{name}", json=arguments, timeout=10)
        jsonschema.validate(answer.json()["result"], schema["controls"][name]["result"])
