"""The two times of the sandbox, which meet here and nowhere else.

Wall time is the time of this machine: `Date` tells it, and signatures are checked against it, so that no
client's message expires because a test moves the market. Market time is the time of the exchange: every
stamp of a record has it, and all that is due happens by it. It is wall time with an offset, which
`advance` and `unfreeze` change, or stands still; it never runs backwards. Both come from one clock, and
nothing compares one with the other.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event, Thread

from trading_runtime import now_ms
from trading_sandbox.engine.commands import SetClock
from trading_sandbox.engine.state import State

LONGEST_MS = 366 * 24 * 3_600_000
"""The furthest that time is advanced at once, in ms: every hour on the way costs computing time."""
TICK = 1.0
"""Seconds between two ticks."""

_logger = logging.getLogger(__name__)


class Clock:
    """Tells wall time, and the market time of a state. All times are in ms.

    What changes market time returns the time at which it does, and the command that stores the change.
    """

    def __init__(self, wall: Callable[[], int] = now_ms) -> None:
        """Use a function that returns the time of this machine."""
        self.wall = wall

    def market(self, state: State) -> int:
        """Return the market time."""
        if state.frozen_at is not None:
            return state.frozen_at
        return max(self.wall() + state.clock_offset, state.now)

    def advanced(self, state: State, ms: int) -> tuple[int, SetClock]:
        """Advance market time.

        Raises:
            ValueError: `ms` is negative or more than a year.
        """
        now = self.market(state)
        target = _later(now, now + ms)
        if state.frozen_at is not None:
            return target, SetClock(frozen_at=target, offset=state.clock_offset)
        return target, SetClock(frozen_at=None, offset=state.clock_offset + ms)

    def frozen(self, state: State, at: int | None) -> tuple[int, SetClock]:
        """Freeze market time now, or advance it to `at` and freeze it there.

        Raises:
            ValueError: `at` is past already, or more than a year ahead.
        """
        now = self.market(state)
        target = _later(now, now if at is None else at)
        return target, SetClock(frozen_at=target, offset=state.clock_offset)

    def running(self, state: State) -> tuple[int, SetClock]:
        """Let market time run again, from where it is frozen."""
        now = self.market(state)
        return now, SetClock(frozen_at=None, offset=now - self.wall())


def _later(now: int, target: int) -> int:
    if target < now:
        raise ValueError(f"time runs forwards only: it is {now} already, past {target}")
    if target > now + LONGEST_MS:
        raise ValueError(f"time moves on by at most a year at once: it is {now}")
    return target


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
