"""Spot assets: withdrawals, their idempotency keys, and what counts as collateral."""

from __future__ import annotations

from decimal import Decimal

import base58
import pytest

from tests.sandbox.desk import Desk
from tests.sandbox.refused import refused
from trading_sandbox.engine.commands import SetSpotExcluded, Withdraw
from trading_sandbox.engine.control_commands import Deposit, OpenAccount
from trading_sandbox.engine.records import (
    BalanceEvent,
    DuplicateKey,
    InsufficientBalance,
    Withdrawal,
)

KEY = "0b6ee0d8-6bc4-4e5b-b4ff-0c2f4a1ad4b1"
OTHER_KEY = "7a1de1a6-ff5c-4b14-8a7b-6a4c2c2f5c11"


def desk_with_spot() -> Desk:
    """Alice and bob hold 10 SOL each; at 150 and a weight of 0.9 they count 1350 USDC."""
    desk = Desk()
    for name in ("alice", "bob"):
        desk.run(Deposit(account=name, usdc=Decimal(0), spot={"SOL": Decimal(10)}))
    return desk


def desk_on_collateral() -> Desk:
    """Dave, whose 10 SOL are all he has, is long so much that he needs 1000 USDC of margin."""
    desk = Desk()
    desk.run(OpenAccount(account="dave", usdc=Decimal(0), spot={"SOL": Decimal(10)}))
    desk.limit("dave", "bid", "100000", "0.5")
    return desk


def withdrawal(
    amount: str, account: str = "alice", symbol: str = "SOL", key: str | None = None
) -> Withdraw:
    return Withdraw(account=account, symbol=symbol, amount=Decimal(amount), idempotency_key=key)


def withdraw(desk: Desk, command: Withdraw) -> Withdrawal:
    receipt = desk.run(command)
    assert isinstance(receipt, Withdrawal)
    return receipt


def excluded(value: bool, account: str = "alice", symbol: str = "SOL") -> SetSpotExcluded:
    return SetSpotExcluded(account=account, symbol=symbol, excluded=value)


def events(desk: Desk) -> list[BalanceEvent]:
    return desk.exchange.venue.changes.balance_events


# -- withdrawals ---------------------------------------------------------------------------------


def test_a_withdrawal_takes_the_requested_amount_and_its_fee_out_of_that() -> None:
    desk = desk_with_spot()
    receipt = withdraw(desk, withdrawal("2.5"))
    assert (receipt.account, receipt.symbol) == ("alice", "SOL")
    assert (receipt.amount, receipt.fee) == (Decimal("2.5"), Decimal("0.005"))
    assert receipt.created_at == desk.now
    assert desk.account("alice").spot["SOL"] == Decimal("7.5")
    assert desk.account("alice").balance == 10000


def test_a_withdrawal_is_recorded_in_both_histories() -> None:
    desk = desk_with_spot()
    receipt = withdraw(desk, withdrawal("2.5"))
    [event] = events(desk)
    assert (event.account, event.symbol, event.event_type) == ("alice", "SOL", "withdrawal")
    assert (event.amount, event.balance) == (Decimal("-2.5"), Decimal("7.5"))
    assert event.created_at == desk.now
    assert desk.exchange.venue.changes.withdrawals == [receipt]


def test_all_of_a_spot_balance_can_be_withdrawn() -> None:
    desk = desk_with_spot()
    withdraw(desk, withdrawal("10"))
    assert events(desk)[0].balance == 0
    refused(desk, withdrawal("1"), "the account holds 0 SOL", error=InsufficientBalance)


def test_every_withdrawal_has_a_nonce_and_a_transaction_id_of_its_own() -> None:
    desk = desk_with_spot()
    receipts = [withdraw(desk, withdrawal("1", account)) for account in ("alice", "bob", "alice")]
    nonces = [receipt.batch_nonce for receipt in receipts]
    assert nonces == sorted(set(nonces))
    assert len({receipt.transaction_id for receipt in receipts}) == 3
    assert all(len(base58.b58decode(receipt.transaction_id)) == 64 for receipt in receipts)


def test_the_same_withdrawals_have_the_same_transaction_ids() -> None:
    first, second = desk_with_spot(), desk_with_spot()
    assert withdraw(first, withdrawal("1")) == withdraw(second, withdrawal("1"))


@pytest.mark.parametrize("amount", ["0", "-1", "NaN", "sNaN", "Infinity", "1E+12", "1E-21"])
def test_a_withdrawal_is_of_a_sane_amount(amount: str) -> None:
    refused(desk_with_spot(), withdrawal(amount), "Invalid amount", "above zero")


def test_a_withdrawal_is_a_multiple_of_the_smallest_amount() -> None:
    desk = desk_with_spot()
    refused(desk, withdrawal("1.000000001"), "1.000000001 is not a multiple", "SOL, 0.00000001")
    withdraw(desk, withdrawal("1.00000001"))


def test_a_withdrawal_is_above_its_fee() -> None:
    desk = desk_with_spot()
    refused(desk, withdrawal("0.005"), "0.005 SOL is not above the withdrawal fee of 0.005 SOL")
    withdraw(desk, withdrawal("0.00500001"))


