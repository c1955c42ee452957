"""Whether this process got the processor when it wanted it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

SLACK = 0.25
"""Seconds that a call may take beyond its deadline (the fault matrix)."""
STALL = 0.1
"""Seconds of standing still after which what a cell says of times is not worth much."""
_BEAT = 0.01


class Pulse:
    """Notices that the machine was busy with something else.

    Tests hold calls to deadlines of tenths of a second, and a loaded machine lets a process stand
    still for longer than that.
    """

    def __init__(self) -> None:
        self._leave = threading.Event()
        self.lost = 0.0
        """Seconds for which the process stood still, in all."""
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._leave.set()
        self._thread.join()

    def _run(self) -> None:
        last = time.monotonic()
        while not self._leave.wait(_BEAT):
            now = time.monotonic()
            self.lost += now - last - _BEAT
            last = now


@contextmanager
def on_time(seconds: float) -> Iterator[None]:
    """Fail if this takes longer, but for the time in which the machine did something else."""
    pulse, started = Pulse(), time.monotonic()
    try:
        yield
        took = time.monotonic() - started
    finally:
        pulse.stop()
    assert took <= seconds + SLACK + pulse.lost
