"""Signatures: what is accepted, and how each kind of refusal is worded and logged."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sandbox.desk import ID
from tests.sandbox.raw import (
    BATCH,
    CREATE,
    RawClient,
    bare_refusal,
    canonical,
    limit_order,
    now,
)
from trading_sandbox import Sandbox


def test_a_correctly_signed_order_is_accepted_and_logged_as_it_was_verified(
    raw: RawClient, shared: Sandbox
) -> None:
    body = raw.body("create_order", limit_order(client_order_id=ID))
    assert raw.post(CREATE, body).status_code == 200
    [entry] = [r for r in shared.requests if r.account == raw.address]
    header = {"timestamp": body["timestamp"], "expiry_window": 30_000, "type": "create_order"}
    assert entry.canonical == (canonical(header, limit_order(client_order_id=ID)),)
    assert (entry.operation, entry.method, entry.path) == ("orders.create", "POST", CREATE)
    assert (entry.body, entry.status, entry.error) == (body, 200, None)
    assert entry.headers["content-type"] == "application/json"


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


def test_one_bad_signature_refuses_a_whole_batch_before_anything_runs(raw: RawClient) -> None:
    good = raw.action("Create", limit_order())
    bad = raw.action("Create", limit_order(price="50001"))
    bad["data"]["price"] = "50002"
    response = raw.post(BATCH, {"actions": [good, good, bad]})
    assert response.status_code == 400
    assert response.json()["error"].startswith("actions[2]: Verification failed")
    assert raw.orders() == []


@pytest.mark.parametrize(("offset", "words"), [(60_000, "expired"), (-60_000, "in the future")])
def test_a_clock_offset_shifts_the_time_of_signatures_and_that_of_the_market_does_not(
    user: RawClient, sandbox: Sandbox, offset: int, words: str
) -> None:
    sandbox.faults.inject("orders.create", "clock_offset", offset_ms=offset)
    assert words in bare_refusal(user.create())
    sandbox.advance(3_600_000)
    assert user.create().status_code == 200
    assert user.orders()[0]["created_at"] > now() + 3_000_000
