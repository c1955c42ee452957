"""The request budget: credits a window for every rate-limit class (field note 16, section 5.4).

Amounts are kept in tenths of a credit, which is how the headers tell them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from threading import Lock
from typing import Any

import attrs

from trading_runtime import BatchOperation, ListOperation, Operation

STANDARD = 10
CANCEL = 5
HEAVY = 50
LIGHT_PAGE = 100
"""A page of a history that may hold more records is heavy."""

_CANCELS = frozenset({"orders.cancel_stop", "Cancel", "CancelStopOrder"})
"""The operation and the types of batch actions that cost less."""


@attrs.frozen(kw_only=True)
class Budget:
    """What is left of the budget of a class."""

    allowed: bool
    """Whether the request was paid for."""
    left: int
    """Tenths of a credit."""
    quota: int
    """Tenths of a credit a window."""
    refresh_s: int
    """Seconds until all of it is back."""
    window_s: int

    def headers(self) -> list[tuple[bytes, bytes]]:
        """Return the headers that tell it."""
        return [
            (b"ratelimit", b'"credits";r=%d;t=%d' % (self.left, self.refresh_s)),
            (b"ratelimit-policy", b'"credits";q=%d;w=%d' % (self.quota, self.window_s)),
        ]


@attrs.define
class _Window:
    began: float
    used: int = 0


class RateLimits:
    """One budget for every class, off until a limit is set. Safe to use from any thread.

    A window begins with the first request after the last one has ended; then the whole budget is
    there again.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Take a clock in seconds."""
        self._clock = clock
        self._lock = Lock()
        self._quota: int | None = None
        self._window_s = 60
        self._windows: dict[str, _Window] = {}

    def set_limit(self, credits: Decimal | None, window_s: int = 60) -> None:
        """Set the credits a window of every class, in steps of 0.1, or None for no limit.

        Raises:
            ValueError: the credits or the seconds of a window are not positive, or too fine.
        """
        quota = None
        if credits is not None:
            if not (credits.is_finite() and 0 < credits < 10**9) or credits * 10 % 1:
                raise ValueError(
                    f"credits must be above 0 and below 10^9, in steps of 0.1, not {credits}"
                )
            quota = int(credits * 10)
        if not 1 <= window_s <= 10**9:
            raise ValueError(f"window_s must be from 1 to 10^9, not {window_s}")
        with self._lock:
            self._quota, self._window_s = quota, window_s
            self._windows.clear()

    def charge(self, class_: str, cost: int) -> Budget | None:
        """Take the cost of a request, in tenths of a credit; None while there is no limit.

        A request that the budget does not cover takes nothing.
        """
        if self._quota is None:
            return None
        with self._lock:
            if self._quota is None:
                return None
            now = self._clock()
            window = self._windows.get(class_)
            if window is None or now - window.began >= self._window_s:
                window = self._windows[class_] = _Window(now)
            allowed = window.used + cost <= self._quota
            if allowed:
                window.used += cost
            return Budget(
                allowed=allowed,
                left=self._quota - window.used,
                quota=self._quota,
                refresh_s=math.ceil(self._window_s - (now - window.began)),
                window_s=self._window_s,
            )


def cost_of(operation: Operation[Any], fields: Mapping[str, Any]) -> int:
    """Return what a request costs, in tenths of a credit.

    Args:
        operation: What is asked for.
        fields: The fields of its body, or of its query as texts.
    """
    if isinstance(operation, ListOperation):
        limit = str(fields.get("limit", ""))
        long = limit.isascii() and limit.isdigit() and (len(limit) > 9 or int(limit) > LIGHT_PAGE)
        return HEAVY if long else STANDARD
    if isinstance(operation, BatchOperation):
        actions = fields.get(operation.batch.field)
        if isinstance(actions, list) and 1 <= len(actions) <= operation.batch.max_items:
            return sum(_cost_of_action(action) for action in actions)
    return CANCEL if operation.name in _CANCELS else STANDARD


def _cost_of_action(action: Any) -> int:
    kind = action.get("type") if isinstance(action, dict) else None
    return CANCEL if isinstance(kind, str) and kind in _CANCELS else STANDARD
