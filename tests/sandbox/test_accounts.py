"""Accounts, subaccounts, agents, deposits, transfers and settings."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sandbox.desk import Desk
from tests.sandbox.refused import refused
from trading_sandbox.engine.commands import SetAutoLend, Transfer
from trading_sandbox.engine.control_commands import (
    BindAgent,
    Deposit,
    OpenAccount,
    OpenVault,
    SetMargin,
)
from trading_sandbox.engine.records import BalanceEvent, InsufficientBalance, Refused

HOUSE = ("maker", "backstop")


def opening(account: str, usdc: str = "0", main: str | None = None, **spot: str) -> OpenAccount:
    tokens = {symbol: Decimal(amount) for symbol, amount in spot.items()}
    return OpenAccount(account=account, usdc=Decimal(usdc), spot=tokens, main=main)


def deposit(account: str, usdc: str = "0", **spot: str) -> Deposit:
    tokens = {symbol: Decimal(amount) for symbol, amount in spot.items()}
    return Deposit(account=account, usdc=Decimal(usdc), spot=tokens)


def transfer(sender: str, receiver: str, amount: str) -> Transfer:
    return Transfer(account=sender, to_account=receiver, amount=Decimal(amount))


def setting(leverage: int | None, isolated: bool = False, **more: Any) -> SetMargin:
    fields = {"account": "alice", "symbol": "BTC", **more}
    return SetMargin(isolated=isolated, leverage=leverage, **fields)


def events(desk: Desk) -> list[BalanceEvent]:
    return desk.exchange.venue.changes.balance_events


def with_subaccount() -> Desk:
    desk = Desk()
    desk.run(opening("alice-1", main="alice"))
    return desk


def with_position(amount: str = "1") -> Desk:
    """Alice, who has a subaccount, is long at 100000 and paid 0.04 % for it."""
    desk = with_subaccount()
    desk.limit("bob", "ask", "100000", amount)
    desk.limit("alice", "bid", "100000", amount, tif="IOC")
    return desk


# -- opening and depositing ----------------------------------------------------------------------


def test_a_new_account_holds_its_deposits() -> None:
    desk = Desk()
    desk.run(opening("dave", "123.45", SOL="5", BTC="0.00000001"))
    account = desk.account("dave")
    assert (account.balance, account.created_at) == (Decimal("123.45"), desk.now)
    assert account.spot == {"BTC": Decimal("0.00000001"), "SOL": Decimal(5)}
    assert (account.main, account.is_house_account) == (None, False)


def test_every_spot_deposit_above_zero_is_an_event() -> None:
    desk = Desk()
    desk.run(opening("dave", SOL="5", ETH="0"))
    [event] = events(desk)
    assert (event.account, event.symbol, event.event_type) == ("dave", "SOL", "deposit")
    assert (event.amount, event.balance, event.created_at) == (Decimal(5), Decimal(5), desk.now)
    desk.run(deposit("dave", SOL="1.5", BTC="2"))
    bitcoin, solana = events(desk)
    assert (bitcoin.symbol, solana.symbol) == ("BTC", "SOL")
    assert (solana.amount, solana.balance) == (Decimal("1.5"), Decimal("6.5"))
    assert event.event_id < bitcoin.event_id < solana.event_id


def test_a_deposit_of_usdc_is_no_spot_event() -> None:
    desk = Desk()
    desk.run(deposit("alice", "0.5"))
    assert desk.account("alice").balance == Decimal("10000.5")
    assert events(desk) == []


def test_opening_accounts_moves_on_to_the_next_address_of_the_seed() -> None:
    desk = Desk()
    before = desk.exchange.state.next_key
    desk.run(opening("dave"))
    desk.run(opening("dave-1", main="dave"))
    assert desk.exchange.state.next_key == before + 2


def test_an_address_is_taken_only_once() -> None:
    desk = Desk()
    desk.run(OpenVault(vault="lake", creator="alice", managed=True))
    refused(desk, opening("alice"), "Account alice exists already")
    refused(desk, opening("maker"), "exists already")
    refused(desk, opening("lake"), "Vault lake exists already")


@pytest.mark.parametrize("usdc", ["-1", "NaN", "sNaN", "Infinity", "1E+12", "1E-21"])
def test_a_deposit_that_is_no_sane_amount_is_refused(usdc: str) -> None:
    desk = Desk()
    refused(desk, opening("dave", usdc), "Invalid deposit", "zero or more")
    refused(desk, deposit("alice", usdc), "Invalid deposit", "zero or more")
    refused(desk, opening("dave", SOL=usdc), "Invalid deposit of SOL", "zero or more")
    refused(desk, deposit("alice", "1", SOL=usdc), "Invalid deposit of SOL", "zero or more")


def test_a_spot_deposit_of_an_unknown_asset_or_too_fine_an_amount_is_refused() -> None:
    desk = Desk()
    refused(desk, opening("dave", DOGE="1"), "Unknown spot asset 'DOGE'", "BTC, ETH, SOL")
    refused(desk, deposit("alice", USDC="1"), "Unknown spot asset 'USDC'")
    refused(desk, deposit("alice", SOL="0.000000001"), "Invalid deposit of SOL", "0.00000001")


def test_a_deposit_of_nothing_is_refused_but_an_account_may_open_empty() -> None:
    desk = Desk()
    refused(desk, deposit("alice", SOL="0"), "Invalid deposit", "above zero")
    desk.run(opening("dave"))
    assert desk.account("dave").balance == 0


def test_only_accounts_that_exist_and_are_no_house_accounts_get_deposits() -> None:
    desk = Desk()
    refused(desk, deposit("nobody", "1"), "Account not found: nobody")
    for address in HOUSE:
        refused(desk, deposit(address, "1"), f"Account {address} belongs to the exchange")


def test_a_subaccount_knows_its_main_account_and_its_choice_of_price() -> None:
    desk = Desk()
    desk.run(
        OpenAccount(account="alice-1", usdc=Decimal(5), main="alice", use_ltp_for_stop_orders=True)
    )
    account = desk.account("alice-1")
    assert (account.main, account.balance) == ("alice", Decimal(5))
    assert account.use_ltp_for_stop_orders


def test_only_a_main_account_has_subaccounts() -> None:
    desk = with_subaccount()
    refused(desk, opening("x", main="nobody"), "Account not found: nobody")
    refused(desk, opening("x", main="x"), "Account not found: x")
    refused(desk, opening("x", main="alice-1"), "alice-1 is a subaccount of alice")
    for address in HOUSE:
        refused(desk, opening("x", main=address), f"Account {address} belongs to the exchange")


# -- agents --------------------------------------------------------------------------------------


def test_an_agent_may_serve_several_accounts_and_an_account_have_several_agents() -> None:
    desk = Desk()
    for account, agent in (("alice", "agent"), ("bob", "agent"), ("alice", "other")):
        desk.run(BindAgent(account=account, agent=agent))
    assert desk.account("alice").agents == ["agent", "other"]
    assert desk.account("bob").agents == ["agent"]


def test_an_agent_is_bound_once_and_is_not_the_account_itself() -> None:
    desk = Desk()
    desk.run(BindAgent(account="alice", agent="agent"))
    refused(desk, BindAgent(account="alice", agent="agent"), "Agent agent is bound", "already")
    refused(desk, BindAgent(account="alice", agent="alice"), "alice is the account itself")
    refused(desk, BindAgent(account="nobody", agent="agent"), "Account not found: nobody")
    refused(desk, BindAgent(account="maker", agent="agent"), "belongs to the exchange")


# -- transfers -----------------------------------------------------------------------------------


def test_usdc_moves_between_a_main_account_and_its_subaccount_both_ways() -> None:
    desk = with_subaccount()
    desk.run(transfer("alice", "alice-1", "10000"))
    assert desk.account("alice").balance == 0
    assert desk.account("alice-1").balance == 10000
    desk.run(transfer("alice-1", "alice", "0.000001"))
    assert desk.account("alice").balance == Decimal("0.000001")
    assert desk.account("alice-1").balance == Decimal("9999.999999")


def test_usdc_moves_nowhere_else() -> None:
    desk = with_subaccount()
    desk.run(opening("alice-2", "5", main="alice"))
    desk.run(opening("bob-1", "5", main="bob"))
    pairs = (("alice", "bob"), ("alice", "alice"), ("alice-2", "alice-1"), ("alice", "bob-1"))
    for sender, receiver in (*pairs, ("alice-1", "bob")):
        words = f"{receiver} is neither the main account nor a subaccount of {sender}"
        refused(desk, transfer(sender, receiver, "1"), "Invalid to_account", words)
    refused(desk, transfer("alice", "nobody", "1"), "Account not found: nobody")
    refused(desk, transfer("nobody", "alice", "1"), "Account not found: nobody")
    for address in HOUSE:
        refused(desk, transfer("alice", address, "1"), "belongs to the exchange")
        refused(desk, transfer(address, "alice", "1"), "belongs to the exchange")


@pytest.mark.parametrize("amount", ["0", "-1", "NaN", "Infinity", "1E+12"])
def test_a_transfer_is_of_an_amount_above_zero(amount: str) -> None:
    refused(with_subaccount(), transfer("alice", "alice-1", amount), "Invalid amount", "above zero")


def test_a_transfer_has_at_most_six_decimals() -> None:
    command = transfer("alice", "alice-1", "1.0000001")
    refused(with_subaccount(), command, "Invalid amount: 1.0000001 USDC", "6 decimals")


def test_more_than_there_is_cannot_be_sent() -> None:
    desk = with_subaccount()
    words = ("10000.000001 USDC asked for", "10000 USDC can leave account alice")
    command = transfer("alice", "alice-1", "10000.000001")
    refused(desk, command, *words, error=InsufficientBalance)


def test_what_a_position_needs_cannot_be_sent() -> None:
    desk = with_position()
    # 10000 less a fee of 40 and an initial margin of 2000.
    refused(desk, transfer("alice", "alice-1", "7960.000001"), error=InsufficientBalance)
    desk.run(transfer("alice", "alice-1", "7960"))
    refused(desk, transfer("alice", "alice-1", "0.000001"), error=InsufficientBalance)


def test_what_open_orders_need_cannot_be_sent() -> None:
    desk = with_subaccount()
    desk.limit("alice", "bid", "50000", "1")
    refused(desk, transfer("alice", "alice-1", "9000.000001"), error=InsufficientBalance)
    desk.run(transfer("alice", "alice-1", "9000"))


def test_a_loss_lowers_what_can_be_sent_and_a_profit_pays_for_the_margin_only() -> None:
    desk = with_position()
    desk.mark("99000")
    refused(desk, transfer("alice", "alice-1", "6960.000001"), error=InsufficientBalance)
    desk.mark("105000")
    refused(desk, transfer("alice", "alice-1", "9960.000001"), error=InsufficientBalance)
    desk.run(transfer("alice", "alice-1", "9960"))


def test_spot_collateral_frees_cash_but_is_none() -> None:
    desk = with_position()
    desk.run(deposit("alice", SOL="10"))
    # 10 SOL at 150 count 0.9: 1350 of the margin of 2000.
    refused(desk, transfer("alice", "alice-1", "9310.000001"), error=InsufficientBalance)
    desk.run(deposit("alice", SOL="10"))
    refused(desk, transfer("alice", "alice-1", "9960.000001"), error=InsufficientBalance)
    desk.run(transfer("alice", "alice-1", "9960"))


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(
            st.permutations(("alice", "alice-1", "alice-2", "bob")),
            st.integers(-1, 12_000_000_000),
        ),
        max_size=12,
    )
)
def test_transfers_to_and_fro_keep_every_cent_and_leave_no_debt(
    attempts: list[tuple[list[str], int]],
) -> None:
    desk = with_subaccount()
    desk.run(opening("alice-2", "5000", main="alice"))
    names = ("alice", "alice-1", "alice-2", "bob", "carol")
    total = sum(desk.account(name).balance for name in names)
    for (sender, receiver, *_), millionths in attempts:
        before = {name: desk.account(name).balance for name in names}
        amount = Decimal(millionths).scaleb(-6)
        family = {sender, receiver} in ({"alice", "alice-1"}, {"alice", "alice-2"})
        command = Transfer(account=sender, to_account=receiver, amount=amount)
        if family and 0 < amount <= before[sender]:
            desk.run(command)
            assert desk.account(sender).balance == before[sender] - amount
        else:
            short = family and amount > 0
            refused(desk, command, error=InsufficientBalance if short else Refused)
    assert sum(desk.account(name).balance for name in names) == total
    assert all(desk.account(name).balance >= 0 for name in names)


# -- settings ------------------------------------------------------------------------------------


@pytest.mark.parametrize("disabled", [True, False, None])
def test_auto_lending_is_disabled_enabled_or_left_to_the_default(disabled: bool | None) -> None:
    desk = Desk()
    assert desk.account("alice").auto_lend_disabled is None
    desk.run(SetAutoLend(account="alice", disabled=not disabled))
    desk.run(SetAutoLend(account="alice", disabled=disabled))
    assert desk.account("alice").auto_lend_disabled is disabled
    refused(desk, SetAutoLend(account="maker", disabled=disabled), "belongs to the exchange")
    refused(desk, SetAutoLend(account="nobody", disabled=disabled), "Account not found")


def test_a_margin_setting_begins_with_the_first_move_away_from_the_default() -> None:
    desk = Desk()
    desk.run(setting(None))
    desk.run(setting(50))
    assert desk.account("alice").margin_settings == {}
    desk.run(setting(10))
    first = desk.now
    desk.run(setting(20, isolated=True), after=1000)
    [(symbol, kept)] = desk.account("alice").margin_settings.items()
    assert (symbol, kept.leverage, kept.isolated) == ("BTC", 20, True)
    assert (kept.created_at, kept.updated_at) == (first, first + 1000)


def test_moving_back_to_the_default_ends_a_margin_setting() -> None:
    desk = Desk()
    desk.run(setting(10))
    desk.run(setting(10, symbol="ETH"))
    desk.run(setting(None))
    assert list(desk.account("alice").margin_settings) == ["ETH"]
    desk.run(setting(None, isolated=True))
    again = desk.account("alice").margin_settings["BTC"]
    assert (again.leverage, again.isolated, again.created_at) == (50, True, desk.now)
    desk.run(setting(50))
    assert list(desk.account("alice").margin_settings) == ["ETH"]


@pytest.mark.parametrize(
    ("symbol", "leverage"), [("BTC", 0), ("BTC", -5), ("BTC", 51), ("SOL", 21)]
)
def test_a_leverage_that_the_market_does_not_offer_is_refused(symbol: str, leverage: int) -> None:
    maximum = "20" if symbol == "SOL" else "50"
    command = setting(leverage, symbol=symbol)
    refused(Desk(), command, "Invalid leverage", f"between 1 and {maximum}", symbol)


def test_the_margin_of_an_unknown_market_or_account_is_refused() -> None:
    desk = Desk()
    refused(desk, setting(5, symbol="DOGE"), "Unknown symbol 'DOGE'")
    refused(desk, setting(5, account="nobody"), "Account not found: nobody")
    refused(desk, setting(5, account="maker"), "belongs to the exchange")


@pytest.mark.parametrize("isolated", [True, False])
def test_the_kind_of_margin_is_not_switched_under_a_position_or_orders(isolated: bool) -> None:
    desk = Desk()
    desk.run(setting(50, isolated=not isolated))
    order = desk.limit("alice", "bid", "90000", "0.01")
    refused(desk, setting(50, isolated=isolated), "Cannot switch", "open orders in BTC")
    desk.run(setting(50, isolated=isolated, symbol="ETH"))
    desk.cancel("alice", order_id=order.order_id)
    desk.limit("bob", "ask", "100000", "0.01")
    desk.limit("alice", "bid", "100000", "0.01")
    refused(desk, setting(50, isolated=isolated), "Cannot switch", "a position in BTC")
    desk.run(setting(25, isolated=not isolated))
    desk.limit("bob", "bid", "100000", "0.01")
    desk.limit("alice", "ask", "100000", "0.01")
    desk.run(setting(25, isolated=isolated))
    assert desk.account("alice").is_isolated("BTC") is isolated


@pytest.mark.parametrize("isolated", [True, False])
def test_a_leverage_that_the_account_cannot_pay_is_refused(isolated: bool) -> None:
    desk = Desk()
    desk.run(setting(50, isolated=isolated))
    desk.limit("bob", "ask", "100000", "1")
    desk.limit("alice", "bid", "100000", "1")
    # A tenth of 100000 is more than the 9960 that are left.
    command = setting(10, isolated=isolated)
    refused(desk, command, "Insufficient balance: with leverage 10", error=InsufficientBalance)
    desk.run(setting(11, isolated=isolated))
    assert desk.account("alice").leverage("BTC") == 11


def test_a_leverage_must_cover_the_open_orders_too() -> None:
    desk = Desk()
    desk.limit("alice", "bid", "50000", "1")
    refused(desk, setting(4), "Insufficient balance", error=InsufficientBalance)
    desk.run(setting(5))


def test_an_account_that_lacks_margin_may_still_take_up_less() -> None:
    desk = Desk()
    desk.run(setting(11))
    desk.limit("bob", "ask", "100000", "1")
    desk.limit("alice", "bid", "100000", "1")
    # Equity 6960 is under the initial margin of 9091, but not under the maintenance margin.
    desk.mark("97000")
    refused(desk, setting(10), error=InsufficientBalance)
    desk.run(setting(12))
    desk.run(setting(50))


def test_a_higher_leverage_does_not_take_the_margin_that_an_isolated_loss_needs() -> None:
    desk = Desk()
    desk.run(setting(20, isolated=True))
    desk.limit("bob", "ask", "100000", "1")
    desk.limit("alice", "bid", "100000", "1")
    # A loss of 2000 of the margin of 5000: with leverage 25 exactly enough is left.
    desk.mark("98000")
    refused(desk, setting(26, isolated=True), "leverage 26", error=InsufficientBalance)
    desk.run(setting(25, isolated=True))
