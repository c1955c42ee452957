"""Agent wallets, which sign for an account (section 4.0; field note 6).

That they cannot manage API keys is told in test_api_keys.py.
"""

from __future__ import annotations

import pytest

from tests.end_to_end.signers import Impostor
from tests.end_to_end.trading import Connect, place, post
from trading_sandbox import Sandbox
from trading_sdk import AuthenticationError, Client, Keypair, Signer


@pytest.fixture
def owner(sandbox: Sandbox) -> Keypair:
    return sandbox.create_account(spot={"SOL": "5"})


def acting(connect: Connect, agent: Signer, owner: Keypair) -> Client:
    return connect(agent, account=owner.address)


def test_a_bound_agent_trades_withdraws_and_changes_settings(
    sandbox: Sandbox, connect: Connect, owner: Keypair
) -> None:
    agent = Keypair.generate()
    sandbox.bind_agent(owner, agent)
    client = acting(connect, agent, owner)

    place(client)
    sent = sandbox.requests[-1]
    client.spot.withdraw(symbol="SOL", amount="1")
    client.account.set_auto_lend_disabled(disabled=True)

    assert (sent.body["account"], sent.body["agent_wallet"]) == (owner.address, agent.address)
    # Neither is part of what was signed.
    assert agent.address not in sent.canonical[0] and owner.address not in sent.canonical[0]
    assert len(list(connect(owner).orders.history())) == 1
    assert connect(owner).account.settings().auto_lend_disabled is True


def test_an_agent_that_is_not_bound_is_refused(
    sandbox: Sandbox, connect: Connect, owner: Keypair
) -> None:
    agent = Keypair.generate()
    # It is bound to somebody else.
    sandbox.bind_agent(sandbox.create_account(), agent)
    client = acting(connect, agent, owner)

    with pytest.raises(AuthenticationError, match="is not bound to"):
        client.account.set_auto_lend_disabled(disabled=True)
    with pytest.raises(AuthenticationError, match="is not bound to") as refused:
        place(client)
    assert (refused.value.status, refused.value.reason) == (400, "agent_not_bound")


def test_an_agents_signature_is_checked_by_its_own_key(
    sandbox: Sandbox, connect: Connect, owner: Keypair
) -> None:
    agent = Keypair.generate()
    sandbox.bind_agent(owner, agent)

    with pytest.raises(AuthenticationError, match="Verification failed"):
        acting(connect, Impostor(agent.address), owner).account.set_auto_lend_disabled()


def test_an_agent_wallet_of_null_is_none(url: str, client: Client) -> None:
    sent = client.explain(
        "orders.create",
        symbol="BTC",
        side="bid",
        price="90000",
        amount="0.1",
        tif="ALO",
        reduce_only=False,
    ).body

    assert post(url, "orders.create", {**sent, "agent_wallet": None}).status_code == 200
