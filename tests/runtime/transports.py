"""What the tests of the transport have in common: calls, failures, and peers that fail."""

from __future__ import annotations

import socket
import traceback

import pytest

from tests.runtime.sockets import Peer, answer
from trading_runtime.http.fault import TransportError
from trading_runtime.http.transport import Request, Response, Transport

CANARY = "canary-api-key-7f3a"
BODY = b'{"signature":"canary-signature"}'
EVIL = answer(b"evil, of the first call")


def call(transport: Transport, url: str, method: str = "POST", *, timeout: float = 5.0) -> Response:
    headers = {"PF-API-KEY": CANARY, "Content-Type": "application/json"}
    body = BODY if method == "POST" else None
    return transport.send(Request(method, url, headers, body), timeout=timeout)


def failure(transport: Transport, url: str, *, timeout: float = 5.0) -> TransportError:
    with pytest.raises(TransportError) as caught:
        call(transport, url, timeout=timeout)
    return caught.value


def assert_clean(error: BaseException) -> None:
    """No secret and no foreign exception anywhere in what may be printed of an error."""
    assert error.__cause__ is None
    assert error.__context__ is None
    text = "".join(traceback.format_exception(error)) + repr(error) + str(vars(error))
    assert "canary" not in text


def refused_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


def reset_before_reading(peer: Peer) -> None:
    peer.wait_for_bytes()
    peer.reset()


def never_answers(peer: Peer) -> None:
    peer.server.leave.wait(5)


def reset_after_reading(peer: Peer) -> None:
    peer.read_request()
    peer.reset()


def close_after_reading(peer: Peer) -> None:
    peer.read_request()


def silent(peer: Peer) -> None:
    peer.read_request()
    peer.server.leave.wait(5)
