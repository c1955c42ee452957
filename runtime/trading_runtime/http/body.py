"""Reading the body of an answer to its end, so that a part of it never passes for the whole."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from typing import Protocol

from urllib3 import BaseHTTPResponse, HTTPHeaderDict
from urllib3.exceptions import ReadTimeoutError

from trading_runtime.http.fault import Fault, TransportError, cause

_PIECE = 65_536
_GZIP = 16 + zlib.MAX_WBITS
_LENGTH = re.compile(r"[0-9]{1,18}[ \t]*")


def is_framed(raw: BaseHTTPResponse) -> bool:
    """Whether the headers say where the body ends: once, and in a form that every reader takes alike."""
    coding, length = raw.headers.get("Transfer-Encoding"), raw.headers.get("Content-Length")
    if coding is not None:
        return coding.lower() == "chunked" and length is None and raw.version == 11
    if length is not None:
        return _LENGTH.fullmatch(length) is not None
    return raw.status == 204


class Answer(Protocol):
    """What is read of an answer: that of urllib3, or what stands in for one."""

    status: int
    headers: HTTPHeaderDict
    chunked: bool
    length_remaining: int | None
    """How much of the body is still to come, where its length was told."""

    def read1(self, amt: int, decode_content: bool) -> bytes:
        """Some of the body, as it was sent; nothing at its end."""
        ...


def read_body(raw: Answer, max_bytes: int, *, framed: bool) -> bytes | TransportError:
    """Read a body to its end and decompress it, or return what is wrong with it, and what came.

    Never more than `max_bytes` are read. `framed` is whether the headers say for certain where it ends.
    """
    content = bytearray()
    status = raw.status
    try:
        # read1: read loses the part of a chunk that was received when the rest is missing.
        while chunk := raw.read1(_PIECE, decode_content=False):
            content += chunk
            if len(content) > max_bytes:
                return _too_long(content, max_bytes, status)
            if raw.length_remaining == 0 and not raw.chunked:
                break
    except ReadTimeoutError:
        # The service may still be at work, as in every timeout. A cut answer, below, is over.
        return TransportError(Fault.MAYBE_SENT, "the body stopped coming", status, bytes(content))
    except Exception as error:
        reason = f"the body was cut: {cause(error)}"
        return TransportError(Fault.UNREADABLE, reason, status, bytes(content))
    received = bytes(content)
    is_coded = "Content-Encoding" in raw.headers
    plain = _decoded(received, raw.headers, max_bytes) if is_coded else received
    if plain is None:
        return TransportError(Fault.UNREADABLE, "the body is not whole gzip", status, received)
    if len(plain) > max_bytes:
        return _too_long(plain, max_bytes, status)
    # A body that ends where the connection does may have been cut, as may its headers.
    reason = "nothing says for certain where the body ends"
    return plain if framed else TransportError(Fault.UNREADABLE, reason, status, plain)


def _too_long(content: bytes | bytearray, max_bytes: int, status: int) -> TransportError:
    reason = f"the body is longer than {max_bytes} bytes"
    return TransportError(Fault.UNUSABLE, reason, status, bytes(content[:_PIECE]))


def _decoded(body: bytes, headers: Mapping[str, str], max_bytes: int) -> bytes | None:
    """Undo Content-Encoding; None if it is not gzip or not complete, which urllib3 lets pass."""
    coding = headers["Content-Encoding"].strip().lower()
    if coding in ("", "identity"):
        return body
    return _gunzipped(body, max_bytes) if coding in ("gzip", "x-gzip") else None


def _gunzipped(body: bytes, max_bytes: int) -> bytes | None:
    """Decompress a body, up to one byte beyond `max_bytes`, which shows that it is too long."""
    stream = zlib.decompressobj(_GZIP)
    try:
        plain = stream.decompress(body, max_bytes + 1)
    except zlib.error:
        return None
    whole = stream.eof and not stream.unused_data
    return plain if whole or len(plain) > max_bytes else None
