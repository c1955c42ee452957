"""The transport against real sockets: what it sends, what it hands back, how it fails."""

from __future__ import annotations

import contextlib
import gc
import gzip
import logging
import os
import re
import signal
import socket
import ssl
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.runtime.sockets import (
    Peer,
    Play,
    Server,
    answer,
    answers,
    cut,
    in_child,
    secured,
    tunnel,
)
from trading_runtime.errors import RequestError
from trading_runtime.retry import Fault
from trading_runtime.transport import (
    Request,
    RequestsTransport,
    Response,
    Transport,
    TransportFailure,
)

CANARY = "canary-api-key-7f3a"
BODY = b'{"signature":"canary-signature"}'


@pytest.fixture
def transport() -> Iterator[RequestsTransport]:
    transport = RequestsTransport()
    yield transport
    transport.close()


def call(transport: Transport, url: str, method: str = "POST", *, timeout: float = 5.0) -> Response:
    headers = {"PF-API-KEY": CANARY, "Content-Type": "application/json"}
    body = BODY if method == "POST" else None
    return transport.send(Request(method, url, headers, body), timeout=timeout)


def failure(transport: Transport, url: str, *, timeout: float = 5.0) -> TransportFailure:
    with pytest.raises(TransportFailure) as caught:
        call(transport, url, timeout=timeout)
    return caught.value


# What goes out and what comes back


def test_a_post_arrives_as_given_and_the_answer_comes_back(transport: RequestsTransport) -> None:
    with Server(answers(answer(b'{"order_id":1}', "X-One: 1", status="201 Made"))) as server:
        response = call(transport, f"{server.url}/api/v1/orders/create?a=b%20c")
    assert (response.status, response.body) == (201, b'{"order_id":1}')
    assert response.headers["x-ONE"] == "1"
    (request,) = server.requests
    assert request.startswith(b"POST /api/v1/orders/create?a=b%20c HTTP/1.1\r\n")
    assert b"PF-API-KEY: " + CANARY.encode() in request
    assert b"User-Agent: trading-service-sdk" in request
    assert request.endswith(BODY)


def test_a_get_carries_no_body(transport: RequestsTransport) -> None:
    with Server(answers(answer())) as server:
        assert call(transport, server.url, "GET").body == b"{}"
    assert server.requests[0].startswith(b"GET / HTTP/1.1\r\n")
    assert b"content-length" not in server.requests[0].lower()


def test_calls_of_one_thread_share_a_connection(transport: RequestsTransport) -> None:
    with Server(answers(answer(b"1"), answer(b"2"), answer(b"3"))) as server:
        bodies = [call(transport, server.url).body for _ in range(3)]
    assert bodies == [b"1", b"2", b"3"]
    assert server.connections == 1


@pytest.mark.parametrize("status", ["302 Found", "400 Bad", "408 Late", "500 Oops", "504 Late"])
def test_no_answer_but_a_2xx_leaves_a_connection_on_which_a_late_one_could_come(
    transport: RequestsTransport, status: str
) -> None:
    surplus = answer(b"late, of the first call")
    with Server(answers(answer(b"no", status=status), surplus), answers(answer(b"mine"))) as server:
        assert call(transport, server.url).body == b"no"
        assert call(transport, server.url).body == b"mine"
    assert server.connections == 2


def test_a_connection_that_was_closed_while_idle_is_replaced(transport: RequestsTransport) -> None:
    with Server(cut(answer(b"1")), answers(answer(b"2"))) as server:
        assert call(transport, server.url).body == b"1"
        assert server.closed.wait(2)
        assert call(transport, server.url).body == b"2"
    assert len(server.requests) == 2


@pytest.mark.parametrize("coding", ["gzip", "X-GZIP"])
def test_a_gzip_body_is_unpacked(transport: RequestsTransport, coding: str) -> None:
    packed = gzip.compress(b'{"a":1}')
    with Server(answers(answer(packed, f"Content-Encoding: {coding}"))) as server:
        assert call(transport, server.url).body == b'{"a":1}'
    assert b"Accept-Encoding: gzip\r\n" in server.requests[0]


def test_a_chunked_body_is_joined(transport: RequestsTransport) -> None:
    chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n1\r\n\n\r\n0\r\n\r\n"
    with Server(answers(chunks, answer(b"next"))) as server:
        assert call(transport, server.url).body == b"{}\n"
        assert call(transport, server.url).body == b"next"
    assert server.connections == 1


def test_an_empty_204_is_an_answer(transport: RequestsTransport) -> None:
    with Server(answers(b"HTTP/1.1 204 No Content\r\n\r\n")) as server:
        assert call(transport, server.url).body == b""


# What is never done


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_handed_back_and_not_followed(
    transport: RequestsTransport, status: int
) -> None:
    with Server(answers(answer())) as elsewhere:
        moved = answer(b"", f"Location: {elsewhere.url}/", status=f"{status} Moved")
        with Server(answers(moved)) as server:
            assert call(transport, server.url).status == status
        assert elsewhere.connections == 0


