"""A lock that a fork does not leave held for ever."""

from __future__ import annotations

import os
import threading
from types import TracebackType


class ForkSafeLock:
    """A lock; in a child process it is a new one, since nobody there would release the parent's."""

    def __init__(self) -> None:
        """Make a lock that nobody holds."""
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        self._pid = os.getpid()

    def __enter__(self) -> None:
        if self._pid != os.getpid():
            self._begin()
        self._lock.acquire()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._lock.release()
