"""The intent journal: what a client is about to change, on disk before it is sent.

One line of JSON an entry: `{"began": INTENT}` before every attempt, synced, and `{"ended": ID}` once
its outcome is known. What began and did not end may still be open. A line that a crash cut short was
not synced, so its call was not sent.
"""

from __future__ import annotations

import json
import logging
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from weakref import WeakSet

from trading_runtime.errors import JournalError, OutcomeUnknownError, RequestError, TradingError
from trading_runtime.intents import Intent, as_fields, from_fields
from trading_runtime.locks import ForkSafeLock

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
_OPEN = _FLAGS | getattr(os, "O_NONBLOCK", 0)  # opening a named pipe must not hang
_LINE_STARTS = (b'{"began":{', b'{"ended":"')
_LARGE = 1024 * 1024
_log = logging.getLogger("trading_runtime")


class Journal:
    """The journal in one file, of one client in one process. Safe to use from any thread.

    The file is emptied when a client opens it and nothing in it is open; once it has grown large, what
    has ended is dropped from it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Use the file at `path`; the first call that needs it makes it (mode 0600)."""
        self._path = os.path.abspath(path)
        self._lock = ForkSafeLock()
        self._file: int | None = None
        self._closed = self._left_to_parent = False
        self._size = 0
        self._rewrite_at = _LARGE
        self._open: dict[str, Intent] = {}
        self._running: set[str] = set()
        _journals.add(self)

    def begin(self, intent: Intent) -> None:
        """Write down what an attempt is about to send; on disk when this returns.

        Raises:
            JournalError: it is not on disk, and so must not be sent.
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
        """The attempt is over. Unless its outcome is known, and that can be written, it stays open."""
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
            self._let_go()

    def unsettled(self) -> list[Intent]:
        """What began and did not end, oldest first, without the calls that are under way now.

        Raises:
            JournalError: the file cannot be read.
        """
        with self._as_journal_error(), self._lock.held():
            self._check_open()
            self._opened()
            return [intent for intent in self._open.values() if intent.id not in self._running]

    def close(self) -> None:
        """Let go of the file; later calls raise RequestError."""
        with self._lock.held():
            self._closed = True
            self._unlock()
            self._let_go()

    def leave_to_parent(self) -> None:
        """Let go of a file that came over in a fork: the parent's death must set it free."""
        if self._file is not None:
            self._left_to_parent = True
            self._let_go()

    def __del__(self) -> None:
        self._let_go()

    def _let_go(self) -> None:
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
            # It rewrites the file, and would not know of the calls of a child.
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
                # The client that had it rewrote it meanwhile, and has the new one.
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
        """Set the file free at once, though a child that was just forked may still have it."""
        if sys.platform == "win32" or self._file is None:
            return
        import fcntl

        fcntl.flock(self._file, fcntl.LOCK_UN)

    def _sync_folder(self) -> None:
        """Put the file's name on disk, as its content is."""
        if sys.platform == "win32":
            return
        folder = os.open(os.path.dirname(self._path) or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _rewrite(self, file: int) -> None:
        """Let a file that holds only what is open take the place of this one, as a whole."""
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
        """What is open; a last line without its end is cut off."""
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
        # A power cut may leave zeros. Anything else is not a line of ours, nor ours to cut off.
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


def entry(journal: Journal | None, intent: Intent | None) -> AbstractContextManager[None]:
    """The entry of one attempt; of a read, or without a journal, there is none.

    It stays open if an OutcomeUnknownError leaves it, or something foreign, like Ctrl-C.
    """
    return _NO_ENTRY if journal is None or intent is None else _entry(journal, intent)


_NO_ENTRY = nullcontext()


@contextmanager
def _entry(journal: Journal, intent: Intent) -> Iterator[None]:
    journal.begin(intent)
    known = False
    try:
        yield
        known = True
    except TradingError as error:
        known = not isinstance(error, OutcomeUnknownError)
        raise
    finally:
        journal.end(intent, known=known)
