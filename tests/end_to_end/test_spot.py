"""Spot assets: balances and withdrawals (sections 2.3, 2.4, 4.6, 4.10, 4.11)."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

import pytest

from tests.end_to_end.trading import Connect, place
from trading_sandbox import Sandbox
from trading_sdk import BadRequestError, Client, ConflictError, RequestError, WithdrawSpotAsset


@pytest.fixture
def holder(sandbox: Sandbox, connect: Connect) -> Client:
    """A client of an account that holds 5 SOL and 2 ETH, and no USDC."""
    return connect(sandbox.create_account("0", spot={"SOL": "5", "ETH": "2"}))


def test_a_withdrawal_is_answered_with_its_nonce_and_fee(holder: Client) -> None:
    receipt = holder.spot.withdraw(symbol="SOL", amount="1.5")

    assert (receipt.symbol, receipt.requested_amount) == ("SOL", Decimal("1.5"))
    assert receipt.fee_amount == Decimal("0.005")
    assert receipt.batch_nonce > 0


def test_a_withdrawal_shows_in_both_histories(sandbox: Sandbox, holder: Client) -> None:
    sandbox.freeze()
    receipt = holder.spot.withdraw(symbol="SOL", amount="1.5")

    [withdrawal] = holder.spot.withdrawal_history()
    event = next(iter(holder.spot.balance_history(symbol="SOL")))

    assert (withdrawal.symbol, withdrawal.amount) == ("SOL", Decimal("1.5"))
    assert withdrawal.batch_nonce == receipt.batch_nonce
    assert withdrawal.transaction_id
    # The fee comes out of the amount: the balance falls by no more than that.
    assert (event.amount, event.balance) == (Decimal("-1.5"), Decimal("3.5"))
    assert (event.event_type, event.created_at) == ("withdrawal", withdrawal.created_at)


def test_every_withdrawal_has_a_nonce_and_a_transaction_of_its_own(holder: Client) -> None:
    first, second = (holder.spot.withdraw(symbol="SOL", amount="1") for _ in range(2))
    assert first.batch_nonce < second.batch_nonce

    transactions = [each.transaction_id for each in holder.spot.withdrawal_history()]

    assert len(set(transactions)) == 2


def test_a_deposit_is_a_balance_event(sandbox: Sandbox, connect: Connect) -> None:
    key = sandbox.create_account("0", spot={"SOL": "5"})
    sandbox.deposit(key, spot={"SOL": "2.5", "BTC": "0.1"})

    events = {(e.symbol, e.amount, e.balance) for e in connect(key).spot.balance_history()}

    assert events == {
        ("SOL", Decimal(5), Decimal(5)),
        ("SOL", Decimal("2.5"), Decimal("7.5")),
        ("BTC", Decimal("0.1"), Decimal("0.1")),
    }


def test_a_second_withdrawal_with_the_same_key_conflicts(holder: Client) -> None:
    key = uuid4()
    holder.spot.withdraw(symbol="SOL", amount="1", idempotency_key=key)

    with pytest.raises(ConflictError, match="Duplicate idempotency_key") as refused:
        holder.spot.withdraw(symbol="SOL", amount="1", idempotency_key=key)

    assert refused.value.status == 409
    assert len(list(holder.spot.withdrawal_history())) == 1


def test_a_key_is_used_up_by_a_withdrawal_that_happened_only(holder: Client) -> None:
    key = uuid4()
    with pytest.raises(BadRequestError, match="Insufficient balance"):
        holder.spot.withdraw(symbol="SOL", amount="50", idempotency_key=key)

    holder.spot.withdraw(symbol="SOL", amount="1", idempotency_key=key)


def test_two_accounts_may_use_the_same_key(
    sandbox: Sandbox, connect: Connect, holder: Client
) -> None:
    key = uuid4()
    other = connect(sandbox.create_account("0", spot={"SOL": "1"}))

    holder.spot.withdraw(symbol="SOL", amount="1", idempotency_key=key)
    other.spot.withdraw(symbol="SOL", amount="1", idempotency_key=key)


def test_without_a_key_nothing_keeps_a_withdrawal_from_happening_twice(holder: Client) -> None:
    for _ in range(2):
        holder.spot.withdraw(symbol="SOL", amount="1", idempotency_key=None)

    assert len(list(holder.spot.withdrawal_history())) == 2


def test_the_sdk_mints_a_key_for_every_withdrawal(sandbox: Sandbox, holder: Client) -> None:
    for _ in range(2):
        holder.spot.withdraw(symbol="SOL", amount="1")

    keys = [each.body["idempotency_key"] for each in sandbox.requests]
    assert len(set(keys)) == 2
    assert WithdrawSpotAsset(symbol="SOL", amount="1").idempotency_key is not None


@pytest.mark.parametrize(
    ("symbol", "amount", "words"),
    [
        ("SOL", "5.1", "Insufficient balance"),
        ("BTC", "1", "Insufficient balance"),
        ("SOL", "0.005", "withdrawal fee"),
        ("SOL", "0", "amount"),
        ("USDC", "1", "Unknown spot asset"),
    ],
)
def test_a_withdrawal_that_is_not_possible_is_refused(
    holder: Client, symbol: str, amount: str, words: str
) -> None:
    with pytest.raises(BadRequestError, match=words):
        holder.spot.withdraw(symbol=symbol, amount=amount)

    assert list(holder.spot.withdrawal_history()) == []


def test_an_asset_that_backs_an_order_cannot_be_withdrawn(holder: Client) -> None:
    resting = place(holder, "bid", 100_000, "0.4")
    with pytest.raises(BadRequestError, match="collateral"):
        holder.spot.withdraw(symbol="ETH", amount="2")

    holder.orders.cancel(symbol="BTC", order_id=resting)

    holder.spot.withdraw(symbol="ETH", amount="2")


def test_a_key_that_is_no_uuid_is_refused_before_it_is_sent(
    sandbox: Sandbox, holder: Client
) -> None:
    with pytest.raises(RequestError, match="idempotency_key"):
        holder.spot.withdraw(symbol="SOL", amount="1", idempotency_key="once")

    assert sandbox.requests == []
