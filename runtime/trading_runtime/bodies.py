"""Reading the body of an answer, so that no part of one ever passes for the whole."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

from attrs import field, frozen
from urllib3 import BaseHTTPResponse
from urllib3.exceptions import ReadTimeoutError

from trading_runtime.connections import cause
from trading_runtime.retry import Fault

_CHUNK = 65_536
_GZIP = 16 + zlib.MAX_WBITS


@frozen
class Broken:
    """A body that did not come whole; `content` is the beginning of what did come."""

    fault: Fault
    reason: str
    content: bytes = field(repr=False)


def read_body(raw: BaseHTTPResponse, longest: int) -> bytes | Broken:
    """The whole body, decompressed, or what was wrong with it; never more than `longest` bytes."""
    framed = raw.length_remaining is not None
    if raw.chunked:
        # urllib3 takes `gzip, chunked` for chunks, too, and http.client, which reads them, does not.
        framed = raw.headers.get("Transfer-Encoding", "").lower() == "chunked"
    content = bytearray()
    try:
        # read1, because read drops what has come of a chunk when the rest of it does not.
        while chunk := raw.read1(_CHUNK, decode_content=False):
            content += chunk
            if len(content) > longest:
                return _too_long(content, longest)
            if raw.length_remaining == 0 and not raw.chunked:
                break
    except ReadTimeoutError:
        return Broken(Fault.MAYBE_SENT, "the body stopped coming", bytes(content))
    except Exception as error:
        return Broken(Fault.UNUSABLE, f"the body was cut: {cause(error)}", bytes(content))
    body = _decoded(bytes(content), raw.headers, longest)
    if body is None:
        return Broken(Fault.UNUSABLE, "the body is not whole gzip", bytes(content))
    if len(body) > longest:
        return _too_long(body, longest)
    # A body that ends where the connection does may have been cut, as may its headers.
    return body if framed else Broken(Fault.UNUSABLE, "the body has no length", body)


def _too_long(content: bytes | bytearray, longest: int) -> Broken:
    reason = f"the body is longer than {longest} bytes"
    return Broken(Fault.UNUSABLE, reason, bytes(content[:_CHUNK]))


def _decoded(body: bytes, headers: Mapping[str, str], longest: int) -> bytes | None:
    """Undo Content-Encoding; None if it is not gzip or not complete, which urllib3 lets pass."""
    coding = headers.get("Content-Encoding", "").strip().lower()
    if coding in ("", "identity"):
        return body
    return _gunzipped(body, longest) if coding in ("gzip", "x-gzip") else None


def _gunzipped(body: bytes, longest: int) -> bytes | None:
    """At most one byte above the longest body, which tells a body that is too long."""
    stream = zlib.decompressobj(_GZIP)
    try:
        plain = stream.decompress(body, longest + 1)
    except zlib.error:
        return None
    whole = stream.eof and not stream.unused_data
    return plain if whole or len(plain) > longest else None
