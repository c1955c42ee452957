"""Accounts, subaccounts, agents, deposits, transfers and settings."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import STRANGERS, Desk, fields, opening, tokens
from trading_sandbox.engine.commands import BindAgent, Deposit, OpenVault, SetMargin, Transfer


def deposit(account: str, usdc: str = "0", **spot: str) -> Deposit:
    return Deposit(account=account, usdc=Decimal(usdc), spot=tokens(spot))


def transfer(sender: str, receiver: str, amount: str) -> Transfer:
    return Transfer(account=sender, to_account=receiver, amount=Decimal(amount))


def setting(leverage: int | None, isolated: bool = False, **more: Any) -> SetMargin:
    given = {"account": "alice", "symbol": "BTC", **more}
    return SetMargin(isolated=isolated, leverage=leverage, **given)


def with_subaccount() -> Desk:
    desk = Desk()
    desk.open("alice-1", main="alice")
    return desk


# -- opening and depositing ----------------------------------------------------------------------


@pytest.mark.parametrize("usdc", ["-1", "sNaN", "1E+12", "1E-21"])
def test_a_deposit_that_is_no_sane_amount_is_refused(desk: Desk, usdc: str) -> None:
    for command in (opening("dave", usdc), deposit("alice", usdc)):
        desk.refuses(command, "Invalid deposit: ", "zero or more")
    for command in (opening("dave", SOL=usdc), deposit("alice", "1", SOL=usdc)):
        desk.refuses(command, "Invalid deposit of SOL: ", "zero or more")


def test_what_cannot_be_opened_or_deposited_is_refused() -> None:
    desk = with_subaccount()
    desk.run(OpenVault(vault="lake", creator="alice", managed=True))
    desk.refuses(opening("alice"), "Account alice exists already")
    desk.refuses(opening("maker"), "Account maker exists already")
    desk.refuses(opening("lake"), "Vault lake exists already")
    desk.refuses(opening("dave", DOGE="1"), "Unknown spot asset 'DOGE'", "BTC, ETH, SOL")
    desk.refuses(deposit("alice", USDC="1"), "Unknown spot asset 'USDC'")
    desk.refuses(deposit("alice", SOL="0.000000001"), "Invalid deposit of SOL", "0.00000001")
    desk.refuses(deposit("alice", SOL="0"), "Invalid deposit", "above zero")
    for address, words in STRANGERS:
        desk.refuses(deposit(address, "1"), words)
        desk.refuses(opening("x", main=address), words)
    desk.refuses(opening("x", main="x"), "Account not found: x")
    desk.refuses(opening("x", main="alice-1"), "alice-1 is a subaccount of alice")


def test_an_agent_is_bound_once_to_each_of_several_accounts(desk: Desk) -> None:
    for account, agent in (
        ("alice", "agent"),
        ("bob", "agent"),
        ("alice", "other"),
        ("alice", "agent"),
    ):
        desk.run(BindAgent(account=account, agent=agent))
    assert [desk.account(name).agents for name in ("alice", "bob")] == [
        ["agent", "other"],
        ["agent"],
    ]
    for account, agent, words in (
        ("alice", "alice", "alice is the account itself"),
        *((address, "agent", words) for address, words in STRANGERS),
    ):
        desk.refuses(BindAgent(account=account, agent=agent), words)


# -- transfers -----------------------------------------------------------------------------------


def test_usdc_moves_between_a_main_account_and_its_subaccount_and_nowhere_else() -> None:
    desk = with_subaccount()
    desk.run(transfer("alice", "alice-1", "10000"))
    desk.run(transfer("alice-1", "alice", "0.000001"))
    assert [desk.balance(name) for name in ("alice", "alice-1")] == [
        Decimal("0.000001"),
        Decimal("9999.999999"),
    ]
    desk.open("alice-2", "5", main="alice")
    desk.open("bob-1", "5", main="bob")
    for sender, receiver in (
        *(("alice", "bob"), ("alice", "alice"), ("alice-2", "alice-1"), ("alice", "bob-1")),
        ("alice-1", "bob"),
    ):
        words = f"{receiver} is neither the main account nor a subaccount of {sender}"
        desk.refuses(transfer(sender, receiver, "0.000001"), "Invalid to_account", words)
    for address, words in STRANGERS:
        desk.refuses(transfer("alice", address, "1"), words)
        desk.refuses(transfer(address, "alice", "1"), words)


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        *((amount, "above zero") for amount in ("0", "NaN", "1E+12")),
        ("1.0000001", "Invalid amount: 1.0000001 USDC has more than 6 decimals"),
    ],
)
def test_a_transfer_is_of_an_amount_above_zero_of_six_decimals(amount: str, words: str) -> None:
    with_subaccount().refuses(transfer("alice", "alice-1", amount), "Invalid amount", words)


def at_most(desk: Desk, amount: str) -> None:
    """Let this be all that can leave alice's account."""
    too_much = str(Decimal(amount) + Decimal("0.000001"))
    words = (f"{too_much} USDC asked for", f"{amount} USDC can leave account alice")
    desk.refuses(transfer("alice", "alice-1", too_much), "Insufficient balance", *words)


