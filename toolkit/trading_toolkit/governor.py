"""The rate budget that all readers of a service share, and what of it is left to trading.

Requests of one rate class take from one budget, whichever client sends them. So the readers of one process ask one
governor before each request. It counts what is under way, and keeps a share for orders.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from fractions import Fraction
from threading import Lock
from typing import TypeVar
from weakref import WeakValueDictionary

from trading_runtime import BaseClient, RateBudget, RateLimitError, now_ms, to_datetime

T = TypeVar("T")

log = logging.getLogger("trading_sdk.toolkit")

RESERVE = Fraction(1, 3)
"""The share of a budget that is left to trading."""
_MARGIN = 1
"""Seconds to wait longer than the service says, which rounds them."""
_LONGEST_WAIT = 300
_UNKNOWN_WAIT = 60
"""Seconds to wait where the service refuses, and does not say how long."""
_MAX_REFUSALS = 10
"""Refusals of one request for the rate limit, each after a wait, before its error counts."""

_governors: WeakValueDictionary[str, Governor] = WeakValueDictionary()
_lock = Lock()


def governor(client: BaseClient) -> Governor:
    """The governor of the rate class of a client. It lives as long as somebody has it."""
    with _lock:
        return _governors.setdefault(client.rate_class, Governor())


class Governor:
    """Lets requests pass while more than the reserve is left. Safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._left: Fraction | None = None
        """Credits that are left, as of the latest answer; None if no answer told."""

        self._quota: Fraction | None = None
        self._whole_at = 0.0
        """When all credits are back, by the monotonic clock."""

        self._window = _UNKNOWN_WAIT
        self._under_way = 0
        self._cost = Fraction(1)
        """Credits that the latest request cost."""

    def carry_out(
        self,
        client: BaseClient,
        request: Callable[[], T],
        wait: Callable[[float], object],
        name: str,
    ) -> tuple[T, Fraction | None]:
        """Send a request when the budget allows it; return its answer, and the credits that it cost.

        The cost is None where no answer tells it, or another request was under way.

        Raises:
            RateLimitError: The service refused it again and again.
        """
        for refusals in range(1, _MAX_REFUSALS + 1):
            self._enter(wait, name)
            try:
                found = request()
            except RateLimitError as error:
                self._leave(client.rate_budget, error)
                if refusals == _MAX_REFUSALS:
                    raise
            except BaseException:
                self._leave(None)
                raise
            else:
                return found, self._leave(client.rate_budget)
        raise AssertionError  # the loop returns or raises

    def _enter(self, wait: Callable[[float], object], name: str) -> None:
        """Wait until a request may be sent, and count it as under way."""
        while True:
            with self._lock:
                if self._is_allowed():
                    self._under_way += 1
                    return
                whole_at = self._whole_at
                seconds = min(math.ceil(whole_at - time.monotonic()) + _MARGIN, _LONGEST_WAIT)
            until = to_datetime(now_ms() + seconds * 1000)
            log.info(
                "%s: waits for the rate limit; goes on at %s UTC (in %d s)",
                *(name, f"{until:%H:%M:%S}", seconds),
            )
            wait(float(seconds))
            with self._lock:
                if self._whole_at == whole_at:  # no other reader has learned more meanwhile
                    self._left, self._whole_at = self._quota, time.monotonic() + self._window

    def _is_allowed(self) -> bool:
        if self._left is None:
            return True
        if time.monotonic() > self._whole_at:
            self._left, self._whole_at = self._quota, time.monotonic() + self._window
            return True
        if self._quota is not None and self._left >= self._quota and not self._under_way:
            return True  # a request may cost more than the budget less its reserve
        after = self._left - (self._under_way + 1) * self._cost
        return after >= (self._quota or 0) * RESERVE

    def _leave(
        self, budget: RateBudget | None, refusal: RateLimitError | None = None
    ) -> Fraction | None:
        """Take what an answer tells; return what the request cost, if that is known."""
        with self._lock:
            self._under_way -= 1
            now, before = time.monotonic(), self._left
            if refusal is not None:
                seconds = refusal.retry_after or (budget and budget.resets_in) or _UNKNOWN_WAIT
                self._left, self._whole_at = Fraction(0), now + seconds
            if budget is None or budget.resets_in is None:
                return None
            self._quota = None if budget.quota is None else Fraction(budget.quota)
            self._window = budget.window or _UNKNOWN_WAIT
            if refusal is not None:
                return None
            left, whole_at = Fraction(budget.remaining), now + budget.resets_in
            is_same_window = abs(whole_at - self._whole_at) < self._window / 2
            self._whole_at = whole_at
            if before is None or not is_same_window:
                self._left = left
                return None
            # Answers overtake each other.
            self._left = min(left, before) if self._under_way else left
            spent = before - left
            if spent > 0:
                self._cost = spent
            return spent if spent > 0 and not self._under_way else None
