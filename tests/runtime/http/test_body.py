"""The bodies that the transport takes, and what comes beyond the end of an answer."""

from __future__ import annotations

import contextlib
import gzip
import threading
from collections.abc import Iterator

import pytest

from tests.doubles.server import Peer, Play, Server, answer, answers, cut
from tests.runtime.transports import EVIL, assert_clean, call, failure
from trading_runtime.http.fault import Fault
from trading_runtime.http.transport import (
    MAX_BODY_BYTES,
    MAX_POST_BODY_BYTES,
    HTTPTransport,
    Transport,
)

SESSIONS = ("own", "plain")
"""What is held here is held of the client's own session, and of a plain one of the user's."""

# Bodies that come in pieces


# Bodies that cannot be used


def chunked(chunks: bytes, beside: bytes = b"") -> bytes:
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" + beside + b"\r\n" + chunks


# Without a time, which would stand in the names of tests.
GZIP = gzip.compress(b"x" * 1000, mtime=0)
CUT_BODIES = {
    "short Content-Length": b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}",
    "cut chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}",
    "bad chunk size": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "truncated gzip": answer(GZIP[:-10], "Content-Encoding: gzip"),
    "not gzip": answer(b"{}", "Content-Encoding: gzip"),
    "corrupt gzip": answer(GZIP[:12] + b"\xff" * 9, "Content-Encoding: gzip"),
    "coding not asked for": answer(b"{}", "Content-Encoding: br"),
    "no length": b"HTTP/1.1 200 OK\r\n\r\n{}",
    "chunks in a coding": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n{}",
    "chunked twice": b"HTTP/1.1 200 OK\r\n" + b"Transfer-Encoding: chunked\r\n" * 2 + b"\r\n{}",
    "chunked beside a length": chunked(b"2\r\n{}\r\n0\r\n\r\n", b"Content-Length: 2\r\n"),
    "chunked in HTTP/1.0": chunked(b"2\r\n{}\r\n0\r\n\r\n").replace(b"1.1", b"1.0"),
    "length twice": answer(b"{}", "Content-Length: 2"),
    **{
        f"length of {text!r}": b"HTTP/1.1 200 OK\r\nContent-Length:%b\r\n\r\n{}" % text
        for text in (b"0_2", b"+2", b"2\xa0", b"2, 2", b"", b"-1", b"0x2", b"9" * 30)
    },
    "cut header block": b"HTTP/1.1 200 OK\r\nContent-Ty",
    "cut after the length": b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\nContent-Ty",
}


# What is kept of each: as it came, where the coding cannot be undone.
KEPT = {
    "bad chunk size": b"",
    "chunked twice": b"",
    "truncated gzip": GZIP[:-10],
    "corrupt gzip": GZIP[:12] + b"\xff" * 9,
    "cut header block": b"",
    "cut after the length": b"",
}


@pytest.mark.parametrize("name", CUT_BODIES)
def test_a_success_whose_body_was_cut_is_unreadable_and_a_refusal_counts_in_the_words_that_came(
    transport: Transport, name: str
) -> None:
    success, kept = CUT_BODIES[name], KEPT.get(name, b"{}")
    refusal = success.replace(b"200 OK", b"429 Too Many\r\nRetry-After: 3")
    with Server(cut(success), cut(refusal), answers(answer(b"mine"))) as server:
        error = failure(transport, server.url)
        assert (error.fault, error.status, error.body) == (Fault.UNREADABLE, 200, kept)
        assert_clean(error)
        response = call(transport, server.url)
        assert (response.status, response.body) == (429, kept)
        assert response.headers["retry-after"] == "3"
        assert call(transport, server.url).body == b"mine"


# Bodies that are too long


@pytest.fixture
def small() -> Iterator[HTTPTransport]:
    with contextlib.closing(HTTPTransport(max_body_bytes=100_000)) as transport:
        yield transport


def endless(start: bytes, piece: bytes) -> Play:
    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(start)
        while True:
            peer.send(piece)

    return play


BOMB = gzip.compress(bytes(10_000_000))
TOO_LONG = {
    "endless, without a length": endless(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 4096),
    "endless chunks": endless(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"1000\r\n" + b"x" * 4096 + b"\r\n",
    ),
    "a gzip bomb that was cut": answers(answer(BOMB[:-9], "Content-Encoding: gzip")),
    "one byte too many": answers(answer(bytes(100_001))),
    "one packed byte too many": answers(
        answer(gzip.compress(bytes(100_001)), "Content-Encoding: gzip")
    ),
}


@pytest.mark.parametrize("name", TOO_LONG)
def test_a_body_that_is_too_long_is_unusable_and_left(small: HTTPTransport, name: str) -> None:
    with Server(TOO_LONG[name]) as server:
        error = failure(small, server.url)
    assert (error.fault, error.status) == (Fault.UNUSABLE, 200)
    assert error.reason == "the body is longer than 100000 bytes"
    assert 0 < len(error.body) <= 65_536


@pytest.mark.parametrize(
    ("method", "limit", "given"),
    [
        ("GET", MAX_BODY_BYTES, None),
        ("POST", MAX_POST_BODY_BYTES, None),
        ("GET", 2 * MAX_BODY_BYTES, 2 * MAX_BODY_BYTES),
        ("POST", MAX_POST_BODY_BYTES, 2 * MAX_BODY_BYTES),
        ("POST", 1000, 1000),
    ],
)
def test_a_page_may_be_longer_than_the_rest(method: str, limit: int, given: int | None) -> None:
    play = answers(answer(bytes(limit)), answer(bytes(limit + 1)))
    transport = HTTPTransport(max_body_bytes=given) if given else HTTPTransport()
    with contextlib.closing(transport), Server(play) as server:
        assert len(call(transport, server.url, method).body) == limit
        says = f"the body is longer than {limit} bytes"
        assert failure(transport, server.url, method).reason == says


def test_a_refusal_in_too_many_words_counts_by_the_first_of_them(small: HTTPTransport) -> None:
    start = b"HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\nno "
    with Server(endless(start, b"x" * 4096)) as server:
        response = call(small, server.url)
    assert response.status == 400
    assert response.body.startswith(b"no xxx")
    assert len(response.body) <= 65_536


# What comes behind an answer


def test_what_comes_while_it_is_idle_never_answers_the_next_call(transport: Transport) -> None:
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