def test_what_positions_and_orders_need_cannot_be_sent() -> None:
    desk = with_subaccount()
    at_most(desk, "10000")
    order = desk.limit("alice", "bid", "50000", "1")
    at_most(desk, "9000")
    desk.cancel("alice", order_id=order.order_id)
    desk.trade("alice", "bob", "100000", "1")
    # 10000 less a fee of 40 and an initial margin of 2000; less a loss; a profit pays the margin.
    for mark, left in (("100000", "7960"), ("99000", "6960"), ("105000", "9960")):
        desk.mark(mark)
        at_most(desk, left)
    # 10 SOL at 150 count 0.9: 1350 of the margin of 2000. Collateral is no cash.
    desk.mark("100000")
    for left in ("9310", "9960"):
        desk.deposit("alice", SOL="10")
        at_most(desk, left)
    desk.run(transfer("alice", "alice-1", "9960"))
    desk.refuses(transfer("alice", "alice-1", "0.000001"), "Insufficient balance")


# -- settings ------------------------------------------------------------------------------------


def test_a_margin_setting_is_kept_while_it_differs_from_the_default(desk: Desk) -> None:
    def kept() -> dict[str, str]:
        found = desk.account("alice").margin_settings
        return {symbol: fields(each, "leverage isolated") for symbol, each in found.items()}

    desk.run(setting(None))
    desk.run(setting(50))
    assert kept() == {}
    desk.run(setting(10))
    first = desk.now
    desk.run(setting(20, isolated=True), after=1000)
    assert kept() == {"BTC": "20 True"}
    times = fields(desk.account("alice").margin_settings["BTC"], "created_at updated_at")
    assert times == f"{first} {first + 1000}"
    desk.run(setting(10, symbol="ETH"))
    desk.run(setting(None))
    assert kept() == {"ETH": "10 False"}
    desk.run(setting(None, isolated=True))
    assert kept() == {"ETH": "10 False", "BTC": "50 True"}
    assert desk.account("alice").margin_settings["BTC"].created_at == desk.now
    desk.run(setting(50))
    assert kept() == {"ETH": "10 False"}


@pytest.mark.parametrize(
    ("command", "words"),
    [
        *(
            (setting(each), "leverage: it must be a number between 1 and 50")
            for each in (0, -5, 51)
        ),
        (setting(21, symbol="SOL"), "between 1 and 20, the maximum leverage of SOL, not 21"),
        (setting(5, symbol="DOGE"), "Unknown symbol 'DOGE'"),
        *((setting(5, account=address), words) for address, words in STRANGERS),
    ],
)
def test_a_margin_setting_that_cannot_be_is_refused(
    desk: Desk, command: SetMargin, words: str
) -> None:
    desk.refuses(command, words)


@pytest.mark.parametrize("isolated", [True, False])
def test_the_kind_of_margin_is_not_switched_under_a_position_or_orders(
    desk: Desk, isolated: bool
) -> None:
    desk.run(setting(50, isolated=not isolated))
    order = desk.limit("alice", "bid", "90000", "0.01")
    desk.refuses(setting(50, isolated=isolated), "Cannot switch", "open orders in BTC")
    desk.run(setting(50, isolated=isolated, symbol="ETH"))
    desk.cancel("alice", order_id=order.order_id)
    desk.trade("alice", "bob", "100000", "0.01")
    desk.refuses(setting(50, isolated=isolated), "Cannot switch", "a position in BTC")
    desk.run(setting(25, isolated=not isolated))
    desk.trade("bob", "alice", "100000", "0.01")
    desk.run(setting(25, isolated=isolated))
    assert desk.account("alice").is_isolated("BTC") is isolated


def too_dear(desk: Desk, leverage: int, isolated: bool = False) -> None:
    words = f"Insufficient balance: with leverage {leverage} the margin of BTC"
    desk.refuses(setting(leverage, isolated), words)


def test_a_leverage_covers_open_orders_and_may_always_rise_while_a_cross_margin_lacks(
    desk: Desk,
) -> None:
    order = desk.limit("alice", "bid", "50000", "1")
    too_dear(desk, 4)
    desk.run(setting(5))
    desk.cancel("alice", order_id=order.order_id)
    desk.run(setting(11))
    desk.trade("alice", "bob", "100000", "1")
    # Equity 6960 is under the initial margin of 9091, but not under the maintenance margin.
    desk.mark("97000")
    too_dear(desk, 10)
    desk.run(setting(12))
    desk.run(setting(50))


def test_a_higher_leverage_does_not_take_the_margin_that_an_isolated_loss_needs(desk: Desk) -> None:
    desk.run(setting(20, isolated=True))
    desk.trade("alice", "bob", "100000", "1")
    # A loss of 2000 of the margin of 5000: with leverage 25 exactly enough is left.
    desk.mark("98000")
    too_dear(desk, 26, isolated=True)
    desk.run(setting(25, isolated=True))
