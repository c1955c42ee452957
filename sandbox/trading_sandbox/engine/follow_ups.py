"""After every command: liquidate accounts and trigger stop orders until nothing is left to do."""

from __future__ import annotations

from trading_sandbox.engine import liquidation, triggers
from trading_sandbox.engine.venue import Venue


def run(venue: Venue) -> None:
    """Liquidate accounts and trigger orders until no market or account is left to check.

    Liquidations come first. Otherwise a stop order of an account that has lost everything could
    trade at a price that leaves the account in debt.
    """
    while venue.moved_markets or venue.accounts_at_risk:
        while venue.accounts_at_risk:
            address, _ = venue.accounts_at_risk.popitem()
            liquidation.liquidate_unsound(venue, venue.account(address))
        if venue.moved_markets:
            symbol, accounts = venue.moved_markets.popitem()
            triggers.trigger_reached(venue, symbol, accounts)
