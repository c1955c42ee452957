"""Why a message stays unsettled though a list may show it, and what to do then. Words alone, no I/O."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from attrs import evolve, frozen

from trading_runtime.clock import Skew
from trading_runtime.intent import Progress

GOES_ON = "client.reconcile(error) goes on from there"
_AGAIN = "call client.reconcile(error) again"
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_TOLD_MS = 2_000
"""A skew below it may be the resolution of a `Date`."""
_BY_HAND = (
    "calling client.reconcile(error) again does not help while that is so; after that time, look for it "
    "in the histories yourself"
)


@frozen(kw_only=True)
class LeftOpen:
    """When, by which clock, a message is accepted no longer, and may be looked for again."""

    until: int
    skew: Skew | None
    history_lag: float

    def out_of_time(self, why: str, progress: Progress | None) -> str:
        """The time for looking is up, and what took so long, if that is known."""
        return f"; {so_far(why, progress)}; {self._accepted()}"

    def too_early(self) -> str:
        """Nothing is wrong, but absence has no meaning yet."""
        return f"; {self._accepted()}; {self._again()}"

    def clock_was_set(self) -> str:
        """This machine's clock was set while it was looked for."""
        return f"; this machine's clock was set meanwhile{evolve(self, skew=None).too_early()}"

    def no_time(self) -> str:
        """No answer told the time of the service."""
        problem = "no answer told the service's time (the Date of its answers is missing or wrong)"
        return f"; {problem}, so absence tells nothing; {self._accepted()}; {_BY_HAND}"

    def no_age(self) -> str:
        """No page tells what time it shows."""
        problem = "a cache gives pages whose Age cannot be read, or is more than a day"
        return f"; {problem}, so absence tells nothing; {self._accepted()}; {_BY_HAND}"

    def _again(self) -> str:
        return f"{_AGAIN} {self.history_lag:g} s after that"

    def _accepted(self) -> str:
        return (
            f"the service can accept it until {self.until} ms ({_utc(self.until)}){self._whose()}"
        )

    def _whose(self) -> str:
        if self.skew is None or abs(self.skew.middle) < _TOLD_MS:
            return ""
        seconds = self.skew.middle / 1_000
        where = "ahead of" if seconds > 0 else "behind"
        return f" by its clock, which is {abs(seconds):.0f} s {where} this machine's"


def so_far(why: str, progress: Progress | None) -> str:
    """How far the looks came, and how to go on."""
    parts = [f"{progress}; {GOES_ON}" if progress else f"nothing was read yet; {_AGAIN}"]
    return "; ".join([why, *parts] if why else parts)


def _utc(time: int) -> str:
    try:
        return f"{_EPOCH + timedelta(milliseconds=time):%Y-%m-%d %H:%M:%S} UTC"
    except OverflowError:
        return "in a year that no calendar has"
