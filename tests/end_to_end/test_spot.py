"""Spot assets: balances and withdrawals (sections 2.3, 2.4, 4.6, 4.10, 4.11)."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

import pytest

from tests.end_to_end.trading import Connect
from trading_sandbox import Sandbox
from trading_sdk import Client, ConflictError, WithdrawSpotAsset


@pytest.fixture
def holder(sandbox: Sandbox, connect: Connect) -> Client:
    """A client of an account that holds 5 SOL and 2 ETH, and no USDC."""
    return connect(sandbox.create_account("0", spot={"SOL": "5", "ETH": "2"}))


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


def test_the_sdk_mints_a_key_for_every_withdrawal(sandbox: Sandbox, holder: Client) -> None:
    for _ in range(2):
        holder.spot.withdraw(symbol="SOL", amount="1")

    keys = [each.body["idempotency_key"] for each in sandbox.requests]
    assert len(set(keys)) == 2
    assert WithdrawSpotAsset(symbol="SOL", amount="1").idempotency_key is not None
