"""The error of the toolkit, and the checks of arguments. What the service answers stays an error of the SDK."""

from __future__ import annotations

import errno
import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from trading_runtime import RequestError, to_datetime, to_time


class ToolkitError(Exception):
    """Something that the toolkit was given, or found on disk, is wrong.

    The text says what, where, and what would be right. Nothing that was stored before is lost.
    """


_OTHER_KIND = (
    "a file stands where a folder is needed, or a folder where a file is: name another one"
)
_NOT_ALLOWED = "change who may read and write it, or name another one"
_NO_SPACE = "make room, and do it again: what was stored before is whole"
_NO_LOCKS = "its filesystem has no locks, like some of a network: name one on a local disk"
_ADVICE = {
    **dict.fromkeys((errno.ENOTDIR, errno.EEXIST, errno.EISDIR), _OTHER_KIND),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _NOT_ALLOWED),
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), _NO_SPACE),
    **dict.fromkeys((errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS), _NO_LOCKS),
}
"""What to do about an error of the machine."""


def on_machine(path: object, error: OSError) -> ToolkitError:
    """An error of the machine as one that names the path, and what to do."""
    advice = _ADVICE.get(
        error.errno or 0, "look whether the disk is there and whole, or name another one"
    )
    return ToolkitError(f"cannot use {path}: {error.strerror or error}; {advice}")


@contextmanager
def machine_errors(path: object) -> Iterator[None]:
    """Make errors of the machine in a with block `ToolkitError`s that name a path."""
    try:
        yield
    except OSError as error:
        raise on_machine(path, error) from None


def check_regular_file(path: Path) -> None:
    """Refuse what is there and is no file, like a device or a pipe, which might be read without end."""
    with machine_errors(path):
        if path.exists() and not path.is_file():
            raise ToolkitError(f"{path} is no regular file; name a file of its own")


def check_client(client: object) -> None:
    """Refuse what is no client of the SDK."""
    if not hasattr(client, "api") or isinstance(client, type):
        raise ToolkitError(f"client must be a Client, like Client(url), not {client!r}")


def check_text(name: str, value: object) -> None:
    """Refuse what is no text, and an empty one."""
    if not isinstance(value, str) or not value:
        raise ToolkitError(f"{name} must be a text, not {value!r}")


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool):
        raise ToolkitError(f"{name} must be True or False, not {value!r}")


def check_seconds(name: str, value: object) -> None:
    """Refuse what is no number of seconds, and one below 0."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value) or value < 0:  # type: ignore[arg-type, operator]
        raise ToolkitError(f"{name} must be a number of seconds, 0 or more, not {value!r}")


def checked_time(name: str, value: Any) -> int:
    """The time of a record in ms, which may be a datetime.

    Raises:
        ToolkitError: it is in another unit, like microseconds, out of the range of datetimes, or no time at all.
    """
    try:
        ms = to_time(value) if isinstance(value, datetime) else value
        to_datetime(ms)
    except (RequestError, TypeError) as error:
        raise ToolkitError(f"{name}: {error}") from None
    return int(ms)
