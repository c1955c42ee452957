"""Where the headers, the chunks and the body of an answer end, held to the words of RFC 9112.

http.client takes more than these: int() reads `1_4`, and a bare CR ends a header. Whatever stands between
may read such an answer otherwise, so that nobody knows where the body ends and the next answer begins.
"""

from __future__ import annotations

import re
from contextlib import suppress
from http.client import HTTPException
from typing import Any

from urllib3 import BaseHTTPResponse
from urllib3.exceptions import HeaderParsingError
from urllib3.util.response import assert_header_parsing

MAX_INTERIM = 100
"""Interim answers (1xx) before an answer; as many as the headers that an answer may have."""
_TEXT = rb"[\t -~\x80-\xff]*"
_STATUS = re.compile(rb"HTTP/1\.[01] [1-9][0-9]{2}( %b)?\r\n" % _TEXT)
_FIELD = re.compile(rb"([!#-'*+.^-z|~0-9A-Z-]+:%b)?\r\n" % _TEXT)
_CHUNK = re.compile(rb"[0-9A-Fa-f]{1,16}(;%b)?\r\n" % _TEXT)
_LAST_CHUNK = re.compile(rb"0+[;\r]")
_LENGTH = re.compile(r"[0-9]{1,18}[ \t]*")


class Lines:
    """Which line comes next: a status, a header (or the end of the headers), or the size of a chunk."""

    def __init__(self) -> None:
        """The status comes first."""
        self.in_body = False
        self._next = _STATUS
        self._heads = 0

    def begin_body(self) -> None:
        """The headers are over. If lines follow, they are those of chunks."""
        self.in_body, self._next = True, _CHUNK

    def check(self, line: bytes) -> None:
        """Take the next line.

        Raises:
            HTTPException: HTTP has no such line there, or there are too many interim answers.
        """
        if self._next.fullmatch(line) is None:
            raise HTTPException("this is no line of HTTP")
        if self._next is _STATUS:
            self._heads += 1
            if self._heads > MAX_INTERIM + 1:
                raise HTTPException("too many interim answers")
        if line == b"\r\n":
            self._next = _STATUS  # what came was an interim answer
        elif self._next is _STATUS or (self._next is _CHUNK and _LAST_CHUNK.match(line)):
            self._next = _FIELD


def is_framed(raw: BaseHTTPResponse) -> bool:
    """Whether the headers say where the body ends: once, and in words that all read alike."""
    coding, length = raw.headers.get("Transfer-Encoding"), raw.headers.get("Content-Length")
    if coding is not None:
        return coding.lower() == "chunked" and length is None and raw.version == 11
    if length is not None:
        return _LENGTH.fullmatch(length) is not None
    return raw.status == 204


def is_plain(raw: BaseHTTPResponse) -> bool:
    """Whether every header is one of HTTP, in an answer whose lines nobody checked."""
    read: Any = raw
    with suppress(HeaderParsingError):
        assert_header_parsing(read._original_response.msg)
        lines = (f"{name}:{value}\r\n".encode("latin-1") for name, value in raw.headers.items())
        return all(map(_FIELD.fullmatch, lines))
    return False
