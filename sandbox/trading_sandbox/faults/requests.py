"""Cut the bytes that a client sends into whole requests, and time them.

The proxy needs to know where each request ends, and nothing else about it. It reads every request,
so this is kept to a few searches in bytes; a general parser takes many times as long.
"""

from __future__ import annotations

import asyncio
import re
from typing import Literal, NamedTuple

from trading_sandbox.faults.answers import JSON_TYPE, Answer

MOST_WAITING = 256 * 1024
"""How many bytes of the next requests are read while a request is answered."""
REQUEST_TIMEOUT = 30.0
"""How long a request may take to become whole, from the connection or its first byte, in seconds."""
PASSING_TIMEOUT = 90.0
"""Silent seconds after which a connection is closed whose requests are passed through.

Nobody knows whether such a request is whole, so this is longer than any request is answered.
"""
WEBSOCKET = "/ws"
"""The path of the websocket, where there is one."""
_TIMED_OUT = Answer(
    status=408,
    headers=(JSON_TYPE, ("connection", "close")),
    body=b'{"error":"The request was not whole in time","code":408}',
)

LARGEST_HEAD = 64 * 1024
LARGEST_BODY = 1024 * 1024

_REQUEST_LINE = re.compile(rb"([A-Z]+) (/[\x21-\x7e]*) HTTP/1\.[01]\r\n")
_FIRST_BYTE = re.compile(rb"[A-Z]")
_BODILESS = (b"\r\ntransfer-encoding", b"\r\nexpect")
_UPGRADE = re.compile(rb"\r\nupgrade[ \t]*:[^\r\n]*", re.IGNORECASE)
_LENGTH = b"\r\ncontent-length:"
_DIGITS = re.compile(rb"[ \t]*([0-9]{1,10})[ \t]*")
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:[ \t]*chunked[ \t]*\r\n")
_CHUNK_SIZE = re.compile(rb"[0-9a-fA-F]{1,8}")


class Head(NamedTuple):
    """The head of a request whose end is known."""

    method: str
    target: str
    """Path and query."""

    size: int
    """Length of the whole request, in bytes."""


def ignoring_upgrade(request: bytes) -> bytes:
    """Return a request without its Upgrade header, which a server may ignore.

    Some clients offer HTTP/2 with every request. uvicorn would then ignore the body as well.
    """
    end = request.find(b"\r\n\r\n")
    return _UPGRADE.sub(b"", request[:end]) + request[end:] if end >= 0 else request


def _has_bare_newline(data: bytes | bytearray, start: int = 0) -> bool:
    return data.count(b"\n", start) != data.count(b"\r\n", max(0, start - 1))


def _body_length(head: bytes) -> int | Literal["chunked"] | None:
    """Return the length of the body by its head, in lower case; None if it is ambiguous."""
    chunked = _CHUNKED.search(head)
    if chunked is not None:
        others = head[: chunked.start()] + head[chunked.end() - 2 :]
        twofold = any(name in others for name in (*_BODILESS, b"\r\ncontent-length"))
        return None if twofold else "chunked"
    if any(name in head for name in _BODILESS):
        return None
    at = head.find(_LENGTH)
    if at < 0:
        # Some servers also read a length where a blank stands before the colon.
        return None if b"\r\ncontent-length" in head else 0
    if b"\r\ncontent-length" in head[at + 2 :]:
        return None
    digits = _DIGITS.fullmatch(head, at + len(_LENGTH), head.find(b"\r\n", at + 2))
    return None if digits is None or int(digits[1]) > LARGEST_BODY else int(digits[1])


