"""This machine's clock, and how far the service's is from it.

The `Date` of an answer names the second, or the one before it, in which the service wrote it, some
time between sending and receiving. Each answer thus says between which bounds the difference lies,
and the bounds of several answers narrow it down.
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
MOST_BEHIND = 3_600_000
"""An hour: how far behind this machine's clock the service's is believed to be, at most."""
_NAP = 60.0
_OLDEST_DATE = 2 * _SECOND
"""Servers cut off the milliseconds, and many write their `Date` anew only once a second."""


@frozen
class Skew:
    """How far the service's clock is ahead of this machine's, in ms: between `low` and `high`."""

    low: int
    high: int
    lowest: int | None = None
    """The lowest bound of answers that contradict each other; None if none do."""

    @property
    def middle(self) -> int:
        return (self.low + self.high) // 2

    @property
    def floor(self) -> int:
        """What the difference is at least, whichever of the answers were wrong."""
        return self.low if self.lowest is None else min(self.low, self.lowest)

    def narrowed(self, other: Skew) -> Skew:
        """What both say; what `other`, the later one, says if one of the clocks was set meanwhile."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low <= high:
            return Skew(low, high, self.lowest)
        return Skew(other.low, other.high, min(self.floor, other.floor))


def now_ms() -> int:
    """The current time of this machine, in ms."""
    return time.time_ns() // 1_000_000


def date_ms(text: str | None) -> int | None:
    """An HTTP date in ms; None if it is none."""
    try:
        moment = parsedate_to_datetime(text or "")
        if moment.tzinfo is None:
            # HTTP knows no other zone; the oldest of its forms does not name it.
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
        """Go by this machine's clock (`local`), or by the service's as its answers show it."""
        self._name = name
        self._now = now
        self.sleep = sleep
        # Threads replace these as a whole, and an answer that is lost so does no harm.
        self.skew: Skew | None = None
        """How far the service's clock is ahead; None before its first answer."""
        self._date: tuple[str | None, int | None] = (None, None)

    def local_ms(self) -> int:
        """The time of this machine, in ms."""
        return self._now()

    def sign_ms(self) -> int:
        """The time to sign with, in ms."""
        skew = self.skew if self._name == "server" else None
        return self._now() + (skew.middle if skew else 0)

    def earliest(self, local: int) -> int:
        """The earliest that the service's clock shows at a time of this machine's, in ms.

        It is never later than that time: it is waited by, and a wrong `Date` must only ever make a
        wait longer.
        """
        behind = min(0, self.skew.floor) if self.skew else 0
        return local + max(behind, -MOST_BEHIND)

    def likely(self, local: int) -> int:
        """The service's time at a time that was signed: the same, unless answers show it behind."""
        by_service = self._name == "server"
        return (
            self.earliest(local) if self.skew and self.skew.high < 0 and not by_service else local
        )

    def wait_until(self, server: int, timeout: float) -> bool:
        """Wait until the service's clock is certain to show a time; False if that takes too long."""
        ends = monotonic() + timeout
        while (left := server - self.earliest(self._now())) > 0:
            patience = ends - monotonic()
            if patience <= 0:
                return False
            self.sleep(min(left / _SECOND, patience, _NAP))
        # Beyond that nobody can say what time it is there.
        return self.skew is None or self.skew.floor >= -MOST_BEHIND

    def hint(self, timestamp: int, accepted_until: int) -> str | None:
        """Why the service may have found a message of these times expired, or from the future."""
        if self.skew is None:
            return None
        now, seconds = self._now(), self.skew.middle / _SECOND
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
            seen = Skew(written - received, written + _OLDEST_DATE - sent)
            self.skew = skew.narrowed(seen) if skew else seen
