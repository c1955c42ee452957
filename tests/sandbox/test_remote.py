"""Remote control: the same as in Python, and a schema for those who write their own."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
import requests

from tests.doubles.server import Server, answer, answers, refused_port
from tests.sandbox.served import PATIENCE
from trading_sandbox import RemoteSandbox, Sandbox
from trading_sandbox.controls.declared import CONTROLS
from trading_sandbox.faults import FRAMES, KINDS
from trading_sdk import Client


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
    assert schema["controls"]["advance"]["arguments"]["properties"]["ms"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 366 * 24 * 3_600_000,
        "description": "How far, in ms.",
    }
    assert schema["faults"]["redirect"]["outcome"] == {"GET": "R", "POST": "U"}
    assert schema["faults"]["reset_next"]["needs"] == "reused connection"
    assert schema["faults"]["gzip_bomb"]["options"]["properties"]["size"]["default"] == 2**28


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("create_account", {"usdc": "5", "spot": None}),
    ("create_subaccount", {"main": "KEY"}),
    ("create_vault", {"creator": "KEY", "blacklist": ["BTC"]}),
    ("has_account", {"account": "KEY"}),
    ("account", {"account": "KEY"}),
    ("deposit", {"account": "KEY", "usdc": 5, "spot": {"SOL": "1"}}),
    ("add_history", {"account": "KEY", "symbol": "BTC", "round_trips": 1}),
    ("set_margin", {"account": "KEY", "symbol": "BTC", "leverage": 10}),
    ("market", {"symbol": "ETH"}),
    ("set_mark_price", {"symbol": "BTC", "price": "90000"}),
    ("advance", {"ms": 1}),
    ("set_rate_limit", {"credits": None}),
    ("snapshot", {}),
    ("digest", {}),
    ("faults.inject", {"operation": "orders.batch", "kind": "status", "status": 503}),
    ("faults.pending", {}),
    ("requests", {"limit": 5}),
    ("faults.clear", {}),
]


def test_arguments_and_results_are_as_the_schema_says(
    sandbox: Sandbox, client: Client, schema: Any
) -> None:
    list(client.orders.history())
    key = client.account_address
    for name, given in CALLS:
        arguments = {n: key if each == "KEY" else each for n, each in given.items()}
        jsonschema.validate(arguments, schema["controls"][name]["arguments"])
        answer = requests.post(f"{sandbox.url}/sandbox/v1/{name}", json=arguments, timeout=10)
        jsonschema.validate(answer.json()["result"], schema["controls"][name]["result"])


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("advance", {"ms": -1}),
        ("advance", {"ms": "1"}),
        ("advance", {}),
        ("advance", {"ms": 1, "s": 1}),
        ("set_maker", {"on": 1}),
        ("liquidate", {"account": "KEY", "cause": "bad luck"}),
        ("market", {"symbol": "DOGE"}),
        ("set_rate_limit", {"credits": 0.5}),
        ("requests", {"limit": 10_001}),
        ("faults.inject", {"operation": "*", "kind": "magic"}),
        ("faults.inject", {"operation": "*", "kind": "status", "status": 199}),
    ],
)
def test_what_the_schema_refuses_the_sandbox_refuses(
    sandbox: Sandbox, schema: Any, name: str, arguments: Any
) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(arguments, schema["controls"][name]["arguments"])
    answer = requests.post(f"{sandbox.url}/sandbox/v1/{name}", json=arguments, timeout=10)
    assert answer.status_code == 400
