"""Vaults: who may set what, and who manages them (sections 2.8, 3, 4.8, 5.3)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.end_to_end.trading import Connect
from trading_sandbox import Sandbox
from trading_sdk import BadRequestError, Client, PermissionDeniedError


def add(client: Client, vault: str, *symbols: str, cap: str = "10") -> None:
    client.vaults.add_max_leverage(lake=vault, symbols=symbols or ("BTC",), max_leverage=cap)


def remove(client: Client, vault: str, *symbols: str) -> None:
    client.vaults.remove_max_leverage(lake=vault, symbols=symbols or ("BTC",))


def unlist(client: Client, vault: str, *symbols: str) -> None:
    client.vaults.remove_blacklist(lake=vault, symbols=symbols or ("BTC",))


@pytest.fixture
def vault(sandbox: Sandbox, client: Client) -> str:
    """A vault of the client's, which must not trade SOL and ETH."""
    return sandbox.create_vault(client.account_address or "", blacklist=("SOL", "ETH"))


def test_a_cap_holds_for_every_listed_symbol_until_it_is_removed(
    client: Client, vault: str
) -> None:
    add(client, vault, "BTC", "ETH")

    remove(client, vault, "BTC")
    remove(client, vault, "ETH")

    with pytest.raises(BadRequestError, match="No leverage cap for BTC"):
        remove(client, vault, "BTC")


def test_symbols_leave_the_blacklist(client: Client, vault: str) -> None:
    unlist(client, vault, "SOL")

    with pytest.raises(BadRequestError, match="No blacklist entry for SOL"):
        unlist(client, vault, "SOL", "ETH")
    # That one was refused as a whole.
    unlist(client, vault, "ETH")


@pytest.mark.parametrize("call", [add, remove, unlist])
def test_only_the_creator_may_do_this(
    sandbox: Sandbox, connect: Connect, vault: str, call: Callable[[Client, str], None]
) -> None:
    with pytest.raises(PermissionDeniedError, match="Not the creator") as refused:
        call(connect(sandbox.create_account()), vault)

    assert refused.value.status == 403


# -- managers --------------------------------------------------------------------------------


@pytest.fixture
def fresh(sandbox: Sandbox) -> str:
    """A vault that was created without a manager."""
    return sandbox.create_vault(sandbox.create_account(), managed=False)


def test_a_deposit_is_paid_by_the_claimer(sandbox: Sandbox, connect: Connect, fresh: str) -> None:
    main = sandbox.create_account()
    claimer = connect(sandbox.create_subaccount(main, usdc="1000"))

    claimer.vaults.claim_manager(lake=fresh, deposit_amount="400")

    assert [each.balance for each in connect(main).subaccounts.list()] == [600]


def test_a_vault_is_claimed_once(
    sandbox: Sandbox, connect: Connect, client: Client, fresh: str
) -> None:
    client.vaults.claim_manager(lake=fresh, deposit_amount="100")

    for claimer in (client, connect(sandbox.create_account())):
        with pytest.raises(BadRequestError, match="has a manager already"):
            claimer.vaults.claim_manager(lake=fresh, deposit_amount="100")
