"""Read JSON bodies strictly, with limits on size, nesting and numbers; and write them."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request

from trading_sandbox.web.refusals import Refusal, bad_request

LARGEST_BODY = 256 * 1024
DEEPEST_NESTING = 16
LONGEST_INTEGER = 30
_SHOWN = 60

_ENCODER = json.JSONEncoder(separators=(",", ":"))


class _Inexact:
    """Placeholder for a number that the JSON parser reads but the service refuses."""

    def __init__(self, text: str) -> None:
        self.text = text


async def read_body(request: Request) -> bytes:
    """Return the body of a request; refuse it if it is too large or not declared as JSON."""
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type != "application/json":
        raise bad_request("Content-Type must be application/json")
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST_BODY:
                raise Refusal(413, f"The body is larger than {LARGEST_BODY} bytes")
    except ClientDisconnect:
        raise bad_request("The connection was closed in the middle of the body") from None
    return bytes(body)


def parse_object(body: bytes, *, fractions: bool = False) -> dict[str, Any]:
    """Parse a JSON object whose keys are unique.

    Args:
        body: The JSON, in UTF-8.
        fractions: Whether numbers may be fractions; otherwise only integers are allowed.
    """
    try:
        parsed = json.loads(
            body.decode("utf-8"),
            parse_int=_integer,
            parse_float=_finite if fractions else _Inexact,
            parse_constant=_Inexact,
            object_pairs_hook=_unique,
        )
    except (ValueError, RecursionError) as error:
        reason = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise bad_request(f"The body is not JSON: {reason}") from None
    if not isinstance(parsed, dict):
        raise bad_request("The body must be a JSON object")
    _check(parsed, "", DEEPEST_NESTING)
    return parsed


def to_json(document: dict[str, Any]) -> bytes:
    """Return a document as compact JSON in ASCII, because UTF-8 cannot encode a lone surrogate."""
    return _ENCODER.encode(document).encode("ascii")


def _integer(text: str) -> int | _Inexact:
    return int(text) if len(text) <= LONGEST_INTEGER else _Inexact(text)


def _finite(text: str) -> float | _Inexact:
    number = float(text)
    return number if math.isfinite(number) else _Inexact(text)


def _unique(pairs: list[tuple[str, Any]]) -> Mapping[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counted = Counter(name for name, _ in pairs)
        twice = next(name for name, count in counted.items() if count > 1)
        raise ValueError(f"the key {twice[:40]!r} occurs twice in one object")
    return found


def _check(value: Any, path: str, levels: int) -> None:
    if isinstance(value, _Inexact):
        raise bad_request(
            f"{path}: {value.text[:20]} is not allowed; write money as a decimal string, "
            f"other numbers as integers of at most {LONGEST_INTEGER} digits"
        )
    if not isinstance(value, (dict, list)):
        return
    if not levels:
        raise bad_request(f"{path}: nested too deep")
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if not isinstance(item, (dict, list, _Inexact)):
            continue
        place = f"{path}[{key}]" if isinstance(value, list) else f"{path}.{key}".lstrip(".")
        # Cut, because the paths of all members repeat a long name.
        _check(item, place[:_SHOWN], levels - 1)
