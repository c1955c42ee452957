"""The request log: what reached the sandbox and what it made of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from threading import Lock
from typing import Any

import attrs

KEPT_REQUESTS = 10_000
KEPT_BYTES = 32 * 1024 * 1024
"""How long all requests may be that are kept, as they were received."""


@attrs.frozen(kw_only=True)
class LoggedRequest:
    """One request that the sandbox answered."""

    operation: str | None
    """Name of the operation, like `orders.create`; None where no path matched."""
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str] = attrs.field(repr=False)
    """Names in lower case. Not shown by repr, which ends up in test reports: they hold API keys."""
    body: Any = attrs.field(repr=False)
    """The parsed JSON; the text where it could not be parsed; None without a body. Not shown."""
    canonical: tuple[str, ...] = attrs.field(repr=False)
    """The canonical text that was verified, rebuilt from the body; in a batch one per action. Not
    shown: a key to be revoked stands there."""
    account: str | None
    """The account that signed or is asked about; in a batch that of its first action."""
    status: int
    error: str | None
    """Why the request was refused."""


class RequestLog:
    """The latest requests, oldest first. Safe to use from any thread."""

    def __init__(self) -> None:
        self._entries: deque[tuple[LoggedRequest, int]] = deque()
        self._size = 0
        self._lock = Lock()

    def add(self, entry: LoggedRequest, size: int) -> None:
        """Add a request that was received in so many bytes."""
        with self._lock:
            self._entries.append((entry, size))
            self._size += size
            while len(self._entries) > KEPT_REQUESTS or self._size > KEPT_BYTES:
                _, forgotten = self._entries.popleft()
                self._size -= forgotten

    def clear(self) -> None:
        """Forget every request."""
        with self._lock:
            self._entries.clear()
            self._size = 0

    def entries(self) -> list[LoggedRequest]:
        """Return a copy of the log."""
        with self._lock:
            return [entry for entry, _ in self._entries]
