"""The ticker, which lets market time pass while no request arrives."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread

TICK = 1.0
"""Seconds between two ticks."""

_logger = logging.getLogger(__name__)


class Ticker:
    """Calls a function every `TICK` seconds, in a thread of its own."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick
        self._thread: Thread | None = None
        self._stopping = Event()
        self._failure: Exception | None = None

    def start(self) -> None:
        """Start the thread, unless it is running."""
        if self._thread is None:
            self._stopping.clear()
            self._thread = Thread(target=self._run, name="sandbox clock", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop the thread, if it is running.

        Raises:
            Exception: the first error that the function raised; all of them were logged.
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
                # Go on ticking: a disk that is full now may have room a second later.
                self._failure = self._failure or error
                _logger.exception("The time of the sandbox did not pass")
