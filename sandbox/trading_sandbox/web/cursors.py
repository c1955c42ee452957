"""Pagination cursors: opaque tokens with a position and the filters of the list.

A page starts after a record, not at an offset, so new records do not shift it. The filters stay
the same over all pages: a request with a cursor need not repeat them, and cannot change them.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from typing import Any

from trading_sandbox.web.refusals import bad_request

_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,1000}")


def encode(operation: str, filters: Mapping[str, Any], position: int) -> str:
    """Return the cursor of the page that follows the record at a position."""
    text = json.dumps([operation, dict(sorted(filters.items())), position], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def decode(token: str, operation: str, filters: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
    """Return the filters and the position of a cursor.

    Refuses a cursor that `encode` cannot have made, or that has another list or other filters.
    """
    found, kept, position = _parts(token)
    if found != operation or not isinstance(kept, dict) or type(position) is not int:
        raise bad_request(f"cursor: not a cursor of {operation}")
    if not 0 <= position < 2**63 or encode(operation, kept, position) != token:
        raise bad_request(f"cursor: not a cursor of {operation}")
    for name, value in filters.items():
        if kept.get(name) != value:
            raise bad_request(f"cursor: it belongs to a query with another {name}")
    return kept, position


def _parts(token: str) -> tuple[Any, Any, Any]:
    try:
        if not _TOKEN.fullmatch(token):
            raise ValueError
        padded = token + "=" * (-len(token) % 4)
        operation, filters, position = json.loads(base64.urlsafe_b64decode(padded))
    except (ValueError, TypeError, RecursionError):
        raise bad_request("cursor: pass back next_cursor unchanged") from None
    return operation, filters, position
