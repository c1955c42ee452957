"""A lock that a fork does not leave held for ever."""

from __future__ import annotations

import os
import threading
from contextlib import AbstractContextManager
from typing import Any


class ForkSafeLock:
    """A lock that is new in a child process, where nobody would release the parent's.

    It is re-entrant: a signal handler may make calls while its thread holds the lock.
    """

    def __init__(self) -> None:
        """Make a lock that nobody holds."""
        self._begin()

    def held(self) -> AbstractContextManager[Any]:
        """The lock of this process, for a with block.

        It is the interpreter's own, so that Ctrl-C cannot come between taking it and the block.
        """
        if self._pid != os.getpid():
            self._begin()
        return self._lock

    def _begin(self) -> None:
        self._lock = threading.RLock()
        self._pid = os.getpid()
