"""Agent wallets: what one that is bound may sign, and whose agent it is (field note 6)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.interface import OPERATIONS
from tests.sandbox.raw import RawClient, limit_order
from trading_sandbox import Sandbox

CALLS: list[tuple[str, dict[str, Any]]] = [
    ("orders.create", limit_order()),
    ("spot.withdraw", {"symbol": "SOL", "amount": "1"}),
    ("account.update_spot_settings", {"symbol": "SOL", "unified_margin_excluded": True}),
    ("account.set_auto_lend_disabled", {"disabled": True}),
    ("subaccounts.list", {}),
]


@pytest.fixture
def owner(shared: Sandbox) -> RawClient:
    return RawClient(shared.url, shared.create_account(spot={"SOL": "5"}).export_base58())


def agent_of(account: RawClient) -> RawClient:
    """A key that signs as an agent wallet of an account, bound or not."""
    agent = RawClient(account.url)
    agent.account = account.address
    return agent


@pytest.mark.parametrize(("name", "data"), CALLS)
def test_a_bound_agent_signs_for_its_account(
    owner: RawClient, shared: Sandbox, name: str, data: dict[str, Any]
) -> None:
    agent = agent_of(owner)
    shared.bind_agent(owner.address, agent.address)
    response = agent.call(name, **data)
    assert response.status_code == 200, response.text
    entry = [r for r in shared.requests if r.account == owner.address][-1]
    assert entry.body["agent_wallet"] == agent.address


def test_what_an_agent_orders_is_the_accounts(owner: RawClient, shared: Sandbox) -> None:
    agent = agent_of(owner)
    shared.bind_agent(owner.address, agent.address)
    placed = agent.batch(agent.action("Create", limit_order())).json()["data"]["results"][0]
    assert [order["order_id"] for order in owner.orders()] == [placed["order_id"]]


@pytest.mark.parametrize("name", ["api_keys.create", "api_keys.list", "api_keys.revoke"])
def test_an_agent_does_not_manage_api_keys(owner: RawClient, shared: Sandbox, name: str) -> None:
    agent = agent_of(owner)
    shared.bind_agent(owner.address, agent.address)
    data = {"api_key": "x"} if name == "api_keys.revoke" else {}
    response = agent.call(name, **data)
    assert response.status_code == 401
    assert response.json() == {
        "success": False,
        "data": None,
        "error": "Unauthorized: an agent wallet cannot manage API keys",
        "code": 401,
    }


@pytest.mark.parametrize(("name", "data"), CALLS)
def test_an_agent_that_is_not_bound_is_refused(
    owner: RawClient, shared: Sandbox, name: str, data: dict[str, Any]
) -> None:
    agent = agent_of(owner)
    shared.bind_agent(shared.create_account(), agent.address)
    response = agent.call(name, **data)
    assert response.status_code == (400 if name.startswith("orders.") else 401)
    error = response.json()["error"]
    assert error == f"Unauthorized: agent wallet {agent.address} is not bound to {owner.address}"


def test_a_bound_agent_of_another_account_refuses_a_whole_batch(
    owner: RawClient, shared: Sandbox
) -> None:
    agent, other = agent_of(owner), RawClient(owner.url, shared.create_account().export_base58())
    shared.bind_agent(other.address, agent.address)
    response = agent.batch(
        other.action("Create", limit_order()), agent.action("Create", limit_order())
    )
    assert response.status_code == 400
    assert response.json()["error"].startswith("actions[1]: Unauthorized: agent wallet ")
    assert other.orders() == owner.orders() == []


def test_an_account_named_as_its_own_agent_is_itself(owner: RawClient) -> None:
    body = {**owner.body("create_order", limit_order()), "agent_wallet": owner.address}
    assert owner.post(OPERATIONS["orders.create"].path, body).status_code == 200
    keys = {**owner.body("list_api_keys", {}), "agent_wallet": owner.address}
    assert owner.post(OPERATIONS["api_keys.list"].path, keys).status_code == 200