def test_a_redirect_to_a_hostile_target_is_still_only_an_answer(
    transport: RequestsTransport,
) -> None:
    with Server(answers(answer(b"", "Location: http://[", status="302 Found"))) as server:
        assert call(transport, server.url).status == 302


def test_cookies_are_not_sent_back(transport: RequestsTransport) -> None:
    with Server(answers(answer(b"", "Set-Cookie: a=b; Path=/"), answer())) as server:
        call(transport, server.url)
        call(transport, server.url)
    assert b"cookie" not in server.requests[1].lower()


def test_the_environment_is_ignored(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with Server(answers(answer())) as server:
        assert call(transport, server.url).status == 200
    assert b"authorization" not in server.requests[0].lower()


@pytest.mark.parametrize(
    "unwritable",
    [
        Request("GET", "http://127.0.0.1:1/", {"PF-API-KEY": f"{CANARY}\r\nX-Evil: 1"}, None),
        Request("GET", "http://[/", {}, None),
        Request("GET", "/no/host", {}, None),
        Request("GET", "http://%E2%82%AC:x@127.0.0.1:1/", {}, None),
    ],
)
def test_a_request_that_cannot_be_written_is_refused(
    transport: RequestsTransport, unwritable: Request
) -> None:
    with pytest.raises(RequestError) as caught:
        transport.send(unwritable, timeout=1)
    assert str(caught.value) == "the URL or a header has characters that cannot be sent"
    assert_clean(caught.value)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 1e10, 86_400.5])
def test_a_timeout_of_nothing_or_of_more_than_a_day_is_refused(
    transport: RequestsTransport, timeout: float
) -> None:
    with Server(answers(answer())) as server:
        with pytest.raises(RequestError, match="timeout"):
            call(transport, server.url, timeout=timeout)
        assert server.connections == 0


def test_a_timeout_of_a_day_is_possible(transport: RequestsTransport) -> None:
    with Server(answers(answer())) as server:
        assert call(transport, server.url, timeout=86_400).status == 200


# Failures before anything was sent


def refused_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_a_refused_connection_is_not_sent(transport: RequestsTransport) -> None:
    error = failure(transport, refused_port())
    assert error.fault is Fault.NOT_SENT
    assert (error.status, error.body) == (None, b"")
    assert "refused" in error.reason
    assert str(error) == error.reason


def test_an_unknown_host_is_not_sent(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    error = failure(transport, "http://nobody.invalid")
    assert error.fault is Fault.NOT_SENT
    assert "not known" in error.reason


def test_a_connect_timeout_is_not_sent(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(*_: object, **__: object) -> None:
        raise TimeoutError("timed out")

    monkeypatch.setattr(socket.socket, "connect", hang)
    error = failure(transport, "http://127.0.0.1:9")
    assert error.fault is Fault.NOT_SENT
    assert error.reason == "cannot connect: TimeoutError: timed out"


# Failures after something may have been sent


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


@pytest.mark.parametrize("play", [reset_before_reading, reset_after_reading, close_after_reading])
def test_a_connection_lost_before_the_answer_may_have_been_sent(
    transport: RequestsTransport, play: Play
) -> None:
    with Server(play) as server:
        error = failure(transport, server.url)
    assert error.fault is Fault.MAYBE_SENT
    assert re.match(r"no answer came: .*(reset|[Pp]ipe|closed connection)", error.reason)
    assert server.connections == 1


@pytest.mark.parametrize(
    "reply",
    [
        b"not http at all\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 70_000 + b"\r\n\r\n",
    ],
)
def test_an_answer_that_is_not_http_may_have_been_sent(
    transport: RequestsTransport, reply: bytes
) -> None:
    with Server(cut(reply)) as server:
        assert failure(transport, server.url).fault is Fault.MAYBE_SENT


def test_no_answer_in_time_may_have_been_sent(transport: RequestsTransport) -> None:
    with Server(silent) as server:
        started = time.monotonic()
        error = failure(transport, server.url, timeout=0.5)
        assert time.monotonic() - started < 1
    assert error.fault is Fault.MAYBE_SENT


def test_a_late_answer_does_not_answer_the_next_call(transport: RequestsTransport) -> None:
    def late(peer: Peer) -> None:
        peer.read_request()
        time.sleep(0.6)
        peer.send(answer(b"late"))

    with Server(late, answers(answer(b"mine"))) as server:
        failure(transport, server.url, timeout=0.5)
        assert server.closed.wait(2)
        assert call(transport, server.url).body == b"mine"


def test_an_interim_answer_does_not_hand_its_real_one_to_the_next_call(
    transport: RequestsTransport,
) -> None:
    def hints(peer: Peer) -> None:
        peer.read_request()
        peer.send(b"HTTP/1.1 103 Early Hints\r\n\r\n")
        peer.server.leave.wait(0.1)
        peer.send(answer(b"first"))

    with Server(hints, answers(answer(b"mine"))) as server:
        error = failure(transport, server.url)
        assert (error.fault, error.status) == (Fault.MAYBE_SENT, 103)
        assert error.reason == "an interim answer came alone"
        assert call(transport, server.url).body == b"mine"


# Bodies that cannot be used

GZIP = gzip.compress(b"x" * 1000)
CUT_BODIES = {
    "short Content-Length": b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}",
    "cut chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}",
    "no last chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    "bad chunk size": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "truncated gzip": answer(GZIP[:-10], "Content-Encoding: gzip"),
    "gzip without its end": answer(GZIP[:12], "Content-Encoding: gzip"),
    "not gzip": answer(b"{}", "Content-Encoding: gzip"),
    "corrupt gzip": answer(GZIP[:12] + b"\xff" * 9, "Content-Encoding: gzip"),
    "coding not asked for": answer(b"{}", "Content-Encoding: br"),
    "gzip under another name": answer(GZIP, "Content-Encoding: br"),
    "no length": b"HTTP/1.1 200 OK\r\n\r\n{}",
    "negative length": b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}",
    "huge length": b"HTTP/1.1 200 OK\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\n{}",
    "length that is no number": b"HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\n{}",
    "chunks in a coding": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n{}",
    "chunked twice": b"HTTP/1.1 200 OK\r\n" + b"Transfer-Encoding: chunked\r\n" * 2 + b"\r\n{}",
    "cut header block": b"HTTP/1.1 200 OK\r\nContent-Ty",
    "cut after the length": b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\nContent-Ty",
}


