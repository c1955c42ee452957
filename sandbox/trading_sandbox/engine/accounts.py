"""Open accounts, bind agents, deposit and transfer USDC (interface 2.6, 4.12, 4.13)."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from trading_sandbox.engine import checks, margin, spot
from trading_sandbox.engine.commands import Transfer
from trading_sandbox.engine.control_commands import BindAgent, Deposit, OpenAccount
from trading_sandbox.engine.markets import SPOT_ASSETS
from trading_sandbox.engine.money import ZERO, shortest
from trading_sandbox.engine.records import InsufficientBalance, Refused
from trading_sandbox.engine.state import Account
from trading_sandbox.engine.venue import Venue


def open_account(venue: Venue, command: OpenAccount) -> None:
    """Open an account with a deposit; with a main account it is a subaccount."""
    checks.check_free_address(venue, command.account)
    checks.check_deposit(command.usdc, command.spot)
    if command.main is not None:
        _check_main(venue, command.main)
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


def bind_agent(venue: Venue, command: BindAgent) -> None:
    """Let an agent wallet sign for an account; one agent may sign for several accounts."""
    account = checks.customer(venue, command.account)
    if command.agent == account.address:
        raise Refused(f"Invalid agent: {command.agent} is the account itself, which needs none")
    if command.agent in account.agents:
        if command.again:
            return
        raise Refused(f"Agent {command.agent} is bound to account {account.address} already")
    account.agents.append(command.agent)


def deposit(venue: Venue, command: Deposit) -> None:
    """Credit an account with USDC, spot assets or both."""
    account = checks.customer(venue, command.account)
    checks.check_deposit(command.usdc, command.spot)
    if not command.usdc and not any(command.spot.values()):
        raise Refused("Invalid deposit: USDC or at least one spot asset must be above zero")
    _credit(venue, account, command.usdc, command.spot)


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
            f"subaccount of {sender.address}"
        )
    checks.check_usdc("amount", command.amount)
    require_withdrawable(venue, sender, command.amount)
    sender.balance -= command.amount
    receiver.balance += command.amount


def require_withdrawable(venue: Venue, account: Account, amount: Decimal) -> None:
    """Refuse an amount of USDC that the account does not hold or that its margins need."""
    most = margin.withdrawable(venue, account)
    if amount > most:
        raise InsufficientBalance(
            f"Insufficient balance: {shortest(amount)} USDC asked for, but "
            f"{margin.usdc_down(most)} USDC can leave account "
            f"{account.address}"
        )


def _check_main(venue: Venue, address: str) -> None:
    main = checks.customer(venue, address)
    if main.main is not None:
        raise Refused(
            f"Invalid main account: {address} is a subaccount of {main.main} and cannot have any"
        )


def _credit(venue: Venue, account: Account, usdc: Decimal, tokens: Mapping[str, Decimal]) -> None:
    account.balance += usdc
    # In the order of SPOT_ASSETS, so that the order of the mapping does not matter.
    for symbol in SPOT_ASSETS:
        amount = tokens.get(symbol, ZERO)
        if amount:
            spot.change_balance(venue, account, symbol, amount)