def test_more_than_there_is_cannot_be_withdrawn() -> None:
    desk = desk_with_spot()
    words = ("10.00000001 SOL asked for", "holds 10 SOL")
    refused(desk, withdrawal("10.00000001"), *words, error=InsufficientBalance)
    nothing = withdrawal("1", symbol="ETH")
    refused(desk, nothing, "holds 0 ETH", error=InsufficientBalance)
    stranger = withdrawal("1", account="carol")
    refused(desk, stranger, "holds 0 SOL", error=InsufficientBalance)


def test_an_unknown_asset_or_account_is_refused() -> None:
    desk = desk_with_spot()
    refused(desk, withdrawal("1", symbol="USDC"), "Unknown spot asset 'USDC'", "BTC, ETH, SOL")
    refused(desk, withdrawal("1", account="nobody"), "Account not found: nobody")
    for address in ("maker", "backstop"):
        refused(desk, withdrawal("1", account=address), "belongs to the exchange")


# -- idempotency keys ----------------------------------------------------------------------------


def test_a_key_withdraws_once_whatever_it_is_used_for_again() -> None:
    desk = desk_with_spot()
    receipt = withdraw(desk, withdrawal("1", key=KEY))
    words = ("Duplicate idempotency_key", KEY, f"withdrawal {receipt.batch_nonce}")
    for amount, symbol in (("1", "SOL"), ("2", "SOL"), ("1000", "SOL"), ("-1", "DOGE")):
        again = withdrawal(amount, symbol=symbol, key=KEY)
        refused(desk, again, *words, error=DuplicateKey)
    assert desk.account("alice").spot["SOL"] == 9


def test_another_key_another_account_or_no_key_withdraws_again() -> None:
    desk = desk_with_spot()
    for account, key in (("alice", KEY), ("bob", KEY), ("alice", OTHER_KEY)):
        withdraw(desk, withdrawal("1", account, key=key))
    for _ in range(2):
        withdraw(desk, withdrawal("1"))
    assert desk.account("alice").spot["SOL"] == 6
    assert desk.account("bob").spot["SOL"] == 9


def test_a_refused_withdrawal_does_not_use_up_its_key() -> None:
    desk = desk_with_spot()
    refused(desk, withdrawal("11", key=KEY), error=InsufficientBalance)
    refused(desk, withdrawal("0.005", key=KEY))
    withdraw(desk, withdrawal("10", key=KEY))


# -- collateral ----------------------------------------------------------------------------------


def test_collateral_that_a_margin_needs_cannot_be_withdrawn() -> None:
    desk = desk_on_collateral()
    # 350 USDC are free: 2.592592... SOL at 150 and a weight of 0.9.
    words = ("SOL is collateral", "withdrawing it")
    more = withdrawal("2.5925926", account="dave")
    refused(desk, more, *words, error=InsufficientBalance)
    withdraw(desk, withdrawal("2.5925925", account="dave"))


def test_a_lower_price_of_the_collateral_leaves_less_to_withdraw() -> None:
    desk = desk_on_collateral()
    desk.mark("120", symbol="SOL")
    refused(desk, withdrawal("1", account="dave"), error=InsufficientBalance)
    withdraw(desk, withdrawal("0.7", account="dave"))


def test_collateral_that_a_margin_needs_cannot_be_excluded() -> None:
    desk = desk_on_collateral()
    words = ("SOL is collateral", "excluding it")
    refused(desk, excluded(True, "dave"), *words, error=InsufficientBalance)
    desk.run(excluded(True, "dave", symbol="BTC"))
    desk.run(excluded(False, "dave"))
    desk.run(Deposit(account="dave", usdc=Decimal(1000)))
    desk.run(excluded(True, "dave"))
    assert desk.account("dave").spot_excluded == {"BTC": True, "SOL": True}


def test_an_excluded_asset_covers_no_margin_and_can_be_withdrawn_whatever_the_margin() -> None:
    desk = Desk("1000")
    desk.run(Deposit(account="alice", usdc=Decimal(0), spot={"SOL": Decimal(10)}))
    desk.run(excluded(True))
    with pytest.raises(InsufficientBalance):
        desk.limit("alice", "bid", "100000", "0.6")
    desk.limit("alice", "bid", "100000", "0.45")
    withdraw(desk, withdrawal("5"))
    desk.run(excluded(False))
    desk.limit("alice", "bid", "100000", "0.1")


def test_the_exclusion_of_an_asset_is_kept_from_the_first_time_it_is_set() -> None:
    desk = Desk()
    assert desk.account("alice").spot_excluded == {}
    desk.run(excluded(False))
    assert desk.account("alice").spot_excluded == {"SOL": False}
    desk.run(excluded(True))
    assert desk.account("alice").spot_excluded == {"SOL": True}


def test_the_exclusion_of_an_unknown_asset_or_account_is_refused() -> None:
    desk = Desk()
    refused(desk, excluded(True, symbol="DOGE"), "Unknown spot asset 'DOGE'")
    refused(desk, excluded(True, account="nobody"), "Account not found: nobody")
    refused(desk, excluded(True, account="backstop"), "belongs to the exchange")
