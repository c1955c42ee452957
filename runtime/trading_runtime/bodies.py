"""Reading the body of an answer, so that no part of one ever passes for the whole."""

from __future__ import annotations

import contextlib
import gzip
import zlib
from collections.abc import Mapping

from attrs import field, frozen
from urllib3 import BaseHTTPResponse
from urllib3.exceptions import ReadTimeoutError

from trading_runtime.connections import cause
from trading_runtime.retry import Fault

_CHUNK = 65_536


@frozen
class Broken:
    """A body that did not come whole; `content` is what did come."""

    fault: Fault
    reason: str
    content: bytes = field(repr=False)


def read_body(raw: BaseHTTPResponse) -> bytes | Broken:
    """The whole body, decompressed, or what was wrong with it."""
    framed = raw.chunked or raw.length_remaining is not None
    content = bytearray()
    try:
        # read1, because read drops what has come of a chunk when the rest of it does not.
        while chunk := raw.read1(_CHUNK, decode_content=False):
            content += chunk
    except ReadTimeoutError:
        return Broken(Fault.MAYBE_SENT, "the body stopped coming", bytes(content))
    except Exception as error:
        return Broken(Fault.UNUSABLE, f"the body was cut: {cause(error)}", bytes(content))
    body = _decoded(bytes(content), raw.headers)
    if body is None:
        return Broken(Fault.UNUSABLE, "the body is not whole gzip", bytes(content))
    # A body that ends where the connection does may have been cut, as may its headers.
    return body if framed else Broken(Fault.UNUSABLE, "the body has no length", body)


def _decoded(body: bytes, headers: Mapping[str, str]) -> bytes | None:
    """Undo Content-Encoding; None if it is not gzip or not complete, which urllib3 lets pass."""
    coding = headers.get("Content-Encoding", "").strip().lower()
    if coding in ("", "identity"):
        return body
    with contextlib.suppress(OSError, EOFError, zlib.error):
        return gzip.decompress(body) if coding in ("gzip", "x-gzip") else None
    return None
