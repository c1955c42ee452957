"""Reading the body of an answer to its end, so that a part of it never passes for the whole."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Callable

from urllib3 import BaseHTTPResponse
from urllib3.exceptions import ReadTimeoutError

from trading_runtime.errors import one_line
from trading_runtime.http.fault import Fault, TransportError, cause

_PIECE = 65_536
_LENGTH = re.compile(r"[0-9]{1,18}[ \t]*")


def is_framed(raw: BaseHTTPResponse) -> bool:
    """Whether the headers say where the body ends: once, and in a form that every reader takes alike."""
    coding, length = raw.headers.get("Transfer-Encoding"), raw.headers.get("Content-Length")
    if coding is not None:
        return coding.lower() == "chunked" and length is None and raw.version == 11
    if length is not None:
        return _LENGTH.fullmatch(length) is not None
    return raw.status == 204


def read_body(
    read: Callable[[int], bytes],
    status: int,
    coding: str,
    max_bytes: int,
    *,
    framed: bool,
) -> bytes | TransportError:
    """Read a body to its end and decompress it, or return what is wrong with it, and what came.

    Args:
        read: Returns some of the body, as it was sent, up to so many bytes; nothing at its end.
        status: The status of the answer.
        coding: Its Content-Encoding.
        max_bytes: Never more are read, nor unpacked.
        framed: Whether the headers say for certain where the body ends.
    """
    content = bytearray()
    try:
        while chunk := read(_PIECE):
            content += chunk
            if len(content) > max_bytes:
                return _too_long(content, max_bytes, status)
    except (TimeoutError, ReadTimeoutError):
        # The service may still be at work, as in every timeout. A cut answer, below, is over.
        return TransportError(Fault.MAYBE_SENT, "the body stopped coming", status, bytes(content))
    except Exception as error:
        reason = f"the body was cut: {cause(error)}"
        return TransportError(Fault.UNREADABLE, reason, status, bytes(content))
    received = bytes(content)
    coding = coding.strip().lower()
    plain: bytes | None = received
    if coding in ("gzip", "x-gzip"):
        plain = _gunzipped(received, max_bytes)
    elif coding not in ("", "identity"):
        reason = f"the body is in a coding that was not asked for: {one_line(coding)}"
        return TransportError(Fault.UNREADABLE, reason, status, received)
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


def _gunzipped(body: bytes, max_bytes: int) -> bytes | None:
    """Decompress a body, up to one byte beyond `max_bytes`, which shows that it is too long.

    None if it is not gzip or not complete, which urllib3 lets pass.
    """
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(body)) as stream:
            return stream.read(max_bytes + 1) if body else None
    except (OSError, EOFError, zlib.error):
        return None
