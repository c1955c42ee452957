"""No text that a caller gives can become a header, another path or a second request.

Every text argument of every operation is tried, and what arrives is read off the socket as it came.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from operator import attrgetter
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.doubles.server import Server
from tests.doubles.signer import KEY
from tests.interface import METHODS, Operation
from tests.trees import everything
from trading_runtime.call.retry import Retry
from trading_sdk import Client, Paginator, RequestError, SigningError, TradingError

API_KEY = "Key1"
REFUSED = (RequestError, SigningError, TypeError)
HOSTILE = {
    "CR": "a\rb",
    "LF": "a\nb",
    "header": "a\r\nX-Evil: 1",
    "second request": "a\r\n\r\nGET /evil HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "climbing": "../../evil",
    "NUL": "a\0b",
    "space": "a HTTP/1.1",
    "query": "a&account=evil&cursor=evil",
    "backslash": "\\\\evil.example\\a",
    "JSON": 'a","account":"evil',
    "line separator": "a\u2028b",
    "a lone surrogate": "a\ud800",
}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def client(server: Server) -> Iterator[Client]:
    with Client(server.url, signer=KEY, api_key=API_KEY, retry=Retry(max_attempts=1)) as made:
        yield made


def variants(value: Any, text: str) -> Iterator[Any]:
    """The value with the text in place of one of its texts, for each of them."""
    if isinstance(value, str):
        yield text
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from ({**value, name: other} for other in variants(item, text))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            before, after = value[:index], value[index + 1 :]
            yield from ([*before, other, *after] for other in variants(item, text))


def arrived(server: Server, method: str, path: str, text: str) -> None:
    """Exactly one request, to this path, with these headers; the text is in its place, and whole."""
    (request,) = server.requests
    head, _, body = request.partition(b"\r\n\r\n")
    line, *headers = head.decode("ascii").split("\r\n")
    verb, target, version = line.split(" ")
    assert (verb, target.partition("?")[0], version) == (method, path, "HTTP/1.1")
    found = dict(header.split(": ", 1) for header in headers)
    names = {"Host", "User-Agent", "Accept-Encoding", "Accept", "PF-API-KEY"}
    names |= {"Content-Type", "Content-Length"} if method == "POST" else set()
    assert found.keys() == names and len(headers) == len(names)
    assert (found["Host"], found["PF-API-KEY"]) == (f"127.0.0.1:{server.port}", API_KEY)
    assert len(body) == int(found.get("Content-Length", 0))
    given = json.loads(body) if body else [v for _, v in parse_qsl(target.partition("?")[2])]
    assert text in everything(given)


def try_all(client: Client, server: Server, operation: Operation, text: str) -> None:
    """Put the text in place of each argument: it is sent, or refused before anything is sent."""
    for arguments in variants(operation.most, text):
        server.requests.clear()
        try:
            result = attrgetter(operation.name)(client)(**arguments)
            if isinstance(result, Paginator):
                list(result)
        except (TradingError, TypeError) as error:
            assert isinstance(error, REFUSED) == (server.requests == [])
        if server.requests:
            arrived(server, operation.verb, operation.path, text)


@pytest.mark.parametrize("name", sorted(METHODS.keys() - {"orders.batch"}))
def test_a_text_stays_where_it_was_put_or_is_refused(
    client: Client, server: Server, name: str
) -> None:
    for text in HOSTILE.values():
        try_all(client, server, METHODS[name], text)


# -- options --------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [*HOSTILE.values(), "", " a", "a ", "a\tb", "\x7f", "\x1b[0m"])
def test_an_api_key_is_one_header_or_refused(server: Server, text: str) -> None:
    server.requests.clear()
    try:
        made = Client(server.url, api_key=text)
    except RequestError as refusal:
        assert str(refusal) == "api_key must be printable ASCII without spaces around it"
        return
    with made, suppress(TradingError):
        made.account.settings(account=KEY.address)
    (request,) = server.requests
    assert request.count(b"\r\nPF-API-KEY: " + text.encode() + b"\r\n") == 1
    assert request.count(b"\r\n\r\n") == 1


PREFIXES = ["/v1", "/v1/", "/a/../b", "/../../x", "//evil.example", "/a;b=c", "/a:b"]
ODD = ['/"', "/<>", "/^", "/`", "/{a}", "/|"]


@pytest.mark.parametrize("prefix", [*PREFIXES, *ODD, *HOSTILE.values()])
def test_a_base_url_leads_to_the_host_it_names_or_is_refused(server: Server, prefix: str) -> None:
    server.requests.clear()
    try:
        made = Client(f"{server.url}/{prefix}", signer=KEY)
    except RequestError:
        assert prefix not in PREFIXES
        return
    with made, pytest.raises(TradingError):
        made.orders.cancel_stop(symbol="BTC", order_id=1)
    (request,) = server.requests
    line, host, *_ = request.decode("ascii").split("\r\n")
    verb, target, version = line.split(" ")
    assert (verb, version, host) == ("POST", "HTTP/1.1", f"Host: 127.0.0.1:{server.port}")
    assert target.startswith("/") and target.endswith("/api/v1/orders/stop/cancel")
    assert "/../" not in target
