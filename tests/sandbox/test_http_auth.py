"""Signatures: what is accepted, and how each kind of refusal is worded."""

from __future__ import annotations

from typing import Any

import pytest
from solders.keypair import Keypair

from tests.interface import OPERATIONS
from tests.sandbox.raw import BATCH, CREATE, RawClient, canonical, limit_order, now
from trading_sandbox import Sandbox

ID = "3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b"
WITHDRAW = OPERATIONS["spot.withdraw"].path


def refused(raw: RawClient, body: dict[str, Any]) -> str:
    """Post an order that must be refused with the body of an order endpoint; return the words."""
    response = raw.post(CREATE, body)
    assert response.status_code == 400
    answer = response.json()
    assert answer == {"error": answer["error"], "code": 400}
    assert raw.orders() == []
    return str(answer["error"])


def test_a_correctly_signed_order_is_accepted_and_logged_as_it_was_verified(
    raw: RawClient, shared: Sandbox
) -> None:
    body = raw.body("create_order", limit_order(client_order_id=ID))
    response = raw.post(CREATE, body)
    assert response.status_code == 200
    assert list(response.json()) == ["order_id"]
    [entry] = [r for r in shared.requests if r.account == raw.address]
    header = {"timestamp": body["timestamp"], "expiry_window": 30_000, "type": "create_order"}
    assert entry.canonical == (canonical(header, limit_order(client_order_id=ID)),)
    assert (entry.operation, entry.method, entry.path) == ("orders.create", "POST", CREATE)
    assert (entry.body, entry.status, entry.error) == (body, 200, None)
    assert entry.headers["content-type"] == "application/json"


@pytest.mark.parametrize("late", [1, 60_000])
def test_an_expired_message_is_refused(raw: RawClient, late: int) -> None:
    body = raw.body("create_order", limit_order(), timestamp=now() - 500 - late, expiry_window=500)
    assert refused(raw, body).startswith("Invalid message: it expired ")


def test_a_wide_window_keeps_an_old_message_alive(raw: RawClient) -> None:
    body = raw.body("create_order", limit_order(), timestamp=now() - 100_000, expiry_window=200_000)
    assert raw.post(CREATE, body).status_code == 200


def test_a_message_from_the_future_is_refused_beyond_the_skew(raw: RawClient) -> None:
    near = raw.body("create_order", limit_order(), timestamp=now() + 25_000)
    assert raw.post(CREATE, near).status_code == 200
    far = raw.body("create_order", limit_order(), timestamp=now() + 35_000)
    words = raw.post(CREATE, far).json()["error"]
    assert words.startswith("Invalid message: its timestamp is ")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("price", "50001"),
        ("amount", "0.002"),
        ("side", "ask"),
        ("tif", "GTC"),
        ("reduce_only", True),
        ("symbol", "ETH"),
        ("client_order_id", ID),
        ("expiry_window", 30_001),
        ("added", "field"),
    ],
)
def test_a_tampered_field_fails_the_verification(raw: RawClient, field: str, value: object) -> None:
    body = {**raw.body("create_order", limit_order()), field: value}
    assert refused(raw, body).startswith("Verification failed")


def test_a_moved_timestamp_fails_the_verification(raw: RawClient) -> None:
    body = raw.body("create_order", limit_order())
    assert refused(raw, {**body, "timestamp": body["timestamp"] + 1}).startswith("Verification")


def test_a_removed_field_fails_the_verification(raw: RawClient) -> None:
    body = raw.body("create_order", limit_order(client_order_id=ID))
    del body["client_order_id"]
    assert refused(raw, body).startswith("Verification failed")


@pytest.mark.parametrize("signing_type", ["edit_order", "create_market_order", "create_stop_order"])
def test_a_signature_for_another_operation_is_refused(raw: RawClient, signing_type: str) -> None:
    assert refused(raw, raw.body(signing_type, limit_order())).startswith("Verification failed")


def test_another_key_cannot_sign_for_the_account(raw: RawClient) -> None:
    stranger = RawClient(raw.url)
    body = {**stranger.body("create_order", limit_order()), "account": raw.address}
    assert refused(raw, body).startswith("Verification failed")


def test_a_message_cannot_be_moved_to_another_account(raw: RawClient, shared: Sandbox) -> None:
    other = RawClient(shared.url, shared.create_account().export_base58())
    body = {**raw.body("create_order", limit_order()), "account": other.address}
    assert refused(raw, body).startswith("Verification failed")
    assert other.orders() == []


@pytest.mark.parametrize("signature", ["", "0OIl", "abc", "1" * 63, "z" * 88, "z" * 100_000, "é"])
def test_a_malformed_signature_is_refused(raw: RawClient, signature: str) -> None:
    body = {**raw.body("create_order", limit_order()), "signature": signature}
    assert refused(raw, body).startswith("Invalid signature")


@pytest.mark.parametrize("address", ["", "0OIl", "abc", "1" * 31, "z" * 100_000])
@pytest.mark.parametrize("field", ["account", "agent_wallet"])
def test_a_malformed_address_is_refused(raw: RawClient, field: str, address: str) -> None:
    body = {**raw.body("create_order", limit_order()), field: address}
    assert refused(raw, body).startswith("Invalid public key")


def test_an_agent_wallet_that_is_not_bound_is_refused(raw: RawClient) -> None:
    agent = RawClient(raw.url)
    body = {
        **agent.body("create_order", limit_order()),
        "account": raw.address,
        "agent_wallet": agent.address,
    }
    assert "is not bound to" in refused(raw, body)


