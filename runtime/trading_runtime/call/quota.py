"""The retry quota: it keeps retries from becoming a storm."""

from __future__ import annotations

from trading_runtime.call.file_lock import ForkSafeLock

_RETRY, _SUCCESS = 10, 1
"""What a retry takes and a success restores, in tenths of a retry."""


class RetryQuota:
    """A token bucket that all calls of a client share: a retry takes a token, a success a tenth back.

    A service that fails for everybody thus sees few more requests than calls. The size of the bucket is
    the `quota` of a call's retry policy, so that clients with other policies can share what was taken.
    """

    def __init__(self) -> None:
        """Begin with a full bucket."""
        self._lock = ForkSafeLock()
        self.spent = 0
        """What was taken and not restored, in tenths of a retry."""

    def left(self, size: int) -> int:
        """How many retries a bucket of this size allows now; below 1 it allows none."""
        return size - -(-self.spent // _RETRY)

    def spend(self) -> None:
        """Take a token for a retry."""
        with self._lock.held():
            self.spent += _RETRY

    def restore(self) -> None:
        """A call succeeded."""
        with self._lock.held():
            self.spent = max(0, self.spent - _SUCCESS)
