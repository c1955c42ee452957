"""A lock that a fork does not leave held for ever."""

from __future__ import annotations

import os
import threading
from contextlib import AbstractContextManager
from typing import Any


class ForkSafeLock:
    """A lock; in a child process it is a new one, since nobody there would release the parent's.

    It is re-entrant, because a signal handler may make calls while its thread holds the lock.
    """

    def __init__(self) -> None:
        """Make a lock that nobody holds."""
        self._begin()

    def held(self) -> AbstractContextManager[Any]:
        """The lock of this process, to be held in a with block.

        It is the interpreter's own: between its taking and the block no Ctrl-C leaves it held.
        """
        if self._pid != os.getpid():
            self._begin()
        return self._lock

    def _begin(self) -> None:
        self._lock = threading.RLock()
        self._pid = os.getpid()
