"""Virtual time: one true time that passes only when something sleeps, and the two clocks that show it.

What would take seconds takes none, and no test rests on how fast a machine is.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from email.utils import formatdate
from heapq import heappop, heappush
from math import ceil, inf
from typing import Any
from unittest.mock import patch

from attrs import evolve

from trading_runtime.clock import Clock, ClockName
from trading_sdk import Client

NOW = 1_800_000_000_000
"""The true time at which virtual time begins, in ms."""


def leave_the_hour_behind(seconds: float = 5.0) -> None:
    """Wait if the full hour is so near: funding is paid then, which changes balances and rates."""
    left = 3_600 - time.time() % 3_600
    if left < seconds:
        time.sleep(left + 0.1)


class EndlessError(Exception):
    """A client slept for longer than a test allows: it neither ends nor gives up."""


class VirtualTime:
    """The true time in ms, how far this machine's and the service's clocks are ahead of it, and what is planned."""

    def __init__(
        self, now: int = NOW, *, local: int = 0, service: int = 0, most_slept: float = inf
    ) -> None:
        self.now = self._began = now
        self.local = local
        """How far this machine's clock is ahead of the truth, in ms."""
        self.service = service
        """How far the service's clock is ahead of the truth, in ms."""
        self.naps: list[float] = []
        """What was slept, in seconds."""
        self.most_slept = most_slept
        """Seconds; who sleeps for longer gets an EndlessError."""
        self._plans: list[tuple[int, int, Callable[[], object]]] = []
        self._count = 0

    @property
    def slept(self) -> float:
        """What was slept in all, in seconds."""
        return sum(self.naps)

    def at(self, when: int, happen: Callable[[], object]) -> None:
        """Plan something for a true time; what was planned first happens first."""
        self._count += 1
        heappush(self._plans, (max(when, self.now), self._count, happen))

    def advance(self, ms: int) -> None:
        """Let time pass, and happen what was planned for it."""
        until = self.now + ms
        while self._plans and self._plans[0][0] <= until:
            self.now, _, happen = heappop(self._plans)
            happen()
        self.now = until

    def run_out(self) -> None:
        """Let everything happen that is planned."""
        while self._plans:
            self.advance(self._plans[0][0] - self.now)

    def sleep(self, seconds: float) -> None:
        """Sleep as `time.sleep` does: never for less than was asked."""
        self.naps.append(seconds)
        if self.slept > self.most_slept:
            raise EndlessError(f"it slept for {self.slept:.0f} s")
        self.advance(ceil(round(seconds * 1_000, 6)))

    def local_ms(self) -> int:
        """The time of this machine, in ms."""
        return self.now + self.local

    def service_ms(self) -> int:
        """The time of the service, in ms."""
        return self.now + self.service

    def date(self) -> str:
        """The `Date` of an answer that the service writes now."""
        return formatdate(self.service_ms() // 1_000, usegmt=True)

    def monotonic(self) -> float:
        """Seconds of a clock that nobody sets."""
        return (self.now - self._began) / 1_000

    def clock(self, name: ClockName = "local") -> Clock:
        """A clock of the runtime that goes by this time."""
        return Clock(name, now=self.local_ms, sleep=self.sleep, monotonic=self.monotonic)

    def hold(self, client: Client) -> Client:
        """Give a client a clock that goes by this time, and return the client."""
        name: Any = client._caller.clock.name
        client._caller = evolve(client._caller, clock=self.clock(name))
        return client

    @contextmanager
    def ruling(self) -> Iterator[VirtualTime]:
        """Let the whole runtime go by this time: deadlines, journals and messages, too.

        A client that is made meanwhile sleeps by it once it is given to `hold`.
        """
        with ExitStack() as stack:
            for function, instead in (
                (time.monotonic, self.monotonic),
                (time.time_ns, lambda: self.local_ms() * 1_000_000),
            ):
                for module, name in list(uses(function)):
                    stack.enter_context(patch(f"{module}.{name}", instead))
            stack.enter_context(patch("time.time_ns", lambda: self.local_ms() * 1_000_000))
            yield self


def uses(function: Any) -> Iterator[tuple[str, str]]:
    """Where the runtime has this function of the standard library, by its modules and its names there."""
    for module in [each for each in sys.modules if each.startswith("trading_runtime.")]:
        for name, found in vars(sys.modules[module]).items():
            if found is function:
                yield module, name
