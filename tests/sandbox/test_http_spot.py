"""Withdrawals of spot assets over the wire (interface 2.3, 2.4 and 4.6)."""

from __future__ import annotations

import pytest

from tests.interface import OPERATIONS
from tests.sandbox.raw import RawClient
from trading_sandbox import Sandbox

KEY = "3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b"


@pytest.fixture
def holder(shared: Sandbox) -> RawClient:
    """An account that holds 5 SOL and half a bitcoin."""
    key = shared.create_account(spot={"SOL": "5", "BTC": "0.5"})
    return RawClient(shared.url, key.export_base58())


def test_a_withdrawal_answers_a_receipt_and_shows_in_both_histories(holder: RawClient) -> None:
    response = holder.call("spot.withdraw", symbol="SOL", amount="1.50", idempotency_key=KEY)
    assert response.status_code == 200
    receipt = response.json()["data"]
    assert response.json() == {"success": True, "data": receipt}
    nonce = receipt.pop("batch_nonce")
    assert receipt == {"symbol": "SOL", "requested_amount": "1.5", "fee_amount": "0.005"}
    [withdrawal] = holder.data("spot.withdrawal_history", account=holder.address)
    assert len(withdrawal.pop("transaction_id")) > 40
    made = withdrawal.pop("created_at")
    assert withdrawal == {"symbol": "SOL", "amount": "1.5", "batch_nonce": nonce}
    event = holder.data("spot.balance_history", account=holder.address, symbol="SOL")[0]
    assert event == {
        "amount": "-1.5",
        "balance": "3.5",
        "symbol": "SOL",
        "event_type": "withdrawal",
        "created_at": made,
    }


@pytest.mark.parametrize("again", [KEY, KEY.upper()])
def test_a_second_use_of_an_idempotency_key_is_409(holder: RawClient, again: str) -> None:
    holder.data("spot.withdraw", symbol="SOL", amount="1", idempotency_key=KEY)
    response = holder.call("spot.withdraw", symbol="SOL", amount="2", idempotency_key=again)
    assert response.status_code == 409
    error = response.json()["error"]
    assert error.startswith("Duplicate idempotency_key")
    assert response.json() == {"success": False, "data": None, "error": error, "code": 409}
    assert len(holder.data("spot.withdrawal_history", account=holder.address)) == 1


def test_without_a_key_every_request_withdraws(holder: RawClient) -> None:
    for _ in range(2):
        holder.data("spot.withdraw", symbol="SOL", amount="1")
    assert len(holder.data("spot.withdrawal_history", account=holder.address)) == 2


@pytest.mark.parametrize(
    ("symbol", "amount", "words"),
    [
        ("SOL", "6", "Insufficient balance"),
        ("SOL", "0.001", "Invalid amount"),
        ("SOL", "-1", "amount"),
        ("DOGE", "1", "Unknown"),
    ],
)
def test_a_withdrawal_that_cannot_be_is_400(
    holder: RawClient, symbol: str, amount: str, words: str
) -> None:
    response = holder.call("spot.withdraw", symbol=symbol, amount=amount)
    assert response.status_code == 400
    error = response.json()["error"]
    assert words in error
    assert response.json() == {"success": False, "data": None, "error": error, "code": 400}


def test_a_forged_withdrawal_is_401(holder: RawClient) -> None:
    path = OPERATIONS["spot.withdraw"].path
    body = holder.body("withdraw_spot_asset", {"symbol": "SOL", "amount": "1"})
    response = holder.post(path, {**body, "amount": "2"})
    assert (response.status_code, response.json()["code"]) == (401, 401)
