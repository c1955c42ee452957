"""One fault, as it waits for requests and as a request meets it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import Factory, frozen


@frozen(kw_only=True)
class Fault:
    """A fault with its options; those that its kind does not take keep a neutral value."""

    operation: str
    """Operation that it waits for, `*` for any; the operation itself once a request has met it."""

    kind: str
    times: int = 1
    """How many requests it will still meet."""

    executed: bool = True
    """Whether the exchange carries the request out."""

    status: int = 200
    body: bytes | None = None
    headers: Mapping[str, str] = Factory(dict)
    seconds: float = 0.0
    offset_ms: int = 0
    """How far ahead the clock is that the request is checked by, in ms."""

    field: str | None = None
    value: Any = None
    location: str = ""
    keep: int | None = None
    """How many bytes are sent of what is cut."""

    size: int = 0
