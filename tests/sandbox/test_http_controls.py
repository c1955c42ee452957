"""The controls over HTTP: the same set and names as in Python, and nothing makes them fail."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest
import requests
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sandbox.raw import CREATE
from trading_sandbox import Sandbox
from trading_sandbox.controls.definition import Control
from trading_sandbox.controls.exchange import CONTROLS, Controls
from trading_sandbox.controls.local import LocalControls
from trading_sdk import Client, Keypair
from trading_sdk.operations import API

HOUR = 3_600_000


def post(sandbox: Sandbox, name: str, **arguments: Any) -> Any:
    answer = requests.post(f"{sandbox.url}/sandbox/v1/{name}", json=arguments, timeout=10)
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
    assert listed["advance"]["call"] == "advance(ms)"
    assert listed["create_account"]["call"] == 'create_account(usdc="10000", spot=None)'


@pytest.mark.parametrize("control", CONTROLS.values(), ids=lambda control: control.name)
def test_a_control_is_defined_completely(control: Control) -> None:
    assert control.text.endswith((".", ")."))
    assert all(each.text.endswith((".", "`.")) for each in control.arguments)
    local: Any = LocalControls(seed=1, api=API)
    for part in control.name.split("."):
        local = getattr(local, part)
    # Carried out with exactly the arguments that are declared.
    inspect.signature(local).bind(**dict.fromkeys(each.name for each in control.arguments))


def test_a_whole_session_without_python(sandbox: Sandbox) -> None:
    account = post(sandbox, "create_account", usdc="1000", spot={"SOL": "1"})
    assert Keypair.from_base58(account["private_key"]).address == account["address"]
    sub = post(sandbox, "create_subaccount", main=account["address"])
    assert set(sub) == {"address", "private_key"}
    vault = post(sandbox, "create_vault", creator=account["address"], managed=False)
    assert isinstance(vault, str)
    post(sandbox, "set_mark_price", symbol="BTC", price="90000")
    snapshot = post(sandbox, "snapshot")
    post(sandbox, "advance", ms=HOUR)
    post(sandbox, "restore", snapshot=snapshot)
    post(sandbox, "faults.inject", operation="orders.history", kind="delay_answer", seconds=0.01)
    assert len(post(sandbox, "faults.pending")) == 1
    post(sandbox, "faults.clear")
    assert post(sandbox, "faults.pending") == []


def test_money_and_prices_are_read_as_decimal_strings(sandbox: Sandbox) -> None:
    account = post(sandbox, "create_account", usdc="1000.50", spot={"SOL": "1"})

    found = post(sandbox, "account", account=account["address"])

    assert (found["balance"], found["spot"], found["positions"]) == ("1000.5", {"SOL": "1"}, {})
    assert post(sandbox, "market", symbol="BTC") == {
        "mark_price": "100000",
        "last_price": None,
        "best_bid": None,
        "best_ask": None,
    }


def test_the_log_can_be_read_over_http(sandbox: Sandbox, client: Client) -> None:
    client.account.set_auto_lend_disabled(disabled=True)
    list(client.orders.history())
    [latest] = post(sandbox, "requests", limit=1)
    assert (latest["operation"], latest["status"]) == ("orders.history", 200)
    first, _ = post(sandbox, "requests")
    assert first["canonical"][0].startswith('{"data":')
    assert post(sandbox, "requests", limit=0) == []


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("advance", {"ms": "1"}, "advance: ms: expected an integer"),
        ("advance", {}, r"missing a required argument: 'ms'; it is advance\(ms"),
        ("advance", {"ms": 1, "s": 1}, "unexpected keyword argument 's'"),
        ("deposit", {"account": "nobody", "usdc": "1"}, "Account not found"),
        ("deposit", [], "must be a JSON object"),
        ("set_rate_limit", {"credits": "1" + "0" * 60}, "below 10.9"),
        ("faults.inject", {"operation": ["a"], "kind": "reset"}, "operation: must be a string"),
        ("faults.inject", {"operation": "orders.create", "kind": "magic"}, "no fault .magic."),
        ("requests", {"limit": -1}, "limit"),
    ],
)
def test_a_mistake_over_http_is_explained(
    sandbox: Sandbox, name: str, body: Any, words: str
) -> None:
    answer = requests.post(f"{sandbox.url}/sandbox/v1/{name}", json=body, timeout=10)
    assert answer.status_code == 400
    with pytest.raises(ValueError, match=words):
        raise ValueError(answer.json()["error"])


def test_an_unknown_control_is_not_found(sandbox: Sandbox) -> None:
    answer = requests.post(f"{sandbox.url}/sandbox/v1/rob", json={}, timeout=10)
    assert answer.status_code == 404
    assert answer.json() == {"error": "rob is no control; GET /sandbox/v1/ lists them all"}


def test_a_control_is_called_by_post(sandbox: Sandbox) -> None:
    answer = requests.get(f"{sandbox.url}/sandbox/v1/digest", timeout=10)
    assert answer.status_code == 405
    assert answer.json()["error"].startswith("digest is called by POST")


def test_a_page_of_another_site_cannot_control_it(sandbox: Sandbox) -> None:
    # What a browser sends without asking first: a form, or text. And a name that is not ours.
    url = f"{sandbox.url}/sandbox/v1/reset"
    as_text = requests.post(url, data="{}", headers={"Content-Type": "text/plain"}, timeout=10)
    elsewhere = requests.post(url, json={}, headers={"Host": "evil.example"}, timeout=10)
    assert (as_text.status_code, elsewhere.status_code) == (400, 400)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:3000", ""])
@pytest.mark.parametrize("route", ["", "requests", "faults.inject", "reset", "rob", "schema"])
def test_a_page_of_another_site_is_refused_on_every_route(
    sandbox: Sandbox, route: str, origin: str
) -> None:
    url = f"{sandbox.url}/sandbox/v1/{route}"
    for method in ("GET", "POST", "OPTIONS", "HEAD"):
        refused = requests.request(method, url, json={}, headers={"Origin": origin}, timeout=10)
        assert refused.status_code == 403, method
    own = requests.post(url, json={}, headers={"Origin": sandbox.url}, timeout=10)
    assert own.status_code != 403


JSON = st.recursive(
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
    values = {argument: draw(JSON) for argument in TAKEN[name] if draw(st.integers(0, 9))}
    return name, values


@pytest.fixture(scope="module")
def abused() -> Any:
    with Sandbox(maker=False) as running:
        yield running, running.create_account()


@settings(max_examples=150, deadline=None, derandomize=True)
@given(call=calls() | st.tuples(st.sampled_from(sorted(CONTROLS)), JSON), known=st.booleans())
def test_no_arguments_make_a_control_fail(abused: Any, call: Any, known: bool) -> None:
    sandbox, key = abused
    name, arguments = call
    if known and isinstance(arguments, dict):
        arguments.update({each: key.address for each in ("account", "main") if each in arguments})
    body = json.dumps(arguments)
    headers = {"Content-Type": "application/json"}
    url = f"{sandbox.url}/sandbox/v1/{name}"
    answer = requests.post(url, data=body, headers=headers, timeout=10)
    assert answer.status_code in (200, 400), (name, body)
    found = list(answer.json())
    assert (
        found == ["result"]
        if answer.status_code == 200
        else found in (["error"], ["error", "type"])
    )


def test_half_a_character_in_a_request_does_not_spoil_the_log(sandbox: Sandbox) -> None:
    body = json.dumps({"account": "\ud800"})
    headers = {"Content-Type": "application/json"}
    requests.post(sandbox.url + CREATE, data=body, headers=headers, timeout=10)
    [entry] = post(sandbox, "requests")
    assert entry["body"] == {"account": "\ud800"}


@pytest.mark.parametrize(
    "value", ["NaN", "1e999", "[" * 20 + "]" * 20, "[" * 5000 + "]" * 5000, '{"a":1,"a":2}']
)
def test_what_json_cannot_hold_is_refused_where_it_comes_in(sandbox: Sandbox, value: str) -> None:
    body = f'{{"operation":"*","kind":"wrong_shape","value":{value}}}'
    headers = {"Content-Type": "application/json"}
    url = f"{sandbox.url}/sandbox/v1/faults.inject"
    answer = requests.post(url, data=body, headers=headers, timeout=10)
    assert answer.status_code == 400
    assert post(sandbox, "faults.pending") == []
