"""Vaults: opening, manager, leverage caps and blacklist (interface 2.8, 4.8)."""

from __future__ import annotations

from collections.abc import Collection
from decimal import Decimal

from trading_sandbox.engine import accounts, checks
from trading_sandbox.engine.commands import (
    AddLeverageCap,
    ChangeVault,
    ClaimManager,
    OpenVault,
    RemoveBlacklist,
    RemoveLeverageCap,
)
from trading_sandbox.engine.money import ZERO
from trading_sandbox.engine.records import NotTheCreator, Refused
from trading_sandbox.engine.state import Vault
from trading_sandbox.engine.venue import Venue, handles


@handles(OpenVault)
def open_vault(venue: Venue, command: OpenVault) -> None:
    """Open a vault, managed by its creator or by nobody."""
    checks.check_free_address(venue, command.vault)
    creator = checks.customer(venue, command.creator)
    checks.check_symbols("blacklist", command.blacklist, needed=False)
    venue.state.vaults[command.vault] = Vault(
        address=command.vault,
        creator=creator.address,
        manager=creator.address if command.managed else None,
        created_at=venue.now,
        blacklist=list(command.blacklist),
    )
    # The next generated address is derived from the seed and this number.
    venue.state.next_key += 1


@handles(AddLeverageCap)
def add_leverage_cap(venue: Venue, command: AddLeverageCap) -> None:
    """Cap the leverage of a vault in some markets, replacing caps that exist already.

    Raises:
        NotTheCreator: only the creator of the vault may do this.
    """
    vault = _created(venue, command)
    for symbol in command.symbols:
        checks.check_leverage(checks.market_of(symbol), "max_leverage", command.max_leverage)
    vault.leverage_caps.update(dict.fromkeys(command.symbols, command.max_leverage))


@handles(RemoveLeverageCap)
def remove_leverage_cap(venue: Venue, command: RemoveLeverageCap) -> None:
    """Remove leverage caps of a vault; if one of them does not exist, none is removed.

    Raises:
        NotTheCreator: only the creator of the vault may do this.
    """
    vault = _created(venue, command)
    _require_all(command.symbols, vault.leverage_caps, "leverage cap")
    for symbol in command.symbols:
        del vault.leverage_caps[symbol]


@handles(RemoveBlacklist)
def remove_blacklist(venue: Venue, command: RemoveBlacklist) -> None:
    """Take markets off the blacklist of a vault; if one is not on it, none is taken off.

    Raises:
        NotTheCreator: only the creator of the vault may do this.
    """
    vault = _created(venue, command)
    _require_all(command.symbols, vault.blacklist, "blacklist entry")
    for symbol in command.symbols:
        vault.blacklist.remove(symbol)


@handles(ClaimManager)
def claim_manager(venue: Venue, command: ClaimManager) -> Decimal:
    """Become the manager of a vault that has none; return the shares minted, one per USDC.

    Raises:
        InsufficientBalance: the claimer cannot pay the deposit.
    """
    vault = _vault(venue, command.vault)
    if vault.manager is not None:
        raise Refused(
            f"Vault has a manager already: {vault.address}; "
            "only one that was created without a manager can be claimed",
            79,
        )
    claimer = checks.customer(venue, command.account)
    checks.check_usdc("deposit_amount", command.deposit)
    accounts.require_withdrawable(venue, claimer, command.deposit)
    venue.change_balance(claimer, -command.deposit, "withdrawal")
    vault.balance += command.deposit
    vault.shares[claimer.address] = vault.shares.get(claimer.address, ZERO) + command.deposit
    vault.manager = claimer.address
    return command.deposit


def _vault(venue: Venue, address: str) -> Vault:
    vault = venue.state.vaults.get(address)
    if vault is None:
        raise Refused(f"Vault not found: {address[:64]} is no vault of this sandbox", 66)
    return vault


def _created(venue: Venue, command: ChangeVault) -> Vault:
    """Return the vault of a command, which must come from the vault's creator and name markets."""
    vault = _vault(venue, command.vault)
    if vault.creator != command.account:
        raise NotTheCreator(
            f"Not the creator: only the creator of vault {vault.address} may do this"
        )
    checks.check_symbols("symbols", command.symbols, needed=True)
    return vault


def _require_all(symbols: tuple[str, ...], present: Collection[str], what: str) -> None:
    missing = [symbol for symbol in symbols if symbol not in present]
    if missing:
        raise Refused(
            f"No {what} for {', '.join(missing)}: the vault has "
            f"{', '.join(present) or 'none'}; nothing was removed"
        )
