"""The controls of a sandbox: money, time, prices, forced outcomes, faults and snapshots.

Every public method is available over HTTP by its name, too: `POST /sandbox/v1/create_account`.
"""

from __future__ import annotations

from trading_runtime import DecimalLike, to_decimal, to_integer
from trading_sandbox.account_controls import AccountControls
from trading_sandbox.faults import Faults
from trading_sandbox.log import LoggedRequest, RequestLog
from trading_sandbox.market_controls import MarketControls
from trading_sandbox.rate_limits import RateLimits


class Control(AccountControls, MarketControls):
    """The controls of a running sandbox.

    A method that raises has changed nothing. It raises `Refused` if the exchange does not allow
    the command, ValueError for a value out of range, TypeError for a value of the wrong type, and
    RuntimeError outside the `with` block of the sandbox.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._log = RequestLog()
        self._rates = RateLimits()
        self.faults = Faults()
        """Injects faults of the transport into the next requests of an operation."""

    @property
    def requests(self) -> list[LoggedRequest]:
        """The request log: the latest requests that were answered, oldest first."""
        return self._log.entries()

    def set_rate_limit(self, credits: DecimalLike | None, window_s: int = 60) -> None:
        """Limit the requests of each rate-limit class, or remove the limit.

        Args:
            credits: Credits per window, in steps of 0.1; None for no limit. A request costs 1, a
                cancel 0.5, a page of more than 100 records 5.
            window_s: Length of a window in seconds.
        """
        quota = None if credits is None else to_decimal(credits)
        self._rates.set_limit(quota, to_integer(window_s))

    def snapshot(self) -> int:
        """Take a snapshot of the state and the histories; return its number, for `restore`."""
        return self._service.snapshot()

    def restore(self, snapshot: int) -> None:
        """Go back to the state and the histories of a snapshot; everything later is deleted.

        The ids of orders, trades and withdrawals go on, so that none is given twice.
        """
        number = to_integer(snapshot)
        with self._key_lock:
            self._service.restore(number)

    def reset(self) -> None:
        """Start again with the same seed: no accounts, orders, faults, limits, logged requests.

        Snapshots are deleted, too. The ids of orders, trades and withdrawals go on.
        """
        with self._key_lock:
            self._service.reset()
        self._log.clear()
        self.faults.clear()
        self._rates.set_limit(None)

    def digest(self) -> str:
        """Return a SHA-256 of the state and the histories; two are equal only if everything is.

        It leaves out which ids come next, because they do not go back with `restore` and `reset`.
        """
        return self._service.digest()
