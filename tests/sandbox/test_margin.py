"""Margins (field note 22): cross and isolated, leverage, open orders, collateral."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest

from tests.sandbox.desk import Desk
from trading_sandbox.engine import margin
from trading_sandbox.engine.commands import SetSpotExcluded
from trading_sandbox.engine.control_commands import OpenAccount, SetMargin
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import InsufficientBalance


@pytest.fixture(autouse=True)
def _exactly() -> Iterator[None]:
    with exact_arithmetic():
        yield


def trade(
    desk: Desk, buyer: str, seller: str, price: str, amount: str, symbol: str = "BTC"
) -> None:
    desk.limit(seller, "ask", price, amount, symbol=symbol)
    desk.limit(buyer, "bid", price, amount, symbol=symbol, tif="IOC")


def setting(desk: Desk, leverage: int | None, isolated: bool = False, symbol: str = "BTC") -> None:
    desk.run(SetMargin(account="alice", symbol=symbol, isolated=isolated, leverage=leverage))


def holder(usdc: str = "0", **spot: str) -> Desk:
    """Return a desk on which alice holds spot assets."""
    desk = Desk(usdc="100000")
    tokens = {symbol: Decimal(amount) for symbol, amount in spot.items()}
    desk.run(OpenAccount(account="holder", usdc=Decimal(usdc), spot=tokens))
    return desk


# -- positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leverage", "initial"), [(None, 6000), (50, 6000), (10, 30000), (1, 300000)]
)
def test_the_initial_margin_is_size_times_entry_price_by_leverage(
    leverage: int | None, initial: int
) -> None:
    desk = Desk(usdc="500000")
    setting(desk, leverage)
    trade(desk, "alice", "bob", "100000", "3")
    desk.mark("120000")  # the entry price counts, not the mark price
    account = desk.account("alice")
    assert margin.position_margin(account, "BTC") == initial
    assert margin.maintenance_margin(account, "BTC") == Decimal(initial) / 2


def test_cross_positions_share_the_balance_and_each_others_profit() -> None:
    desk = Desk(usdc="10000")
    trade(desk, "alice", "bob", "100000", "1")
    trade(desk, "bob", "alice", "3500", "10", symbol="ETH")
    desk.mark("101000")
    desk.mark("3600", "ETH")
    account, venue = desk.account("alice"), desk.exchange.venue
    assert margin.cross_equity(venue, account) == account.balance + 1000 - 1000
    assert margin.cross_maintenance(account) == 1000 + 350
    assert margin.free_funds(venue, account) == account.balance - 2000 - 700


def test_an_isolated_position_has_its_initial_margin_and_its_own_profit() -> None:
    desk = Desk(usdc="20000")
    setting(desk, 10, isolated=True)
    trade(desk, "alice", "bob", "100000", "1")
    account, venue = desk.account("alice"), desk.exchange.venue
    desk.mark("101000")
    assert margin.isolated_equity(venue, account, "BTC") == 11000
    desk.mark("96000")
    assert margin.isolated_equity(venue, account, "BTC") == 6000
    # The others have what is left, whatever becomes of it.
    assert margin.cross_equity(venue, account) == account.balance - 10000
    assert margin.free_funds(venue, account) == account.balance - 10000
    assert margin.cross_maintenance(account) == 0


def test_the_profit_of_an_isolated_position_opens_nothing_else() -> None:
    desk = Desk(usdc="10100")
    setting(desk, 10, isolated=True)
    trade(desk, "alice", "bob", "100000", "1")
    desk.mark("150000")
    with pytest.raises(InsufficientBalance):
        desk.limit("alice", "bid", "150", "20", symbol="SOL")


def test_the_loss_of_a_cross_position_leaves_the_isolated_one_its_margin() -> None:
    desk = Desk(usdc="6000")
    setting(desk, 20, isolated=True, symbol="SOL")
    trade(desk, "alice", "bob", "150", "100", symbol="SOL")
    trade(desk, "alice", "bob", "100000", "1")
    desk.mark("97000")
    account, venue = desk.account("alice"), desk.exchange.venue
    assert margin.isolated_equity(venue, account, "SOL") == 750
    assert margin.cross_equity(venue, account) == account.balance - 3000 - 750


def test_a_margin_that_the_account_no_longer_has_is_missing_from_the_isolated_position() -> None:
    desk = Desk(usdc="10100")
    setting(desk, 10, isolated=True)
    trade(desk, "alice", "bob", "100000", "1")
    account = desk.account("alice")
    account.balance = Decimal(9000)  # as funding would
    assert margin.isolated_equity(desk.exchange.venue, account, "BTC") == 9000


# -- the price at which all is lost --------------------------------------------------------------


@pytest.mark.parametrize(
    ("buyer", "seller", "leverage", "isolated", "price"),
    [
        ("alice", "bob", 50, False, 90040),  # 10,000 less the fee of 40
        ("bob", "alice", 50, False, 109985),
        ("alice", "bob", 20, True, 95000),
        ("bob", "alice", 20, True, 105000),
        ("alice", "bob", 30, True, 96667),  # 96,666 2/3: rounded in favour of the account
        ("bob", "alice", 30, True, 103333),
    ],
)
def test_the_bankruptcy_price_leaves_nothing(
    buyer: str, seller: str, leverage: int, isolated: bool, price: int
) -> None:
    desk = Desk(usdc="10000")
    setting(desk, leverage, isolated)
    trade(desk, buyer, seller, "100000", "1")
    account, venue = desk.account("alice"), desk.exchange.venue
    assert margin.bankruptcy_price(venue, account, "BTC") == price


def test_it_does_not_depend_on_the_mark_price_of_its_own_market_but_on_those_of_others() -> None:
    desk = Desk(usdc="10000")
    trade(desk, "alice", "bob", "100000", "1")
    trade(desk, "alice", "bob", "3500", "10", symbol="ETH")
    account, venue = desk.account("alice"), desk.exchange.venue
    before = margin.bankruptcy_price(venue, account, "BTC")
    desk.mark("99000")
    assert margin.bankruptcy_price(venue, account, "BTC") == before
    desk.mark("3600", "ETH")
    assert margin.bankruptcy_price(venue, account, "BTC") == before - 1000


def test_it_is_one_tick_where_even_a_price_of_zero_leaves_something() -> None:
    desk = Desk(usdc="10000")
    trade(desk, "alice", "bob", "100000", "0.01")
    assert margin.bankruptcy_price(desk.exchange.venue, desk.account("alice"), "BTC") == 1


# -- open orders ---------------------------------------------------------------------------------


def test_open_orders_reserve_the_margin_of_the_dearer_side() -> None:
    desk = Desk(usdc="10000")
    desk.limit("alice", "bid", "90000", "1")
    desk.limit("alice", "ask", "110000", "1")
    account, venue = desk.account("alice"), desk.exchange.venue
    assert margin.free_funds(venue, account) == 10000 - 2200


def test_what_would_close_a_position_reserves_nothing() -> None:
    desk = Desk(usdc="10000")
    trade(desk, "alice", "bob", "100000", "1")
    account, venue = desk.account("alice"), desk.exchange.venue
    before = margin.free_funds(venue, account)
    desk.limit("alice", "ask", "110000", "1")
    assert margin.free_funds(venue, account) == before
    desk.limit("alice", "ask", "110000", "0.5")
    assert margin.free_funds(venue, account) == before - 1100


def test_reduce_only_orders_reserve_nothing() -> None:
    desk = Desk(usdc="10000")
    trade(desk, "alice", "bob", "100000", "1")
    before = margin.free_funds(desk.exchange.venue, desk.account("alice"))
    desk.limit("alice", "ask", "110000", "5", reduce_only=True)
    assert margin.free_funds(desk.exchange.venue, desk.account("alice")) == before


def test_open_orders_reserve_margin_by_the_leverage_of_their_market() -> None:
    desk = Desk(usdc="10000")
    setting(desk, 10)
    desk.limit("alice", "bid", "90000", "1")
    account, venue = desk.account("alice"), desk.exchange.venue
    assert margin.free_funds(venue, account) == 1000
    with pytest.raises(InsufficientBalance):
        desk.limit("alice", "bid", "90000", "0.2")
    assert desk.limit("alice", "bid", "3000", "1", symbol="ETH").status == "open"


def test_a_fill_turns_the_reserved_margin_into_that_of_the_position() -> None:
    desk = Desk(usdc="10000")
    desk.limit("alice", "bid", "100000", "1")
    account, venue = desk.account("alice"), desk.exchange.venue
    before = margin.free_funds(venue, account)
    desk.limit("bob", "ask", "100000", "0.4")
    fee = Decimal("0.4") * 100000 * Decimal("0.00015")
    assert margin.free_funds(venue, account) == before - fee


def test_a_partly_filled_order_that_an_edit_replaces_frees_what_it_still_reserved() -> None:
    desk = Desk(usdc="2060")
    old = desk.limit("alice", "bid", "100000", "1")
    desk.limit("bob", "ask", "100000", "0.5")
    with pytest.raises(InsufficientBalance):
        desk.edit("alice", "99999", "0.53", order_id=old.order_id)
    assert desk.edit("alice", "99999", "0.5", order_id=old.order_id).status == "open"


# -- collateral ----------------------------------------------------------------------------------


def test_spot_assets_count_nine_tenths_of_their_value() -> None:
    desk = holder("500", BTC="0.1", SOL="10")
    account, venue = desk.account("holder"), desk.exchange.venue
    assert margin.collateral(venue, account) == 9000 + 1350
    desk.mark("200", "SOL")
    assert margin.collateral(venue, account) == 9000 + 1800
    assert margin.funds(venue, account) == 500 + 9000 + 1800


def test_an_excluded_asset_is_no_collateral() -> None:
    desk = holder("500", BTC="0.1", SOL="10")
    account, venue = desk.account("holder"), desk.exchange.venue
    desk.run(SetSpotExcluded(account="holder", symbol="BTC", excluded=True))
    assert margin.collateral(venue, account) == 1350
    desk.run(SetSpotExcluded(account="holder", symbol="BTC", excluded=False))
    assert margin.collateral(venue, account) == 9000 + 1350


def test_collateral_opens_positions() -> None:
    desk = holder("0", BTC="0.1")
    assert desk.limit("holder", "bid", "100000", "4", tif="ALO").status == "open"
    with pytest.raises(InsufficientBalance):
        desk.limit("holder", "bid", "100000", "1", tif="ALO")


# -- what may leave ------------------------------------------------------------------------------


def test_only_cash_that_no_margin_needs_can_leave() -> None:
    desk = holder("1000", BTC="0.1")
    account, venue = desk.account("holder"), desk.exchange.venue
    assert margin.withdrawable(venue, account) == 1000  # collateral is no cash
    desk.limit("holder", "bid", "90000", "5")  # 9,000 of margin
    assert margin.withdrawable(venue, account) == 1000
    desk.limit("holder", "bid", "90000", "0.5")
    assert margin.withdrawable(venue, account) == 100
    desk.mark("98000")
    assert margin.withdrawable(venue, account) == 0


def test_a_loss_reduces_what_can_leave_and_a_profit_adds_no_cash() -> None:
    desk = Desk(usdc="10000")
    trade(desk, "alice", "bob", "100000", "1")
    account, venue = desk.account("alice"), desk.exchange.venue
    desk.mark("99000")
    assert margin.withdrawable(venue, account) == account.balance - 2000 - 1000
    desk.mark("150000")
    assert margin.withdrawable(venue, account) == account.balance


# -- the fee is part of it -----------------------------------------------------------------------


@pytest.mark.parametrize(("usdc", "placed"), [("2040", True), ("2039.99", False)])
def test_an_order_needs_its_margin_and_its_fee(usdc: str, placed: bool) -> None:
    desk = Desk(usdc=usdc)
    if placed:
        assert desk.limit("alice", "bid", "100000", "1").status == "open"
    else:
        with pytest.raises(InsufficientBalance):
            desk.limit("alice", "bid", "100000", "1")


def test_a_sale_below_the_best_bid_needs_the_margin_of_that_bid_a_bid_that_of_its_own_price() -> (
    None
):
    desk = Desk()
    desk.run(OpenAccount(account="rich", usdc=Decimal(10_000_000)))
    desk.limit("rich", "bid", "100000", "6")
    # 6 BTC at 100,000 need 12,000 USDC of margin; at the limit price it would be 6,000.
    with pytest.raises(InsufficientBalance, match="12000 USDC of initial margin"):
        desk.limit("alice", "ask", "50000", "6", tif="IOC")
    desk.limit("alice", "bid", "50000", "6")


def test_an_account_that_uses_all_its_funds_at_a_lower_leverage_is_not_liquidated() -> None:
    desk = Desk(usdc="50020")
    setting(desk, 2, isolated=True)
    trade(desk, "alice", "bob", "100000", "0.9996")
    assert desk.size("alice") == Decimal("0.9996")
    desk.mark("99999")
    assert desk.size("alice") == Decimal("0.9996")
