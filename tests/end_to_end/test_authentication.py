"""Signatures: which hold, and why the others do not (section 5; field notes 1 to 5, 24, 25)."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import base58
import pytest
from nacl.signing import VerifyKey

from tests.end_to_end.signers import Impostor, Sleeper, Witness
from tests.end_to_end.trading import Connect, place, post
from trading_sandbox import Sandbox
from trading_sdk import (
    AuthenticationError,
    Client,
    Keypair,
    RefusalReason,
    RequestError,
    SigningError,
)

CREATE = "orders.create"
ORDER: dict[str, Any] = {
    "symbol": "BTC",
    "side": "bid",
    "price": "90000",
    "amount": "0.1",
    "tif": "ALO",
    "reduce_only": False,
}


def body(client: Client, **changes: Any) -> dict[str, Any]:
    """A signed order as it is sent, changed after it was signed."""
    return {**client.explain(CREATE, **ORDER).body, **changes}


# -- what holds ------------------------------------------------------------------------------


def test_a_signature_is_ed25519_over_the_canonical_bytes_in_base58(client: Client) -> None:
    explained = client.explain(CREATE, **ORDER, client_order_id=None)

    assert explained.canonical == json.dumps(
        {**explained.header, "data": ORDER}, sort_keys=True, separators=(",", ":")
    )
    key = VerifyKey(base58.b58decode(client.account_address or ""))
    key.verify(explained.canonical.encode(), base58.b58decode(explained.signature))


def test_what_is_sent_is_flat_and_holds_no_more_than_what_was_signed(
    sandbox: Sandbox, client: Client
) -> None:
    place(client, client_order_id=None)

    sent = sandbox.requests[-1].body

    signed = {"account", "signature", "timestamp", "expiry_window"}
    assert set(sent) == signed | set(ORDER)
    assert (sent["account"], sent["expiry_window"]) == (client.account_address, 30_000)


def test_the_log_shows_the_text_that_was_verified(sandbox: Sandbox, connect: Connect) -> None:
    witness = Witness(sandbox.create_account(), [])

    place(connect(witness))

    assert sandbox.requests[-1].canonical == tuple(witness.signed)


def test_a_window_that_is_left_out_counts_as_the_default(sandbox: Sandbox, url: str) -> None:
    key, now = sandbox.create_account(), time.time_ns() // 1_000_000
    header = {"timestamp": now, "type": "create_order"}
    for signed in (header, {**header, "expiry_window": 30_000}):
        text = json.dumps({**signed, "data": ORDER}, sort_keys=True, separators=(",", ":"))
        signature = base58.b58encode(key.sign(text.encode())).decode()
        sent = {**ORDER, "account": key.address, "timestamp": now, "signature": signature}

        assert post(url, CREATE, sent).status_code == 200


@pytest.mark.parametrize("window", [5_000, 600_000])
def test_any_window_may_be_chosen(sandbox: Sandbox, connect: Connect, window: int) -> None:
    place(connect(sandbox.create_account(), expiry_window=window))

    assert f'"expiry_window":{window}' in sandbox.requests[-1].canonical[0]


def test_a_wallet_file_signs_for_its_account(
    sandbox: Sandbox, connect: Connect, tmp_path: Path
) -> None:
    path = tmp_path / "wallet.json"
    sandbox.create_account().write_file(path)
    assert len(json.loads(path.read_text())) == 64

    place(connect(Keypair.from_file(path)))


def test_the_private_key_is_base58_of_64_bytes_or_the_bytes_of_the_seed(
    sandbox: Sandbox, connect: Connect
) -> None:
    key = sandbox.create_account()
    whole = key.export_base58()

    for same in (Keypair.from_base58(whole), Keypair.from_seed(base58.b58decode(whole)[:32])):
        place(connect(same))


# -- what does not ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"symbol": "ETH"},
        {"price": "90001"},
        {"amount": "0.2"},
        {"side": "ask"},
        {"tif": "TOB"},
        {"reduce_only": True},
        {"client_order_id": "11111111-2222-4333-8444-555555555555"},
        {"take_profit": {"stop_price": "110000"}},
        {"builder_code": "another"},
        {"expiry_window": 60_000},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_a_field_that_was_changed_after_signing_is_noticed(
    sandbox: Sandbox, url: str, client: Client, changes: dict[str, Any]
) -> None:
    answer = post(url, CREATE, body(client, **changes))

    assert answer.status_code == 400
    assert "Verification failed" in answer.json()["error"]
    # The log shows what was verified, so that a porter sees the difference.
    assert (
        json.dumps(next(iter(changes.values())), separators=(",", ":"))
        in (sandbox.requests[-1].canonical[0])
    )


def test_a_timestamp_that_was_changed_is_noticed(url: str, client: Client) -> None:
    sent = body(client)

    answer = post(url, CREATE, {**sent, "timestamp": sent["timestamp"] + 1})

    assert "Verification failed" in answer.json()["error"]


def test_a_signature_does_not_hold_for_another_account(
    sandbox: Sandbox, url: str, client: Client
) -> None:
    other = sandbox.create_account().address

    assert "Verification failed" in post(url, CREATE, body(client, account=other)).json()["error"]


def test_a_message_signed_for_another_operation_is_refused(url: str, client: Client) -> None:
    # Both have the same fields.
    signed = client.explain("vaults.remove_max_leverage", lake="vault", symbols=["BTC"])

    answer = post(url, "vaults.remove_blacklist", dict(signed.body))

    assert answer.status_code == 401
    assert "Verification failed" in answer.json()["error"]


def test_another_key_does_not_sign_for_an_account(sandbox: Sandbox, connect: Connect) -> None:
    impostor = connect(Impostor(sandbox.create_account().address))

    with pytest.raises(AuthenticationError, match="Verification failed") as refused:
        impostor.subaccounts.list()
    assert (refused.value.status, refused.value.code) == (401, None)
    # Where the document lists no 401, it is 400: of the same class, for the reason says it.
    with pytest.raises(AuthenticationError, match="Verification failed") as refused:
        place(impostor)
    assert (refused.value.status, refused.value.reason) == (400, "invalid_signature")


def test_an_expired_message_is_refused(sandbox: Sandbox, connect: Connect) -> None:
    late = connect(Sleeper(sandbox.create_account()), expiry_window=100)

    with pytest.raises(AuthenticationError, match="Invalid message: it expired") as refused:
        place(late)
    assert refused.value.reason is RefusalReason.EXPIRED_MESSAGE


def test_a_message_from_the_future_is_refused(sandbox: Sandbox, client: Client) -> None:
    sandbox.faults.inject(CREATE, "clock_offset", offset_ms=-31_000)

    with pytest.raises(AuthenticationError, match=r"Invalid message: .* in the future") as refused:
        place(client)
    assert refused.value.reason is RefusalReason.INVALID_MESSAGE


@pytest.mark.parametrize("signature", ["0OIl", "", "abc", "1" * 63, "z" * 100])
def test_a_signature_that_is_no_base58_of_64_bytes_is_refused(
    url: str, client: Client, signature: str
) -> None:
    answer = post(url, CREATE, body(client, signature=signature))

    assert answer.status_code == 400
    assert answer.json()["error"].startswith("Invalid signature")


@pytest.mark.parametrize("account", ["0OIl", "abc", "z" * 100])
def test_an_account_that_is_no_public_key_is_refused(
    url: str, client: Client, account: str
) -> None:
    error = post(url, CREATE, body(client, account=account)).json()["error"]

    assert error.startswith("Invalid public key")
    with pytest.raises(RequestError, match="account"):
        client.orders.history(account=account)


def test_text_beyond_ascii_is_not_even_signed(sandbox: Sandbox, client: Client) -> None:
    with pytest.raises(SigningError, match="ASCII"):
        place(client, symbol="BTČ")

    assert sandbox.requests == []


def test_what_is_public_needs_no_signature(client: Client, connect: Connect) -> None:
    place(client)

    assert len(list(connect().orders.history(account=client.account_address))) == 1
