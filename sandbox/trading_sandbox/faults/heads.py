"""The head of a request, read from bytes: where the request ends and what it asks for."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

LARGEST_HEAD = 64 * 1024
LARGEST_BODY = 1024 * 1024

_REQUEST_LINE = re.compile(rb"([A-Z]+) (/[\x21-\x7e]*) HTTP/1\.[01]\r\n")
_FIRST_BYTE = re.compile(rb"[A-Z]")
_BODILESS = (b"\r\ntransfer-encoding", b"\r\nexpect", b"\r\nupgrade:")
_LENGTH = b"\r\ncontent-length:"
_DIGITS = re.compile(rb"[ \t]*([0-9]{1,10})[ \t]*")


class Head(NamedTuple):
    """A head after which the end of its request is known."""

    method: str
    target: str
    """Path and query."""

    size: int
    """Length of the whole request, in bytes."""


def read_head(data: bytes) -> Head | Literal["incomplete", "odd"]:
    """Read the head at the beginning of bytes.

    `odd` is whatever does not say plainly where the request ends, is larger than any that the
    service takes, or is no HTTP/1 request.
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
    length = _body_length(head.lower())
    if length is None or length > LARGEST_BODY:
        return "odd"
    return Head(line[1].decode(), line[2].decode(), end + 4 + length)


def _cannot_become_plain(data: bytes) -> bool:
    if data and not _FIRST_BYTE.match(data):
        return True
    if data.count(b"\n") != data.count(b"\r\n"):
        return True
    if len(data) > LARGEST_HEAD:
        return True
    return b"\n" in data and not _REQUEST_LINE.match(data)


def _body_length(head: bytes) -> int | None:
    """Return the length that a head in lower case gives its body; None if that is not plain."""
    if any(name in head for name in _BODILESS):
        return None
    at = head.find(_LENGTH)
    if at < 0:
        # A blank before the colon hides the length from us, though not from every server.
        return None if b"\r\ncontent-length" in head else 0
    if b"\r\ncontent-length" in head[at + 2 :]:
        return None
    digits = _DIGITS.fullmatch(head, at + len(_LENGTH), head.find(b"\r\n", at + 2))
    return None if digits is None else int(digits[1])
