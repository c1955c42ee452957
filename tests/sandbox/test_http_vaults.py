"""Vaults over the wire (interface 4.8)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sandbox.raw import RawClient
from trading_sandbox import Sandbox

DONE = {"success": True, "data": {"success": True}, "error": None, "code": None}
CHANGES: list[tuple[str, dict[str, Any]]] = [
    ("vaults.add_max_leverage", {"symbols": ["BTC", "ETH"], "max_leverage": "5"}),
    ("vaults.remove_max_leverage", {"symbols": ["ETH"]}),
    ("vaults.remove_blacklist", {"symbols": ["SOL"]}),
]


def refused(response: Any, status: int) -> str:
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert response.json() == {"success": False, "data": None, "error": error, "code": status}
    return str(error)


def test_the_creator_changes_the_caps_and_the_blacklist(raw: RawClient, shared: Sandbox) -> None:
    vault = shared.create_vault(raw.address, blacklist=["SOL"])
    for name, data in CHANGES:
        response = raw.call(name, lake=vault, **data)
        assert (response.status_code, response.json()) == (200, DONE)
    assert refused(raw.call("vaults.remove_blacklist", lake=vault, symbols=["SOL"]), 400)


@pytest.mark.parametrize(("name", "data"), CHANGES)
def test_anybody_else_is_answered_403(
    raw: RawClient, shared: Sandbox, name: str, data: dict[str, Any]
) -> None:
    vault = shared.create_vault(shared.create_account(), blacklist=["SOL"])
    assert "creator" in refused(raw.call(name, lake=vault, **data), 403)


@pytest.mark.parametrize(("name", "data"), CHANGES)
def test_no_vault_no_symbols_or_no_market_is_400(
    raw: RawClient, shared: Sandbox, name: str, data: dict[str, Any]
) -> None:
    vault = shared.create_vault(raw.address, blacklist=["SOL"])
    assert refused(raw.call(name, lake=raw.address, **data), 400).startswith("Vault not found")
    for symbols in ([], ["DOGE"], "BTC", [7]):
        refused(raw.call(name, lake=vault, **{**data, "symbols": symbols}), 400)


@pytest.mark.parametrize(("name", "data"), CHANGES)
def test_a_forged_change_is_401(
    raw: RawClient, shared: Sandbox, name: str, data: dict[str, Any]
) -> None:
    vault = shared.create_vault(raw.address, blacklist=["SOL"])
    raw.account, raw.key = raw.address, RawClient(raw.url).key
    assert refused(raw.call(name, lake=vault, **data), 401).startswith("Verification failed")


def test_a_fresh_vault_is_claimed_once(raw: RawClient, shared: Sandbox) -> None:
    vault = shared.create_vault(shared.create_account(), managed=False)
    response = raw.call("vaults.claim_manager", lake=vault, deposit_amount="1000")
    assert response.status_code == 200
    answer = response.json()
    assert answer.pop("data") == {"shares_minted": "1000"}
    assert answer == {"success": True, "error": None, "code": None}
    again = raw.call("vaults.claim_manager", lake=vault, deposit_amount="1000")
    assert "has a manager already" in refused(again, 400)


def test_a_claim_that_cannot_be_paid_is_400(raw: RawClient, shared: Sandbox) -> None:
    vault = shared.create_vault(shared.create_account(), managed=False)
    response = raw.call("vaults.claim_manager", lake=vault, deposit_amount="10001")
    assert refused(response, 400).startswith("Insufficient balance")
