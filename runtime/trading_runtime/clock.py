"""This machine's clock, and its skew: how far the service's clock is ahead of it.

The service writes the `Date` of an answer between sending and receiving, in whole seconds, which may
be a second stale. So each answer gives a lower and an upper bound of the skew, and several answers
narrow them down. No bound lives longer than ten minutes, and none outlives a step of this machine's
clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timezone
from email.utils import parsedate_to_datetime
from logging import WARNING
from math import inf
from typing import Literal

from attrs import evolve, frozen

from trading_runtime.log import note
from trading_runtime.shown import Compared

ClockName = Literal["local", "server"]
_SECOND = 1_000
MAX_BEHIND_MS = 3_600_000
"""An hour, in ms. A service that seems further behind is taken to send wrong dates."""
_MAX_SLEEP = 60.0
_MAX_STALENESS = 2 * _SECOND
"""The staleness of a `Date`, in ms: servers cut off the milliseconds, and many renew it once a second."""
_HALF_LIFE = 300.0
"""Seconds. Bounds are kept for this long at least, and for twice as long at most."""
_MAX_SLEW = 500
"""In ms. A clock that went further astray between two looks was set."""
TELL_MS = 5 * _SECOND
"""A skew above it is told: in the log, in refusals, and in what `reconcile` leaves open. A smaller one may be
no skew, but the `Date` of a busy server, which renews it late."""


@frozen(eq=False, repr=False)
class Skew(Compared):
    """How far the service's clock is ahead of this machine's, in ms: between `low` and `high`."""

    low: int
    high: int
    lowest: int | None = None
    """The lowest bound of answers that contradict each other; None if they all agree."""

    @property
    def middle(self) -> int:
        return (self.low + self.high) // 2

    @property
    def floor(self) -> int:
        """The smallest skew that any of the answers allows."""
        return self.low if self.lowest is None else min(self.low, self.lowest)

    @property
    def is_told(self) -> bool:
        """Whether the clocks differ by more than the stale `Date` of a busy server explains."""
        return self.low > TELL_MS or self.high < -TELL_MS

    def narrowed(self, other: Skew) -> Skew:
        """The bounds that both allow; those of `other`, the later one, if a clock was set meanwhile."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low <= high:
            known = [each for each in (self.lowest, other.lowest) if each is not None]
            return Skew(low, high, min(known, default=None))
        floor = min([each.floor for each in (self, other)])
        return Skew(other.low, other.high, floor)


def now_ms() -> int:
    """The current time of this machine, in ms."""
    return time.time_ns() // 1_000_000


def date_ms(text: str | None) -> int | None:
    """An HTTP date in ms; None if the text is not a date."""
    try:
        moment = parsedate_to_datetime(text or "")
        if moment.tzinfo is None:
            # HTTP dates are always in GMT; the oldest format does not name it.
            moment = moment.replace(tzinfo=timezone.utc)
        return int(moment.timestamp()) * _SECOND
    except (TypeError, ValueError, OverflowError):
        return None


def age_ms(text: str | None) -> int | None:
    """How old an answer is that a cache gave, in ms, from its `Age`; None if that is no number."""
    digits = "0" if text is None else text.strip()
    return int(digits) * _SECOND if digits.isdecimal() and len(digits) < 10 else None