# What is kept of each: as it came, where the coding cannot be undone.
KEPT = {
    "bad chunk size": b"",
    "chunked twice": b"",
    "truncated gzip": GZIP[:-10],
    "gzip under another name": GZIP,
    "gzip without its end": GZIP[:12],
    "corrupt gzip": GZIP[:12] + b"\xff" * 9,
    "cut header block": b"",
    "cut after the length": b"",
}


@pytest.mark.parametrize("name", CUT_BODIES)
def test_a_success_whose_body_was_cut_is_unusable(transport: RequestsTransport, name: str) -> None:
    with Server(cut(CUT_BODIES[name]), answers(answer(b"mine"))) as server:
        error = failure(transport, server.url)
        assert (error.fault, error.status) == (Fault.UNUSABLE, 200)
        assert error.body == KEPT.get(name, b"{}")
        assert server.closed.wait(2)
        assert call(transport, server.url).body == b"mine"


@pytest.mark.parametrize("name", CUT_BODIES)
def test_a_refusal_whose_body_was_cut_is_still_a_refusal_in_the_words_that_came(
    transport: RequestsTransport, name: str
) -> None:
    reply = CUT_BODIES[name].replace(b"200 OK", b"400 Bad Request")
    with Server(cut(reply)) as server:
        response = call(transport, server.url)
    assert (response.status, response.body) == (400, KEPT.get(name, b"{}"))


@pytest.mark.parametrize("name", ["no length", "chunks in a coding"])
def test_a_body_that_only_ends_with_its_connection_may_have_been_cut(
    transport: RequestsTransport, name: str
) -> None:
    with Server(cut(CUT_BODIES[name])) as server:
        assert failure(transport, server.url).reason == "the body has no length"


@pytest.mark.parametrize("name", ["short Content-Length", "truncated gzip", "no length"])
def test_a_refusal_whose_body_was_cut_keeps_its_headers(
    transport: RequestsTransport, name: str
) -> None:
    reply = CUT_BODIES[name].replace(b"200 OK", b"429 Too Many Requests\r\nRetry-After: 3")
    with Server(cut(reply)) as server:
        response = call(transport, server.url)
    assert (response.status, response.headers["retry-after"]) == (429, "3")


def begins(start: bytes, then: Play) -> Play:
    """Read a request, send the start of an answer, and go on when the client has read it."""

    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(start)
        peer.server.leave.wait(0.1)
        then(peer)

    return play


@pytest.mark.parametrize("name", ["short Content-Length", "cut chunk"])
def test_a_reset_within_the_body_is_unusable(transport: RequestsTransport, name: str) -> None:
    with Server(begins(CUT_BODIES[name], Peer.reset)) as server:
        error = failure(transport, server.url)
    assert (error.fault, error.status, error.body) == (Fault.UNUSABLE, 200, b"{}")
    assert re.match(r"the body was cut: ConnectionResetError: .*reset", error.reason)


@pytest.mark.parametrize("name", ["short Content-Length", "cut chunk"])
def test_a_body_that_stops_may_have_been_sent(transport: RequestsTransport, name: str) -> None:
    with Server(begins(CUT_BODIES[name], never_answers)) as server:
        error = failure(transport, server.url, timeout=0.5)
    assert (error.fault, error.status, error.body) == (Fault.MAYBE_SENT, 200, b"{}")
    assert error.reason == "the body stopped coming"


