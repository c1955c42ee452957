"""Vaults: leverage caps, the blacklist, and claiming the manager."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from tests.sandbox.desk import Desk
from tests.sandbox.refused import refused
from trading_sandbox.engine.commands import (
    AddLeverageCap,
    ClaimManager,
    Command,
    RemoveBlacklist,
    RemoveLeverageCap,
)
from trading_sandbox.engine.control_commands import OpenAccount, OpenVault
from trading_sandbox.engine.records import InsufficientBalance, NotTheCreator
from trading_sandbox.engine.state import Vault


def opening(vault: str = "lake", creator: str = "alice", **more: object) -> OpenVault:
    blacklist = more.get("blacklist", ())
    assert isinstance(blacklist, tuple)
    managed = bool(more.get("managed", False))
    return OpenVault(vault=vault, creator=creator, managed=managed, blacklist=blacklist)


def add_cap(*symbols: str, cap: str = "5", account: str = "alice", vault: str = "lake") -> Command:
    return AddLeverageCap(account=account, vault=vault, symbols=symbols, max_leverage=Decimal(cap))


def remove_cap(*symbols: str, account: str = "alice", vault: str = "lake") -> Command:
    return RemoveLeverageCap(account=account, vault=vault, symbols=symbols)


def unblock(*symbols: str, account: str = "alice", vault: str = "lake") -> Command:
    return RemoveBlacklist(account=account, vault=vault, symbols=symbols)


def claim(deposit: str, account: str = "bob", vault: str = "lake") -> ClaimManager:
    return ClaimManager(account=account, vault=vault, deposit=Decimal(deposit))


def desk_with_vault() -> Desk:
    """Alice has created a vault without a manager that must not trade ETH and SOL."""
    desk = Desk()
    desk.run(opening(blacklist=("SOL", "ETH")))
    return desk


def lake(desk: Desk) -> Vault:
    return desk.exchange.state.vaults["lake"]


OF_THE_CREATOR = pytest.mark.parametrize("command", [add_cap, remove_cap, unblock])


# -- opening -------------------------------------------------------------------------------------


def test_a_vault_is_managed_by_its_creator_or_by_nobody() -> None:
    desk = Desk()
    desk.run(opening("managed", managed=True))
    desk.run(opening(blacklist=("SOL",)))
    assert desk.exchange.state.vaults["managed"].manager == "alice"
    vault = lake(desk)
    assert (vault.creator, vault.manager, vault.created_at) == ("alice", None, desk.now)
    assert vault.blacklist == ["SOL"]
    assert vault.balance == 0
    assert vault.shares == {}


def test_opening_a_vault_moves_on_to_the_next_address_of_the_seed() -> None:
    desk = Desk()
    before = desk.exchange.state.next_key
    desk.run(opening())
    assert desk.exchange.state.next_key == before + 1


def test_a_vault_that_cannot_be_is_refused() -> None:
    desk = desk_with_vault()
    refused(desk, opening(), "Vault lake exists already")
    refused(desk, opening("bob"), "Account bob exists already")
    refused(desk, opening("x", creator="nobody"), "Account not found: nobody")
    refused(desk, opening("x", creator="maker"), "belongs to the exchange")
    refused(desk, opening("x", blacklist=("DOGE",)), "Unknown symbol 'DOGE'", "BTC, ETH, SOL")
    refused(desk, opening("x", blacklist=("BTC", "BTC")), "Invalid blacklist", "more than once")


# -- what only the creator may do ----------------------------------------------------------------


def test_the_creator_sets_and_removes_leverage_caps() -> None:
    desk = desk_with_vault()
    desk.run(add_cap("BTC", "ETH", cap="10.5"))
    desk.run(add_cap("BTC", cap="3"))
    assert lake(desk).leverage_caps == {"BTC": Decimal(3), "ETH": Decimal("10.5")}
    desk.run(remove_cap("BTC", "ETH"))
    assert lake(desk).leverage_caps == {}


def test_the_creator_takes_markets_off_the_blacklist() -> None:
    desk = desk_with_vault()
    desk.run(unblock("ETH"))
    assert lake(desk).blacklist == ["SOL"]
    desk.run(unblock("SOL"))
    assert lake(desk).blacklist == []


@OF_THE_CREATOR
def test_nobody_but_the_creator_may(command: Callable[..., Command]) -> None:
    desk = desk_with_vault()
    desk.run(add_cap("ETH"))
    desk.run(claim("1", account="bob"))
    desk.run(OpenAccount(account="alice-1", usdc=Decimal(0), main="alice"))
    for account in ("bob", "carol", "alice-1", "nobody", "maker"):
        words = ("Not the creator", "vault lake")
        refused(desk, command("ETH", account=account), *words, error=NotTheCreator)


@OF_THE_CREATOR
def test_a_stranger_learns_first_that_it_is_not_the_creator(
    command: Callable[..., Command],
) -> None:
    desk = desk_with_vault()
    refused(desk, command("DOGE", account="bob"), error=NotTheCreator)


@OF_THE_CREATOR
def test_symbols_must_be_known_markets_named_once(command: Callable[..., Command]) -> None:
    desk = desk_with_vault()
    desk.run(add_cap("ETH"))
    refused(desk, command("ETH", vault="nowhere"), "Vault not found: nowhere")
    refused(desk, command(), "Invalid symbols", "at least one")
    refused(desk, command("ETH", "ETH"), "Invalid symbols", "more than once")
    refused(desk, command("ETH", "DOGE"), "Unknown symbol 'DOGE'")


@pytest.mark.parametrize("cap", ["0", "0.9", "-3", "20.1", "NaN", "sNaN", "Infinity", "1E+40"])
def test_a_cap_lies_within_the_leverage_of_every_market(cap: str) -> None:
    words = ("Invalid max_leverage", "between 1 and 20", "SOL")
    refused(desk_with_vault(), add_cap("SOL", cap=cap), *words)
    refused(desk_with_vault(), add_cap("BTC", "SOL", cap="21"), *words)


@pytest.mark.parametrize("cap", ["1", "20"])
def test_a_cap_may_be_the_least_and_the_most_leverage(cap: str) -> None:
    desk = desk_with_vault()
    desk.run(add_cap("SOL", "BTC", cap=cap))
    assert lake(desk).leverage_caps["SOL"] == Decimal(cap)


def test_removing_what_is_not_there_removes_nothing() -> None:
    desk = desk_with_vault()
    desk.run(add_cap("ETH"))
    refused(desk, remove_cap("ETH", "BTC", "SOL"), "No leverage cap for BTC, SOL", "has ETH")
    refused(desk, unblock("SOL", "BTC"), "No blacklist entry for BTC", "has SOL, ETH")
    desk.run(remove_cap("ETH"))
    refused(desk, remove_cap("ETH"), "No leverage cap for ETH", "none")


# -- claiming the manager ------------------------------------------------------------------------


def test_whoever_claims_a_vault_pays_the_deposit_and_gets_as_many_shares() -> None:
    desk = desk_with_vault()
    assert desk.run(claim("2500.000001")) == Decimal("2500.000001")
    vault = lake(desk)
    assert (vault.manager, vault.creator) == ("bob", "alice")
    assert vault.balance == Decimal("2500.000001")
    assert vault.shares == {"bob": Decimal("2500.000001")}
    assert desk.account("bob").balance == Decimal("7499.999999")


def test_a_vault_is_claimed_once() -> None:
    desk = desk_with_vault()
    desk.run(opening("managed", managed=True))
    desk.run(claim("1"))
    for account in ("bob", "carol", "alice"):
        refused(desk, claim("1", account), "Vault has a manager already: lake;")
    refused(desk, claim("1", vault="managed"), "Vault has a manager already: managed;")


@pytest.mark.parametrize("deposit", ["0", "-1", "NaN", "sNaN", "Infinity"])
def test_a_claim_needs_a_deposit_above_zero(deposit: str) -> None:
    refused(desk_with_vault(), claim(deposit), "Invalid deposit_amount", "above zero")


def test_a_claim_is_paid_from_what_can_leave_the_account() -> None:
    desk = desk_with_vault()
    refused(desk, claim("0.0000001"), "Invalid deposit_amount", "6 decimals")
    desk.limit("bob", "bid", "50000", "1")
    words = ("9000.000001 USDC asked for", "9000 USDC can leave")
    refused(desk, claim("9000.000001"), *words, error=InsufficientBalance)
    desk.run(claim("9000"))


def test_a_claim_of_no_vault_or_by_no_account_is_refused() -> None:
    desk = desk_with_vault()
    refused(desk, claim("1", vault="nowhere"), "Vault not found: nowhere")
    refused(desk, claim("1", account="nobody"), "Account not found: nobody")
    refused(desk, claim("1", account="maker"), "belongs to the exchange")
