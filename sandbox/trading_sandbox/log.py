"""The request log: the latest requests, with the text that was verified and the answer's status."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from itertools import islice
from threading import Lock
from typing import Any

import attrs

_logger = logging.getLogger(__name__)

KEPT_REQUESTS = 10_000
KEPT_BYTES = 32 * 1024 * 1024
"""The most bytes that all logged requests may have together, as received."""
KEPT_ANSWER = 4096
"""The most bytes of an answer that are kept."""


@attrs.frozen(kw_only=True)
class LoggedRequest:
    """One request that the sandbox answered."""

    operation: str | None
    """Name of the operation, like `orders.create`; None if path or method matched none."""
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str] = attrs.field(repr=False)
    """By name in lower case. Not in `repr`, which ends up in test reports: they hold API keys."""
    body: Any = attrs.field(default=None, repr=False)
    """The parsed JSON; the text if it could not be parsed; None without a body. Not in `repr`."""
    canonical: tuple[str, ...] = attrs.field(default=(), repr=False)
    """The canonical texts that were verified, rebuilt from the body: for a batch, one per action.

    Not in `repr`: the text of `api_keys.revoke` holds an API key.
    """
    account: str | None = None
    """The account that signed or is asked about; for a batch, that of its first action."""
    status: int
    error: str | None
    """The error text of the refusal; None if the request was not refused."""
    answer: str | None = attrs.field(default=None, repr=False)
    """The first 4 KiB of the answer, before a fault spoiled it; None of a path that is no operation. Not in
    `repr`: it may hold a new API key."""
    fault: str | None = None
    """The kind of the fault that spoiled the answer, like `cut_body`; None without one."""
    verified: bool = False
    """Whether each of the canonical texts had a valid signature; false if there is none."""
    milliseconds: float = 0.0
    """How long the answer took, without the delay of a fault."""


class RequestLog:
    """The latest requests, oldest first. Safe to use from any thread."""

    def __init__(self) -> None:
        self.on_request: Callable[[LoggedRequest], object] | None = None
        """Called with each request that is added, in the thread of the server."""
        self._entries: deque[tuple[LoggedRequest, int]] = deque()
        self._added = 0
        self._size = 0
        self._lock = Lock()

    def add(self, entry: LoggedRequest, size: int) -> None:
        """Add a request of `size` bytes; drop the oldest ones that exceed the limits."""
        with self._lock:
            self._entries.append((entry, size))
            self._size += size
            self._added += 1
            while len(self._entries) > KEPT_REQUESTS or self._size > KEPT_BYTES:
                _, forgotten = self._entries.popleft()
                self._size -= forgotten
        if self.on_request is not None:
            try:
                self.on_request(entry)
            except Exception:
                # Whoever sent the request gets an answer all the same.
                _logger.exception("on_request failed")

    def clear(self) -> None:
        """Remove all requests."""
        with self._lock:
            self._entries.clear()
            self._size = self._added = 0

    def latest(self, most: int) -> tuple[int, list[LoggedRequest]]:
        """Return how many requests were ever added, and the latest ones, oldest first."""
        with self._lock:
            found = [entry for entry, _ in islice(reversed(self._entries), most)]
            return self._added, found[::-1]

    def entries(self) -> list[LoggedRequest]:
        """Return a copy of the log."""
        with self._lock:
            return [entry for entry, _ in self._entries]
