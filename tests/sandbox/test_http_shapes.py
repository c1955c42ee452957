"""Requests of the wrong shape, unknown places, forged signatures, hostile bodies: answered as documented."""

from __future__ import annotations

import json
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from tests.interface import OPERATIONS
from tests.sandbox.desk import ID
from tests.sandbox.raw import BATCH, CREATE, EDIT, RawClient, bare_refusal, limit_order
from trading_sandbox import Sandbox
from trading_sandbox.server import Server
from trading_sandbox.service import open_service
from trading_sandbox.web.app import make_app

NO_DECIMAL = (
    "price: must be a plain decimal string like '100.5': zero or more, without sign, exponent "
    "or leading zeros, at most 30 digits on each side of the point"
)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (limit_order(tif="FOK"), "tif"),
        *(
            (limit_order(price=price), NO_DECIMAL)
            for price in ("5e4", "-5", "1" * 60, "0." + "1" * 31, "007")
        ),
        (limit_order(reduce_only=0), "reduce_only"),
        (limit_order(symbol=""), "symbol"),
        (limit_order(client_order_id=ID.replace("-", "")), "client_order_id"),
        (limit_order(builder_code="a!"), "builder_code"),
        (limit_order(take_profit={"stop_price": "1e9"}), "take_profit.stop_price"),
        (limit_order(take_profit=[]), "take_profit"),
        # Null is refused where it has no meaning.
        (limit_order(client_order_id=None), "client_order_id: must not be null"),
        (limit_order(take_profit=None), "take_profit: must not be null"),
        (
            limit_order(stop_loss={"stop_price": "40000", "limit_price": None}),
            "stop_loss.limit_price: must not be null",
        ),
        # What the exchange refuses is told in its words.
        (
            limit_order(price="50000.5"),
            "Invalid price: 50000.5 is not a multiple of the tick size 1 of BTC",
        ),
    ],
)
def test_an_order_of_the_wrong_shape_is_refused_naming_the_field(
    raw: RawClient, order: dict[str, Any], words: str
) -> None:
    assert words in bare_refusal(raw.call("orders.create", **order))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("account", None),
        ("account", 7),
        ("signature", 7),
        ("timestamp", "1"),
        ("timestamp", True),
        ("timestamp", 2**63),
        ("expiry_window", 2**63),
        ("expiry_window", None),
        ("agent_wallet", 7),
    ],
)
def test_a_signed_field_of_the_wrong_type_or_that_is_missing_is_named(
    raw: RawClient, field: str, value: object
) -> None:
    body = raw.body("create_order", limit_order())
    words = bare_refusal(raw.post(CREATE, {**body, field: value}))
    assert words.startswith(f"{field}: must be ")
    if field in ("account", "signature", "timestamp"):
        del body[field]
        assert bare_refusal(raw.post(CREATE, body)) == f"{field}: required field missing"


def test_a_client_order_id_is_one_whatever_the_case_of_its_letters(raw: RawClient) -> None:
    assert raw.create(client_order_id=ID.upper()).status_code == 200
    assert "Duplicate client_order_id" in raw.create(client_order_id=ID).text


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/nothing", 404),
        ("GET", "/api/v1/positions", 404),
        ("GET", CREATE, 405),
    ],
)
def test_an_unknown_path_is_404_and_a_wrong_method_405(
    sandbox: Sandbox, method: str, path: str, status: int
) -> None:
    response = requests.request(method, sandbox.url + path, json={}, timeout=10)
    assert (response.status_code, response.json()["code"]) == (status, status)
    # A path of the live dialect is told with a hint.
    assert ("Sandbox(dialect='live')" in response.text) == (path == "/api/v1/positions")
    assert response.headers.get("allow") == (None if status == 404 else "POST")
    [entry] = sandbox.requests
    assert (entry.path, entry.status) == (path, status)
    assert status != 404 or entry.operation is None


def test_what_cannot_be_kept_is_500_and_logged_with_its_cause_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    service = open_service(None, seed=7, maker=False, taker_delay=0)
    server = Server(make_app(service), 0)
    server.start()
    try:
        service.close()
        assert bare_refusal(RawClient(server.url).create(), 500) == "Internal server error"
    finally:
        server.stop()
    assert [entry.status for entry in service.log.entries()] == [500]
    assert caplog.records


