"""After every command: liquidate accounts, pay debts, trigger stop orders, until nothing is left."""

from __future__ import annotations

from trading_sandbox.engine import insurance, liquidation, triggers
from trading_sandbox.engine.venue import Venue


def run(venue: Venue) -> None:
    """Liquidate accounts and trigger orders until no market or account is left to check.

    Liquidations come first. Otherwise a stop order of an account that has lost everything could
    trade at a price that leaves the account in debt.
    """
    while venue.moved_markets or venue.accounts_at_risk:
        while venue.accounts_at_risk:
            address, _ = venue.accounts_at_risk.popitem()
            account = venue.account(address)
            liquidation.liquidate_unsound(venue, account)
            insurance.pay_debt(venue, account)
        if venue.moved_markets:
            symbol, accounts = venue.moved_markets.popitem()
            triggers.trigger_reached(venue, symbol, accounts)
