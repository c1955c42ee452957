"""This machine's clock, and its skew: how far the service's clock is ahead of it.

The service writes the `Date` of an answer between sending and receiving, in whole seconds, which may
be a second stale. So each answer gives a lower and an upper bound of the skew, and several answers
narrow them down.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timezone
from email.utils import parsedate_to_datetime
from time import monotonic
from typing import Literal

from attrs import frozen

ClockName = Literal["local", "server"]
_SECOND = 1_000
MAX_BEHIND_MS = 3_600_000
"""An hour, in ms. A service that seems further behind is taken to send wrong dates."""
_MAX_SLEEP = 60.0
_MAX_STALENESS = 2 * _SECOND
"""The staleness of a `Date`, in ms: servers cut off the milliseconds, and many renew it once a second."""


@frozen
class Skew:
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

    def narrowed(self, other: Skew) -> Skew:
        """The bounds that both allow; those of `other`, the later one, if a clock was set meanwhile."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low <= high:
            return Skew(low, high, self.lowest)
        return Skew(other.low, other.high, min(self.floor, other.floor))


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


class Clock:
    """Tells the time to sign with. Safe to use from any thread."""

    def __init__(
        self,
        name: ClockName = "local",
        *,
        now: Callable[[], int] = now_ms,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Sign by this machine's clock (`local`), or by the service's as its answers show it (`server`)."""
        self._name = name
        self._now = now
        self.sleep = sleep
        # Threads replace these values as a whole. If two do at once, one answer is lost, which is harmless.
        self.skew: Skew | None = None
        """How far the service's clock is ahead; None before its first answer."""
        self._date: tuple[str | None, int | None] = (None, None)

    def local_ms(self) -> int:
        """The time of this machine, in ms."""
        return self._now()

    def sign_ms(self) -> int:
        """The time to sign with, in ms."""
        skew = self.skew if self._name == "server" else None
        return self.local_ms() + (skew.middle if skew else 0)

    def earliest_service_time(self, local: int) -> int:
        """The earliest time that the service's clock may show at a time of this machine's, in ms.

        It is never later than that time, because others wait for it: a wrong `Date` may make a wait
        longer, never shorter.
        """
        behind = min(0, self.skew.floor) if self.skew else 0
        return local + max(behind, -MAX_BEHIND_MS)

    def likely_service_time(self, signed: int) -> int:
        """The service's time when a message was signed: the same, or earlier if its clock is behind."""
        by_service = self._name == "server"
        return (
            self.earliest_service_time(signed)
            if self.skew and self.skew.high < 0 and not by_service
            else signed
        )

    def wait_until(self, service_time: int, timeout: float) -> bool:
        """Wait until the service's clock certainly shows a time; False if that takes too long."""
        deadline = monotonic() + timeout
        while (left := service_time - self.earliest_service_time(self.local_ms())) > 0:
            time_left = deadline - monotonic()
            if time_left <= 0:
                return False
            self.sleep(min(left / _SECOND, time_left, _MAX_SLEEP))
        # The dates of a service that seems further behind cannot be trusted: nothing is certain.
        return self.skew is None or self.skew.floor >= -MAX_BEHIND_MS

    def hint(self, timestamp: int, accepted_until: int) -> str | None:
        """Why the service may have taken a message for expired, or for one from the future."""
        if self.skew is None:
            return None
        now, seconds = self.local_ms(), self.skew.middle / _SECOND
        if now + self.skew.low > accepted_until:
            problem = "the message had expired"
        elif now + self.skew.high < timestamp:
            problem = "the message was from the future"
        else:
            return None
        return (
            f"{problem} by the service's clock, which is {abs(seconds):.1f} s "
            f"{'ahead of' if seconds > 0 else 'behind'} this machine's; set this machine's clock, or "
            "give the client clock='server'"
        )

    def observe(self, date: str | None, sent: int, received: int) -> None:
        """Learn from the `Date` of an answer to a request of these times, in ms."""
        if received < sent:
            return
        if date != self._date[0]:
            self._date = (date, date_ms(date))
        written, skew = self._date[1], self.skew
        if written is not None:
            seen = Skew(written - received, written + _MAX_STALENESS - sent)
            self.skew = skew.narrowed(seen) if skew else seen
