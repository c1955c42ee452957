"""The money of all accounts, which must add up."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from attrs import Factory, define

from tests.soak.truth import Shown
from tests.soak.world import SOL, USDC, Owner
from trading_sandbox import RemoteSandbox
from trading_sdk import Trade

_ROUNDING = Decimal("0.0001")
"""What averages that were rounded may add up to, in USDC."""


@define
class Books:
    """Sums over the accounts, which trade with nobody but each other."""

    _sandbox: RemoteSandbox
    _accounts: int = 0
    _balance: Decimal = Decimal(0)
    _unrealised: Decimal = Decimal(0)
    _size: Decimal = Decimal(0)
    _fees: Decimal = Decimal(0)
    _pnl: Decimal = Decimal(0)
    _wrong: list[str] = Factory(list)

    def add(self, owner: Owner, shown: Shown, trades: Iterable[Trade]) -> None:
        """Add an account and its subaccount, and hold its spot assets against its withdrawals."""
        self._accounts += 1
        view, sub = self._sandbox.account(owner.address), self._sandbox.account(owner.sub)
        self._balance += view.balance + sub.balance
        for position in view.positions.values():
            self._unrealised += position.unrealised
            self._size += position.size
        for trade in trades:
            self._fees += trade.fee
            self._pnl += trade.pnl
        withdrawn = sum(amount * count for amount, count in shown.withdrawals.items())
        if view.spot["SOL"] != SOL - withdrawn:
            self._wrong.append(f"{view.spot} after withdrawals of {withdrawn} SOL: {owner}")

    def problems(self) -> list[str]:
        """What does not add up."""
        deposits = USDC * self._accounts
        # Funding, should an hour end meanwhile, is paid by one account to another as well.
        kept = self._balance + self._unrealised + self._fees - deposits
        booked = self._balance + self._fees - self._pnl - deposits
        wrong = list(self._wrong)
        if self._size:
            wrong.append(f"the positions of all accounts add up to {self._size} BTC")
        if abs(kept) > _ROUNDING:
            wrong.append(f"balances, open profits and fees differ from deposits by {kept} USDC")
        if abs(booked) > _ROUNDING:
            wrong.append(f"balances differ from deposits, fees and profits by {booked} USDC")
        return wrong
