"""Open accounts, bind agents, move USDC, and manage API config keys (interface 2.6, 2.9, 4.12, 4.13, 4.18)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from decimal import Decimal

from trading_sandbox.engine import checks, margin, spot
from trading_sandbox.engine.commands import (
    ApproveBuilderCode,
    BindAgent,
    CreateApiKey,
    Deposit,
    OpenAccount,
    RevokeAgent,
    RevokeAgents,
    RevokeApiKey,
    RevokeBuilderCode,
    Transfer,
    WithdrawUsdc,
)
from trading_sandbox.engine.markets import SPOT_ASSETS
from trading_sandbox.engine.money import ZERO, shortest
from trading_sandbox.engine.records import ApiKey, InsufficientBalance, Refused
from trading_sandbox.engine.seeded import seeded_bytes, to_base58
from trading_sandbox.engine.state import Account
from trading_sandbox.engine.venue import Venue, handles


@handles(OpenAccount)
def open_account(venue: Venue, command: OpenAccount) -> None:
    """Open an account with a deposit; with a main account it is a subaccount."""
    checks.check_free_address(venue, command.account)
    checks.check_deposit(command.usdc, command.spot)
    if command.main is not None:
        main = checks.customer(venue, command.main)
        if main.main is not None:
            raise Refused(
                f"Invalid main account: {main.address} is a subaccount of {main.main} and cannot have any"
            )
    account = Account(
        address=command.account,
        created_at=venue.now,
        main=command.main,
        use_ltp_for_stop_orders=command.use_ltp_for_stop_orders,
    )
    venue.state.accounts[account.address] = account
    _credit(venue, account, command.usdc, command.spot)
    # The next generated address is derived from the seed and this number.
    venue.state.next_key += 1


@handles(BindAgent)
def bind_agent(venue: Venue, command: BindAgent) -> None:
    """Let an agent wallet sign for an account; one agent may sign for several accounts."""
    account = checks.customer(venue, command.account)
    if command.agent == account.address:
        raise Refused(f"Invalid agent: {command.agent} is the account itself, which needs none")
    if command.agent not in account.agents:
        account.agents.append(command.agent)


@handles(RevokeAgent)
def revoke_agent(venue: Venue, command: RevokeAgent) -> None:
    """Take the right to sign from an agent wallet; one that is not bound is no mistake."""
    account = checks.customer(venue, command.account)
    account.agents = [each for each in account.agents if each != command.agent]


@handles(RevokeAgents)
def revoke_agents(venue: Venue, command: RevokeAgents) -> None:
    """Take the right to sign from all agent wallets of an account."""
    checks.customer(venue, command.account).agents.clear()


@handles(ApproveBuilderCode)
def approve_builder_code(venue: Venue, command: ApproveBuilderCode) -> None:
    """Let orders of an account carry a builder code."""
    account = checks.customer(venue, command.account)
    account.builder_codes[command.builder_code] = command.max_fee_rate


@handles(RevokeBuilderCode)
def revoke_builder_code(venue: Venue, command: RevokeBuilderCode) -> None:
    """Revoke the approval of a builder code; one that is not approved is no mistake."""
    checks.customer(venue, command.account).builder_codes.pop(command.builder_code, None)


@handles(Deposit)
def deposit(venue: Venue, command: Deposit) -> None:
    """Credit an account with USDC, spot assets or both."""
    account = checks.customer(venue, command.account)
    spot_assets = command.spot or {}
    checks.check_deposit(command.usdc, spot_assets)
    if not command.usdc and not any(spot_assets.values()):
        raise Refused("Invalid deposit: USDC or at least one spot asset must be above zero")
    _credit(venue, account, command.usdc, spot_assets)


@handles(Transfer)
def transfer(venue: Venue, command: Transfer) -> None:
    """Move USDC between a main account and one of its subaccounts, either way.

    Raises:
        InsufficientBalance: the amount is more than the sender can withdraw.
    """
    sender = checks.customer(venue, command.account)
    receiver = checks.customer(venue, command.to_account)
    if sender.main != receiver.address and receiver.main != sender.address:
        raise Refused(
            f"Invalid to_account: {receiver.address} is neither the main account nor a "
            f"subaccount of {sender.address}",
            33,
            f"Invalid transfer relationship: {sender.address} -> {receiver.address}",
        )
    checks.check_usdc("amount", command.amount)
    require_withdrawable(venue, sender, command.amount)
    venue.change_balance(sender, -command.amount, "subaccount_transfer")
    venue.change_balance(receiver, command.amount, "subaccount_transfer")


@handles(WithdrawUsdc)
def withdraw_usdc(venue: Venue, command: WithdrawUsdc) -> None:
    """Withdraw USDC, at once and without a fee.

    Raises:
        InsufficientBalance: the amount is more than the account can withdraw.
    """
    account = checks.customer(venue, command.account)
    checks.check_usdc("amount", command.amount)
    require_withdrawable(venue, account, command.amount)
    venue.change_balance(account, -command.amount, "withdrawal")


def require_withdrawable(venue: Venue, account: Account, amount: Decimal) -> None:
    """Refuse an amount of USDC that the account does not hold or that its margins need."""
    most = margin.withdrawable(venue, account)
    if amount > most:
        raise InsufficientBalance(
            f"Insufficient balance: {shortest(amount)} USDC asked for, but "
            f"{margin.usdc_down(most)} USDC can leave account "
            f"{account.address}",
            5,
            margin.observed_shortage(venue, account, account.address, amount),
        )


def _credit(venue: Venue, account: Account, usdc: Decimal, tokens: Mapping[str, Decimal]) -> None:
    venue.change_balance(account, usdc, "deposit")
    # In the order of SPOT_ASSETS, so that the order of the mapping does not matter.
    for symbol in SPOT_ASSETS:
        amount = tokens.get(symbol, ZERO)
        if amount:
            spot.change_balance(venue, account, symbol, amount)


# -- API config keys --------------------------------------------------------------------------------


MOST_KEYS = 5
"""The most keys that one account may have (interface section 2.9)."""
_PREFIX = 8


@handles(CreateApiKey)
def create_api_key(venue: Venue, command: CreateApiKey) -> ApiKey:
    """Create an API config key and return it; no two keys are the same."""
    account = checks.customer(venue, command.account)
    if len(account.api_keys) >= MOST_KEYS:
        raise Refused(f"Too many API keys: an account has at most {MOST_KEYS}, revoke one first")
    state = venue.state
    chance = seeded_bytes(state.seed, "api key", state.next_key)
    state.next_key += 1
    identifier = uuid.UUID(bytes=chance[:16], version=4)
    prefix = to_base58(chance[16:])[:_PREFIX]
    key = ApiKey(api_key=f"{prefix}_{to_base58(identifier.bytes)}", created_at=venue.now)
    account.api_keys.append(key)
    return key


@handles(RevokeApiKey)
def revoke_api_key(venue: Venue, command: RevokeApiKey) -> None:
    """Revoke an API config key of the account."""
    account = checks.customer(venue, command.account)
    kept = [key for key in account.api_keys if key.api_key != command.api_key]
    if len(kept) == len(account.api_keys):
        # The message does not repeat the given key: it may be a mistyped secret.
        raise Refused(f"API key not found: it is none of the {len(kept)} keys of this account")
    account.api_keys = kept
