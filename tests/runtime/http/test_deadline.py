"""One deadline bounds a whole exchange, wherever on its way the other side takes its time."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading

import pytest
import requests

from tests.doubles.clock import VirtualTime
from tests.doubles.server import (
    Peer,
    Play,
    Server,
    answer,
    answers,
    never_reads,
    refused_port,
    secured,
    silent,
    tunnel,
)
from tests.pulse import on_time
from tests.runtime.transports import over
from trading_runtime.http.deadline import Remaining, SentOnce, new_session
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import HTTPTransport, Request

TIMEOUT = 0.3
"""Seconds of an exchange in which the other side has nothing to do in time."""
LONGER = 1.5
"""The same where it has to begin an answer, to take a request or to shake hands."""
HEAD = b"HTTP/1.1 200 OK\r\n"


def in_time(
    transport: HTTPTransport, url: str, *, timeout: float = TIMEOUT, body: bytes | None = None
) -> TransportError:
    """The failure of an exchange, which must not last longer than it may."""
    request = Request("GET" if body is None else "POST", url, {}, body)
    with on_time(timeout), pytest.raises(TransportError) as caught:
        transport.send(request, timeout=timeout)
    return caught.value


# The deadline itself


def test_what_is_left_goes_down_to_nothing() -> None:
    with VirtualTime().ruling() as time:
        remaining = SentOnce(10).clone().read_timeout
        assert isinstance(remaining, Remaining)
        time.advance(4_000)
        assert remaining.left() == 6
        time.advance(6_000)
        with pytest.raises(TimeoutError, match="the deadline has passed"):
            remaining.left()


def test_other_requests_of_a_session_with_the_adapter_are_bounded_as_ever() -> None:
    with Server(answers(answer(b"1"), answer(b"2")), silent) as server, new_session() as session:
        assert session.get(server.url, timeout=5).content == b"1"
        assert session.post(server.url, data=iter([b"a", b"b"])).content == b"2"
        with pytest.raises(requests.ReadTimeout):
            session.get(server.url, timeout=0.05, headers={"Connection": "close"})
    baked = answers(answer(b"1", "Set-Cookie: a=b"))
    with Server(baked) as server, new_session() as session:
        assert session.get(server.url, timeout=5).cookies.get_dict() == {"a": "b"}
        assert session.cookies.get_dict() == {}
    with new_session() as session, pytest.raises(requests.ConnectionError, match="refused"):
        session.get(refused_port(), timeout=5)


# An answer that does not come, or not to its end


def greeting(then: Play) -> Play:
    """Answer a first request, so that the connection stands, and go on with the second."""

    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(answer(b"welcome"))
        then(peer)

    return play


def get(transport: HTTPTransport, url: str, *, timeout: float = 5.0) -> bytes:
    return transport.send(Request("GET", url, {}, None), timeout=timeout).body


def drip(start: bytes, piece: bytes, pause: float = 0.05) -> Play:
    """Send the start, and then a piece every now and then, for ever."""

    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(start)
        while not peer.server.leave.wait(pause):
            peer.send(piece)

    return play


CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
BEFORE_THE_BODY = {
    "no answer": silent,
    "a dripping status": drip(b"", b"H"),
    "dripping headers": drip(HEAD, b"x"),
    "endless interim answers": drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}
WITHIN_THE_BODY = {
    "a body that stops": drip(HEAD + b"Content-Length: 9\r\n\r\n{", b"", 5),
    "a dripping body without a length": drip(HEAD + b"\r\n", b"x"),
    "endless chunks": drip(CHUNKED, b"1\r\nx\r\n"),
    "a dripping extension of a chunk": drip(CHUNKED + b"1;", b"x"),
    "endless trailers": drip(CHUNKED + b"1\r\nx\r\n0\r\n", b"X: y\r\n"),
}


@pytest.mark.parametrize("name", [*BEFORE_THE_BODY, *WITHIN_THE_BODY])
def test_an_answer_that_does_not_begin_or_end_in_time_may_have_been_sent(
    transport: HTTPTransport, name: str
) -> None:
    begins = name in WITHIN_THE_BODY
    play = WITHIN_THE_BODY[name] if begins else BEFORE_THE_BODY[name]
    with Server(greeting(play), answers(answer(b"mine"))) as server:
        assert get(transport, server.url) == b"welcome"
        error = in_time(transport, server.url, timeout=LONGER if begins else TIMEOUT)
        assert (error.fault, error.status) == (Fault.MAYBE_SENT, 200 if begins else None)
        assert begins or "TimeoutError" in error.reason
        assert get(transport, server.url) == b"mine"
        assert server.connections == 2


def test_a_refusal_whose_body_drips_is_a_refusal_in_time(transport: HTTPTransport) -> None:
    start = b"HTTP/1.1 400 Bad\r\nContent-Length: 999999\r\n\r\nno"
    with Server(greeting(drip(start, b"!"))) as server:
        assert get(transport, server.url) == b"welcome"
        with on_time(LONGER):
            response = transport.send(Request("GET", server.url, {}, None), timeout=LONGER)
    assert response.status == 400
    assert response.body.rstrip(b"!") == b"no"


# A request that is not taken


@pytest.mark.parametrize("then", [never_reads, lambda peer: sips(peer)], ids=["deaf", "sips"])
def test_a_peer_that_reads_too_slowly_may_have_got_it(transport: HTTPTransport, then: Play) -> None:
    with Server(greeting(then)) as server:
        assert get(transport, server.url) == b"welcome"
        error = in_time(transport, server.url, body=bytes(32 * 1024 * 1024))
    assert error.fault is Fault.MAYBE_SENT


def sips(peer: Peer) -> None:
    while not peer.server.leave.wait(0.02):
        peer.stream.recv(1024)


@pytest.mark.parametrize(
    "then", [never_reads, sips, silent, drip(HEAD, b"x"), drip(CHUNKED, b"1\r\nx\r\n")]
)
def test_tls_is_bounded(context: ssl.SSLContext, trusting: HTTPTransport, then: Play) -> None:
    with Server(secured(context, greeting(then))) as server:
        assert get(trusting, server.https) == b"welcome"
        body = bytes(16 * 1024 * 1024) if then in (never_reads, sips) else b""
        assert in_time(trusting, server.https, body=body).fault is Fault.MAYBE_SENT


# A connection that is not made


def test_a_handshake_that_takes_its_time_leaves_less_for_a_request_that_is_not_taken(
    context: ssl.SSLContext, trusting: HTTPTransport
) -> None:
    def slow(peer: Peer) -> None:
        peer.server.leave.wait(0.35)
        secured(context, never_reads)(peer)

    with Server(slow) as server:
        in_time(trusting, server.https, timeout=0.5, body=bytes(16 * 1024 * 1024))


@pytest.mark.parametrize(
    "play", [silent, drip(b"", b"H"), drip(HEAD, b"X: y\r\n")], ids=["silent", "drips", "endless"]
)
def test_a_proxy_whose_tunnel_hangs_was_not_sent(play: Play) -> None:
    with Server(play) as proxy, contextlib.closing(over(proxy=proxy.url)) as transport:
        assert in_time(transport, "https://127.0.0.1:1").fault is Fault.NOT_SENT


@pytest.mark.parametrize("start", [b"", HEAD], ids=["handshake", "answer"])
def test_tls_within_the_tls_of_a_proxy_ends_with_the_deadline(
    context: ssl.SSLContext, ca_file: str, start: bytes
) -> None:
    def dripping_record(peer: Peer) -> None:
        if start:
            peer.start_tls(context)
            peer.read_request()
        # The header of a record that is longer than what follows, on the connection itself.
        peer.raw.sendall(b"\x17\x03\x03\x20\x00")
        while not peer.server.leave.wait(0.05):
            peer.raw.sendall(b"\x00")

    with Server(dripping_record) as server, Server(secured(context, tunnel(server.port))) as proxy:
        transport = over(ca_file, proxy.https)
        with contextlib.closing(transport):
            error = in_time(transport, server.https, timeout=LONGER)
    assert error.fault is (Fault.MAYBE_SENT if start else Fault.NOT_SENT)


def test_a_hanging_look_up_sends_nothing(
    transport: HTTPTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    leave = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: leave.wait(5))
    try:
        error = in_time(transport, "http://slow.example")
    finally:
        leave.set()
    assert error.fault is Fault.NOT_SENT
    assert "slow.example was not found in time" in error.reason


# A host that is not found, or does not answer


def found(monkeypatch: pytest.MonkeyPatch, *targets: tuple[str, int]) -> str:
    """A URL whose host is found at these addresses."""
    family, kind, protocol = socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP
    addresses = [(family, kind, protocol, "", target) for target in targets]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: addresses)
    return "http://many.example"


def test_nothing_is_sent_nowhere(transport: HTTPTransport, monkeypatch: pytest.MonkeyPatch) -> None:
    error = in_time(transport, found(monkeypatch))
    assert error.fault is Fault.NOT_SENT
    assert "many.example has no address" in error.reason


@pytest.mark.parametrize("host", ["a..example", "x" * 64 + ".example"])
def test_a_host_of_no_form_in_the_dns_was_not_sent(transport: HTTPTransport, host: str) -> None:
    assert in_time(transport, f"http://{host}", timeout=2).fault is Fault.NOT_SENT
