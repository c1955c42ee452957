"""Hostile bodies and hosts: refused before anything is looked at."""

from __future__ import annotations

import json
import socket
from urllib.parse import urlsplit

import pytest
import requests

from tests.sandbox.raw import BATCH, CREATE, EDIT, RawClient, limit_order
from trading_sandbox import Sandbox


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "must be a JSON object"),
        (b"null", "must be a JSON object"),
        (b'{"price": 1.5}', "price: 1.5 is not allowed"),
        (b'{"a": [{"b": 1e400}]}', "a[0].b: 1e400 is not allowed"),
        (b'{"a": NaN}', "a: NaN is not allowed"),
        (b'{"a": -Infinity}', "a: -Infinity is not allowed"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a: 9999"),
        (b'{"b": 0, "a": 1, "a": 2}', "'a' occurs twice"),
        (b'{"a":' * 100_00 + b"1" + b"}" * 100_00, "nested too deep"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"a":' * 20 + b"1" + b"}" * 20, "nested too deep"),
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
