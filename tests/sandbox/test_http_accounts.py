"""Signatures, settings, withdrawals, API keys and agents over the wire (interface 4.6 to 4.18)."""

from __future__ import annotations

import re
import uuid
from typing import Any

import base58
import pytest

from tests.sandbox.desk import ID
from tests.sandbox.raw import (
    CREATE,
    RawClient,
    bare_refusal,
    canonical,
    limit_order,
    now,
    refusal,
)
from trading_sandbox import Sandbox


@pytest.fixture
def holder(shared: Sandbox) -> RawClient:
    """An account that holds 5 SOL and half a bitcoin."""
    return RawClient.of(shared, SOL="5", BTC="0.5")


# -- spot ----------------------------------------------------------------------------------------


def test_a_withdrawal_answers_a_receipt_and_uses_its_key_up(holder: RawClient) -> None:
    response = holder.call("spot.withdraw", symbol="SOL", amount="1.50", idempotency_key=ID)
    receipt = response.json()["data"]
    assert response.json() == {"success": True, "data": receipt}
    assert (receipt["requested_amount"], receipt["fee_amount"]) == ("1.5", "0.005")
    # The key is used up, whatever the case of its letters.
    for key in (ID, ID.upper()):
        again = holder.call("spot.withdraw", symbol="SOL", amount="2", idempotency_key=key)
        assert refusal(again, 409).startswith("Duplicate idempotency_key")
    assert len(holder.data("spot.withdrawal_history", account=holder.address)) == 1


# -- API keys (interface 2.9, 4.18 and 5.4) ------------------------------------------------------


def test_keys_are_created_listed_revoked_and_at_most_five(raw: RawClient, shared: Sandbox) -> None:
    keys = []
    for _ in range(5):
        response = raw.call("api_keys.create")
        keys.append(response.json()["data"]["api_key"])
        assert response.json() == {"data": {"api_key": keys[-1]}}
        assert re.fullmatch(r"[1-9A-HJ-NP-Za-km-z]{8}_[1-9A-HJ-NP-Za-km-z]+", keys[-1])
        assert uuid.UUID(bytes=base58.b58decode(keys[-1][9:])).version == 4
    assert len(set(keys)) == 5
    told = refusal(raw.call("api_keys.create"))
    assert told.startswith("Too many API keys") and "at most 5" in told and "revoke one" in told
    for unknown in ({"api_key": keys[0] + "x"}, {"api_key": "x"}, {}):
        assert keys[0] not in refusal(raw.call("api_keys.revoke", **unknown))
    of_another = RawClient.of(shared).call("api_keys.revoke", api_key=keys[0])
    assert refusal(of_another).startswith("API key not found: it is none of the 0 keys")
    assert raw.call("api_keys.list").json() == {"data": {"api_keys": keys}}
    revoked = raw.call("api_keys.revoke", api_key=keys[2])
    assert (revoked.status_code, revoked.json()) == (200, {"data": {"api_key": keys[2]}})
    assert refusal(raw.call("api_keys.revoke", api_key=keys[2])).startswith("API key not found")
    new = raw.data("api_keys.create")["api_key"]
    assert new not in keys
    assert raw.data("api_keys.list")["api_keys"] == [*keys[:2], *keys[3:], new]
    raw.headers = {"PF-API-KEY": keys[2]}
    assert raw.call("orders.history", account=raw.address).status_code == 401


# -- agents (field note 6) -----------------------------------------------------------------------

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("orders.create", limit_order()),
    ("spot.withdraw", {"symbol": "SOL", "amount": "1"}),
    ("account.update_spot_settings", {"symbol": "SOL", "unified_margin_excluded": True}),
    # Null chooses nothing.
    ("account.set_auto_lend_disabled", {"disabled": None}),
    ("subaccounts.list", {}),
]


def agent_of(account: RawClient) -> RawClient:
    """A key that signs as an agent wallet of an account, bound or not."""
    agent = RawClient(account.url)
    agent.account = account.address
    return agent


@pytest.mark.parametrize(("name", "data"), CALLS)
def test_an_agent_signs_for_the_accounts_to_which_it_is_bound(
    holder: RawClient, shared: Sandbox, name: str, data: dict[str, Any]
) -> None:
    agent = agent_of(holder)
    shared.bind_agent(shared.create_account(), agent.address)
    refused = agent.call(name, **data)
    assert refused.status_code == (400 if name.startswith("orders.") else 401)
    words = f"Unauthorized: agent wallet {agent.address} is not bound to {holder.address}"
    assert refused.json()["error"] == words
    shared.bind_agent(holder.address, agent.address)
    response = agent.call(name, **data)
    assert response.status_code == 200, response.text
    entry = [r for r in shared.requests if r.account == holder.address][-1]
    assert entry.body["agent_wallet"] == agent.address


def test_what_an_agent_orders_is_the_accounts_but_it_manages_no_api_keys(
    holder: RawClient, shared: Sandbox
) -> None:
    agent = agent_of(holder)
    shared.bind_agent(holder.address, agent.address)
    placed = agent.batch(agent.action("Create", limit_order())).json()["data"]["results"][0]
    assert [order["order_id"] for order in holder.orders()] == [placed["order_id"]]
    for name, data in (("create", {}), ("list", {}), ("revoke", {"api_key": "x"})):
        words = refusal(agent.call(f"api_keys.{name}", **data), 401)
        assert words == "Unauthorized: an agent wallet cannot manage API keys"
    # A whole batch is refused for one action of an account that it does not serve.
    other = RawClient.of(shared)
    wrong = agent_of(other)
    wrong.key, wrong.address = agent.key, agent.address
    response = agent.batch(
        agent.action("Create", limit_order()), wrong.action("Create", limit_order())
    )
    assert response.status_code == 400
    assert response.json()["error"].startswith("actions[1]: Unauthorized: agent wallet ")
    assert (len(holder.orders()), other.orders()) == (1, [])


# -- signatures -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        *(
            ({"signature": signature}, "Invalid signature")
            for signature in ("", "0OIl", "abc", "1" * 63, "z" * 88, "z" * 100_000, "é", "ab" * 64)
        ),
        *(
            ({field: address}, "Invalid public key")
            for field in ("account", "agent_wallet")
            for address in ("", "0OIl", "abc", "1" * 31, "z" * 100_000)
        ),
        ({"timestamp": 1}, "Invalid message: it expired "),
        ({"price": "51234"}, "Verification failed"),
    ],
)
def test_whatever_is_wrong_with_a_signature_the_log_shows_what_had_to_be_signed(
    user: RawClient, sandbox: Sandbox, changes: dict[str, Any], words: str
) -> None:
    body = {**user.body("create_order", limit_order()), **changes}
    assert bare_refusal(user.post(CREATE, body)).startswith(words)
    [entry] = sandbox.requests
    assert (entry.error or "").startswith(words)
    header = {"timestamp": body["timestamp"], "expiry_window": 30_000, "type": "create_order"}
    order = {name: body[name] for name in limit_order()}
    assert entry.canonical == (canonical(header, order),)
    assert user.orders() == []


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


def test_a_message_that_is_not_ascii_or_of_no_account_is_refused(raw: RawClient) -> None:
    body = raw.body("create_order", limit_order(symbol="BTC€"))
    assert bare_refusal(raw.post(CREATE, body)).startswith("Invalid message: ")
    assert bare_refusal(RawClient(raw.url).create()).startswith("Account not found")