def test_a_refusal_whose_body_stops_is_still_a_refusal(transport: RequestsTransport) -> None:
    reply = CUT_BODIES["short Content-Length"].replace(b"200 OK", b"400 Bad Request")
    with Server(begins(reply, never_answers)) as server:
        response = call(transport, server.url, timeout=0.5)
    assert (response.status, response.body) == (400, b"{}")


def test_a_body_that_comes_in_pieces_is_joined_and_ends_where_it_says(
    transport: RequestsTransport,
) -> None:
    def rest(peer: Peer) -> None:
        peer.send(b'"a":1}' + answer(b"not asked for"))
        peer.read_request()
        peer.send(answer(b"mine"))

    start = b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"
    with Server(begins(start, rest), answers(answer(b"mine"))) as server:
        assert call(transport, server.url).body == b'{"a":1}'
        assert call(transport, server.url).body == b"mine"


def test_a_body_of_many_reads_is_joined(transport: RequestsTransport) -> None:
    body = bytes(range(256)) * 4096
    with Server(answers(answer(body), answer(b"next"))) as server:
        assert call(transport, server.url).body == body
        assert call(transport, server.url).body == b"next"
    assert server.connections == 1


# Bodies that are too long


def small() -> RequestsTransport:
    return RequestsTransport(longest_body=100_000)


def endless(start: bytes, piece: bytes) -> Play:
    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(start)
        while True:
            peer.send(piece)

    return play


BOMB = gzip.compress(bytes(10_000_000))
TOO_LONG = {
    "endless, of a length": endless(
        b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", b"x" * 4096
    ),
    "endless, without a length": endless(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 4096),
    "endless chunks": endless(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"1000\r\n" + b"x" * 4096 + b"\r\n",
    ),
    "one chunk": endless(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", b"x" * 4096
    ),
    "a gzip bomb": answers(answer(BOMB, "Content-Encoding: gzip")),
    "a gzip bomb that was cut": answers(answer(BOMB[:-9], "Content-Encoding: gzip")),
    "one byte too many": answers(answer(bytes(100_001))),
    "one packed byte too many": answers(
        answer(gzip.compress(bytes(100_001)), "Content-Encoding: gzip")
    ),
}


@pytest.mark.parametrize("name", TOO_LONG)
def test_a_body_that_is_too_long_is_unusable_and_not_read_to_its_end(name: str) -> None:
    with contextlib.closing(small()) as transport, Server(TOO_LONG[name]) as server:
        error = failure(transport, server.url)
    assert (error.fault, error.status) == (Fault.UNUSABLE, 200)
    assert error.reason == "the body is longer than 100000 bytes"
    assert 0 < len(error.body) <= 65_536


def test_the_rest_of_a_body_that_is_too_long_never_answers_the_next_call() -> None:
    plays = (TOO_LONG["endless chunks"], answers(answer(b"mine")))
    with contextlib.closing(small()) as transport, Server(*plays) as server:
        failure(transport, server.url)
        assert call(transport, server.url).body == b"mine"
    assert server.connections == 2


@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_a_body_of_just_the_longest_length_is_taken(coding: str) -> None:
    body = bytes(100_000)
    sent = gzip.compress(body) if coding == "gzip" else body
    play = answers(answer(sent, f"Content-Encoding: {coding}"))
    with contextlib.closing(small()) as transport, Server(play) as server:
        assert call(transport, server.url).body == body


def test_a_cut_body_of_just_the_longest_length_is_not_taken_for_the_whole() -> None:
    transport = RequestsTransport(longest_body=1000)
    without_its_end = answer(GZIP[:-8], "Content-Encoding: gzip")
    with contextlib.closing(transport), Server(answers(without_its_end)) as server:
        error = failure(transport, server.url)
    assert (error.fault, error.status, error.body) == (Fault.UNUSABLE, 200, GZIP[:-8])
    assert error.reason == "the body is not whole gzip"


def test_no_more_is_unpacked_than_shows_that_a_body_is_too_long() -> None:
    transport = RequestsTransport(longest_body=100)
    packed = answer(GZIP, "Content-Encoding: gzip")
    with contextlib.closing(transport), Server(answers(packed)) as server:
        assert failure(transport, server.url).body == b"x" * 101


def test_a_refusal_in_too_many_words_is_a_refusal_in_the_first_of_them() -> None:
    start = b"HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\nno "
    with contextlib.closing(small()) as transport, Server(endless(start, b"x" * 4096)) as server:
        response = call(transport, server.url)
    assert response.status == 400
    assert response.body.startswith(b"no xxx")
    assert len(response.body) <= 65_536


# What comes beyond an answer

EVIL = answer(b"evil, of the first call")


@pytest.mark.parametrize("surplus", [EVIL, b"x", b"\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"])
@pytest.mark.parametrize("size", [0, 2, 8_000, 10_000, 100_000])
def test_what_comes_with_an_answer_never_answers_the_next_call(
    transport: RequestsTransport, size: int, surplus: bytes
) -> None:
    first = answers(answer(bytes(size)) + surplus, EVIL)
    with Server(first, answers(answer(b"mine"))) as server:
        assert call(transport, server.url).body == bytes(size)
        assert call(transport, server.url).body == b"mine"
    assert server.connections == 2


