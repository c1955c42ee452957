"""Sharing with other programs: one at a time uses a file, and something of the rate limit is left to others."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from trading_runtime import BaseClient
from trading_toolkit.errors import ToolkitError, machine_errors, on_machine

if sys.platform != "win32":
    import fcntl

_RESERVE = 10
"""One tenth of the budget is left to others."""
_LONGEST_WAIT = 300.0


def keep_within_budget(client: BaseClient, wait: Callable[[float], object]) -> None:
    """Wait until the rate budget is whole again, if little is left of it."""
    budget = client.rate_budget
    if budget is None or budget.resets_in is None:
        return
    if budget.remaining <= (budget.quota or 0) / _RESERVE:
        wait(min(budget.resets_in + 1.0, _LONGEST_WAIT))


@contextmanager
def locked(path: str, what: str) -> Iterator[None]:
    """Hold the lock of a file in a with block. A process that dies lets go of it.

    Raises:
        ToolkitError: another one holds it; `what` says who that is. Or the machine cannot lock there.
    """
    with machine_errors(os.path.dirname(path) or "."):
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform != "win32":
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ToolkitError(f"{what}; wait until it has ended") from None
            except OSError as error:
                raise on_machine(path, error) from None
        yield
    finally:
        os.close(file)
