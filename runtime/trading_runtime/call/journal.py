"""The intent journal: what a client is about to change, on disk before it is sent.

One line of JSON an entry: `{"began": INTENT}` before every attempt, synced, and `{"ended": ID}` once
its outcome is known. A call without an end is open: its outcome is unknown. A line that a crash cut
short was not synced, so its call was not sent.
"""

from __future__ import annotations

import json
import logging
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakSet

from trading_runtime.call.locks import ForkSafeLock
from trading_runtime.errors import JournalError, OutcomeUnknownError, RequestError, TradingError
from trading_runtime.intent import Intent, as_fields, from_fields

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
_OPEN = _FLAGS | getattr(os, "O_NONBLOCK", 0)  # opening a named pipe must not hang
_LINE_STARTS = (b'{"began":{', b'{"ended":"')
_LARGE = 1024 * 1024
_log = logging.getLogger("trading_runtime")


class Journal:
    """The journal in one file, of one client in one process. Safe to use from any thread.

    Opening it empties the file if no call in it is open. Once it has grown large, ended calls are
    dropped from it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Use the file at `path`; the first call that needs it creates it (mode 0600)."""
        self._path = os.path.abspath(path)
        self._lock = ForkSafeLock()
        self._file: int | None = None
        self._closed = self._left_to_parent = False
        self._size = 0
        self._rewrite_at = _LARGE
        self._open: dict[str, Intent] = {}
        self._running: set[str] = set()
        _journals.add(self)

    @contextmanager
    def entry(self, intent: Intent | None) -> Iterator[None]:
        """Keep the entry of one attempt for the length of a with block; a read (None) has no entry.

        It stays open if the block ends with an OutcomeUnknownError or a foreign exception, like Ctrl-C.
        """
        if intent is None:
            yield
            return
        self.begin(intent)
        known = False
        try:
            yield
            known = True
        except TradingError as error:
            known = not isinstance(error, OutcomeUnknownError)
            raise
        finally:
            self.end(intent, known=known)

    def begin(self, intent: Intent) -> None:
        """Write down what an attempt is about to send. It is on disk when this returns.

        Raises:
            JournalError: it is not on disk, so the attempt must not be sent.
        """
        with self._as_journal_error(f"{intent.operation} was not sent: "):
            with self._lock.held():
                self._check_open()
                file = self._opened()
                self._append(file, {"began": as_fields(intent)})
                self._open[intent.id] = intent
                self._running.add(intent.id)
            try:
                # Outside of the lock: threads wait for the disk together.
                os.fsync(file)
            except OSError:
                self.end(intent, known=True)
                raise
            except BaseException:
                self.end(intent, known=False)
                raise

    def end(self, intent: Intent, *, known: bool) -> None:
        """End an attempt. It stays open if its outcome is not known, or its end cannot be written."""
        try:
            with self._lock.held():
                if known:
                    self._end(intent)
        except (OSError, JournalError) as error:
            _log.warning("journal %r: %s stays open: %s", self._path, intent.id, error)
        finally:
            self._running.discard(intent.id)

    def _end(self, intent: Intent) -> None:
        idle = self._file is None
        file = self._opened()
        self._append(file, {"ended": intent.id})
        self._open.pop(intent.id, None)
        if self._size > self._rewrite_at:
            self._rewrite(file)
        if idle:  # the client was closed while the call was under way
            self._unlock()
            self._close_file()

    def unsettled(self) -> list[Intent]:
        """The open calls, oldest first, without those that are under way now.

        Raises:
            JournalError: the file cannot be read.
        """
        with self._as_journal_error(), self._lock.held():
            self._check_open()
            self._opened()
            return [intent for intent in self._open.values() if intent.id not in self._running]

    def close(self) -> None:
        """Close the file; later calls raise RequestError."""
        with self._lock.held():
            self._closed = True
            self._unlock()
            self._close_file()

    def leave_to_parent(self) -> None:
        """Close a file inherited by a fork: once the parent has died, nobody may hold its lock."""
        if self._file is not None:
            self._left_to_parent = True
            self._close_file()

    def __del__(self) -> None:
        self._close_file()

    def _close_file(self) -> None:
        file, self._file = self._file, None
        if file is not None:
            os.close(file)

    def _check_open(self) -> None:
        if self._closed:
            raise RequestError("the client is closed")

    @contextmanager
    def _as_journal_error(self, what: str = "") -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise JournalError(f"{what}journal {self._path!r}: {error.strerror}") from error
        except JournalError as error:
            raise JournalError(f"{what}{error}") from error

    def _opened(self) -> int:
        if self._left_to_parent:
            # The parent rewrites the file, and would drop the calls of a child.
            raise JournalError(
                f"journal {self._path!r} belongs to the parent of this process: give the child a "
                f"client with a journal of its own"
            )
        if self._file is None:
            self._file = self._newly_opened()
        elif not os.fstat(self._file).st_nlink:
            raise JournalError(f"journal {self._path!r} was removed; make a new client")
        return self._file

    def _newly_opened(self) -> int:
        file = os.open(self._path, _OPEN, 0o600)
        try:
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise JournalError(f"journal {self._path!r} is not a regular file")
            self._claim(file)
            if not os.path.samestat(os.fstat(file), os.stat(self._path)):
                # Its client rewrote it meanwhile: this is the old file.
                raise JournalError(f"journal {self._path!r} belongs to another client")
            self._open = self._read(file)
            if not self._open:
                self._cut(file, 0)
            self._sync_folder()
        except BaseException:
            os.close(file)
            raise
        return file

    def _claim(self, file: int) -> None:
        if sys.platform == "win32":
            return
        import fcntl  # Windows has none

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise JournalError(f"journal {self._path!r} belongs to another client") from error

    def _unlock(self) -> None:
        """Release the lock at once, even if a child that was just forked still holds the file."""
        if sys.platform == "win32" or self._file is None:
            return
        import fcntl

        fcntl.flock(self._file, fcntl.LOCK_UN)

    def _sync_folder(self) -> None:
        """Sync the file's name, as its content is synced elsewhere."""
        if sys.platform == "win32":
            return
        folder = os.open(os.path.dirname(self._path) or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _rewrite(self, file: int) -> None:
        """Replace the file by one that holds only the open calls."""
        self._rewrite_at *= 2  # if it fails, it is not tried again with every call
        path = f"{self._path}.new"
        new = os.open(path, _FLAGS | os.O_TRUNC, 0o600)
        try:
            self._claim(new)
            size = self._size
            self._size = 0
            try:
                for intent in self._open.values():
                    self._append(new, {"began": as_fields(intent)})
                os.fsync(new)
                os.replace(path, self._path)
            except BaseException:
                self._size = size
                raise
            # The number stays the same for a thread that is about to sync it.
            os.dup2(new, file, inheritable=False)
        finally:
            os.close(new)
        self._sync_folder()
        self._rewrite_at = max(_LARGE, 2 * self._size)

    def _read(self, file: int) -> dict[str, Intent]:
        """The open calls of a file; a last line without an end is cut off."""
        with open(file, "rb", closefd=False) as stream:
            *lines, torn = stream.read().split(b"\n")
        found: dict[str, Intent] = {}
        for number, line in enumerate(lines, 1):
            try:
                fields = json.loads(line)
                if "began" in fields:
                    intent = from_fields(fields["began"])
                    found[intent.id] = intent
                else:
                    found.pop(fields["ended"], None)
            except (ValueError, TypeError, KeyError, RecursionError) as error:
                raise self._damaged(number, repr(error)) from error
        # A power cut may leave zeros. Anything else is no line of a journal, and is not cut off.
        if not any(begin.startswith(torn.rstrip(b"\0")[: len(begin)]) for begin in _LINE_STARTS):
            raise self._damaged(len(lines) + 1, "it has no end")
        self._cut(file, sum(len(line) + 1 for line in lines))
        return found

    def _damaged(self, number: int, why: str) -> JournalError:
        return JournalError(
            f"journal {self._path!r}: line {number} is not of a journal, move it away if it is none ({why})"
        )

    def _append(self, file: int, fields: dict[str, Any]) -> None:
        line = json.dumps(fields, separators=(",", ":")).encode() + b"\n"
        if os.write(file, line) != len(line):
            # Half a line would swallow the next one.
            self._cut(file, self._size)
            raise OSError(0, "the disk is full")
        self._size += len(line)

    def _cut(self, file: int, size: int) -> None:
        os.ftruncate(file, size)
        self._size = size


_journals: WeakSet[Journal] = WeakSet()


def _leave_all_to_parent() -> None:
    for journal in tuple(_journals):
        journal.leave_to_parent()


# Windows, where it is missing, has no forks.
getattr(os, "register_at_fork", lambda **_: None)(after_in_child=_leave_all_to_parent)
