"""Spot assets: withdrawals, balances and the collateral setting (interface 2.3, 2.4, 4.6, 4.14)."""

from __future__ import annotations

from decimal import Decimal

from trading_sandbox.engine import checks, margin
from trading_sandbox.engine.commands import SetSpotExcluded, Withdraw
from trading_sandbox.engine.markets import SpotAsset
from trading_sandbox.engine.money import ZERO, shortest
from trading_sandbox.engine.records import (
    BalanceCause,
    DuplicateKey,
    InsufficientBalance,
    Refused,
    Withdrawal,
)
from trading_sandbox.engine.seeded import seeded_bytes, to_base58
from trading_sandbox.engine.state import Account
from trading_sandbox.engine.venue import Venue, handles


@handles(Withdraw)
def withdraw(venue: Venue, command: Withdraw) -> Withdrawal:
    """Withdraw a spot asset; return the receipt.

    Raises:
        DuplicateKey: the account has used this idempotency key, for the same withdrawal or another.
        InsufficientBalance: the account holds too little, or its margins need the asset.
    """
    account = checks.customer(venue, command.account)
    key = command.idempotency_key
    if key in account.idempotency_keys:
        raise DuplicateKey(
            f"Duplicate idempotency_key: {key} was used for withdrawal "
            f"{account.idempotency_keys[key]} of this account"
        )
    asset = checks.asset_of(command.symbol)
    checks.check_tokens(asset, command.amount)
    if command.amount <= asset.withdrawal_fee:
        raise Refused(
            f"Invalid amount: {shortest(command.amount)} {asset.symbol} is not above the withdrawal fee "
            f"of {shortest(asset.withdrawal_fee)} {asset.symbol}, which is taken out of it"
        )
    _check_balance(venue, account, asset, command.amount)
    receipt = _receipt(venue, account, asset, command.amount)
    if key is not None:
        account.idempotency_keys[key] = receipt.batch_nonce
    change_balance(venue, account, asset.symbol, -command.amount)
    venue.changes.withdrawals.append(receipt)
    return receipt


@handles(SetSpotExcluded)
def set_excluded(venue: Venue, command: SetSpotExcluded) -> None:
    """Exclude a spot asset from the collateral, or include it again.

    Raises:
        InsufficientBalance: the account's margins need the asset as collateral.
    """
    account = checks.customer(venue, command.account)
    asset = checks.asset_of(command.symbol)
    if command.excluded:
        held = account.spot.get(asset.symbol, ZERO)
        _require_dispensable(venue, account, asset, held, "excluding it")
    account.spot_excluded[asset.symbol] = command.excluded


def change_balance(venue: Venue, account: Account, symbol: str, change: Decimal) -> None:
    """Credit a spot balance, or debit it if the change is negative, and record the change."""
    balance = account.spot.get(symbol, ZERO) + change
    account.spot[symbol] = balance
    cause: BalanceCause = "deposit" if change > 0 else "withdrawal"
    venue.record_balance(account, symbol, change, balance, cause)


def _check_balance(venue: Venue, account: Account, asset: SpotAsset, amount: Decimal) -> None:
    held = account.spot.get(asset.symbol, ZERO)
    if amount > held:
        raise InsufficientBalance(
            f"Insufficient balance: {shortest(amount)} {asset.symbol} asked for, "
            f"the account holds {shortest(held)} {asset.symbol}",
            9,
            f"Over withdrawal: balance {shortest(held)} amount {shortest(amount)}",
        )
    _require_dispensable(venue, account, asset, amount, "withdrawing it")


def _require_dispensable(
    venue: Venue, account: Account, asset: SpotAsset, amount: Decimal, doing: str
) -> None:
    """Refuse to take away collateral that the account's margins need."""
    if account.spot_excluded.get(asset.symbol):
        return
    value = margin.collateral_value(venue, asset.symbol, amount)
    free = margin.free_funds(venue, account)
    if value and value > free:
        raise InsufficientBalance(
            f"Insufficient balance: {asset.symbol} is collateral and {doing} would leave margins "
            f"uncovered: it counts {margin.usdc_up(value)} USDC, of which {margin.usdc_down(free)} "
            "USDC are free; deposit USDC, or close orders or positions first",
            5,
            margin.observed_shortage(venue, account, asset.symbol, value),
        )


def _receipt(venue: Venue, account: Account, asset: SpotAsset, amount: Decimal) -> Withdrawal:
    nonce = venue.state.next_batch_nonce
    venue.state.next_batch_nonce += 1
    chance = seeded_bytes(venue.state.seed, "transaction", account.address, nonce)
    return Withdrawal(
        batch_nonce=nonce,
        account=account.address,
        symbol=asset.symbol,
        amount=amount,
        fee=asset.withdrawal_fee,
        transaction_id=to_base58(chance),
        created_at=venue.now,
    )
