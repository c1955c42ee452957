"""What lets time pass in the sandbox while nobody asks for anything."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread

TICK = 1.0
"""Seconds between two ticks."""

_logger = logging.getLogger(__name__)


class Ticker:
    """Calls a function once a tick, in a thread of its own."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick
        self._thread: Thread | None = None
        self._stopping = Event()
        self._failure: Exception | None = None

    def start(self) -> None:
        """Start the thread, unless it runs."""
        if self._thread is None:
            self._stopping.clear()
            self._thread = Thread(target=self._run, name="sandbox clock", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop the thread, if it runs.

        Raises:
            Exception: the first that the function raised; the log has every one.
        """
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._stopping.set()
        thread.join()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _run(self) -> None:
        while not self._stopping.wait(TICK):
            try:
                self._tick()
            except Exception as error:
                # Time goes on: a disk that is full now may not be in a second.
                self._failure = self._failure or error
                _logger.exception("The time of the sandbox did not pass")
