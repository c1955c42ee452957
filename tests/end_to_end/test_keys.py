"""Keys: those that sign, and API keys with the rate limits that they select.

Sections 2.9, 4.0, 4.18, 5.1 and 5.4 of the interface document; field notes 6 and 16.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import base58
import pytest
import requests

from tests.end_to_end.trading import Connect, place
from tests.interface import OPERATIONS
from trading_sandbox import Sandbox
from trading_sdk import AuthenticationError, Client, Keypair, RateLimitError

# -- keys that sign ----------------------------------------------------------------------------


def test_a_key_from_a_wallet_file_base58_or_its_seed_signs_for_its_account(
    sandbox: Sandbox, connect: Connect, tmp_path: Path
) -> None:
    key, path = sandbox.create_account(), tmp_path / "wallet.json"
    key.write_file(path)
    whole = key.export_base58()
    assert len(json.loads(path.read_text())) == 64

    for same in (
        Keypair.from_file(path),
        Keypair.from_base58(whole),
        Keypair.from_seed(base58.b58decode(whole)[:32]),
    ):
        place(connect(same))

    # What is public needs no signature.
    assert len(list(connect().orders.history(account=key.address))) == 3


def test_a_bound_agent_trades_withdraws_and_changes_settings_and_cannot_manage_keys(
    sandbox: Sandbox, connect: Connect
) -> None:
    owner, agent = sandbox.create_account(spot={"SOL": "5"}), Keypair.generate()
    key = connect(owner).api_keys.create().api_key
    sandbox.bind_agent(owner, agent)
    client = connect(agent, account=owner.address)

    place(client)
    sent = sandbox.requests[-1]
    client.spot.withdraw(symbol="SOL", amount="1")
    client.account.set_auto_lend_disabled(disabled=True)

    assert (sent.body["account"], sent.body["agent_wallet"]) == (owner.address, agent.address)
    # Neither is part of what was signed.
    assert agent.address not in sent.canonical[0] and owner.address not in sent.canonical[0]
    assert len(list(connect(owner).orders.history())) == 1
    assert connect(owner).account.settings().auto_lend_disabled is True
    for call in (
        client.api_keys.create,
        client.api_keys.list,
        lambda: client.api_keys.revoke(api_key=key),
    ):
        with pytest.raises(AuthenticationError, match="agent wallet cannot manage API keys"):
            call()


# -- API keys ----------------------------------------------------------------------------------


def test_keys_are_listed_until_they_are_revoked(client: Client) -> None:
    first, second = (client.api_keys.create().api_key for _ in range(2))
    assert client.api_keys.list() == {"api_keys": [first, second]}

    revoked = client.api_keys.revoke(api_key=first)

    assert revoked is not None and revoked.api_key == first
    assert first not in repr(revoked)
    assert client.api_keys.list() == {"api_keys": [second]}


# -- the header ------------------------------------------------------------------------------


def test_the_key_goes_with_every_request(sandbox: Sandbox, connect: Connect) -> None:
    key = sandbox.create_account()
    created = connect(key).api_keys.create().api_key
    with_key = connect(key, api_key=created)

    place(with_key)
    list(with_key.orders.history())

    assert [each.headers["pf-api-key"] for each in sandbox.requests[-2:]] == [created, created]


def test_a_revoked_key_is_refused(sandbox: Sandbox, connect: Connect) -> None:
    key = sandbox.create_account()
    created = connect(key).api_keys.create().api_key
    with_key = connect(key, api_key=created)
    connect(key).api_keys.revoke(api_key=created)

    with pytest.raises(AuthenticationError, match="unknown API key"):
        with_key.account.settings()


# -- rate limits -----------------------------------------------------------------------------


@pytest.mark.off_contract
def test_beyond_the_limit_requests_are_refused(sandbox: Sandbox, client: Client) -> None:
    sandbox.set_rate_limit("2", window_s=600)
    place(client)
    place(client)

    with pytest.raises(RateLimitError, match="Rate limit exceeded") as refused:
        place(client)

    assert refused.value.status == 429
    sandbox.set_rate_limit(None)
    assert len(list(client.orders.history())) == 2


@pytest.mark.off_contract
def test_a_cancel_costs_half_and_a_long_page_more(sandbox: Sandbox, client: Client) -> None:
    stops = [
        client.orders.create_stop(
            symbol="BTC",
            side="bid",
            reduce_only=False,
            stop_order={"stop_price": "110000", "amount": "0.1"},
        ).order_id
        for _ in range(2)
    ]
    sandbox.set_rate_limit("1", window_s=600)
    for order_id in stops:
        client.orders.cancel_stop(symbol="BTC", order_id=order_id)
    with pytest.raises(RateLimitError):
        client.account.settings()

    sandbox.set_rate_limit("4.5", window_s=600)
    with pytest.raises(RateLimitError):
        list(client.orders.history(limit=1000))
    list(client.orders.history(limit=100))


def test_every_answer_tells_the_budget(sandbox: Sandbox, url: str) -> None:
    sandbox.set_rate_limit("125", window_s=60)

    answer = requests.get(
        url + OPERATIONS["funding.history"].path, params={"symbol": "BTC"}, timeout=10
    )

    assert answer.headers["ratelimit-policy"] == '"credits";q=1250;w=60'
    assert re.fullmatch(r'"credits";r=1240;t=[0-9]+', answer.headers["ratelimit"])
