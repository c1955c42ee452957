"""The background maker: there is always somebody to trade with, around the mark price."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.sandbox.desk import Desk
from trading_sandbox.engine.book import Book
from trading_sandbox.engine.control_commands import (
    Advance,
    Deposit,
    OpenAccount,
    SetMaker,
    SetMarkPrice,
)
from trading_sandbox.engine.house_accounts import BACKSTOP, FUNDS, MAKER
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.records import Order, Refused
from trading_sandbox.engine.state import State

SECOND = 1000


@pytest.fixture
def desk() -> Desk:
    return Desk("100000", maker_on=True)


def book(desk: Desk, symbol: str = "BTC") -> Book:
    return desk.exchange.venue.books[symbol]


def quotes(desk: Desk, symbol: str = "BTC") -> dict[str, list[Order]]:
    return {side: list(book(desk, symbol).orders(side)) for side in ("bid", "ask")}


def worth(state: State) -> Decimal:
    """All the money there is: it never changes but by deposits."""
    accounts = state.accounts.values()
    costs = sum(position.cost for a in accounts for position in a.positions.values())
    return sum(a.balance for a in accounts) - costs + state.fees


# -- quotes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("symbol", "bids", "asks"),
    [
        ("BTC", "99990 99980 99970 99960 99950", "100010 100020 100030 100040 100050"),
        ("ETH", "3499.7 3499.4 3499.1 3498.8 3498.5", "3500.3 3500.6 3500.9 3501.2 3501.5"),
        ("SOL", "149.99 149.98 149.97 149.96 149.95", "150.01 150.02 150.03 150.04 150.05"),
    ],
)
def test_both_sides_of_a_new_market_are_quoted(
    desk: Desk, symbol: str, bids: str, asks: str
) -> None:
    found = quotes(desk, symbol)
    assert " ".join(str(order.price) for order in found["bid"]) == bids
    assert " ".join(str(order.price) for order in found["ask"]) == asks
    for order in found["bid"] + found["ask"]:
        assert Decimal(49_900) < order.amount * order.price < Decimal(50_100)


def test_quotes_that_are_as_wanted_are_left_alone(desk: Desk) -> None:
    desk.mark("98000")
    before = quotes(desk)
    desk.run(Advance(), after=5 * SECOND)
    assert [o.order_id for o in quotes(desk)["bid"]] == [o.order_id for o in before["bid"]]


def test_quotes_follow_a_price_that_is_set_at_once(desk: Desk) -> None:
    desk.mark("98000")
    assert book(desk).best_price("bid") == Decimal("97991")
    assert book(desk).best_price("ask") == Decimal("98009")


@pytest.mark.parametrize("price", ["0.01", "0.02", "999999999999"])
def test_any_price_can_be_quoted_around(desk: Desk, price: str) -> None:
    desk.mark(price, "SOL")
    bid, ask = book(desk, "SOL").best_price("bid"), book(desk, "SOL").best_price("ask")
    assert ask is not None
    assert ask > Decimal(price)
    assert bid is None or 0 < bid < Decimal(price)


@pytest.mark.parametrize("price", ["0", "-1", "0.5", "NaN", "1e15"])
def test_a_price_that_is_none_is_refused_and_pins_nothing(desk: Desk, price: str) -> None:
    with pytest.raises(Refused, match="Invalid price"):
        desk.run(SetMarkPrice(symbol="BTC", price=Decimal(price)))
    assert not desk.exchange.state.markets["BTC"].pinned


def test_a_price_that_is_no_longer_set_follows_its_path_again(desk: Desk) -> None:
    undisturbed = Desk("100000", maker_on=True)
    desk.mark("90000")
    desk.run(Advance(), after=60 * SECOND)
    undisturbed.run(Advance(), after=60 * SECOND + 1)
    assert desk.exchange.state.markets["BTC"].mark_price == 90_000

    desk.run(SetMarkPrice(symbol="BTC", price=None), after=SECOND)
    undisturbed.run(Advance(), after=SECOND)

    found = desk.exchange.state.markets["BTC"].mark_price
    assert abs(found - undisturbed.exchange.state.markets["BTC"].mark_price) < 30
    assert book(desk).mid_price() == found


def test_an_unknown_market_has_no_price_to_set(desk: Desk) -> None:
    with pytest.raises(Refused, match="Unknown symbol"):
        desk.run(SetMarkPrice(symbol="DOGE", price=Decimal(1)))


def test_no_book_is_ever_crossed(desk: Desk) -> None:
    desk.limit("alice", "bid", "99995", "0.5")
    desk.limit("bob", "ask", "100004", "0.5")
    for _ in range(300):
        desk.run(Advance(), after=SECOND)
        for symbol in MARKETS:
            bid, ask = book(desk, symbol).best_price("bid"), book(desk, symbol).best_price("ask")
            assert bid is not None
            assert ask is not None
            assert bid < desk.exchange.state.markets[symbol].mark_price < ask
            assert len(quotes(desk, symbol)["bid"]) >= 5


# -- users ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "price"), [("bid", "100010"), ("ask", "99990")])
def test_a_market_order_fills_at_once_near_the_mark_price(
    desk: Desk, side: str, price: str
) -> None:
    order = desk.market("alice", side, "0.01")
    assert order.status == "filled"
    assert order.average_price == Decimal(price)
    assert [trade.event_type for trade in desk.trades] == ["fulfill_taker"]


def test_a_large_market_order_takes_level_after_level(desk: Desk) -> None:
    order = desk.market("alice", "bid", "2.5")
    assert order.average_price == Decimal("100030")
    assert book(desk).best_price("ask") is None


def test_what_was_taken_is_quoted_again_a_second_later(desk: Desk) -> None:
    desk.market("alice", "bid", "2.3")
    desk.run(Advance(), after=SECOND)
    found = quotes(desk)
    assert [order.filled for order in found["ask"]] == [Decimal(0)] * 5
    assert len(found["bid"]) == 5


def test_a_resting_bid_is_filled_when_the_price_falls_below_it(desk: Desk) -> None:
    order = desk.limit("alice", "bid", "99500", "0.01")
    assert not order.filled
    desk.mark("99499")
    assert order.status == "filled"
    assert order.average_price == Decimal("99500")
    assert [trade.event_type for trade in desk.trades] == ["fulfill_maker"]


def test_a_resting_ask_is_filled_when_the_price_reaches_it(desk: Desk) -> None:
    order = desk.limit("alice", "ask", "100500", "0.01")
    desk.mark("100500")
    assert order.status == "filled"
    assert order.average_price == Decimal("100500")


def test_a_price_that_falls_through_large_orders_fills_them_whole(desk: Desk) -> None:
    desk.run(OpenAccount(account="whale", usdc=Decimal(100_000_000)))
    orders = [desk.limit("whale", "bid", price, "40") for price in ("99500", "99400", "90000")]
    desk.mark("95000")
    assert [order.status for order in orders] == ["filled", "filled", "open"]
    assert book(desk).best_price("ask") == Decimal("95009")
    assert book(desk).best_price("bid") == Decimal("94991")


def test_a_reduce_only_order_is_filled_no_further_than_there_is_to_close(desk: Desk) -> None:
    desk.market("alice", "bid", "0.5")
    first = desk.limit("alice", "ask", "100100", "0.4", reduce_only=True)
    second = desk.limit("alice", "ask", "100200", "0.4", reduce_only=True)
    desk.mark("101000")
    assert desk.size("alice") == 0
    assert (first.status, first.filled) == ("filled", Decimal("0.4"))
    assert (second.status, second.filled) == ("cancelled", Decimal("0.1"))


def test_an_order_is_filled_by_the_path_of_the_price_alone(desk: Desk) -> None:
    order = desk.limit("alice", "bid", "99990", "0.01", tif="ALO")
    desk.run(Advance(), after=24 * 3600 * SECOND)
    other = desk.limit("bob", "ask", str(book(desk).best_price("ask")), "0.01", tif="ALO")
    desk.run(Advance(), after=24 * 3600 * SECOND)
    assert "filled" in (order.status, other.status)


# -- the house -----------------------------------------------------------------------------------


def test_the_house_leaves_no_records_and_pays_no_fees(desk: Desk) -> None:
    desk.market("alice", "bid", "0.01")
    desk.run(Advance(), after=60 * SECOND)
    assert {order.account for order in desk.orders.values()} == {"alice"}
    assert {trade.account for trade in desk.trades} == {"alice"}
    assert desk.account(MAKER).balance == FUNDS


def test_the_maker_is_not_liquidated_however_much_it_lost(desk: Desk) -> None:
    desk.run(Deposit(account="alice", usdc=Decimal(10**11)))
    desk.limit("alice", "bid", "99000", "40000")
    desk.mark("98000")
    desk.mark("200000")
    desk.run(Advance(), after=SECOND)
    assert desk.size("alice") == Decimal(40000)
    assert desk.size(MAKER) == Decimal(-40000)
    assert desk.size(BACKSTOP) == 0


def test_money_is_conserved_while_the_market_moves(desk: Desk) -> None:
    before = worth(desk.exchange.state)
    for _ in range(10):
        desk.market("alice", "bid", "0.02")
        desk.market("bob", "ask", "0.01")
        desk.run(Advance(), after=61 * SECOND)
    assert worth(desk.exchange.state) == before


def test_the_maker_that_is_turned_off_leaves_only_what_others_placed(desk: Desk) -> None:
    order = desk.limit("alice", "bid", "99000", "0.01")
    desk.run(SetMaker(on=False))
    desk.run(Advance(), after=60 * SECOND)
    assert quotes(desk) == {"bid": [order], "ask": []}
    assert quotes(desk, "ETH") == {"bid": [], "ask": []}
    assert not desk.account(MAKER).open_orders


def test_the_maker_that_is_turned_on_quotes_at_once() -> None:
    desk = Desk()
    assert quotes(desk) == {"bid": [], "ask": []}
    desk.run(SetMaker(on=True))
    assert desk.market("alice", "bid", "0.01").status == "filled"


def test_a_price_may_be_set_without_a_maker() -> None:
    desk = Desk()
    desk.mark("98000")
    assert quotes(desk) == {"bid": [], "ask": []}
    assert desk.exchange.state.markets["BTC"].mark_price == Decimal(98000)
