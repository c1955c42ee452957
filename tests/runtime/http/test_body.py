"""The bodies that the transport takes, and what comes beyond the end of an answer."""

from __future__ import annotations

import contextlib
import gzip
import re
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from tests.doubles.server import (
    Peer,
    Play,
    Server,
    answer,
    answers,
    cut,
    never_reads,
)
from tests.runtime.transports import EVIL, assert_clean, call, failure
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import (
    MAX_BODY_BYTES,
    MAX_POST_BODY_BYTES,
    HTTPTransport,
    Request,
    Transport,
)

SESSIONS = ("own", "plain")
"""What is held here is held of the client's own session, and of a plain one of the user's."""

# Bodies that come in pieces


@pytest.mark.parametrize("last", [1, 2, 65_535])
def test_a_body_is_read_to_its_last_byte(transport: Transport, last: int) -> None:
    body = b"x" * 70_000

    def in_two(peer: Peer) -> None:
        peer.read_request()
        whole = answer(body)
        peer.send(whole[:-last])
        peer.server.leave.wait(0.05)
        peer.send(whole[-last:])
        peer.wait_for_close()

    with Server(in_two) as server:
        assert call(transport, server.url).body == body


# Bodies that cannot be used


def chunked(chunks: bytes, beside: bytes = b"") -> bytes:
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n" + beside + b"\r\n" + chunks


# Without a time, which would stand in the names of tests.
GZIP = gzip.compress(b"x" * 1000, mtime=0)
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
    "chunked beside a length": chunked(b"2\r\n{}\r\n0\r\n\r\n", b"Content-Length: 2\r\n"),
    "chunked in HTTP/1.0": chunked(b"2\r\n{}\r\n0\r\n\r\n").replace(b"1.1", b"1.0"),
    "length twice": answer(b"{}", "Content-Length: 2"),
    **{
        f"length of {text!r}": b"HTTP/1.1 200 OK\r\nContent-Length:%b\r\n\r\n{}" % text
        for text in (b"0_2", b"+2", b"2\xa0", b"\x852", b"2, 2", b"2;", b"", b"2 2", b"2.0", b"1e0")
    },
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


@pytest.mark.parametrize("members", [2, 200])
def test_gzip_of_several_members_is_read_to_its_end(transport: Transport, members: int) -> None:
    pieces = [b"%d," % number for number in range(members)]
    packed = b"".join(map(gzip.compress, pieces))
    with Server(answers(answer(packed, "Content-Encoding: gzip"))) as server:
        assert call(transport, server.url).body == b"".join(pieces)


def test_a_second_member_that_was_cut_or_is_no_gzip_spoils_the_body(transport: Transport) -> None:
    for second in (GZIP[:-4], b"garbage"):
        with Server(answers(answer(GZIP + second, "Content-Encoding: gzip"))) as server:
            error = failure(transport, server.url)
        assert (error.fault, error.reason) == (Fault.UNREADABLE, "the body is not whole gzip")


@pytest.mark.parametrize("coding", ["br", "deflate", "zstd", "gzip, gzip", "GZIP,"])
def test_a_coding_that_was_not_asked_for_is_named(transport: Transport, coding: str) -> None:
    with Server(answers(answer(b"{}", f"Content-Encoding: {coding}"))) as server:
        error = failure(transport, server.url)
    assert error.fault is Fault.UNREADABLE
    assert error.reason == f"the body is in a coding that was not asked for: {coding.lower()}"


@pytest.mark.parametrize("status", ["201 Created", "299 Odd"])
def test_a_body_that_was_cut_is_unreadable_under_any_2xx(transport: Transport, status: str) -> None:
    whole = answer(b'{"order_id":1}', status=status)
    with Server(cut(whole[:-3]), answers(answer(b"mine"))) as server:
        error = failure(transport, server.url)
        assert (error.fault, error.status) == (Fault.UNREADABLE, int(status[:3]))
        assert server.closed.wait(20)
        assert call(transport, server.url).body == b"mine"


def test_a_connection_is_used_again_after_any_whole_2xx(transport: Transport) -> None:
    with Server(answers(answer(b"one", status="201 Created"), answer(b"two"))) as server:
        assert [call(transport, server.url).body for _ in range(2)] == [b"one", b"two"]


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


@pytest.mark.parametrize("name", ["no length", "chunks in a coding", "length twice"])
def test_a_body_whose_end_is_not_certain_may_have_been_cut(transport: Transport, name: str) -> None:
    with Server(cut(CUT_BODIES[name])) as server:
        reason = failure(transport, server.url).reason
    assert reason == "nothing says for certain where the body ends"


@pytest.mark.parametrize("length", ["2", "\t02 \t", "000000000000000002"])
def test_a_length_may_have_white_space_around_it_and_noughts(
    transport: Transport, length: str
) -> None:
    reply = f"HTTP/1.1 200 OK\r\nContent-Length:{length}\r\n\r\n{{}}".encode()
    with Server(answers(reply, answer(b"next"))) as server:
        assert call(transport, server.url).body == b"{}"
        assert call(transport, server.url).body == b"next"


def test_a_chunk_may_have_an_extension_and_the_last_one_trailers(transport: Transport) -> None:
    reply = chunked(b'02;a="b"\r\n{}\r\n00;z\r\nX: y\r\nEmpty:\r\n\r\n')
    with Server(answers(reply, answer(b"next"))) as server:
        assert call(transport, server.url).body == b"{}"
        assert call(transport, server.url).body == b"next"
    assert server.connections == 1


def test_trailers_are_up_to_a_hundred(transport: Transport) -> None:
    reply = chunked(b"2\r\n{}\r\n0\r\n" + b"X: y\r\n" * 100 + b"\r\n")
    with Server(answers(reply)) as server:
        assert call(transport, server.url).body == b"{}"


