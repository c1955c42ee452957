"""What follows from a command: accounts are liquidated, stop orders are triggered, until all rests."""

from __future__ import annotations

from trading_sandbox.engine import liquidation, triggers
from trading_sandbox.engine.venue import Venue


def follow(venue: Venue) -> None:
    """Carry out everything that the latest change of prices and positions leads to.

    Liquidations come first: a stop order of an account that has lost everything would otherwise
    trade at a price that leaves a debt.
    """
    while venue.moved or venue.at_risk:
        while venue.at_risk:
            address, _ = venue.at_risk.popitem()
            liquidation.look_at(venue, venue.account(address))
        if venue.moved:
            symbol, accounts = venue.moved.popitem()
            triggers.look_at(venue, symbol, accounts)
