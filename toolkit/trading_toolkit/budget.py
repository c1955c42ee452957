"""Keep within the rate limit of the service, and leave something of it to others."""

from __future__ import annotations

from collections.abc import Callable

from trading_runtime import BaseClient

_RESERVE = 10
"""One tenth of the budget is left to others."""
_LONGEST_WAIT = 300.0
_UNKNOWN_WAIT = 60.0
"""Seconds to wait where the service refuses, and does not say how long."""


def keep_within_budget(
    client: BaseClient, wait: Callable[[float], object], *, refused: bool = False
) -> None:
    """Wait until the rate budget is whole again, if little is left of it, or the service refused for it."""
    budget = client.rate_budget
    if budget is None or budget.resets_in is None:
        if refused:
            wait(_UNKNOWN_WAIT)
    elif refused or budget.remaining <= (budget.quota or 0) / _RESERVE:
        wait(min(budget.resets_in + 1.0, _LONGEST_WAIT))
