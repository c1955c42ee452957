"""Read the head of a request: its method, its target, and where the whole request ends.

The end of a chunked body is only known once all of it has arrived.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

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


def read_head(data: bytes) -> Head | Literal["incomplete", "odd"]:
    """Read the head of a request from the beginning of the data.

    `odd` means that this is no HTTP/1 request, that it is larger than the service accepts, or
    that its end is ambiguous.
    """
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return "odd" if _cannot_become_plain(data) else "incomplete"
    line = _REQUEST_LINE.match(data)
    if line is None or end > LARGEST_HEAD:
        return "odd"
    head = data[: end + 2]
    if head.count(b"\n") != head.count(b"\r\n"):
        return "odd"
    length = _body_length(head.lower(), data[end + 4 :])
    if length == "incomplete":
        return "incomplete"
    if length is None or length > LARGEST_BODY:
        return "odd"
    return Head(line[1].decode(), line[2].decode(), end + 4 + length)


def ignoring_upgrade(request: bytes) -> bytes:
    """Return a request without its Upgrade header, which a server may ignore.

    Some clients offer HTTP/2 with every request. uvicorn would then ignore the body as well.
    """
    end = request.find(b"\r\n\r\n")
    return _UPGRADE.sub(b"", request[:end]) + request[end:] if end >= 0 else request


def _cannot_become_plain(data: bytes) -> bool:
    if data and not _FIRST_BYTE.match(data):
        return True
    if data.count(b"\n") != data.count(b"\r\n"):
        return True
    if len(data) > LARGEST_HEAD:
        return True
    return b"\n" in data and not _REQUEST_LINE.match(data)


def _body_length(head: bytes, body: bytes) -> int | Literal["incomplete"] | None:
    """Return the length of the body by its head, in lower case; None if it is ambiguous."""
    chunked = _CHUNKED.search(head)
    if chunked is not None:
        others = head[: chunked.start()] + head[chunked.end() - 2 :]
        twofold = any(name in others for name in (*_BODILESS, b"\r\ncontent-length"))
        return None if twofold else _chunked_length(body)
    if any(name in head for name in _BODILESS):
        return None
    at = head.find(_LENGTH)
    if at < 0:
        # With a blank before the colon this is no length to us, but it is one to some servers.
        return None if b"\r\ncontent-length" in head else 0
    if b"\r\ncontent-length" in head[at + 2 :]:
        return None
    digits = _DIGITS.fullmatch(head, at + len(_LENGTH), head.find(b"\r\n", at + 2))
    return None if digits is None else int(digits[1])


def _chunked_length(body: bytes) -> int | Literal["incomplete"] | None:
    """Return the length of a chunked body, framing included; None with extensions or trailers."""
    at = 0
    while at <= LARGEST_BODY:
        end = body.find(b"\r\n", at)
        if end < 0:
            return "incomplete" if len(body) - at < 10 else None
        size = _CHUNK_SIZE.fullmatch(body, at, end)
        if size is None:
            return None
        chunk = int(size[0], 16)
        at = end + 2 + chunk + 2
        if len(body) < at and at <= LARGEST_BODY:
            return "incomplete"
        if body[at - 2 : at] != b"\r\n":
            return None
        if not chunk:
            return at
    return None
