"""Vaults: leverage caps, the blacklist, and claiming the manager."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from tests.sandbox.desk import Desk, fields
from trading_sandbox.engine.commands import (
    AddLeverageCap,
    ClaimManager,
    Command,
    OpenVault,
    RemoveBlacklist,
    RemoveLeverageCap,
)
from trading_sandbox.engine.state import Vault


def opening(
    vault: str = "lake",
    creator: str = "alice",
    managed: bool = False,
    blacklist: tuple[str, ...] = (),
) -> OpenVault:
    return OpenVault(vault=vault, creator=creator, managed=managed, blacklist=blacklist)


def add_cap(*symbols: str, cap: str = "5", account: str = "alice", vault: str = "lake") -> Command:
    return AddLeverageCap(account=account, vault=vault, symbols=symbols, max_leverage=Decimal(cap))


def remove_cap(*symbols: str, account: str = "alice", vault: str = "lake") -> Command:
    return RemoveLeverageCap(account=account, vault=vault, symbols=symbols)


def unblock(*symbols: str, account: str = "alice", vault: str = "lake") -> Command:
    return RemoveBlacklist(account=account, vault=vault, symbols=symbols)


def claim(deposit: str, account: str = "bob", vault: str = "lake") -> ClaimManager:
    return ClaimManager(account=account, vault=vault, deposit=Decimal(deposit))


@pytest.fixture
def desk() -> Desk:
    """Alice has created a vault without a manager that must not trade ETH and SOL."""
    made = Desk()
    made.run(opening(blacklist=("SOL", "ETH")))
    return made


def lake(desk: Desk) -> Vault:
    return desk.exchange.state.vaults["lake"]


OF_THE_CREATOR = pytest.mark.parametrize("command", [add_cap, remove_cap, unblock])


# -- opening -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (opening(), "Vault lake exists already"),
        (opening("bob"), "Account bob exists already"),
        (opening("x", creator="nobody"), "Account not found: nobody"),
        (opening("x", creator="maker"), "belongs to the exchange"),
        (opening("x", blacklist=("DOGE",)), "Unknown symbol 'DOGE': the markets are BTC, ETH, SOL"),
        (opening("x", blacklist=("BTC", "BTC")), "Invalid blacklist: BTC, BTC has a market more"),
        (claim("1", vault="nowhere"), "Vault not found: nowhere"),
        (claim("1", account="nobody"), "Account not found: nobody"),
        (claim("1", account="maker"), "belongs to the exchange"),
        (claim("0.0000001"), "Invalid deposit_amount: 0.0000001 USDC has more than 6 decimals"),
        *(
            (claim(deposit), "Invalid deposit_amount: it must be a number above zero")
            for deposit in ("0", "-1", "NaN", "sNaN", "Infinity")
        ),
        *(
            (add_cap("BTC", "SOL", cap=cap), "Invalid max_leverage: it must be a number between 1")
            for cap in ("0", "0.9", "-3", "20.1", "NaN", "sNaN", "Infinity", "1E+40")
        ),
    ],
)
def test_what_cannot_be_is_refused(desk: Desk, command: Command, words: str) -> None:
    desk.refuses(command, words)


# -- what only the creator may do ----------------------------------------------------------------


def test_the_creator_sets_and_removes_leverage_caps_and_the_blacklist(desk: Desk) -> None:
    desk.run(add_cap("BTC", "ETH", cap="10.5"))
    desk.run(add_cap("BTC", cap="1"))
    desk.run(add_cap("SOL", cap="20"))
    caps = {"BTC": Decimal(1), "ETH": Decimal("10.5"), "SOL": Decimal(20)}
    assert lake(desk).leverage_caps == caps
    desk.run(remove_cap("BTC", "ETH"))
    assert lake(desk).leverage_caps == {"SOL": 20}
    desk.refuses(remove_cap("SOL", "BTC", "ETH"), "No leverage cap for BTC, ETH", "has SOL")
    desk.run(remove_cap("SOL"))
    desk.refuses(remove_cap("ETH"), "No leverage cap for ETH", "none")

    desk.refuses(unblock("SOL", "BTC"), "No blacklist entry for BTC", "has SOL, ETH")
    for symbol, left in (("ETH", ["SOL"]), ("SOL", [])):
        desk.run(unblock(symbol))
        assert lake(desk).blacklist == left


@OF_THE_CREATOR
def test_nobody_but_the_creator_may(desk: Desk, command: Callable[..., Command]) -> None:
    desk.run(add_cap("ETH"))
    desk.run(claim("1", account="bob"))
    desk.open("alice-1", main="alice")
    words = ("Not the creator", "vault lake")
    for account in ("bob", "carol", "alice-1", "nobody", "maker"):
        # A stranger learns that first, whatever is wrong beside it.
        for symbol in ("ETH", "DOGE"):
            desk.refuses(command(symbol, account=account), *words)


@OF_THE_CREATOR
def test_symbols_must_be_known_markets_named_once(
    desk: Desk, command: Callable[..., Command]
) -> None:
    desk.run(add_cap("ETH"))
    desk.refuses(command("ETH", vault="nowhere"), "Vault not found: nowhere")
    desk.refuses(command(), "Invalid symbols", "at least one")
    desk.refuses(command("ETH", "ETH"), "Invalid symbols", "more than once")
    desk.refuses(command("ETH", "DOGE"), "Unknown symbol 'DOGE'")


# -- claiming the manager ------------------------------------------------------------------------


def test_whoever_claims_a_vault_pays_what_can_leave_the_account_and_gets_as_many_shares(
    desk: Desk,
) -> None:
    desk.limit("bob", "bid", "50000", "1")
    words = ("9000.000001 USDC asked for", "9000 USDC can leave")
    desk.refuses(claim("9000.000001"), "Insufficient balance", *words)
    assert desk.run(claim("2500.000001")) == Decimal("2500.000001")
    told = fields(lake(desk), "creator manager balance")
    assert told == "alice bob 2500.000001"
    assert lake(desk).shares == {"bob": Decimal("2500.000001")}
    assert desk.balance("bob") == Decimal("7499.999999")
    desk.run(opening("managed", managed=True))
    for account in ("bob", "carol", "alice"):
        for vault in ("lake", "managed"):
            taken = f"Vault has a manager already: {vault};"
            desk.refuses(claim("1", account, vault), taken)
