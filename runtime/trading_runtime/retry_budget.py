"""What keeps second attempts from becoming a storm: a budget that all calls of a client share."""

from __future__ import annotations

from trading_runtime.locks import ForkSafeLock

_EARNED = 0.1


class RetryBudget:
    """A token bucket: a second attempt takes a token, a call that succeeds brings back a tenth.

    A service that fails for everybody thus sees few more requests than calls.
    """

    def __init__(self, tokens: float) -> None:
        """Begin with a full bucket."""
        self._full = self._tokens = float(tokens)
        self._lock = ForkSafeLock()

    @property
    def tokens(self) -> float:
        """How many second attempts it pays for."""
        return self._tokens

    def spend(self) -> None:
        """Pay for a second attempt."""
        with self._lock.held():
            self._tokens -= 1

    def earn(self) -> None:
        """A call succeeded."""
        if self._tokens < self._full:
            with self._lock.held():
                # Ten tenths of floating point are less than one.
                self._tokens = min(self._full, round(self._tokens + _EARNED, 6))