# -- batches -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (None, "actions: must be a list of 1 to 10 actions"),
        ([], "actions: must be a list of 1 to 10 actions"),
        ([7], "actions[0]: must be an object"),
        ([{"type": "create", "data": {}}], "actions[0].type: must be one of Create, "),
        ([{"type": ["Create"], "data": {}}], "actions[0].type: must be one of Create, "),
        ([{"type": "Create", "data": {}}], "actions[0]: account: required field missing"),
    ],
)
def test_a_batch_of_the_wrong_shape_is_refused(raw: RawClient, actions: Any, words: str) -> None:
    response = raw.post(BATCH, {"actions": actions})
    assert response.status_code == 400
    assert response.json()["error"].startswith(words)


def test_more_than_ten_actions_are_refused_and_none_runs(raw: RawClient) -> None:
    action = raw.action("Create", limit_order())
    assert raw.batch(*[action] * 11).status_code == 400
    assert raw.orders() == []
    assert raw.batch(*[action] * 10).status_code == 200


def test_an_action_of_the_wrong_shape_refuses_the_whole_batch_unless_it_is_to_fail_alone(
    user: RawClient, sandbox: Sandbox
) -> None:
    good = user.action("Create", limit_order())
    wrong = user.action("Create", limit_order(side="buy"))
    forged = user.action("Create", limit_order())
    forged["data"]["signature"] = "1" * 64
    refused = user.batch(good, wrong)
    assert refused.status_code == 400
    assert refused.json()["error"].startswith("actions[1]: ")
    assert "side" in refused.json()["error"]
    assert user.orders() == []

    sandbox.faults.inject("orders.batch", "malformed_alone", times=2)
    first, failed, last = user.batch(good, wrong, good).json()["data"]["results"]
    assert (first["success"], failed["success"], last["success"]) == (True, False, True)
    assert "side" in failed["error"]
    # All signatures must be valid all the same.
    assert user.batch(good, wrong, forged).status_code == 400
    assert user.batch(good, wrong).status_code == 400
    assert len(user.orders()) == 2


def test_a_refusal_of_the_list_of_subaccounts_has_no_code(raw: RawClient) -> None:
    """Section 4.12 documents none for it."""
    listed = OPERATIONS["subaccounts.list"]
    body = {**raw.body(str(listed.signing_type), {}), "signature": "1" * 64}
    response = raw.post(listed.path, body)
    assert (response.status_code, response.json()["code"]) == (401, None)


# -- hostile bodies and hosts ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "must be a JSON object"),
        (b'{"price": 1.5}', "price: 1.5 is not allowed"),
        (b'{"a": [{"b": 1e400}]}', "a[0].b: 1e400 is not allowed"),
        (b'{"a": NaN}', "a: NaN is not allowed"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a: 9999"),
        (b'{"b": 0, "a": 1, "a": 2}', "'a' occurs twice"),
        (b'{"a":' * 100_00 + b"1" + b"}" * 100_00, "nested too deep"),
        (json.dumps({**limit_order(), "account": "\ud800"}).encode(), "signature"),
    ],
)
def test_a_hostile_body_is_400_and_never_more(raw: RawClient, body: bytes, words: str) -> None:
    headers = {"content-type": "application/json"}
    for path in (CREATE, EDIT, BATCH):
        response = requests.post(raw.url + path, data=body, headers=headers, timeout=10)
        assert response.status_code == 400
        if path != BATCH or "signature" not in words:
            assert words in response.json()["error"]


def test_a_body_beyond_the_cap_or_of_no_json_is_refused(raw: RawClient) -> None:
    response = raw.post(CREATE, {"account": "x" * 300_000})
    assert (response.status_code, response.json()["code"]) == (413, 413)
    body = json.dumps(raw.body("create_order", limit_order()))
    response = requests.post(raw.url + CREATE, data=body, timeout=10)
    assert response.status_code == 400
    assert "Content-Type" in response.json()["error"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:99", "[::1]:8787", "LOCALHOST"])
def test_a_local_host_header_is_served(shared: Sandbox, host: str) -> None:
    url = f"{shared.url}/api/v1/funding_rate/history?symbol=BTC&limit=1"
    assert requests.get(url, headers={"host": host}, timeout=10).status_code == 200


def test_two_host_headers_are_refused(shared: Sandbox) -> None:
    port = urlsplit(shared.url).port
    with socket.create_connection(("127.0.0.1", port or 0), timeout=10) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 400")