def begins(start: bytes, then: Play) -> Play:
    """Read a request, send the start of an answer, and go on when the client has read it."""

    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(start)
        peer.server.leave.wait(0.1)
        then(peer)

    return play


@pytest.mark.parametrize("name", ["short Content-Length", "cut chunk"])
@pytest.mark.parametrize(
    ("then", "fault", "reason"),
    [
        (Peer.reset, Fault.UNREADABLE, "the body was cut: ConnectionResetError: .*reset"),
        (never_reads, Fault.MAYBE_SENT, "the body stopped coming$"),
    ],
    ids=["reset", "stops"],
)
def test_a_body_that_breaks_off_is_unreadable_or_still_to_come_and_a_refusal_is_one(
    transport: Transport, name: str, then: Play, fault: Fault, reason: str
) -> None:
    refusal = CUT_BODIES[name].replace(b"200 OK", b"400 Bad Request")
    # The server gets the time to begin its answer.
    timeout = 1.0 if then is never_reads else 5.0
    with Server(begins(CUT_BODIES[name], then), begins(refusal, then)) as server:
        error = failure(transport, server.url, timeout=timeout)
        response = call(transport, server.url, timeout=timeout)
    assert (error.fault, error.status, error.body) == (fault, 200, b"{}")
    assert re.match(reason, error.reason)
    assert (response.status, response.body) == (400, b"{}")


def test_a_body_that_comes_in_pieces_is_joined_and_ends_where_it_says(
    transport: Transport,
) -> None:
    def rest(peer: Peer) -> None:
        peer.send(b'"a":1}' + answer(b"not asked for"))
        peer.read_request()
        peer.send(answer(b"mine"))

    start = b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"
    with Server(begins(start, rest), answers(answer(b"mine"))) as server:
        assert call(transport, server.url).body == b'{"a":1}'
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
def test_a_body_that_is_too_long_is_unusable_and_not_read_to_its_end(
    small: HTTPTransport, name: str
) -> None:
    with Server(TOO_LONG[name]) as server:
        error = failure(small, server.url)
    assert (error.fault, error.status) == (Fault.UNUSABLE, 200)
    assert error.reason == "the body is longer than 100000 bytes"
    assert 0 < len(error.body) <= 65_536


@pytest.mark.parametrize(
    ("method", "limit", "given"),
    [
        ("GET", MAX_BODY_BYTES, {}),
        ("POST", MAX_POST_BODY_BYTES, {}),
        ("GET", 2 * MAX_BODY_BYTES, {"max_body_bytes": 2 * MAX_BODY_BYTES}),
        ("POST", MAX_POST_BODY_BYTES, {"max_body_bytes": 2 * MAX_BODY_BYTES}),
        ("POST", 1000, {"max_body_bytes": 1000}),
    ],
)
def test_a_page_may_be_longer_than_the_answer_to_what_is_posted(
    method: str, limit: int, given: dict[str, Any]
) -> None:
    play = answers(answer(bytes(limit)), answer(bytes(limit + 1)))
    with contextlib.closing(HTTPTransport(**given)) as transport, Server(play) as server:
        request = Request(method, server.url, {}, b"{}" if method == "POST" else None)
        assert len(transport.send(request, timeout=5).body) == limit
        with pytest.raises(TransportError, match=f"^the body is longer than {limit} bytes$"):
            transport.send(request, timeout=5)


def test_the_rest_of_a_body_that_is_too_long_never_answers_the_next_call(
    small: HTTPTransport,
) -> None:
    with Server(TOO_LONG["endless chunks"], answers(answer(b"mine"))) as server:
        failure(small, server.url)
        assert call(small, server.url).body == b"mine"
    assert server.connections == 2


@pytest.mark.parametrize("coding", ["identity", "Identity", "", " "])
def test_a_body_that_names_no_coding_is_taken_as_it_is(transport: Transport, coding: str) -> None:
    with Server(answers(answer(GZIP, f"Content-Encoding: {coding}"))) as server:
        assert call(transport, server.url).body == GZIP


@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_a_body_of_just_the_longest_length_is_taken(small: HTTPTransport, coding: str) -> None:
    body = bytes(100_000)
    sent = gzip.compress(body) if coding == "gzip" else body
    with Server(answers(answer(sent, f"Content-Encoding: {coding}"))) as server:
        assert call(small, server.url).body == body


@pytest.mark.parametrize(
    ("sent", "limit", "reason", "kept"),
    [
        (GZIP[:-8], 1000, "the body is not whole gzip", GZIP[:-8]),
        # No more is unpacked than shows that a body is too long.
        (GZIP, 100, "the body is longer than 100 bytes", b"x" * 101),
    ],
)
def test_a_packed_body_of_just_the_longest_length_is_not_taken_for_a_shorter_one(
    sent: bytes, limit: int, reason: str, kept: bytes
) -> None:
    transport = HTTPTransport(max_body_bytes=limit)
    play = answers(answer(sent, "Content-Encoding: gzip"))
    with contextlib.closing(transport), Server(play) as server:
        error = failure(transport, server.url)
    assert (error.reason, error.body) == (reason, kept)


def test_a_refusal_in_too_many_words_is_a_refusal_in_the_first_of_them(
    small: HTTPTransport,
) -> None:
    start = b"HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\nno "
    with Server(endless(start, b"x" * 4096)) as server:
        response = call(small, server.url)
    assert response.status == 400
    assert response.body.startswith(b"no xxx")
    assert len(response.body) <= 65_536


# What comes behind an answer


def test_what_comes_while_a_connection_is_idle_never_answers_the_next_call(
    transport: Transport,
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