class Clock:
    """Tells the time to sign with. Safe to use from any thread."""

    def __init__(
        self,
        name: ClockName = "local",
        *,
        now: Callable[[], int] = now_ms,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        """Sign by this machine's clock (`local`), or by the service's as its answers show it (`server`).

        `monotonic` tells the seconds of a monotonic clock. A `now` of the caller's own stands in
        for it, and is then taken to be never set.
        """
        self._name = name
        self.local_ms = now
        """The time of this machine, in ms."""
        self.sleep = sleep
        by_now = time.monotonic if now is now_ms else lambda: now() / _SECOND
        self.monotonic = monotonic or by_now
        # Threads replace these values as a whole. If two do at once, one answer is lost, which is harmless.
        self._recent: Skew | None = None
        self._older: Skew | None = None
        self._turned = -inf
        """When the recent bounds began, by the monotonic clock."""
        self._offset: int | None = None
        """How far this machine's clock is ahead of the monotonic one, in ms."""
        self._date: tuple[str | None, int | None] = (None, None)
        self.dated_at = -inf
        """When an answer told the service's time at last, by the monotonic clock."""
        self.steps = 0
        """How often this machine's clock was seen to be set."""
        self._told = 0
        """The skew that the log was told, in ms."""

    @property
    def skew(self) -> Skew | None:
        """How far the service's clock is ahead; None before an answer that tells its time."""
        recent, older, age = self._recent, self._older, self.monotonic() - self._turned
        if recent is None or age > 2 * _HALF_LIFE:
            # What is too old to hold something back is still good enough to sign by.
            return recent and evolve(recent, lowest=None)
        return older.narrowed(recent) if older is not None and age <= _HALF_LIFE else recent

    def sign_ms(self) -> int:
        """The time to sign with, in ms."""
        skew = self.skew if self._name == "server" else None
        return self.local_ms() + (skew.middle if skew else 0)

    def earliest_service_time(self, local: int) -> int:
        """The earliest time that the service's clock may show at a time of this machine's, in ms.

        It is never later than that time, because others wait for it: a wrong `Date` may make a wait
        longer, never shorter.
        """
        skew = self.skew
        behind = min(0, skew.floor) if skew else 0
        return local + max(behind, -MAX_BEHIND_MS)

    def certainly_at(self, service_time: int) -> int:
        """When the service's clock certainly shows a time, by this machine's, in ms."""
        return service_time - self.earliest_service_time(0)

    def certain_service_time(self, local: int) -> int | None:
        """A time that the service's clock certainly showed at one of this machine's, in ms, or later.

        None if no answer told its time, or one so far off that no date of it can be trusted.
        """
        skew = self.skew
        if skew is None or skew.floor < -MAX_BEHIND_MS:
            return None
        return self.earliest_service_time(local)

    def wait_until(self, service_time: int, timeout: float) -> bool:
        """Wait until the service's clock certainly shows a time; False if that takes too long."""
        began, slept = self.monotonic(), 0.0
        while (left := service_time - self.earliest_service_time(self.local_ms())) > 0:
            time_left = timeout - max(slept, self.monotonic() - began)
            if time_left <= 0:
                return False
            nap = min(left / _SECOND, time_left, _MAX_SLEEP)
            self.sleep(nap)
            slept += nap
        # The dates of a service that seems further behind cannot be trusted: nothing is certain.
        skew = self.skew
        return skew is None or skew.floor >= -MAX_BEHIND_MS

    def hint(self, timestamp: int, accepted_until: int) -> str | None:
        """Why the service may have taken a message for expired, or for one from the future."""
        skew = self.skew
        if skew is None or not skew.is_told:
            return None
        now, seconds = self.local_ms(), skew.middle / _SECOND
        if now + skew.low > accepted_until:
            problem = "the message had expired"
        elif now + skew.high < timestamp:
            problem = "the message was from the future"
        else:
            return None
        return (
            f"{problem} by the service's clock, which is {abs(seconds):.1f} s "
            f"{'ahead of' if seconds > 0 else 'behind'} this machine's; set this machine's clock, or "
            "give the client clock='server'"
        )

    def look(self) -> float:
        """Look whether this machine's clock was set; return the time of the monotonic one."""
        now = self.monotonic()
        offset = self.local_ms() - round(now * _SECOND)
        if self._offset is not None and abs(offset - self._offset) > _MAX_SLEW:
            self.steps += 1
            self._recent = self._older = None
            self.dated_at = -inf
        self._offset = offset
        return now

    def observe(self, date: str | None, sent: int, received: int, age: str | None = None) -> None:
        """Learn from the `Date` (and `Age`) of an answer to a request of these times, in ms."""
        now, known = self.monotonic(), self._offset
        if known is None or abs(self.local_ms() - round(now * _SECOND) - known) > _MAX_SLEW:
            self.look()
        if date != self._date[0]:
            self._date = (date, date_ms(date))
        written, behind = self._date[1], 0 if age is None else age_ms(age)
        if received < sent or written is None or behind is None:
            return
        written += behind
        # An age is cut off to whole seconds, too.
        seen = Skew(written - received, written + _MAX_STALENESS + min(behind, _SECOND) - sent)
        if now - self._turned > _HALF_LIFE:
            self._older = self._recent if now - self._turned <= 2 * _HALF_LIFE else None
            self._recent, self._turned = None, now
        recent = self._recent
        self._recent = recent.narrowed(seen) if recent else seen
        self.dated_at = now
        if seen.is_told:
            self._tell(seen.middle)

    def _tell(self, skew: int) -> None:
        """Tell the log that the clocks differ; not again, unless they then differ otherwise."""
        if self._name == "server" or abs(skew - self._told) < TELL_MS:
            return
        self._told = skew
        note(
            WARNING,
            "the service's clock is %.0f s %s this machine's, as the Date of an answer tells it; messages "
            "may be refused for it, and reconcile waits longer; set this machine's clock, or give the "
            "client clock='server'",
            abs(skew) / _SECOND,
            "ahead of" if skew > 0 else "behind",
        )
