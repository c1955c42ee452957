"""The insurance fund: it pays the debts of accounts that have lost more than they had.

A liquidation closes a position while it still has equity, or at its bankruptcy price. But an account
may also close a position itself, far from the mark price, and lose more than its funds. The other side
of that trade keeps its profit, so somebody has to pay it: on an exchange, the insurance fund.

The fund is the backstop account, which also takes over positions in liquidations.
"""

from __future__ import annotations

from trading_sandbox.engine import margin
from trading_sandbox.engine.house_accounts import BACKSTOP
from trading_sandbox.engine.state import Account
from trading_sandbox.engine.venue import Venue


def pay_debt(venue: Venue, account: Account) -> None:
    """Pay the debt of an account without a position: its funds, if they are below zero.

    As long as a position is left, its equity has to cover the loss, or it is liquidated. A negative
    balance that spot collateral covers is no debt.
    """
    if account.is_house_account or any(held.size for held in account.positions.values()):
        return
    debt = -margin.funds(venue, account)
    if debt > 0:
        account.balance += debt
        account.debt_paid += debt
        venue.account(BACKSTOP).balance -= debt
