"""One injected fault with its options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import Factory, frozen


@frozen(kw_only=True)
class Fault:
    """An injected fault. Options that its kind does not take have a neutral value."""

    operation: str
    """Operation that it waits for, `*` for any. Once taken: the operation of the request."""

    kind: str
    times: int = 1
    """How many more requests it applies to."""

    executed: bool = True
    """Whether the exchange executes the request."""

    status: int = 200
    body: bytes | None = None
    headers: Mapping[str, str] = Factory(dict)
    seconds: float = 0.0
    offset_ms: int = 0
    """How far ahead the clock is that checks the request's timestamp, in ms."""

    field: str | None = None
    value: Any = None
    location: str = ""
    keep: int | None = None
    """How many bytes are sent of what is cut; None: the default of the kind."""

    size: int = 0
