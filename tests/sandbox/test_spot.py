"""Spot assets: withdrawals, their idempotency keys, and what counts as collateral."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import ID, OTHER_ID, STRANGERS, Desk
from trading_sandbox.engine.commands import SetSpotExcluded, Withdraw
from trading_sandbox.engine.records import Withdrawal


@pytest.fixture
def desk() -> Desk:
    """Alice and bob hold 10 SOL each, worth 1350 of margin; dave needs 1000 of his 1350 USDC."""
    made = Desk()
    for name in ("alice", "bob"):
        made.deposit(name, SOL="10")
    made.open("dave", SOL="10")
    made.limit("dave", "bid", "100000", "0.5")
    return made


def withdrawal(
    amount: str, account: str = "alice", symbol: str = "SOL", key: str | None = None
) -> Withdraw:
    return Withdraw(account=account, symbol=symbol, amount=Decimal(amount), idempotency_key=key)


def withdraw(desk: Desk, *given: Any, **more: Any) -> Withdrawal:
    receipt = desk.run(withdrawal(*given, **more))
    assert isinstance(receipt, Withdrawal)
    return receipt


def excluded(value: bool, account: str = "alice", symbol: str = "SOL") -> SetSpotExcluded:
    return SetSpotExcluded(account=account, symbol=symbol, excluded=value)


# -- withdrawals ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "words"),
    [
        *(
            ((amount,), "Invalid amount: it must be a number above zero")
            for amount in ("0", "-1", "NaN", "sNaN", "Infinity", "1E+12", "1E-21")
        ),
        (("1.000000001",), "1.000000001 is not a multiple of the smallest amount of SOL"),
        (("0.005",), "0.005 SOL is not above the withdrawal fee of 0.005 SOL"),
        (("10.00000001",), "balance: 10.00000001 SOL asked for, the account holds 10 SOL"),
        (("1", "alice", "ETH"), "holds 0 ETH"),
        (("1", "carol"), "holds 0 SOL"),
        (("1", "alice", "USDC"), "Unknown spot asset 'USDC': the spot assets are BTC, ETH"),
        *((("1", address), words) for address, words in STRANGERS),
    ],
)
def test_a_withdrawal_that_cannot_be_is_refused(
    desk: Desk, given: tuple[str, ...], words: str
) -> None:
    desk.refuses(withdrawal(*given), words)
    for least in ("1.00000001", "0.00500001"):
        withdraw(desk, least)


# -- idempotency keys ----------------------------------------------------------------------------


def test_a_key_withdraws_once_whatever_it_is_used_for_again(desk: Desk) -> None:
    # A refused withdrawal does not use up its key.
    desk.refuses(withdrawal("11", key=ID), "Insufficient balance")
    desk.refuses(withdrawal("0.005", key=ID))
    receipt = withdraw(desk, "1", key=ID)
    words = ("Duplicate idempotency_key", ID, f"withdrawal {receipt.batch_nonce}")
    for amount, symbol in (("1", "SOL"), ("2", "SOL"), ("1000", "SOL"), ("-1", "DOGE")):
        desk.refuses(withdrawal(amount, symbol=symbol, key=ID), *words)
    # Another account, another key and none withdraw again.
    withdraw(desk, "1", "bob", key=ID)
    for key in (OTHER_ID, None, None):
        withdraw(desk, "1", key=key)
    assert [desk.account(name).spot["SOL"] for name in ("alice", "bob")] == [6, 9]


# -- collateral ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    # 350 USDC are free: 2.592592... SOL at 150 and a weight of 0.9.
    ("price", "amount", "more"),
    [("150", "2.5925925", "2.5925926"), ("120", "0.74074074", "0.74074075")],
)
def test_collateral_that_a_margin_needs_cannot_be_withdrawn(
    desk: Desk, price: str, amount: str, more: str
) -> None:
    desk.mark(price, symbol="SOL")
    words = ("SOL is collateral", "withdrawing it")
    desk.refuses(withdrawal(more, "dave"), "Insufficient balance", *words)
    withdraw(desk, amount, "dave")


def test_collateral_that_a_margin_needs_cannot_be_excluded(desk: Desk) -> None:
    words = ("SOL is collateral", "excluding it")
    desk.refuses(excluded(True, "dave"), "Insufficient balance", *words)
    desk.refuses(excluded(True, symbol="DOGE"), "Unknown spot asset 'DOGE'")
    desk.run(excluded(True, "dave", symbol="BTC"))
    desk.run(excluded(False, "dave"))
    desk.deposit("dave", "1000")
    # The exclusion of an asset is kept from the first time it is set.
    assert desk.account("dave").spot_excluded == {"BTC": True, "SOL": False}
    desk.run(excluded(True, "dave"))
    assert desk.account("dave").spot_excluded == {"BTC": True, "SOL": True}
    # It can be withdrawn now, whatever the margin.
    withdraw(desk, "10", "dave")
