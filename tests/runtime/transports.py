"""Calls over a transport, and their failures."""

from __future__ import annotations

import traceback
from typing import Any

import pytest
import requests

from tests.doubles.server import answer
from trading_runtime.http.deadline import new_session
from trading_runtime.http.fault import TransportError
from trading_runtime.http.transport import HTTPTransport, Request, Response, Transport

CANARY = "canary-api-key-7f3a"
BODY = b'{"signature":"canary-signature"}'
EVIL = answer(b"evil, of the first call")


def session_with(ca_file: str | None = None, proxy: str | None = None) -> requests.Session:
    """A session of the client's kind, with CAs and a proxy."""
    session = new_session()
    if ca_file is not None:
        session.verify = ca_file
    if proxy is not None:
        session.proxies = {"http": proxy, "https": proxy}
    return session


def over(ca_file: str | None = None, proxy: str | None = None, **options: Any) -> HTTPTransport:
    """A transport over such a session. Who made it closes the session."""
    return HTTPTransport(session_with(ca_file, proxy), **options)


def call(transport: Transport, url: str, method: str = "POST", *, timeout: float = 5.0) -> Response:
    headers = {"PF-API-KEY": CANARY, "Content-Type": "application/json"}
    body = BODY if method == "POST" else None
    return transport.send(Request(method, url, headers, body), timeout=timeout)


def failure(
    transport: Transport, url: str, method: str = "POST", *, timeout: float = 5.0
) -> TransportError:
    with pytest.raises(TransportError) as caught:
        call(transport, url, method, timeout=timeout)
    return caught.value


def assert_clean(error: BaseException) -> None:
    """No secret and no foreign exception anywhere in what may be printed of an error."""
    assert error.__cause__ is None
    assert error.__context__ is None
    text = "".join(traceback.format_exception(error)) + repr(error) + str(vars(error))
    assert "canary" not in text
