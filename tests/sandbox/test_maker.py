"""The background maker: there is always somebody to trade with, around the mark price."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import pytest

from tests.sandbox.desk import Desk, money_of, shown
from trading_sandbox.engine.commands import SetMaker, SetMarkPrice
from trading_sandbox.engine.records import Order
from trading_sandbox.engine.state import BACKSTOP, FUNDS, MAKER

SECOND = 1000


@pytest.fixture
def desk() -> Desk:
    return Desk("100000", maker_on=True)


def quotes(desk: Desk, symbol: str = "BTC") -> dict[str, list[Order]]:
    book = desk.exchange.venue.books[symbol]
    return {side: list(book.orders(side)) for side in ("bid", "ask")}


def touch(desk: Desk, symbol: str = "BTC") -> list[Decimal | None]:
    """The best bid and the best ask."""
    book = desk.exchange.venue.books[symbol]
    return [book.best_price("bid"), book.best_price("ask")]


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


def test_a_price_that_is_none_is_refused_and_pins_nothing(desk: Desk) -> None:
    for price in ("0", "-1", "0.000000000000000000001", "NaN", "1e15"):
        desk.refuses(partial(desk.mark, price), "Invalid price")
    desk.refuses(lambda: desk.mark("1", "DOGE"), "Unknown symbol")
    assert not desk.exchange.state.markets["BTC"].pinned


def test_a_price_that_is_no_longer_set_follows_its_path_again(desk: Desk) -> None:
    undisturbed = Desk("100000", maker_on=True)
    desk.mark("90000")
    desk.advance(60 * SECOND)
    undisturbed.advance(60 * SECOND + 1)
    assert desk.exchange.state.markets["BTC"].mark_price == 90_000

    desk.run(SetMarkPrice(symbol="BTC", price=None), after=SECOND)
    undisturbed.advance(SECOND)

    found = desk.exchange.state.markets["BTC"].mark_price
    assert abs(found - undisturbed.exchange.state.markets["BTC"].mark_price) < 30
    assert desk.exchange.venue.books["BTC"].mid_price() == found


# -- users ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "amount", "price"),
    # A large order takes level after level.
    [("bid", "0.01", 100010), ("ask", "0.01", 99990), ("bid", "2.5", 100030)],
)
def test_a_market_order_fills_near_the_mark_price_and_is_quoted_again(
    desk: Desk, side: str, amount: str, price: int
) -> None:
    order = desk.market("alice", side, amount)
    assert [order.status, order.average_price] == ["filled", price]
    assert {trade.event_type for trade in desk.trades} == {"fulfill_taker"}
    assert (touch(desk)[1] is None) == (amount == "2.5")
    desk.advance(SECOND)
    found = quotes(desk)
    assert [order.filled for order in found["ask"]] == [Decimal(0)] * 5
    assert len(found["bid"]) == 5


@pytest.mark.parametrize(
    ("side", "price", "mark"), [("bid", "99500", "99499"), ("ask", "100500", "100500")]
)
def test_a_resting_order_is_filled_when_the_price_reaches_it(
    desk: Desk, side: str, price: str, mark: str
) -> None:
    order = desk.limit("alice", side, price, "0.01")
    assert shown(order) == "open 0"
    desk.mark(mark)
    assert (shown(order), order.average_price) == ("filled 0.01", Decimal(price))
    assert [trade.event_type for trade in desk.trades] == ["fulfill_maker"]


# -- the house -----------------------------------------------------------------------------------


def test_the_house_leaves_no_records_pays_no_fees_and_keeps_all_money(desk: Desk) -> None:
    before = money_of(desk.exchange.state)
    desk.market("alice", "bid", "0.01")
    desk.advance(60 * SECOND)
    assert desk.balance(MAKER) == FUNDS
    for _ in range(5):
        desk.market("alice", "bid", "0.02")
        desk.market("alice", "ask", "0.01")
        desk.advance(61 * SECOND)
    assert {order.account for order in desk.orders.values()} == {"alice"}
    assert {trade.account for trade in desk.trades} == {"alice"}
    assert money_of(desk.exchange.state) == before


def test_the_maker_is_not_liquidated_however_much_it_lost(desk: Desk) -> None:
    desk.deposit("alice", str(10**11))
    desk.limit("alice", "bid", "99000", "40000")
    desk.mark("98000")
    desk.mark("200000")
    desk.advance(SECOND)
    sizes = [desk.size(name) for name in ("alice", MAKER, BACKSTOP)]
    assert sizes == [40000, -40000, 0]


def test_the_maker_leaves_when_it_is_turned_off_and_quotes_at_once_when_on(desk: Desk) -> None:
    order = desk.limit("alice", "bid", "99000", "0.01")
    desk.run(SetMaker(on=False))
    desk.advance(60 * SECOND)
    desk.mark("98000")
    assert quotes(desk) == {"bid": [order], "ask": []}
    assert quotes(desk, "ETH") == {"bid": [], "ask": []}
    assert not desk.account(MAKER).open_orders
    assert desk.exchange.state.markets["BTC"].mark_price == 98000
    desk.run(SetMaker(on=True))
    assert desk.market("alice", "bid", "0.01").status == "filled"
