"""This machine's clock, and how far the service's is ahead of it: one offset, right to one bound.

The service tells its time in the `Date` of its answers. The offset is kept against the monotonic clock, so that setting
this machine's clock changes nothing but the times that are signed.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timezone
from email.utils import parsedate_to_datetime
from logging import WARNING
from typing import Literal

from trading_runtime.log import note

ClockName = Literal["local", "server"]
BOUND_MS = 2_500
"""How far the offset may be wrong: a `Date` is right to two seconds, and cut off to whole ones."""
UNDATED_MS = 60_000
"""How far this machine's clock is taken to be wrong, at most, where no answer tells the service's time."""
MAX_BEHIND_MS = 3_600_000
"""An hour. A `Date` that is further behind this machine's clock is wrong, and passed over."""
TELL_MS = 5_000
"""A skew above it is told, in the log and in refusals. A smaller one may be the `Date` of a busy server."""
_HALF_SECOND = 500


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
        return int(moment.timestamp()) * 1_000
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
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        """Sign by this machine's clock (`local`), or by the service's as its answers show it (`server`).

        `monotonic` tells the seconds of a monotonic clock. A `now` of the caller's own stands in
        for it, and is then taken to be never set.
        """
        self.name = name
        self.local_ms = now
        """The time of this machine, in ms."""
        self.sleep = sleep
        self.monotonic = monotonic or (time.monotonic if now is now_ms else lambda: now() / 1_000)
        self.offset: int | None = None
        """How far the service's clock is ahead of the monotonic one, in ms; None before a `Date`."""
        self._agreed: int | None = None
        """The offset, if it has a second witness: the `Date` before, or this machine's clock."""
        self._date: tuple[str | None, int | None] = (None, None)
        self._told = 0
        """The skew that the log was told, in ms."""

    @property
    def skew(self) -> int | None:
        """How far the service's clock is ahead of this machine's, in ms; None before a `Date`."""
        now = self.service_ms()
        return None if now is None else now - self.local_ms()

    def ahead_of(self, timestamp: int) -> int | None:
        """How far the service's clock is ahead of a time, in ms; None where no two clocks agree.

        These are the latest two `Date`s, or the latest and this machine's clock: one wrong `Date` proves nothing.
        """
        return None if self._agreed is None else self._monotonic_ms() + self._agreed - timestamp

    def service_ms(self) -> int | None:
        """The time of the service's clock, right to the bound; None before a `Date`."""
        return None if self.offset is None else self._monotonic_ms() + self.offset

    def sign_ms(self) -> int:
        """The time to sign with, in ms."""
        now = self.service_ms() if self.name == "server" else None
        return self.local_ms() if now is None else now

    def offset_of(self, date: str | None, age: str | None = None) -> int | None:
        """The offset that an answer tells which was just received, in ms.

        None without a `Date`, and for one that is far behind, or of a cache (`Age`).
        """
        known = self._date
        if date != known[0]:
            known = self._date = (date, date_ms(date))
        written = known[1]
        is_wrong = written is None or written < self.local_ms() - MAX_BEHIND_MS
        if written is None or is_wrong or age not in (None, "0"):
            return None
        return written + _HALF_SECOND - self._monotonic_ms()

    def observe(self, date: str | None, age: str | None = None) -> None:
        """Learn from the `Date` of an answer that was just received."""
        offset, before = self.offset_of(date, age), self.offset
        if offset is None:
            return
        local = self.local_ms() - self._monotonic_ms()
        self.offset, skew = offset, offset - local
        witnesses = [each for each in (before, local) if each is not None]
        is_agreed = any(abs(offset - each) <= 2 * BOUND_MS for each in witnesses)
        self._agreed = offset if is_agreed else None
        if abs(skew) > TELL_MS and abs(skew - self._told) >= TELL_MS and self.name == "local":
            self._told = skew
            note(
                WARNING,
                "the service's clock is %.0f s %s this machine's, as the Date of an answer tells it; messages may "
                "be refused for it; set this machine's clock, or give the client clock='server'",
                abs(skew) / 1_000,
                "ahead of" if skew > 0 else "behind",
            )

    def _monotonic_ms(self) -> int:
        return round(self.monotonic() * 1_000)

    def hint(self, timestamp: int, accepted_until: int) -> str | None:
        """Why the service may have taken a message for expired, or for one from the future."""
        skew, now = self.skew, self.service_ms()
        if skew is None or now is None or abs(skew) <= TELL_MS:
            return None
        if now > accepted_until:
            problem = "the message had expired"
        elif now < timestamp:
            problem = "the message was from the future"
        else:
            return None
        return (
            f"{problem} by the service's clock, which is {abs(skew) / 1_000:.1f} s "
            f"{'ahead of' if skew > 0 else 'behind'} this machine's; set this machine's clock, or "
            "give the client clock='server'"
        )