@pytest.mark.parametrize(
    "first",
    [
        b"HTTP/1.1 204 No Content\r\n\r\n" + EVIL,
        b"HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n" + EVIL,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + EVIL,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n" + EVIL,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
        + EVIL,
    ],
)
def test_an_answer_without_a_body_hides_no_other(
    transport: RequestsTransport, first: bytes
) -> None:
    with Server(answers(first, EVIL), answers(answer(b"mine"))) as server:
        assert call(transport, server.url).body == b""
        assert call(transport, server.url).body == b"mine"
    assert server.connections == 2


def test_what_comes_while_a_connection_is_idle_never_answers_the_next_call(
    transport: RequestsTransport,
) -> None:
    sent = threading.Event()

    def later(peer: Peer) -> None:
        peer.read_request()
        peer.send(answer(b"first"))
        asked.wait(5)
        peer.send(EVIL)
        sent.set()
        peer.wait_for_close()

    asked = threading.Event()
    with Server(later, answers(answer(b"mine"))) as server:
        assert call(transport, server.url).body == b"first"
        asked.set()
        assert sent.wait(5)
        assert call(transport, server.url).body == b"mine"
    assert server.connections == 2


@pytest.mark.parametrize("length", ["2", "0"])
def test_a_length_that_is_too_short_cuts_the_answer_and_spoils_no_other(
    transport: RequestsTransport, length: str
) -> None:
    lie = f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode() + b"{}" * 20
    with Server(answers(lie, EVIL), answers(answer(b"mine"))) as server:
        assert call(transport, server.url).body == b"{}"[: int(length)]
        assert call(transport, server.url).body == b"mine"
    assert server.connections == 2


