"""After every command: liquidate accounts and trigger stop orders until nothing is left to do."""

from __future__ import annotations

from trading_sandbox.engine import liquidation, triggers
from trading_sandbox.engine.venue import Venue


def follow(venue: Venue) -> None:
    """Liquidate accounts and trigger orders until no market or account is left to check.

    Liquidations come first. Otherwise a stop order of an account that has lost everything could
    trade at a price that leaves the account in debt.
    """
    while venue.moved or venue.at_risk:
        while venue.at_risk:
            address, _ = venue.at_risk.popitem()
            liquidation.look_at(venue, venue.account(address))
        if venue.moved:
            symbol, accounts = venue.moved.popitem()
            triggers.look_at(venue, symbol, accounts)
