"""Margins (field note 22): cross and isolated, leverage, open orders, collateral."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest

from tests.sandbox.desk import Desk
from trading_sandbox.engine import margin
from trading_sandbox.engine.commands import SetSpotExcluded
from trading_sandbox.engine.money import exact_arithmetic


@pytest.fixture(autouse=True)
def _exactly() -> Iterator[None]:
    with exact_arithmetic():
        yield


def holder(usdc: str = "0", **spot: str) -> Desk:
    """Return a desk on which `holder` has spot assets."""
    desk = Desk(usdc="100000")
    desk.open("holder", usdc, **spot)
    return desk


def free(desk: Desk, name: str = "alice") -> Decimal:
    return margin.free_funds(desk.exchange.venue, desk.account(name))


def equity(desk: Desk) -> Decimal:
    return margin.cross_equity(desk.exchange.venue, desk.account("alice"))


def isolated_equity(desk: Desk, symbol: str = "BTC") -> Decimal:
    return margin.isolated_equity(desk.exchange.venue, desk.account("alice"), symbol)


# -- positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("leverage", "initial"), [(None, 6000), (50, 6000), (10, 30000), (1, 300000)]
)
def test_the_initial_margin_is_size_times_entry_price_by_leverage(
    leverage: int | None, initial: int
) -> None:
    desk = Desk(usdc="500000")
    desk.margin(leverage)
    desk.trade("alice", "bob", "100000", "3")
    desk.mark("120000")  # the entry price counts, not the mark price
    account = desk.account("alice")
    assert margin.position_margin(account, "BTC") == initial
    assert margin.maintenance_margin(account, "BTC") == Decimal(initial) / 2


def test_an_isolated_position_has_its_initial_margin_and_its_own_profit() -> None:
    desk = Desk(usdc="20000")
    desk.margin(10, isolated=True)
    desk.trade("alice", "bob", "100000", "1")
    desk.mark("101000")
    assert isolated_equity(desk) == 11000
    desk.mark("96000")
    assert isolated_equity(desk) == 6000
    # The others have what is left, whatever becomes of it.
    assert equity(desk) == free(desk) == desk.balance("alice") - 10000
    assert margin.cross_maintenance(desk.account("alice")) == 0
    # What the account no longer has, as after funding, is missing from the isolated position.
    desk.mark("100000")
    desk.account("alice").balance = Decimal(9000)
    assert isolated_equity(desk) == 9000


# -- the price at which all is lost --------------------------------------------------------------


@pytest.mark.parametrize(
    ("buyer", "seller", "leverage", "isolated", "amount", "price"),
    [
        ("alice", "bob", 50, False, "1", 90040),  # 10,000 less the fee of 40
        ("bob", "alice", 50, False, "1", 109985),
        ("alice", "bob", 20, True, "1", 95000),
        ("bob", "alice", 20, True, "1", 105000),
        ("alice", "bob", 30, True, "1", 96667),  # 96,666 2/3: rounded in favour of the account
        ("bob", "alice", 30, True, "1", 103333),
        ("alice", "bob", 50, False, "0.01", 1),  # even a price of zero leaves something
    ],
)
def test_the_bankruptcy_price_leaves_nothing(
    desk: Desk, buyer: str, seller: str, leverage: int, isolated: bool, amount: str, price: int
) -> None:
    desk.margin(leverage, isolated)
    desk.trade(buyer, seller, "100000", amount)
    account, venue = desk.account("alice"), desk.exchange.venue
    assert margin.bankruptcy_price(venue, account, "BTC") == price


# -- open orders ---------------------------------------------------------------------------------


def test_open_orders_reserve_the_margin_of_the_dearer_side(desk: Desk) -> None:
    desk.limit("alice", "bid", "90000", "1")
    assert free(desk) == 10000 - 1800
    desk.limit("alice", "ask", "110000", "1")
    assert free(desk) == 10000 - 2200


def test_what_would_close_a_position_and_reduce_only_orders_reserve_nothing(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "1")
    before = free(desk)
    desk.limit("alice", "ask", "110000", "1")
    desk.limit("alice", "ask", "110000", "5", reduce_only=True)
    assert free(desk) == before
    desk.limit("alice", "ask", "110000", "0.5")
    assert free(desk) == before - 1100


# -- collateral, and what may leave --------------------------------------------------------------


def test_spot_assets_that_are_not_excluded_count_nine_tenths_of_their_value() -> None:
    desk = holder("500", BTC="0.1", SOL="10")
    account, venue = desk.account("holder"), desk.exchange.venue
    assert margin.collateral(venue, account) == 9000 + 1350
    desk.mark("200", "SOL")
    assert margin.funds(venue, account) == 500 + 9000 + 1800
    for excluded, counted in ((True, 1800), (False, 9000 + 1800)):
        desk.run(SetSpotExcluded(account="holder", symbol="BTC", excluded=excluded))
        assert margin.collateral(venue, account) == counted