# TLS


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def server_context(authority: trustme.CA, host: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(host).configure_cert(context)
    return context


@pytest.fixture
def trusting(authority: trustme.CA, tmp_path: Path) -> Iterator[RequestsTransport]:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    transport = RequestsTransport(ca_file=str(tmp_path / "ca.pem"))
    yield transport
    transport.close()


def test_a_server_of_the_given_authority_is_trusted(
    authority: trustme.CA, trusting: RequestsTransport
) -> None:
    context = server_context(authority, "127.0.0.1")
    with Server(secured(context, answers(answer(b"1"), answer(b"2")))) as server:
        assert call(trusting, server.https).body == b"1"
        assert call(trusting, server.https).body == b"2"
    assert server.connections == 1


def test_an_unknown_authority_is_not_trusted_and_nothing_is_sent(
    authority: trustme.CA, transport: RequestsTransport
) -> None:
    context = server_context(authority, "127.0.0.1")
    with Server(secured(context, answers(answer()))) as server:
        error = failure(transport, server.https)
    assert error.fault is Fault.NOT_TRUSTED
    assert "certificate verify failed" in error.reason
    assert server.requests == []


def test_a_certificate_of_another_host_is_not_trusted_and_nothing_is_sent(
    authority: trustme.CA, trusting: RequestsTransport
) -> None:
    context = server_context(authority, "elsewhere.example")
    with Server(secured(context, answers(answer()))) as server:
        error = failure(trusting, server.https)
    assert error.fault is Fault.NOT_TRUSTED
    assert "not valid for '127.0.0.1'" in error.reason
    assert server.requests == []


def test_an_expired_certificate_is_not_trusted_and_nothing_is_sent(
    authority: trustme.CA, trusting: RequestsTransport
) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    past = datetime(2020, 1, 1, tzinfo=timezone.utc)
    authority.issue_cert("127.0.0.1", not_before=past, not_after=past).configure_cert(context)
    with Server(secured(context, answers(answer()))) as server:
        error = failure(trusting, server.https)
    assert error.fault is Fault.NOT_TRUSTED
    assert "expired" in error.reason


def test_a_service_behind_a_proxy_that_is_not_trusted_is_told_from_one_that_is_not_reached(
    authority: trustme.CA, transport: RequestsTransport
) -> None:
    context = server_context(authority, "127.0.0.1")
    with (
        Server(secured(context, answers(answer()))) as server,
        Server(tunnel(server.port)) as proxy,
    ):
        through = RequestsTransport(proxy=proxy.url)
        assert failure(through, server.https).fault is Fault.NOT_TRUSTED
        through.close()


def test_a_proxy_that_is_not_trusted_gets_nothing(authority: trustme.CA) -> None:
    context = server_context(authority, "127.0.0.1")
    with Server(secured(context, answers(answer()))) as proxy:
        through = RequestsTransport(proxy=proxy.https)
        for url in ("http://127.0.0.1:1", "https://127.0.0.1:1"):
            assert failure(through, url).fault is Fault.NOT_TRUSTED
        through.close()
    assert proxy.requests == []


def test_tls_that_is_too_old_is_not_sent(
    authority: trustme.CA, trusting: RequestsTransport
) -> None:
    context = server_context(authority, "127.0.0.1")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
    with Server(secured(context, answers(answer()))) as server:
        assert failure(trusting, server.https).fault is Fault.NOT_SENT
    assert server.requests == []


# Beyond 8192 bytes TLS holds what was not read where no poll of the socket sees it.
@pytest.mark.parametrize("size", [2, 8_000, 10_000, 16_000, 100_000])
def test_what_comes_with_an_answer_over_tls_never_answers_the_next_call(
    authority: trustme.CA, trusting: RequestsTransport, size: int
) -> None:
    context = server_context(authority, "127.0.0.1")
    first = secured(context, answers(answer(bytes(size)) + EVIL, EVIL))
    with Server(first, secured(context, answers(answer(b"mine")))) as server:
        assert call(trusting, server.https).body == bytes(size)
        assert call(trusting, server.https).body == b"mine"
    assert server.connections == 2


@pytest.mark.parametrize("size", [2, 10_000])
def test_nor_does_it_over_tls_within_the_tls_of_a_proxy(
    authority: trustme.CA, tmp_path: Path, size: int
) -> None:
    context = server_context(authority, "127.0.0.1")
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    good, bad = answers(answer(b"1"), answer(b"2")), answers(answer(bytes(size)) + EVIL, EVIL)
    with (
        Server(*(secured(context, play) for play in (bad, good))) as server,
        Server(secured(context, tunnel(server.port))) as proxy,
    ):
        transport = RequestsTransport(proxy=proxy.https, ca_file=str(tmp_path / "ca.pem"))
        bodies = [call(transport, server.https).body for _ in range(3)]
        transport.close()
    assert bodies == [bytes(size), b"1", b"2"]
    assert server.connections == 2


@pytest.mark.parametrize("play", [reset_before_reading, never_answers, cut(b"plain text")])
def test_a_failed_handshake_is_not_sent(trusting: RequestsTransport, play: Play) -> None:
    with Server(play) as server:
        error = failure(trusting, server.https, timeout=0.5)
    assert error.fault is Fault.NOT_SENT


def test_a_tls_error_after_the_handshake_may_have_been_sent(
    authority: trustme.CA, trusting: RequestsTransport
) -> None:
    def garbage(peer: Peer) -> None:
        peer.read_request()
        peer.raw.sendall(b"this is not a TLS record")

    with Server(secured(server_context(authority, "127.0.0.1"), garbage)) as server:
        error = failure(trusting, server.https)
    assert error.fault is Fault.MAYBE_SENT
    assert len(server.requests) == 1


@pytest.mark.parametrize("name", ["missing.pem", "empty.pem", "."])
def test_a_ca_file_that_cannot_be_used_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty.pem").touch()
    transport = RequestsTransport(ca_file=str(tmp_path / name))
    with pytest.raises(RequestError, match="cannot be loaded") as caught:
        call(transport, "https://127.0.0.1:1")
    assert str(tmp_path / name) in str(caught.value)


def test_the_secrets_of_a_tls_connection_are_not_written_where_the_environment_says(
    authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "keys.log"))
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    context = server_context(authority, "127.0.0.1")
    refused = cut(answer(b"", status="403 Forbidden"))
    with Server(secured(context, answers(answer())), secured(context, refused)) as server:
        direct = RequestsTransport(ca_file=str(tmp_path / "ca.pem"))
        assert call(direct, server.https).status == 200
        direct.close()
        proxied = RequestsTransport(ca_file=str(tmp_path / "ca.pem"), proxy=server.https)
        assert "403" in failure(proxied, "https://127.0.0.1:1").reason
    assert [path.name for path in tmp_path.iterdir()] == ["ca.pem"]


# Proxies


def test_the_given_proxy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    with Server(answers(answer(b"1"))) as proxy:
        transport = RequestsTransport(proxy=proxy.url)
        assert call(transport, "http://127.0.0.1:1/path").body == b"1"
        transport.close()
    assert proxy.requests[0].startswith(b"POST http://127.0.0.1:1/path HTTP/1.1\r\n")


def test_a_refused_proxy_is_not_sent() -> None:
    transport = RequestsTransport(proxy=refused_port())
    assert failure(transport, "http://127.0.0.1:1").fault is Fault.NOT_SENT


def test_a_refused_tunnel_is_not_sent() -> None:
    with Server(cut(answer(b"", status="403 Forbidden"))) as proxy:
        transport = RequestsTransport(proxy=proxy.url)
        assert failure(transport, "https://127.0.0.1:1").fault is Fault.NOT_SENT


def test_a_proxy_that_hangs_up_after_reading_may_have_sent_it_on() -> None:
    with Server(close_after_reading) as proxy:
        transport = RequestsTransport(proxy=proxy.url)
        assert failure(transport, "http://127.0.0.1:1").fault is Fault.MAYBE_SENT


