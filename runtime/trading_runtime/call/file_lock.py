"""Locks: of the journal's file, which one client at a time may have, and of memory that threads share."""

from __future__ import annotations

import os
import stat
import sys
import threading
from contextlib import AbstractContextManager
from typing import Any

from trading_runtime.checks import without_keys

if sys.platform != "win32":  # pragma: no branch
    import fcntl


def named(path: str) -> str:
    """A journal as errors and the log name it."""
    return f"journal {without_keys(repr(path))}"


TAKEN = (
    "belongs to another client that is still open: close it, or use that one, also in other threads"
)
"""Why a journal cannot be opened."""


def unusable(path: str) -> str | None:
    """Why no file can be used at a path, or None. Nothing is opened, made or changed."""
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return _no_folder(os.path.dirname(path))
    except OSError as error:
        return error.strerror
    except ValueError:
        return "no file can have this name"
    if not stat.S_ISREG(mode):
        return "it is not a regular file"
    return None if os.access(path, os.R_OK | os.W_OK) else "it cannot be read and written"


def _no_folder(folder: str) -> str | None:
    if not os.path.isdir(folder):
        return f"there is no folder {without_keys(repr(folder))}"
    usable = os.access(folder, os.W_OK | os.X_OK)
    return None if usable else f"no file can be made in {without_keys(repr(folder))}"


def is_at(path: str, file: int) -> bool:
    """Whether a path leads to this open file."""
    try:
        return os.path.samestat(os.fstat(file), os.stat(path, follow_symlinks=False))
    except FileNotFoundError:
        return False


def lock(file: int) -> None:
    """Take the lock of a file for this process; a BlockingIOError if another one has it."""
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def unlock(file: int) -> None:
    """Release the lock at once, even if a child that was just forked still holds the file."""
    if sys.platform != "win32":
        fcntl.flock(file, fcntl.LOCK_UN)


def sync_folder(path: str) -> None:
    """Sync the name of a file, as its content is synced elsewhere."""
    if sys.platform == "win32":
        return
    folder = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


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
