"""Rate limits: a budget of credits per window for every class (field note 16, section 5.4).

Amounts are in tenths of a credit. The headers have them in the units of the spec (`x-rate-scale`).
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
from trading_sandbox.engine.money import exact_arithmetic

CREDIT = 10
"""One credit."""
STANDARD = 10
CANCEL = 5
HEAVY = 50
LIGHT_PAGE = 100
"""A request for a longer page of a history costs `HEAVY`."""
ADDRESS = "address"
"""The one rate-limit class of all requests without an API key: they come from this machine."""
UNLIMITED = (None, None)
"""No limit without an API key, and none with one."""

_CANCELS = frozenset(
    {"orders.cancel", "orders.cancel_all", "orders.cancel_stop", "Cancel", "CancelStopOrder"}
)
"""The operations and the types of batch actions that cost `CANCEL`."""


@attrs.frozen(kw_only=True)
class Budget:
    """The budget of a class after a request was charged or rejected."""

    allowed: bool
    """Whether the budget covered the request."""
    left: int
    """What is left in this window, in tenths of a credit."""
    quota: int
    """The whole budget of a window, in tenths of a credit."""
    refresh_s: int
    """Seconds until the whole budget is available again."""
    window_s: int

    def headers(self, names: tuple[str, str], scale: int) -> list[tuple[bytes, bytes]]:
        """Return the headers of the answer that show the budget.

        Args:
            names: Those that the API gives them.
            scale: The number that means one credit in them. What is no whole number is rounded down.
        """
        left, policy = (name.lower().encode() for name in names)
        return [
            (left, b'"credits";r=%d;t=%d' % (self.left * scale // CREDIT, self.refresh_s)),
            (policy, b'"credits";q=%d;w=%d' % (self.quota * scale // CREDIT, self.window_s)),
        ]


@attrs.define
class _Window:
    began: float
    used: int = 0


class RateLimits:
    """One budget for every class; unlimited until a limit is set. Safe to use from any thread.

    A window begins with the first request after the previous window ended. It has the whole
    budget.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Use a clock that returns seconds."""
        self._clock = clock
        self._ahead = 0.0
        self._lock = Lock()
        self._quota: int | None = None
        self._keyed: int | None = None
        self._window_s = 60
        self._windows: dict[str, _Window] = {}

    def set_limit(
        self, credits: Decimal | None, window_s: int = 60, with_key: Decimal | None = None
    ) -> None:
        """Set the credits per window of every class, in steps of 0.1; None removes the limit.

        Args:
            credits: The credits of a class.
            window_s: The seconds of a window.
            with_key: The credits of an API key; None: as without.

        Raises:
            ValueError: the credits are out of range, or have more than one decimal.
        """
        quota = None if credits is None else _tenths(credits)
        keyed = quota if with_key is None else _tenths(with_key)
        with self._lock:
            self._quota, self._keyed, self._window_s = quota, keyed, window_s
            self._windows.clear()

    def advance(self, seconds: float) -> None:
        """Let time pass, so that windows end."""
        with self._lock:
            self._ahead += seconds

    def charge(self, class_: str, cost: int) -> Budget | None:
        """Charge the cost of a request, in tenths of a credit; return None while unlimited.

        A request that the budget does not cover is not charged.
        """
        if self._quota is None:
            return None
        with self._lock:
            quota = self._quota_of(class_)
            if quota is None:
                return None
            now = self._clock() + self._ahead
            window = self._windows.get(class_)
            if window is None or now - window.began >= self._window_s:
                window = self._windows[class_] = _Window(now)
            allowed = window.used + cost <= quota
            if allowed:
                window.used += cost
            return self._budget(window, quota, now, allowed)

    def budgets(self) -> dict[str, Budget]:
        """Return what is left to each class whose window has begun, without charging anything."""
        with self._lock:
            now = self._clock() + self._ahead
            quotas = ((name, self._quota_of(name)) for name in self._windows)
            return {
                name: self._budget(self._windows[name], quota, now, allowed=True)
                for name, quota in quotas
                if quota is not None and now - self._windows[name].began < self._window_s
            }

    def _quota_of(self, class_: str) -> int | None:
        return self._quota if class_ == ADDRESS else self._keyed

    def _budget(self, window: _Window, quota: int, now: float, allowed: bool) -> Budget:
        return Budget(
            allowed=allowed,
            left=quota - window.used,
            quota=quota,
            refresh_s=math.ceil(self._window_s - (now - window.began)),
            window_s=self._window_s,
        )


def _tenths(credits: Decimal) -> int:
    with exact_arithmetic():
        if not (credits.is_finite() and 0 < credits < 10**9) or credits * CREDIT % 1:
            raise ValueError(
                f"credits must be above 0 and below 10^9, in steps of 0.1, not {credits}"
            )
        return int(credits * CREDIT)


def cost_of(operation: Operation[Any], fields: Mapping[str, Any]) -> int:
    """Return what a request costs, in tenths of a credit.

    Args:
        operation: The requested operation.
        fields: The fields of its body, or its query parameters as strings.
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
