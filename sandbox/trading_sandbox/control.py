"""What can be done to a sandbox that no exchange offers: money, time, prices, forced outcomes.

Every public method is offered over HTTP, too, by its name: `POST /sandbox/v1/create_account`.
"""

from __future__ import annotations

from trading_runtime import DecimalLike, to_decimal, to_integer
from trading_sandbox.account_controls import AccountControls
from trading_sandbox.faults import Faults
from trading_sandbox.log import LoggedRequest, RequestLog
from trading_sandbox.market_controls import MarketControls
from trading_sandbox.web.rates import RateLimits


class Control(AccountControls, MarketControls):
    """The controls of a running sandbox.

    Every method raises, before anything is changed: `Refused` for what the exchange does not
    allow, ValueError for a value out of range, TypeError for one of the wrong type, RuntimeError
    while the sandbox does not run.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._log = RequestLog()
        self._rates = RateLimits()
        self.faults = Faults()
        """Faults of the transport, to be injected for the next requests of an operation."""

    @property
    def requests(self) -> list[LoggedRequest]:
        """The latest requests that were answered, oldest first."""
        return self._log.entries()

    def set_rate_limit(self, credits: DecimalLike | None, window_s: int = 60) -> None:
        """Limit the requests of each rate-limit class, or no more.

        Args:
            credits: Credits a window, up to one decimal; None for no limit. A request costs 1, a
                cancel 0.5, a long page of a history 5.
            window_s: Length of a window in seconds.
        """
        quota = None if credits is None else to_decimal(credits)
        self._rates.set_limit(quota, to_integer(window_s))

    def snapshot(self) -> int:
        """Keep the state and the histories as they are; return the number to restore them by."""
        return self._service.snapshot()

    def restore(self, snapshot: int) -> None:
        """Bring back the state and the histories of a snapshot; what came later is gone."""
        number = to_integer(snapshot)
        with self._key_lock:
            self._service.restore(number)

    def reset(self) -> None:
        """Begin again: no accounts, orders, faults, limits or logged requests; the same seed."""
        with self._key_lock:
            self._service.reset()
        self._log.clear()
        self.faults.clear()
        self._rates.set_limit(None)

    def digest(self) -> str:
        """Return a SHA-256 of the state and the histories: equal only where everything is."""
        return self._service.digest()
