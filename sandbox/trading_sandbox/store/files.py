"""The state file: open and lock it, check its format, create its tables."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

Synchronous = Literal["normal", "full"]
"""What a commit survives: the end of the process alone, or a power cut as well."""

_APPLICATION = int.from_bytes(b"TSBX", "big")
FORMAT = 1


class CannotOpen(ValueError):
    """The file is in use, damaged, no state file, or of another seed; the message says which."""


_SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE commands (seq INTEGER PRIMARY KEY, time INTEGER, kind TEXT, data TEXT);
CREATE TABLE checkpoint (seq INTEGER PRIMARY KEY, state TEXT);
CREATE TABLE snapshots (id INTEGER PRIMARY KEY AUTOINCREMENT, seq INTEGER, state TEXT);
CREATE TABLE records (
    list TEXT, owner TEXT, id INTEGER, made INTEGER, symbol TEXT, created_at INTEGER, record TEXT,
    PRIMARY KEY (list, owner, id)
) WITHOUT ROWID;
"""


def connect(path: Path | None) -> sqlite3.Connection:
    """Connect to a state file, new or existing; None: to a database in memory.

    Raises:
        CannotOpen: the file cannot be opened.
    """
    name = ":memory:" if path is None else str(path)
    try:
        return sqlite3.connect(name, timeout=0, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise CannotOpen(f"{name} cannot be opened: {error}") from None


def claim(connection: sqlite3.Connection, path: Path | None) -> None:
    """Take a state file for this process alone, and check its format.

    Raises:
        CannotOpen: the file is in use, cannot be opened, is no state file, or has another format.
            It is left unchanged.
    """
    name = str(path)
    try:
        # The lock is held from the first access on. It ends with the process, even a killed one.
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        _check_format(connection, path)
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise CannotOpen(f"{name} is in use: another sandbox keeps its state there") from None
        raise CannotOpen(f"{name} cannot be opened: {error}") from None
    except sqlite3.DatabaseError:
        raise CannotOpen(f"{name} is not a state file of the sandbox") from None


@contextmanager
def readable(path: Path | None) -> Iterator[None]:
    """Raise CannotOpen with the name of the file if it turns out to be damaged in this block.

    Whatever fails while the state is read and the commands since are executed again is damage of the
    file: in an exchange that runs, no stored command has ever failed.
    """
    try:
        yield
    except (CannotOpen, OSError):
        raise
    except Exception as error:
        if path is None:
            raise
        said = str(error) if isinstance(error, (ValueError, sqlite3.Error)) else repr(error)
        raise CannotOpen(f"{path} is damaged: {said}") from error


def _check_format(connection: sqlite3.Connection, path: Path | None) -> None:
    name = str(path)
    # SQLite also counts a file as empty that is shorter than any database: check its size as well.
    if is_empty(connection) and (path is None or not path.exists() or not path.stat().st_size):
        return
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if application != _APPLICATION:
        raise CannotOpen(f"{name} is not a state file of the sandbox")
    if found != FORMAT:
        raise CannotOpen(
            f"{name} has format {found}, which this version of the sandbox does not read: "
            f"it reads format {FORMAT}"
        )


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever written to the database."""
    found: tuple[int] = connection.execute("PRAGMA page_count").fetchone()
    return found[0] == 0


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables of a new file, inside the transaction that writes its first state."""
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")
    for statement in _SCHEMA.split(";\n"):
        connection.execute(statement)


def write_ahead(connection: sqlite3.Connection, synchronous: Synchronous) -> None:
    """Turn on write-ahead logging: commits are fast, and a killed process loses none of them.

    With `normal` every commit reaches the operating system, but not always the disk: a power cut may
    lose the latest commits. With `full` each commit waits until it is on the disk.
    """
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {synchronous}")
    # On macOS the usual call leaves data in the cache of the disk. Elsewhere this does nothing.
    connection.execute(f"PRAGMA fullfsync = {int(synchronous == 'full')}")