PASSWORD = "me:hunter2@"


@pytest.mark.parametrize(
    "proxy",
    [
        *(5, b"http://h:1", "", "127.0.0.1:1", f"{PASSWORD}h:1"),
        *(f"{scheme}://{PASSWORD}h:1" for scheme in ("socks5", "ftp", "file", "")),
        *("http://", "http://:80", f"http://{PASSWORD}", f"http://{PASSWORD}:80", "http:///path"),
        *(
            "http://a..b",
            "http://.a",
            f"http://{PASSWORD}a..b:80",
            "http://" + "x" * 64,
            "http://a%20b",
        ),
        *(f"http://{PASSWORD}h{rest}" for rest in ("/path", "/?q", "?q", "/#f", "#f", "\\x")),
        *(f"http://{PASSWORD}h:{port}" for port in ("0", "65536", "-1", "x", "80x")),
        *("http://a b", " http://h", "http://h ", "http://h\n", "http://h\r\nX: y", "http://h\0"),
        *("http://\u00e4.example", "http://\u2028", "http://[::1", "http://[x]", "http://::1"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_refused_at_once_without_repeating_its_password(
    proxy: Any,
) -> None:
    with pytest.raises(RequestError) as caught:
        RequestsTransport(proxy=proxy)
    assert str(caught.value) == "proxy: give text, http://HOST:PORT or https://HOST:PORT"
    assert caught.value.__cause__ is caught.value.__context__ is None


@pytest.mark.parametrize(
    "proxy",
    [
        *("http://h", "https://h", "HTTP://h:1", "http://h/", "http://h:8080", "http://[::1]:80"),
        *("http://a.b.c", "http://a.", "http://a_b-c", f"http://{PASSWORD}h", "http://u:%20%2f@h"),
    ],
)
def test_a_proxy_that_can_be_used_is_taken_without_io(proxy: str) -> None:
    RequestsTransport(proxy=proxy).close()


@pytest.mark.parametrize("proxy", ["http://proxy.example:1", "https://proxy.example"])
def test_a_proxy_on_another_machine_gets_nothing_in_plain_text(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def look_up(host: str, *_: object, **__: object) -> Any:
        asked.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    with contextlib.closing(RequestsTransport(proxy=proxy)) as transport:
        with Server(answers(answer(b"1"))) as server:
            assert call(transport, server.url).body == b"1"
        assert server.requests[0].startswith(b"POST / HTTP/1.1\r\n")
        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        failure(transport, "https://127.0.0.1:1")
    assert asked == ["proxy.example"]


def test_the_password_of_a_proxy_is_sent_and_not_shown() -> None:
    with Server(answers(answer())) as proxy:
        transport = RequestsTransport(proxy=proxy.url.replace("://", "://me:hunter2@"))
        call(transport, "http://127.0.0.1:1")
        assert "hunter2" not in repr(transport) + str(vars(transport))
        assert "Proxies(http, https)" in str(vars(transport))
        transport.close()
    assert b"Proxy-Authorization: Basic bWU6aHVudGVyMg==" in proxy.requests[0]


# Threads, forks, closing


def in_thread(job: Callable[[], object]) -> None:
    thread = threading.Thread(target=job)
    thread.start()
    thread.join(5)


def test_each_thread_has_connections_of_its_own(transport: RequestsTransport) -> None:
    bodies: list[bytes] = []
    with Server(answers(answer(b"1")), answers(answer(b"2"))) as server:
        call(transport, server.url)
        in_thread(lambda: bodies.append(call(transport, server.url).body))
    assert bodies == [b"2"]
    assert server.connections == 2


def test_a_thread_that_ended_leaves_no_connection_behind(transport: RequestsTransport) -> None:
    with Server(answers(answer())) as server:
        in_thread(lambda: call(transport, server.url))
        gc.collect()
        assert server.hung_up.wait(2)


def test_close_closes_the_connections_of_every_thread(transport: RequestsTransport) -> None:
    done, leave = threading.Event(), threading.Event()

    def job() -> None:
        call(transport, server.url)
        done.set()
        leave.wait(5)

    with Server(answers(answer())) as server:
        thread = threading.Thread(target=job)
        thread.start()
        assert done.wait(5)
        assert not server.hung_up.is_set()
        transport.close()
        assert server.hung_up.wait(2)
        leave.set()
        thread.join(5)


def test_a_call_after_close_is_refused_and_close_may_be_repeated(
    transport: RequestsTransport,
) -> None:
    transport.close()
    transport.close()
    with pytest.raises(RequestError, match=r"^the client is closed$"):
        call(transport, "http://127.0.0.1:1")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_has_connections_of_its_own(transport: RequestsTransport) -> None:
    two = answers(answer(b"parent"), answer(b"parent"))
    with Server(two, answers(answer(b"child"))) as server:
        assert call(transport, server.url).body == b"parent"
        assert in_child(lambda: call(transport, server.url).body == b"child")
        assert call(transport, server.url).body == b"parent"
    assert server.connections == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_forked_while_another_thread_holds_the_lock_can_close(
    transport: RequestsTransport,
) -> None:
    def close() -> bool:
        transport.close()
        return True

    with transport._lock:
        assert in_child(close)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_of_a_closed_transport_finds_it_closed(transport: RequestsTransport) -> None:
    def refused() -> bool:
        with pytest.raises(RequestError, match="closed"):
            call(transport, "http://127.0.0.1:1")
        return True

    transport.close()
    assert in_child(refused)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_that_closes_leaves_the_connections_of_its_parent_alone(
    transport: RequestsTransport,
) -> None:
    def close() -> bool:
        transport.close()
        return True

    with Server(answers(answer(b"1"), answer(b"2"))) as server:
        assert call(transport, server.url).body == b"1"
        assert in_child(close)
        assert call(transport, server.url).body == b"2"
    assert server.connections == 1


def echoes(peer: Peer) -> None:
    """Answer each request with its own body."""
    while True:
        peer.send(answer(peer.read_request()))


def test_32_threads_get_their_own_answers(trusting: RequestsTransport) -> None:
    together = threading.Barrier(32)

    def work(thread: int) -> int:
        together.wait(10)
        for number in range(10):
            body = f"{thread}.{number}".encode()
            assert trusting.send(Request("POST", server.url, {}, body), timeout=20).body == body
        return 10

    with Server(echoes) as server, ThreadPoolExecutor(32) as pool:
        assert sum(pool.map(work, range(32))) == 320
    assert server.connections == 32


class Stopped(BaseException):
    """Such as KeyboardInterrupt, which would end the test run."""


@pytest.mark.parametrize("where", ["connect", "sendall"])
def test_what_is_no_failure_of_the_call_passes_unchanged(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    stopped = Stopped()

    def stop(*_: object) -> None:
        raise stopped

    with Server(answers(answer(b"mine"))) as server:
        with monkeypatch.context() as patch, pytest.raises(Stopped) as caught:
            patch.setattr(socket.socket, where, stop)
            call(transport, server.url)
        assert caught.value is stopped
        assert call(transport, server.url).body == b"mine"


def test_what_an_interrupted_call_may_have_left_half_done_is_not_used_again(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object) -> None:
        raise Stopped

    before = transport._session()
    monkeypatch.setattr(socket.socket, "connect", stop)
    with pytest.raises(Stopped):
        call(transport, "http://127.0.0.1:1")
    assert transport._session() is not before


@pytest.mark.parametrize(
    "start", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"]
)
def test_an_interrupted_call_leaves_no_answer_for_the_next_one(
    transport: RequestsTransport, start: bytes
) -> None:
    def stop(*_: object) -> None:
        raise Stopped

    def half(peer: Peer) -> None:
        peer.read_request()
        peer.send(start)
        peer.server.leave.wait(0.1)
        signal.raise_signal(signal.SIGUSR1)
        peer.server.hung_up.wait(0.5)
        peer.send(answer(b"late"))
        peer.wait_for_close()

    before = signal.signal(signal.SIGUSR1, stop)
    try:
        with Server(half, answers(answer(b"mine"))) as server:
            with pytest.raises(Stopped):
                call(transport, server.url)
            assert call(transport, server.url).body == b"mine"
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_a_process_of_another_id_does_not_use_inherited_connections(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server(answers(answer(b"1")), answers(answer(b"2"))) as server:
        call(transport, server.url)
        monkeypatch.setattr(os, "getpid", lambda: -1)
        assert call(transport, server.url).body == b"2"


# Secrets


def assert_clean(error: BaseException) -> None:
    """No secret and no foreign exception anywhere in what may be printed of an error."""
    assert error.__cause__ is None
    assert error.__context__ is None
    text = "".join(traceback.format_exception(error)) + repr(error) + str(vars(error))
    assert "canary" not in text


@pytest.mark.parametrize(
    "play",
    [reset_after_reading, silent, cut(b"nonsense"), *map(cut, CUT_BODIES.values())],
)
def test_a_failure_shows_no_secret(
    transport: RequestsTransport, caplog: pytest.LogCaptureFixture, play: Play
) -> None:
    caplog.set_level(logging.DEBUG)
    with Server(play) as server:
        assert_clean(failure(transport, server.url, timeout=0.5))
    assert "canary" not in caplog.text


def test_a_refused_connection_shows_no_secret(transport: RequestsTransport) -> None:
    assert_clean(failure(transport, refused_port()))


def test_requests_and_answers_show_neither_headers_nor_bodies() -> None:
    request = Request("POST", "http://127.0.0.1/", {"PF-API-KEY": CANARY}, BODY)
    response = Response(200, {"Set-Cookie": CANARY}, BODY)
    assert "canary" not in repr(request) + str(request) + repr(response) + str(response)
    assert repr(response) == "Response(status=200)"
