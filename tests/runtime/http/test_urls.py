"""Base URLs: https anywhere, http on this machine alone, nothing that parsers read differently."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest

from trading_runtime.call.retry import Retry
from trading_runtime.errors import RequestError
from trading_runtime.http.urls import check_base_url
from trading_sdk import Client, Keypair, NotSentError

SIGNER = Keypair(b"\x01" * 32)


@pytest.mark.parametrize(
    ("given_", "used"),
    [
        ("https://api.example.com:8443/v1/x/", "https://api.example.com:8443/v1/x"),
        ("HTTPS://API.Example.com", "https://api.example.com"),
        ("https://xn--mnchen-3ya.example", "https://xn--mnchen-3ya.example"),
        ("http://localhost:8787/", "http://localhost:8787"),
        ("http://[::1]:8787/prefix", "http://[::1]:8787/prefix"),
    ],
)
def test_a_good_url_is_used_without_its_trailing_slash(given_: str, used: str) -> None:
    assert check_base_url(given_) == used


PLAIN = "plain http"
CHARACTERS = "not allowed"
HOST = "no valid host"
SCHEME = "the scheme must be https or http"
EXTRA = "a query or fragment"
PARSE = "cannot be parsed"
PORT = "no service has the port 0"
PATH = "the path has characters"


# tests/end_to_end/mistakes.txt has what newcomers give, tests/fuzz/test_urls.py all the rest.
BAD: list[tuple[Any, str]] = [
    ("http://localhost.evil", PLAIN),
    ("http://127.0.0.1.evil.example", PLAIN),
    ("http://127.1", PLAIN),
    ("http://127.0.0.1.", PLAIN),
    ("http://[::ffff:127.0.0.1]", PLAIN),
    ("http://evil.example\\@localhost", CHARACTERS),
    ("https://api.example.com/%2e%2e/x", CHARACTERS),
    ("https://me:hunter2@api.example.com", CHARACTERS),
    (" https://api.example.com", CHARACTERS),
    ("http://localhost\u3002evil.example", CHARACTERS),
    ("http://localhost\r\nX-Evil: 1", CHARACTERS),
    ("https:api.example.com", HOST),
    ("https://.example.com", HOST),
    ("http://localhost,evil.example", HOST),
    ("https://api.example.com:0", PORT),
    ("https://api.example.com/[", PATH),
    ("https://api.example.com#", EXTRA),
    ("ftp://api.example.com", SCHEME),
    ("https://api.example.com:99999", PARSE),
    ("https://[::1", PARSE),
    ("http://[localhost]", PARSE),
    (b"https://api.example.com", "a bytes is not text"),
]


@pytest.mark.parametrize(("text", "says"), BAD)
def test_a_bad_url_is_refused_with_what_would_be_right(text: Any, says: str) -> None:
    ways: list[Callable[[], object]] = [lambda: check_base_url(text)]
    ways.append(lambda: Client(text, signer=SIGNER))
    if isinstance(text, str) and text:
        ways.append(lambda: Client.from_env({"TRADING_BASE_URL": text}))
    for way in ways:
        with pytest.raises(RequestError, match=r"^base URL: ") as caught:
            way()
        assert says in str(caught.value)
        assert "give https://HOST, or http://localhost" in str(caught.value)
        assert "hunter2" not in str(caught.value)
        assert caught.value.__context__ is None


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("https://api.example.com:8443/v1/x/", "api.example.com"),
        ("https://api.example.com:443/a:b//c", "api.example.com"),
        ("https://[2001:db8::1]:443", "2001:db8::1"),
        ("http://LOCALHOST:1", "localhost"),
        ("http://[::1]:1/http://evil.example", "::1"),
    ],
)
def test_the_host_that_was_checked_is_the_one_that_is_looked_up(
    text: str, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[object] = []

    def unknown(name: object, *_: object, **__: object) -> None:
        looked_up.append(name)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with Client(text, signer=SIGNER, retry=Retry(max_attempts=1)) as client:
        for call in (client.account.settings, client.subaccounts.list):
            with pytest.raises(NotSentError, match="not known"):
                call()
    assert looked_up == [host, host]