class RequestReader:
    """Collects what a client sends, and cuts it into whole requests.

    Heads and chunks are searched once, however small the pieces in which they come.

    Args:
        upgrades: The path whose requests may become a websocket; None: there is none.
    """

    def __init__(self, upgrades: str | None = None) -> None:
        self._upgrades = upgrades
        self.unread = bytearray()
        """Received bytes of requests that are not taken yet."""
        self.head: Head | None = None
        """The head of the first of them, once it is read."""
        self.passing = False
        """Whether it is not clear where a request ends: everything is then passed through."""
        self._begin()

    def _begin(self) -> None:
        self._searched = 0
        """How much of the first request was searched for the end of its head."""
        self._body = 0
        """Where its body begins; 0 before that is known."""
        self._chunk = 0
        """Where the next chunk of its body begins; 0 if that is not chunked."""

    def feed(self, data: bytes) -> None:
        """Collect what was received."""
        self.unread += data

    def read_head(self) -> Head | None:
        """Return the head of the next request, if it can be read now and was not before."""
        if self.head is not None or not self.unread:
            return None
        size = self._size()
        if size == "odd":
            self.passing = True
        elif size != "incomplete":
            line = _REQUEST_LINE.match(self.unread)
            assert line is not None
            self.head = Head(line[1].decode(), line[2].decode(), size)
        return self.head

    @property
    def is_whole(self) -> bool:
        """Whether the whole of the next request is there."""
        return self.head is not None and len(self.unread) >= self.head.size

    def take(self) -> bytes:
        """Take the next request, or everything if all is passed through."""
        size = len(self.unread) if self.head is None else self.head.size
        taken = bytes(self.unread[:size])
        del self.unread[:size]
        path = None if self.head is None else self.head.target.partition("?")[0]
        self.head = None
        self._begin()
        return taken if path is not None and path == self._upgrades else ignoring_upgrade(taken)

    def _size(self) -> int | Literal["incomplete", "odd"]:
        """Return the length of the first request, in bytes.

        `odd` means that this is no HTTP/1 request, that it is larger than the service accepts, or
        that its end is ambiguous.
        """
        if self._chunk:
            return self._chunked_size()
        data, before = self.unread, self._searched
        end = data.find(b"\r\n\r\n", max(0, before - 3))
        if end < 0:
            self._searched = len(data)
            return "odd" if self._cannot_become_plain(before) else "incomplete"
        head = bytes(data[: end + 2])
        if end > LARGEST_HEAD or not _REQUEST_LINE.match(head) or _has_bare_newline(head):
            return "odd"
        length, self._body = _body_length(head.lower()), end + 4
        if length == "chunked":
            self._chunk = self._body
            return self._chunked_size()
        return "odd" if length is None else self._body + length

    def _cannot_become_plain(self, before: int) -> bool:
        """Whether the bytes from `before` on show that this is no plain request."""
        data = self.unread
        is_odd = not _FIRST_BYTE.match(data) or len(data) > LARGEST_HEAD
        if is_odd or _has_bare_newline(data, before):
            return True
        return data.find(b"\n") >= before and not _REQUEST_LINE.match(data)

    def _chunked_size(self) -> int | Literal["incomplete", "odd"]:
        """Return the length of a request with a chunked body; one with extensions or trailers is odd."""
        data = self.unread
        while True:
            end = data.find(b"\r\n", self._chunk, self._chunk + 10)
            if end < 0:
                return "incomplete" if len(data) - self._chunk < 10 else "odd"
            size = _CHUNK_SIZE.fullmatch(data, self._chunk, end)
            if size is None:
                return "odd"
            after = end + 2 + int(size[0], 16) + 2
            if after - self._body > LARGEST_BODY:
                return "odd"
            if len(data) < after:
                return "incomplete"
            if data[after - 2 : after] != b"\r\n":
                return "odd"
            if after == end + 4:
                return after
            self._chunk = after


class RequestTimer:
    """Closes a connection whose next request does not become whole in time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, reader: RequestReader) -> None:
        self._loop = loop
        self._reader = reader
        self._handle: asyncio.TimerHandle | None = None

    def start(self, transport: asyncio.Transport, seconds: float) -> None:
        """Close the connection after some seconds, counted from now."""
        self.stop()
        self._handle = self._loop.call_later(seconds, self._close, transport)

    def stop(self) -> None:
        """Leave the connection open."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    @property
    def runs(self) -> bool:
        """Whether it was started and not stopped since."""
        return self._handle is not None

    def _close(self, transport: asyncio.Transport) -> None:
        if self._reader.unread:
            transport.write(_TIMED_OUT.render())
        transport.close()
