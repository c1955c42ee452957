"""The intent journal: what a client is about to change, on disk before it is sent.

One line says that an attempt begins, with its intent, and is synced before the attempt is sent. Another says
that the call ended, once its outcome is known. A call without an end is open: its outcome is unknown.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from logging import WARNING
from weakref import WeakSet

from attrs import define

from trading_runtime.call import file_lock, journal_format
from trading_runtime.call.file_lock import ForkSafeLock
from trading_runtime.checks import without_keys
from trading_runtime.errors import (
    CLOSED,
    JournalError,
    OutcomeUnknownError,
    RequestError,
    TradingError,
)
from trading_runtime.intent import Intent
from trading_runtime.log import note

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
_OPEN = _FLAGS | getattr(os, "O_NONBLOCK", 0)  # opening a named pipe must not hang
_LARGE = 1024 * 1024
_BUFFER = 128 * 1024


@define
class Entry:
    """The entry of an attempt that is under way."""

    stays_open: bool = False


class Journal:
    """The journal in one file, of one client in one process. Safe to use from any thread.

    Opening it empties the file if no call in it is open. Once it has grown large, ended calls are
    dropped from it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Use the file at `path`; the first call that needs it creates it (mode 0600)."""
        self._path = os.path.abspath(path)
        self._name = file_lock.named(self._path)
        self._lock = ForkSafeLock()
        self._file: int | None = None
        self._new: int | None = None
        self._closed = self._left_to_parent = False
        self._rewrite_at = _LARGE
        self._open: dict[str, Intent] = {}
        self._running: set[str] = set()
        _journals.add(self)

    @contextmanager
    def entry(self, intent: Intent | None) -> Iterator[Entry | None]:
        """Keep the entry of one attempt for the length of a with block; a read (None) has no entry.

        It stays open if the block ends with an OutcomeUnknownError or a foreign exception, or says so.
        """
        if intent is None:
            yield None
            return
        self.begin(intent)
        known, entry = False, Entry()
        try:
            yield entry
            known = not entry.stays_open
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
                self._append(file, journal_format.began(intent))
                self._open[intent.id] = intent
                self._running.add(intent.id)
            try:
                # Outside of the lock: threads wait for the disk together.
                os.fsync(file)
            except BaseException as error:
                self.end(intent, known=isinstance(error, OSError))
                raise

    def end(self, intent: Intent, *, known: bool) -> None:
        """End an attempt. It stays open if its outcome is not known, or its end cannot be written."""
        try:
            with self._lock.held():
                if known:
                    file = self._opened()
                    self._append(file, journal_format.ended(intent.id))
                    self._open.pop(intent.id, None)
                    if os.fstat(file).st_size > self._rewrite_at:
                        self._rewrite(file)
                    self._leave_if_closed()
        except (OSError, JournalError) as error:
            self._tell(f"{intent.id} stays open", error)
        finally:
            self._running.discard(intent.id)

    def end_all(self, intent: Intent) -> None:
        """End a call whose outcome is known, and all that sent the same under the same ids."""
        self.end(intent, known=True)
        for each in tuple(self._open.values()):
            if each.id not in self._running and each.sends_the_same(intent):
                self.end(each, known=True)

    def reopen(self, intent: Intent | None) -> None:
        """Open the entry of an attempt again that Ctrl-C interrupted: the program never got its outcome."""
        if intent is None:
            return
        self._running.discard(intent.id)
        try:
            with self._lock.held():
                file = self._opened()
                self._append(file, journal_format.began(intent))
                self._open[intent.id] = intent
                os.fsync(file)
                self._leave_if_closed()
        except (OSError, TradingError) as error:
            self._tell(f"{intent.id} was interrupted", error)

    def _tell(self, what: str, error: Exception) -> None:
        note(WARNING, "%s: %s: %s", self._name, what, without_keys(str(error)))

    def _leave_if_closed(self) -> None:
        """Leave the file free again, where the client was closed while the call was under way."""
        if self._closed and self._file is not None:
            file_lock.unlock(self._file)
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
            self._leave_if_closed()

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
            raise RequestError(CLOSED)

    @contextmanager
    def _as_journal_error(self, what: str = "") -> Iterator[None]:
        try:
            yield
        except OSError as error:
            del error.filename  # its text would repeat the path
            raise JournalError(f"{what}{self._name}: {error.strerror}") from error
        except JournalError as error:
            raise JournalError(f"{what}{error}") from error

    def _opened(self) -> int:
        if self._left_to_parent:
            # The parent rewrites the file, and would drop the calls of a child.
            raise JournalError(
                f"{self._name} belongs to the parent of this process: give the child a client with a "
                "journal of its own"
            )
        if self._file is None:
            return self._newly_opened()
        self._adopt_new(self._file)
        if not file_lock.is_at(self._path, self._file):
            raise JournalError(f"{self._name} was removed, renamed or replaced; make a new client")
        return self._file

    def _newly_opened(self) -> int:
        file: int | None = None
        try:
            file = os.open(self._path, _OPEN, 0o600)
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise JournalError(f"{self._name} is not a regular file")
            self._claim(file)
            if not file_lock.is_at(self._path, file):
                # Its client rewrote it meanwhile: this is the old file.
                raise JournalError(f"{self._name} {file_lock.TAKEN}")
            self._open = self._read(file)
            file_lock.sync_folder(self._path)
            self._file = file
            return file
        except BaseException:
            # Also after Ctrl-C: a file left open here would keep its lock.
            self._file = None
            if file is not None:
                os.close(file)
            raise

    def _claim(self, file: int) -> None:
        try:
            file_lock.lock(file)
        except BlockingIOError as error:
            raise JournalError(f"{self._name} {file_lock.TAKEN}") from error

    def _rewrite(self, file: int) -> None:
        """Replace the file by one that holds only the open calls."""
        self._rewrite_at *= 2  # if it fails, it is not tried again with every call
        path = f"{self._path}.new"
        with suppress(FileNotFoundError):
            os.unlink(path)  # left by a crash, with a mode and a content of its own
        self._new = new = os.open(path, _FLAGS | os.O_EXCL, 0o600)
        try:
            self._claim(new)
            for intent in self._open.values():
                self._append(new, journal_format.began(intent))
            os.fsync(new)
            os.replace(path, self._path)
        finally:
            self._adopt_new(file)
        self._rewrite_at = max(_LARGE, 2 * os.fstat(file).st_size)

    def _adopt_new(self, file: int) -> None:
        """Go on with the new file of a rewrite, if it took its place; Ctrl-C may come before this."""
        new = self._new
        if new is None:
            return
        if file_lock.is_at(self._path, new):
            # The number stays the same for a thread that is about to sync it.
            os.dup2(new, file, inheritable=False)
            file_lock.sync_folder(self._path)
        self._new = None
        os.close(new)

    def _read(self, file: int) -> dict[str, Intent]:
        """The open calls of a file; a last line without an end is cut off, and all if none is open."""
        try:
            with open(file, "rb", _BUFFER, closefd=False) as stream:
                found, size = journal_format.read(stream)
        except journal_format.DamagedError as error:
            raise JournalError(f"{self._name}: {error}") from error
        if size < os.fstat(file).st_size:
            # As after a crash. Of a file that somebody cut it was an entry: its call may have been executed.
            note(WARNING, "%s: its last line has no end, and does not count", self._name)
        os.ftruncate(file, size if found else 0)
        return found

    def _append(self, file: int, line: bytes) -> None:
        size = os.fstat(file).st_size
        if os.write(file, line) != len(line):
            # Half a line would swallow the next one.
            os.ftruncate(file, size)
            raise OSError(0, "the disk is full")


_journals: WeakSet[Journal] = WeakSet()


def _leave_all_to_parent() -> None:
    for journal in tuple(_journals):
        journal.leave_to_parent()


# Windows, where it is missing, has no forks.
getattr(os, "register_at_fork", lambda **_: None)(after_in_child=_leave_all_to_parent)
