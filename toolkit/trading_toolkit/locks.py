"""A lock that one process of this machine holds, and that a dying process lets go of."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from trading_toolkit.errors import ToolkitError


@contextmanager
def locked(path: str, what: str) -> Iterator[None]:
    """Hold the lock of a file in a with block.

    Raises:
        ToolkitError: another one holds it; `what` says who that is.
    """
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform != "win32":
            import fcntl  # Windows has none

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ToolkitError(f"{what}; wait until it has ended") from None
        yield
    finally:
        os.close(file)
