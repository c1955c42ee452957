"""Bodies on the wire: cut, doubled, mislabelled or damaged, no part of one passes for the whole."""

from __future__ import annotations

import gzip
import http.client
import socket
import zlib
from functools import partial
from typing import Any, NamedTuple, cast

from hypothesis import given, strategies as st
from urllib3 import HTTPHeaderDict, HTTPResponse
from urllib3.exceptions import HTTPError

from tests.fuzz.mutations import damaged
from trading_runtime.http.body import is_framed, read_body
from trading_runtime.http.deadline import (
    Remaining,
    SentOnce,
    _Answer as TimedAnswer,
    _Source as Source,
)
from trading_runtime.http.fault import TransportError

LIMIT = 10_000


def received(answer: bytes, limit: int = LIMIT) -> bytes | TransportError | None:
    """The content of a whole body, else what is wrong with it; None if the head is none."""
    here, there = socket.socketpair()
    with there:
        there.sendall(answer)
    with here:
        source = Source(here, cast(Remaining, SentOnce(60).clone().read_timeout))
        head = TimedAnswer(cast(Any, source), method="POST")
        try:
            head.begin()
            raw = HTTPResponse(
                head,
                HTTPHeaderDict(head.msg.items()),
                head.status,
                version=head.version,
                preload_content=False,
                decode_content=False,
                original_response=head,
                request_method="POST",
            )
        except (http.client.HTTPException, HTTPError, OSError, ValueError):
            return None
        read = partial(raw.read1, decode_content=False)
        coding = raw.headers.get("Content-Encoding", "")
        return read_body(read, raw.status, coding, limit, framed=is_framed(raw))


class Answer(NamedTuple):
    """An answer in two parts, and what it says."""

    head: bytes
    content: bytes
    says: bytes


def headed(content: bytes, *headers: str) -> bytes:
    return "\r\n".join(["HTTP/1.1 200 OK", *headers, "", ""]).encode() + content


def chunked(content: bytes, sizes: list[int], style: str) -> bytes:
    framed, rest = b"", content
    for size in [*sizes, len(content)]:
        if rest:
            chunk, rest = rest[:size], rest[size:]
            framed += style.format(len(chunk)).encode() + b"\r\n" + chunk + b"\r\n"
    return framed + b"0\r\n\r\n"


bodies = st.binary(max_size=60) | st.text('{}[]":,0123456789 \r\n', max_size=60).map(str.encode)
styles = st.sampled_from(["{:x}", "{:X}", "{:x};name=value", "000{:x}"])


@st.composite
def answers(draw: st.DrawFn) -> Answer:
    """A whole answer: of a length or in chunks, compressed or not."""
    says = draw(bodies)
    content, headers = says, ["Content-Type: application/json"]
    if draw(st.booleans()):
        content = gzip.compress(says, mtime=0)
        headers.append("Content-Encoding: gzip")
    if draw(st.booleans()):
        headers.append("Transfer-Encoding: chunked")
        content = chunked(content, draw(st.lists(st.integers(1, 20), max_size=4)), draw(styles))
    else:
        headers.append(f"Content-Length: {len(content)}")
    return Answer(headed(b"", *draw(st.permutations(headers))), content, says)


@given(answers())
def test_a_whole_answer_is_read_whole(answer: Answer) -> None:
    assert received(answer.head + answer.content) == answer.says
    # What follows belongs to nobody and is not read.
    assert received(answer.head + answer.content * 2) == answer.says


@given(answers(), st.data())
def test_a_cut_answer_never_passes_for_a_whole_one(answer: Answer, data: st.DataObject) -> None:
    whole = answer.head + answer.content
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    found = received(cut)
    # The last line of chunks says nothing, so without it all is there.
    assert found is None or isinstance(found, TransportError) or found == answer.says
    if isinstance(found, TransportError):
        assert found.reason.isprintable()


def gunzipped(content: bytes) -> bytes | None:
    """What Python's own reader makes of gzip; None if it is damaged."""
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return None


@given(bodies, st.data())
def test_a_damaged_gzip_body_never_passes_for_a_whole_one(says: bytes, data: st.DataObject) -> None:
    packed = gzip.compress(says, mtime=0)
    content = data.draw(damaged(packed))
    found = received(headed(content, "Content-Encoding: gzip", f"Content-Length: {len(content)}"))
    # Several members in a row are a whole body, and zeros may follow them.
    assert isinstance(found, TransportError) or found in (says, gunzipped(content))


@given(bodies, st.integers(-3, 140), st.booleans())
def test_a_body_of_another_length_than_it_says_is_broken(
    says: bytes, length: int, is_gzip: bool
) -> None:
    content = gzip.compress(says, mtime=0) if is_gzip else says
    coding = ["Content-Encoding: gzip"] if is_gzip else []
    found = received(headed(content, *coding, f"Content-Length: {length}"))
    if length == len(content):
        assert found == says
    elif length < 0 or length > len(content) or is_gzip:
        assert isinstance(found, TransportError)
    else:
        # Nothing but its length says where a body ends.
        assert found == content[:length]


@given(answers(), st.integers(0, 70), st.integers(0, 200))
def test_a_body_above_the_limit_is_broken_and_one_below_is_not(
    answer: Answer, limit: int, times: int
) -> None:
    found = received(answer.head + answer.content, limit)
    assert isinstance(found, TransportError) or len(found or b"") <= limit
    long = gzip.compress(answer.says * times, mtime=0)
    head = headed(b"", "Content-Encoding: gzip", f"Content-Length: {len(long)}")
    unpacked = received(head + long, 100 + limit)
    fits = len(answer.says) * times <= 100 + limit and len(long) <= 100 + limit
    assert (unpacked == answer.says * times) if fits else isinstance(unpacked, TransportError)
