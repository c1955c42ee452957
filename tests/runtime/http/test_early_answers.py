"""An answer that comes before the service had the whole request is not the answer to it."""

from __future__ import annotations

import socket
import ssl
import sys

import pytest

from tests.doubles.server import Peer, Play, Server, answer, answers, secured
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Request, RequestsTransport, Response

LARGE = bytes(400_000)
"""More than the other side takes before it reads, and less than a send buffer."""

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")


def early(reply: bytes) -> Play:
    """Answer as soon as something has come, and read no more of it."""

    def play(peer: Peer) -> None:
        peer.raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        peer.wait_for_bytes()
        peer.send(reply)
        peer.server.leave.wait(5)

    return play


def sent(url: str, transport: RequestsTransport, body: bytes = LARGE) -> Response:
    return transport.send(Request("POST", f"{url}/orders", {}, body), timeout=5)


@pytest.mark.parametrize("status", ["200 OK", "201 Made", "204 Nothing"])
def test_a_result_that_comes_too_early_is_none(transport: RequestsTransport, status: str) -> None:
    with Server(early(answer(status=status)), answers(answer(b"mine"))) as server:
        with pytest.raises(TransportError) as caught:
            sent(server.url, transport)
        assert sent(server.url, transport).body == b"mine"

    assert caught.value.fault is Fault.MAYBE_SENT
    assert caught.value.reason == (
        "no answer came: EarlyAnswerError: an answer came before the service had the whole request"
    )
    # What that connection brings next may be anybody's.
    assert server.connections == 2


def test_a_result_that_comes_too_early_is_none_over_tls(
    context: ssl.SSLContext, trusting: RequestsTransport
) -> None:
    plays = early(answer()), answers(answer(b"mine"))
    with Server(*(secured(context, play) for play in plays)) as server:
        with pytest.raises(TransportError, match="EarlyAnswerError"):
            sent(server.https, trusting)
        assert sent(server.https, trusting).body == b"mine"


def test_a_refusal_may_come_early(transport: RequestsTransport) -> None:
    with Server(early(answer(status="413 Too Large"))) as server:
        assert sent(server.url, transport).status == 413


def test_an_answer_to_the_whole_of_a_large_request_is_taken(transport: RequestsTransport) -> None:
    with Server(answers(*(answer(b"%d" % number) for number in range(50)))) as server:
        for number in range(50):
            assert sent(server.url, transport).body == b"%d" % number
    assert server.connections == 1


@pytest.mark.parametrize(("name", "value"), [("termios.TIOCOUTQ", 0), ("sys.platform", "darwin")])
def test_where_nobody_can_tell_an_early_answer_is_taken(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch, name: str, value: object
) -> None:
    monkeypatch.setattr(name, value)
    with Server(early(answer(b"whose?"))) as server:
        assert sent(server.url, transport).body == b"whose?"
