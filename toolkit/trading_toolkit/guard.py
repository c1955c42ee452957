"""A dead man's switch: runs a program that trades, and cancels all orders when it ends, hangs or is killed.

A program that is killed cancels nothing itself, and its quotes rest. What it sent last may be accepted until it expires.
So the orders are cancelled at once, and looked for again when nothing can come any more.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from attrs import define, evolve, field, frozen

from trading_runtime import BaseClient
from trading_toolkit.errors import ToolkitError, check_seconds
from trading_toolkit.orders import TIMEOUT, Cancelled, cancel_all, scan

VARIABLE = "GUARD_HEARTBEAT"
"""The environment variable that tells the program its heartbeat file."""
_LOOK = 0.2
"""Seconds between two looks at the program."""
_KILL = 5.0
"""Seconds that the system may take to end a killed process."""
_PAUSE = 2.0
"""Seconds before all orders are cancelled again, if not all have certainly ended."""
_SIGNALS = ("SIGTERM", "SIGINT", "SIGHUP")

_log = logging.getLogger("trading_sdk.guard")


@frozen(kw_only=True)
class Guarded:
    """How a program ended, and what became of the orders."""

    why: Literal["ended", "hung", "stopped"]
    """`ended` by itself, or killed by somebody; `hung`, so that it was killed; or `stopped` by a signal to the guard."""

    status: int
    """Exit status of the program; negative for the signal that killed it."""

    orders: Cancelled
    """What became of the orders, as of the last look."""

    problem: str = ""
    """Why orders may live that `orders` does not name."""

    @property
    def is_done(self) -> bool:
        """Whether certainly no order is open."""
        return self.orders.is_done and not self.problem


def beat() -> None:
    """Give the heartbeat of a guarded program. Without a guard it does nothing.

    Call it where the program does its work, like after each quote: from a thread of its own it would hide a hang.
    """
    if path := os.environ.get(VARIABLE):
        Path(path).touch()


def run(
    client: BaseClient,
    command: Sequence[str],
    *,
    after: float | None = None,
    heartbeat: str | os.PathLike[str] | None = None,
    symbol: str | None = None,
    grace: float = 10.0,
    expiry_window: float = 30.0,
    timeout: float = 300.0,
    wait: Callable[[float], object] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Guarded:
    """Run a program to its end, then cancel all orders of the account as `cancel_all` does.

    It gets a process group of its own, of which nothing is left alive. SIGTERM, SIGINT and SIGHUP go to the program, and
    do not end the guard; from another thread than the main one it leaves signals alone. Nothing survives a SIGKILL of the
    guard itself.

    Args:
        client: Cancels the orders: with a signer, and a `history_lag` as in `cancel_all`. Not the journal of the program.
        command: The program and its arguments.
        after: Seconds without a heartbeat after which it is killed; None watches its end alone.
        heartbeat: The file whose change is a heartbeat, like the journal of the program. Unless given it is one that
            `beat` touches.
        symbol: Cancel only orders of this market.
        grace: Seconds that the program has to end after a signal.
        expiry_window: How long the service accepts what the program signed, in seconds; that of its client.
        timeout: Seconds in which the orders must have ended.
        wait: Called with the seconds to wait while orders are cancelled.
        clock: Seconds that pass by.

    Raises:
        ToolkitError: An argument is wrong, or the program cannot be started.
        TradingError: The orders cannot be read, so they could not be cancelled: the program was not started.
    """
    for name, value in (
        ("after", after or 0.0),
        ("grace", grace),
        ("expiry_window", expiry_window),
        ("timeout", timeout),
    ):
        check_seconds(name, value)
    if isinstance(command, str) or not command:
        raise ToolkitError(f"command must be a list, like ['python', 'maker.py'], not {command!r}")
    scan(client, symbol)
    with TemporaryDirectory() as folder, _signals() as asked:
        path = Path(folder, "heartbeat") if heartbeat is None else Path(heartbeat)
        program = _start(command, path)
        why: Literal["ended", "hung", "stopped"] = "stopped"
        try:
            why = _watch(program, Heartbeat(path, after, clock), asked, grace, clock)
        finally:  # whatever happens here, its orders must not rest
            _kill(program)
            _log.warning("the program %s: cancels all orders", why)
            orders, problem = _cancel(client, symbol, expiry_window, timeout, wait, clock)
    if program.returncode is None:
        problem = f"the program could not be killed: process {program.pid} may place orders"
    return Guarded(why=why, status=program.returncode or 0, orders=orders, problem=problem)


# -- the program ---------------------------------------------------------------------------------------


@define
class Heartbeat:
    """Tells whether a file was changed lately."""

    path: Path
    after: float | None
    clock: Callable[[], float]
    _state: tuple[int, int] | None = field(init=False)
    _beaten: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._state, self._beaten = self._look(), self.clock()

    @property
    def is_late(self) -> bool:
        """Whether the file has not changed for too long."""
        now, state = self.clock(), self._look()
        if state != self._state:
            self._state, self._beaten = state, now
        return self.after is not None and now - self._beaten > self.after

    def _look(self) -> tuple[int, int] | None:
        with suppress(OSError):
            found = self.path.stat()
            return found.st_mtime_ns, found.st_size
        return None


def _start(command: Sequence[str], heartbeat: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, VARIABLE: str(heartbeat)}
    try:
        return subprocess.Popen([*command], env=environment, start_new_session=True)
    except OSError as error:
        raise ToolkitError(f"cannot start {command[0]!r}: {error.strerror}") from None


def _watch(
    program: subprocess.Popen[bytes],
    heartbeat: Heartbeat,
    asked: list[int],
    grace: float,
    clock: Callable[[], float],
) -> Literal["ended", "hung", "stopped"]:
    """Wait until a program ends, hangs, or does not end although it was asked to."""
    ends: float | None = None
    while True:
        with suppress(subprocess.TimeoutExpired):
            program.wait(_LOOK)
            return "ended" if ends is None else "stopped"
        while asked:
            _send(program, asked.pop(0))
            ends = clock() + grace if ends is None else ends
        if ends is not None and clock() > ends:
            return "stopped"
        if heartbeat.is_late:
            return "hung"


def _send(program: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to all processes of a program, also where its first one has ended."""
    with suppress(ProcessLookupError, PermissionError):  # none is left
        if sys.platform == "win32":
            program.send_signal(number)
        else:
            os.killpg(program.pid, number)


