"""Why a message stays unsettled though a list may show it, and what to do then. Words alone, no I/O."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

from attrs import evolve, frozen

from trading_runtime.clock import TELL_MS, Skew
from trading_runtime.intent import Progress

GOES_ON = "client.reconcile(error) goes on from there"
_AGAIN = "call client.reconcile(error) again"
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_BY_HAND = (
    "calling client.reconcile(error) again does not help while that is so; after that time, look for it "
    "in the histories yourself"
)


@frozen(kw_only=True)
class LeftOpen:
    """When, by which clock, a message is accepted no longer, and may be looked for again."""

    until: int
    """By the service's clock, in ms."""
    skew: Skew | None
    again: int
    """When another call may find out more, by this machine's clock, in ms."""
    now: int
    """The time of this machine, in ms."""

    def out_of_time(self, why: str, progress: Progress | None) -> str:
        """The time for looking is up, and what took so long, if that is known."""
        return f"{self.so_far(why, progress)}; {self._accepted()}"

    def so_far(self, why: str, progress: Progress | None) -> str:
        """How far the looks came, and when to go on."""
        came = f"{progress}; {GOES_ON}; call it" if progress else f"nothing was read yet; {_AGAIN}"
        return f"; {why}; {came}{self._when()}" if why else f"; {came}{self._when()}"

    def too_early(self) -> str:
        """Nothing is wrong, but absence has no meaning yet."""
        return f"; {self._accepted()}; {_AGAIN}{self._when()}"

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

    def _when(self) -> str:
        """When to call again. Both in seconds and as a time, for it may be read at once or in a log."""
        seconds = -((self.now - self.again) // 1_000)
        if seconds <= 0:
            return ""
        return (
            f" in {seconds} s, at {_utc(self.now + seconds * 1_000 + 999)} by this machine's clock"
        )

    def _accepted(self) -> str:
        return (
            f"the service can accept it until {self.until} ms ({_utc(self.until)}){self._whose()}"
        )

    def _whose(self) -> str:
        if self.skew is None:
            return ""
        if not self.skew.is_told:
            return self._once_behind(self.skew.lowest)
        seconds = self.skew.middle / 1_000
        where = "ahead of" if seconds > 0 else "behind"
        return f" by its clock, which is {abs(seconds):.0f} s {where} this machine's"

    @staticmethod
    def _once_behind(lowest: int | None) -> str:
        """Answers contradict each other, and the latest one agrees with this machine's clock."""
        if lowest is None or lowest >= -TELL_MS:
            return ""
        return f" by its clock, which an answer told to be {-lowest / 1_000:.0f} s behind this machine's"


def _utc(time: int) -> str:
    try:
        return f"{_EPOCH + timedelta(milliseconds=time):%Y-%m-%d %H:%M:%S} UTC"
    except OverflowError:
        return "in a year that no calendar has"
