"""Virtual time: one true clock, two that differ from it, and what happens at which moment.

Everything that passes time (an answer on its way, a sleep of the client) advances the true clock and
lets happen what was planned for the time between.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from heapq import heappop, heappush
from typing import Any

from attrs import define, evolve, field

from trading_runtime.clock import Clock
from trading_sdk import Client

START = 1_800_000_000_000
"""The true time at which every world begins, in ms."""
MAX_SLEPT = 7_200
"""Seconds. Who has slept for longer in one call of `reconcile` will never end."""


class EndlessError(Exception):
    """The client neither ends nor gives up."""


@define
class Hands:
    """The hands of all clocks of a world, in ms."""

    now: int = START
    """The true time."""
    local: int = 0
    """How far this machine's clock is ahead of the truth."""
    service: int = 0
    """How far the clock of the service's engine is ahead of the truth."""
    slept: float = 0
    _plans: list[tuple[int, int, Callable[[], object]]] = field(factory=list)
    _count: int = 0

    def at(self, when: int, happen: Callable[[], object]) -> None:
        """Plan something; what was planned first happens first."""
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
        """Sleep, as the client does; a sleep is never shorter than asked."""
        self.slept += seconds
        if self.slept > MAX_SLEPT:
            raise EndlessError(f"it slept for {self.slept:.0f} s")
        self.advance(max(1, round(seconds * 1_000 + 0.5)))

    def wall(self) -> int:
        """The time of this machine."""
        return self.now + self.local

    def engine(self) -> int:
        """The time of the service."""
        return self.now + self.service

    def set_local(self, by: int) -> None:
        """Set this machine's clock."""
        self.local += by

    def set_service(self, by: int) -> None:
        """Set the service's clock."""
        self.service += by

    def monotonic(self) -> float:
        """Seconds of a clock that nobody sets."""
        return (self.now - START) / 1_000

    def hold(self, client: Client) -> Client:
        """Give a client these hands to go by."""
        known = inspect.signature(Clock).parameters
        more: dict[str, Any] = {"monotonic": self.monotonic} if "monotonic" in known else {}
        clock = Clock("local", now=self.wall, sleep=self.sleep, **more)
        client._caller = evolve(client._caller, clock=clock)
        return client