def _kill(program: subprocess.Popen[bytes]) -> None:
    _send(program, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        program.wait(_KILL)


@contextmanager
def _signals() -> Iterator[list[int]]:
    """Collect the signals that would end this process; what comes while orders are cancelled changes nothing."""
    asked: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def note(number: int, frame: Any) -> None:
        asked.append(number)

    numbers = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    before = {number: signal.signal(number, note) for number in numbers}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


# -- its orders ----------------------------------------------------------------------------------------


def _cancel(
    client: BaseClient,
    symbol: str | None,
    expiry_window: float,
    timeout: float,
    wait: Callable[[float], object],
    clock: Callable[[], float],
) -> tuple[Cancelled, str]:
    """Cancel all orders until a look that began after the last message expired shows that none is left."""
    began, orders = clock(), Cancelled(cancelled=())
    while True:
        at = clock() - began
        problem = ""
        try:
            most = min(TIMEOUT, max(timeout - at, 0.0))
            found = cancel_all(client, symbol, timeout=most, wait=wait, clock=clock)
            orders = evolve(
                found,
                cancelled=(*orders.cancelled, *found.cancelled),
                ended={**orders.ended, **found.ended},
            )
        except Exception as error:  # nobody else looks after the orders
            problem = f"the orders could not be read: {error}"
        is_done = orders.is_done and not problem
        if is_done and at >= expiry_window:
            return orders, ""
        left = timeout - (clock() - began)
        pause = max(expiry_window - (clock() - began), 0.0) if is_done else _PAUSE
        if pause > left:
            if is_done:
                problem = f"what was sent last may be accepted for {pause:.0f} s more"
            return orders, problem
        why = "when what was sent last has expired" if is_done else "for not all orders have ended"
        _log.warning("looks again in %.0f s, %s", pause, why)
        wait(pause)