def test_an_agent_wallet_of_null_is_the_account_itself(raw: RawClient) -> None:
    body = {**raw.body("create_order", limit_order()), "agent_wallet": None}
    assert raw.post(CREATE, body).status_code == 200


def test_without_a_window_in_the_body_the_header_may_name_the_default_or_not(
    raw: RawClient,
) -> None:
    named = raw.body("create_order", limit_order())
    del named["expiry_window"]
    assert raw.post(CREATE, named).status_code == 200
    stamp = now()
    message = canonical({"timestamp": stamp, "type": "create_order"}, limit_order())
    unnamed = {
        "account": raw.address,
        "signature": str(raw.key.sign_message(message.encode())),
        "timestamp": stamp,
        **limit_order(),
    }
    assert raw.post(CREATE, unnamed).status_code == 200
    assert "Verification failed" in raw.post(CREATE, {**unnamed, "expiry_window": 30_000}).text


def test_a_message_that_is_not_ascii_is_refused(raw: RawClient) -> None:
    body = raw.body("create_order", limit_order(symbol="BTC€"))
    assert refused(raw, body).startswith("Invalid message: ")


def test_a_signed_request_of_an_account_without_funds_is_refused(shared: Sandbox) -> None:
    assert refused(RawClient(shared.url), RawClient(shared.url).body("create_order", {})) != ""
    stranger = RawClient(shared.url)
    words = refused(stranger, stranger.body("create_order", limit_order()))
    assert words.startswith("Account not found")


def test_where_401_is_documented_a_failed_signature_is_401(raw: RawClient) -> None:
    data = {"symbol": "SOL", "amount": "1"}
    body = {**raw.body("withdraw_spot_asset", data), "amount": "2"}
    response = raw.post(WITHDRAW, body)
    assert response.status_code == 401
    answer = response.json()
    assert answer["error"].startswith("Verification failed")
    assert answer == {"success": False, "data": None, "error": answer["error"], "code": 401}


def test_one_bad_signature_refuses_a_whole_batch_before_anything_runs(raw: RawClient) -> None:
    good = raw.action("Create", limit_order())
    bad = raw.action("Create", limit_order(price="50001"))
    bad["data"]["price"] = "50002"
    response = raw.post(BATCH, {"actions": [good, good, bad]})
    assert response.status_code == 400
    assert response.json()["error"].startswith("actions[2]: Verification failed")
    assert raw.orders() == []


def test_an_action_signed_for_another_kind_is_refused(raw: RawClient) -> None:
    order = limit_order()
    action = {"type": "CreateMarket", "data": raw.action("Create", order)["data"]}
    response = raw.post(BATCH, {"actions": [action]})
    assert response.json()["error"].startswith("actions[0]: Verification failed")


def test_the_log_shows_what_was_verified_in_vain(raw: RawClient, shared: Sandbox) -> None:
    raw.key = Keypair()
    raw.create(price="51234")
    # Other tests send bodies that are no objects to the same sandbox.
    bodies = [r for r in shared.requests if isinstance(r.body, dict)]
    entry = [r for r in bodies if r.body.get("price") == "51234"][-1]
    assert '"price":"51234"' in entry.canonical[0]
    assert entry.error is not None
    assert entry.error.startswith("Verification failed")


@pytest.mark.parametrize(("offset", "words"), [(60_000, "expired"), (-60_000, "in the future")])
def test_a_clock_offset_shifts_the_time_that_signatures_are_checked_against(
    sandbox: Sandbox, offset: int, words: str
) -> None:
    user = RawClient(sandbox.url, sandbox.create_account().export_base58())
    sandbox.faults.inject("orders.create", "clock_offset", offset_ms=offset)
    assert words in refused(user, user.body("create_order", limit_order()))
    assert user.create().status_code == 200


def test_the_time_of_the_market_does_not_matter_to_signatures(sandbox: Sandbox) -> None:
    user = RawClient(sandbox.url, sandbox.create_account().export_base58())
    sandbox.advance(3_600_000)
    assert user.create().status_code == 200
    assert user.orders()[0]["created_at"] > now() + 3_000_000


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"signature": "ab" * 64}, "Invalid signature"),
        ({"signature": "0x"}, "Invalid signature"),
        ({"account": "abc"}, "Invalid public key"),
        ({"agent_wallet": "abc"}, "Invalid public key"),
        ({"timestamp": 1}, "Invalid message"),
    ],
)
def test_whatever_is_wrong_with_a_signature_the_log_shows_what_had_to_be_signed(
    sandbox: Sandbox, changes: dict[str, Any], words: str
) -> None:
    user = RawClient(sandbox.url, sandbox.create_account().export_base58())
    body = {**user.body("create_order", limit_order()), **changes}
    assert refused(user, body).startswith(words)
    entry = next(r for r in sandbox.requests if r.operation == "orders.create")
    header = {"timestamp": body["timestamp"], "expiry_window": 30_000, "type": "create_order"}
    assert entry.canonical == (canonical(header, limit_order()),)


def test_a_logged_request_that_a_test_report_prints_shows_no_api_key(sandbox: Sandbox) -> None:
    user = RawClient(sandbox.url, sandbox.create_account().export_base58())
    key = user.data("api_keys.create")["api_key"]
    user.headers = {"PF-API-KEY": key}
    user.call("api_keys.revoke", api_key=key)
    assert key in sandbox.requests[-1].canonical[0]
    assert key not in repr(sandbox.requests)
