"""The retry quota: it keeps retries from becoming a storm."""

from __future__ import annotations

from trading_runtime.call.locks import ForkSafeLock

_RESTORED = 0.1


class RetryQuota:
    """A token bucket that all calls of a client share: a retry takes a token, a success a tenth back.

    A service that fails for everybody thus sees few more requests than calls.
    """

    def __init__(self, size: int) -> None:
        """Begin with a full bucket."""
        self._size = size
        self._lock = ForkSafeLock()
        self.spent = 0.0
        """Tokens that were taken and not restored."""

    @property
    def left(self) -> float:
        """How many retries it allows now."""
        return self._size - self.spent

    def spend(self) -> None:
        """Take a token for a retry."""
        with self._lock.held():
            self.spent += 1

    def restore(self) -> None:
        """A call succeeded."""
        with self._lock.held():
            # Rounded, because ten tenths of floating point are less than one.
            self.spent = max(0.0, round(self.spent - _RESTORED, 6))
