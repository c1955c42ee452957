"""Whether this process got the processor when it wanted it."""

from __future__ import annotations

import threading
import time

STALL = 0.1
"""Seconds of standing still after which what a cell says of times is not worth much."""
_BEAT = 0.01


class Pulse:
    """Notices that the machine was busy with something else.

    Cells hold calls to deadlines of tenths of a second, and a loaded machine lets a process stand
    still for longer than that. Such a cell is tried again; what the client does wrong it does again.
    """

    def __init__(self) -> None:
        self._leave = threading.Event()
        self._longest = 0.0
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
        self._thread.start()

    def begin(self) -> None:
        """Forget what was."""
        self._longest = 0.0

    @property
    def stalled(self) -> bool:
        """Whether the process stood still since `begin`."""
        return self._longest > STALL

    def stop(self) -> None:
        self._leave.set()
        self._thread.join()

    def _run(self) -> None:
        last = time.monotonic()
        while not self._leave.wait(_BEAT):
            now = time.monotonic()
            self._longest = max(self._longest, now - last - _BEAT)
            last = now
