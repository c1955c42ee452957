"""Liquidation (interface 2.2, field note 22): when, by whom, at which price, and at whose expense."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import Desk, money_of
from trading_sandbox.engine.commands import PlaceStop, SetPositionTpsl, StopLeg
from trading_sandbox.engine.control_commands import Liquidate, OpenAccount, SetMaker, SetMargin
from trading_sandbox.engine.house_accounts import BACKSTOP, FUNDS, MAKER
from trading_sandbox.engine.margin import cross_equity
from trading_sandbox.engine.money import exact_arithmetic, shortest
from trading_sandbox.engine.records import Order, Refused, Trade


def trade(
    desk: Desk, buyer: str, seller: str, price: str, amount: str, symbol: str = "BTC"
) -> None:
    """Let a buyer take what a seller offers."""
    desk.limit(seller, "ask", price, amount, symbol=symbol)
    desk.limit(buyer, "bid", price, amount, symbol=symbol, tif="IOC")


def long_at_50x(usdc: str = "2040") -> Desk:
    """Return a desk where alice is long 1 BTC at 100,000 with 2,000 USDC after the fee.

    Her maintenance margin is 1,000, so she is liquidated below 99,000 and bankrupt at 98,000.
    """
    desk = Desk(usdc=usdc)
    desk.run(OpenAccount(account="rich", usdc=Decimal(10_000_000)))
    trade(desk, "alice", "rich", "100000", "1")
    return desk


def short_at_50x() -> Desk:
    """Return a desk where alice is short 1 BTC: liquidated above 101,000, bankrupt at 102,000."""
    desk = Desk(usdc="2040")
    desk.run(OpenAccount(account="rich", usdc=Decimal(10_000_000)))
    desk.limit("rich", "bid", "100000", "1")
    desk.limit("alice", "ask", "100000", "1", tif="IOC")
    return desk


def isolate(desk: Desk, name: str, leverage: int | None, symbol: str = "BTC") -> None:
    desk.run(SetMargin(account=name, symbol=symbol, isolated=True, leverage=leverage))


def drain(desk: Desk, name: str, left: str) -> None:
    """Leave a house account with little; the other one gets the rest."""
    other = MAKER if name == BACKSTOP else BACKSTOP
    taken = desk.account(name).balance - Decimal(left)
    desk.account(name).balance -= taken
    desk.account(other).balance += taken


def liquidate(desk: Desk, name: str, cause: Any, symbol: str | None = "BTC") -> None:
    desk.run(Liquidate(account=name, symbol=symbol, cause=cause))


def last(trades: list[Trade], count: int) -> list[tuple[str, str, str, str]]:
    """Return cause, side, amount and price of the latest trades."""
    return [(t.cause, t.side, shortest(t.amount), shortest(t.price)) for t in trades[-count:]]


def orders_after(desk: Desk, name: str, order: Order) -> list[Order]:
    return [o for o in desk.orders_of(name) if o.order_id > order.order_id]


# -- when ----------------------------------------------------------------------------------------


def test_an_account_is_liquidated_below_its_maintenance_margin_and_no_earlier() -> None:
    desk = long_at_50x()
    desk.mark("99000")
    assert desk.size("alice") == 1
    desk.mark("98999")
    assert desk.size("alice") == 0


def test_a_short_position_is_liquidated_when_the_price_rises() -> None:
    desk = short_at_50x()
    desk.mark("101000")
    assert desk.size("alice") == -1
    desk.mark("101001")
    assert desk.size("alice") == 0
    assert last(desk.trades_of("alice"), 1) == [
        ("backstop_liquidation", "close_short", "1", "102000")
    ]


def test_a_trade_far_from_the_mark_price_may_liquidate_at_once() -> None:
    desk = Desk(usdc="3000")
    trade(desk, "alice", "bob", "104000", "1")
    assert desk.size("alice") == 0
    # Bankrupt at 101,041.6: the tick above it leaves 0.4.
    assert desk.trades_of("alice")[-1].price == 101042
    assert desk.account("alice").balance == Decimal("0.4")
    assert desk.size("bob") == -1


def test_a_position_of_a_lower_leverage_is_safe_for_longer() -> None:
    desk = Desk(usdc="10040")
    for name in ("alice", "bob"):
        desk.run(SetMargin(account=name, symbol="BTC", isolated=False, leverage=10))
    trade(desk, "alice", "bob", "100000", "1")
    desk.mark("95000")
    assert desk.size("alice") == 1
    desk.mark("94999")
    assert desk.size("alice") == 0


def test_the_house_is_never_liquidated() -> None:
    desk = long_at_50x()
    desk.mark("98000")
    assert desk.size(BACKSTOP) == 1
    drain(desk, BACKSTOP, "1")
    desk.mark("1000")
    assert desk.size(BACKSTOP) == 1


# -- against the book ----------------------------------------------------------------------------


def test_the_book_takes_what_it_can_down_to_the_bankruptcy_price_and_the_backstop_the_rest() -> (
    None
):
    desk = long_at_50x()
    desk.limit("rich", "bid", "98500", "0.4")
    desk.limit("rich", "bid", "98000", "0.5")
    below = desk.limit("rich", "bid", "97999", "1")
    desk.mark("98990")
    assert last(desk.trades_of("alice"), 3) == [
        ("market_liquidation", "close_long", "0.4", "98500"),
        ("market_liquidation", "close_long", "0.5", "98000"),
        ("backstop_liquidation", "close_long", "0.1", "98000"),
    ]
    assert desk.account("alice").balance == 200
    assert desk.size(BACKSTOP) == Decimal("0.1")
    assert below.status == "open"


def test_every_liquidation_trade_belongs_to_an_order_of_its_cause() -> None:
    desk = long_at_50x()
    first = desk.limit("rich", "bid", "98500", "0.4")
    desk.mark("98990")
    market, rest = orders_after(desk, "alice", first)
    for order in (market, rest):
        assert (order.order_type, order.tif, order.side) == ("market", "IOC", "ask")
        assert order.reduce_only and order.client_order_id is None
        assert order.price == 98000
    assert (market.cause, market.status, market.reason) == (
        "market_liquidation",
        "cancelled",
        "expired",
    )
    assert (market.amount, market.filled) == (Decimal(1), Decimal("0.4"))
    assert (rest.cause, rest.status, rest.amount) == (
        "backstop_liquidation",
        "filled",
        Decimal("0.6"),
    )
    assert [t.order_id for t in desk.trades_of("alice")[-2:]] == [market.order_id, rest.order_id]


def test_a_book_without_a_good_price_sees_no_liquidation_order() -> None:
    desk = long_at_50x()
    before = desk.limit("rich", "bid", "97000", "1")
    desk.mark("98990")
    [order] = orders_after(desk, "alice", before)
    assert order.cause == "backstop_liquidation"


def test_the_liquidated_side_pays_no_fee_and_the_maker_its_usual_one() -> None:
    desk = long_at_50x()
    desk.limit("rich", "bid", "98500", "1")
    fees = desk.exchange.state.fees
    desk.mark("98990")
    taken, made = desk.trades_of("alice")[-1], desk.trades_of("rich")[-1]
    assert (taken.fee, taken.event_type, taken.cause) == (
        Decimal(0),
        "fulfill_taker",
        "market_liquidation",
    )
    assert (made.fee, made.event_type, made.cause) == (
        Decimal("98500") * Decimal("0.00015"),
        "fulfill_maker",
        "normal",
    )
    assert desk.exchange.state.fees == fees + made.fee


def test_its_open_orders_are_cancelled_first_whatever_they_are() -> None:
    desk = long_at_50x(usdc="2200")
    own = desk.limit("alice", "bid", "98950", "0.01")
    other = desk.limit("alice", "bid", "140", "1", symbol="SOL")
    closing = desk.limit("alice", "ask", "110000", "0.5", reduce_only=True)
    waiting = desk.run(
        PlaceStop(
            account="alice",
            symbol="BTC",
            side="ask",
            stop=StopLeg(stop_price=Decimal(90000)),
            reduce_only=True,
        )
    )
    desk.mark("98500")
    for order in (own, other, closing, desk.order(waiting)):
        assert (order.status, order.reason) == ("cancelled", "force_cancel")
    assert desk.size("alice") == 0


def test_the_price_of_a_takeover_is_no_price_of_the_market() -> None:
    desk = long_at_50x()
    desk.mark("50000")
    assert desk.trades_of("alice")[-1].price == 98000
    assert desk.exchange.state.markets["BTC"].last_price == 100000


def test_who_buys_from_a_liquidation_may_be_the_next() -> None:
    desk = long_at_50x()
    desk.limit("bob", "bid", "98999", "1")
    desk.mark("97000")
    assert desk.trades_of("bob")[-1].cause == "backstop_liquidation"
    assert desk.size("alice") == desk.size("bob") == 0
    assert desk.account("bob").balance >= 0


def test_a_chain_of_liquidations_comes_to_an_end() -> None:
    desk = Desk(usdc="2100")
    desk.run(OpenAccount(account="rich", usdc=Decimal(10_000_000)))
    names = [f"trader{number}" for number in range(20)]
    for name in names:
        desk.run(OpenAccount(account=name, usdc=Decimal(2100)))
        trade(desk, name, "rich", "100000", "1")
    for name in names:
        desk.limit(name, "ask", "99000", "1", reduce_only=True)
        desk.limit(name, "bid", "98900", "0.01")
    desk.mark("60000")
    assert all(desk.size(name) == 0 for name in names)
    assert all(desk.account(name).balance >= 0 for name in names)
    assert not desk.exchange.venue.accounts_at_risk and not desk.exchange.venue.moved_markets


# -- gaps ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("buyer", "seller", "gaps"),
    [
        ("alice", "rich", ("50000", "1750", "75")),
        ("alice", "rich", ("50000", "5250", "300")),
        ("alice", "rich", ("1", "0.1", "0.01")),
        ("rich", "alice", ("150000", "1750", "225")),
        ("rich", "alice", ("900000", "35000", "1500")),
    ],
)
def test_a_cross_account_with_several_positions_survives_a_gap_without_a_debt(
    buyer: str, seller: str, gaps: tuple[str, ...]
) -> None:
    desk = Desk(usdc="20000")
    desk.run(OpenAccount(account="rich", usdc=Decimal(10_000_000)))
    trade(desk, buyer, seller, "100000", "3.33333")
    trade(desk, seller, buyer, "3500.1", "17.7777", symbol="ETH")
    trade(desk, buyer, seller, "150.01", "133.33", symbol="SOL")
    for symbol, price in zip(("BTC", "ETH", "SOL"), gaps, strict=True):
        desk.mark(price, symbol)
        assert desk.account("alice").balance >= 0
        assert money_of(desk.exchange.state) == 3 * 20000 + 10_000_000 + 2 * FUNDS
    assert desk.size("alice") == 0


@pytest.mark.parametrize("backstop", ["0", "700", "1000000000"])
def test_a_gap_of_half_the_price_leaves_nobody_in_debt_and_loses_no_money(backstop: str) -> None:
    desk = Desk(usdc="20000")
    drain(desk, BACKSTOP, backstop)
    for symbol, price, amount in (
        ("BTC", "100000", "4.12345"),
        ("ETH", "3500", "101.0101"),
        ("SOL", "150", "222.22"),
    ):
        trade(desk, "alice", "bob", price, amount, symbol=symbol)
    before = money_of(desk.exchange.state)
    desk.mark("50000")
    assert (desk.size("alice"), desk.size("alice", "ETH")) == (Decimal(0), Decimal(0))
    assert all(desk.account(name).balance >= 0 for name in ("alice", "bob", "carol"))
    assert money_of(desk.exchange.state) == before
    for symbol in ("BTC", "ETH", "SOL"):
        sizes = (account.position(symbol).size for account in desk.exchange.state.accounts.values())
        assert sum(sizes) == 0


def test_a_gap_past_a_stop_loss_and_all_margin_liquidates_before_the_stop_can_leave_a_debt() -> (
    None
):
    desk = Desk(usdc="5000", maker_on=True)
    desk.market("alice", "ask", "1")
    desk.run(
        SetPositionTpsl(
            account="alice",
            symbol="BTC",
            side="bid",
            stop_loss=StopLeg(stop_price=Decimal(103000)),
        )
    )
    [stop] = [order for order in desk.orders_of("alice") if order.stop]
    desk.mark("200000")
    assert (stop.status, stop.reason) == ("cancelled", "force_cancel")
    assert desk.size("alice") == 0
    assert 0 <= desk.account("alice").balance < 1


def test_a_stop_loss_that_is_reached_first_keeps_the_position_from_being_liquidated() -> None:
    desk = Desk(usdc="5000", maker_on=True)
    order = desk.market("alice", "ask", "1", stop_loss=StopLeg(stop_price=Decimal(102000)))
    [stop] = desk.legs(order)
    desk.mark("102100")
    assert stop.status == "filled"
    assert {t.cause for t in desk.trades_of("alice")} == {"normal"}
    assert desk.size("alice") == 0


def test_the_largest_position_goes_first_and_the_rest_stays_once_the_account_is_sound() -> None:
    desk = Desk(usdc="3400")
    desk.run(OpenAccount(account="rich", usdc=Decimal(10_000_000)))
    trade(desk, "alice", "rich", "100000", "1")
    trade(desk, "alice", "rich", "150", "50", symbol="SOL")
    desk.limit("rich", "bid", "98400", "1")
    desk.mark("98000")  # equity below 1,357 less fees; half of it is needed
    desk.mark("97700")
    assert (desk.size("alice"), desk.size("alice", "SOL")) == (Decimal(0), Decimal(50))
    assert desk.trades_of("alice")[-1].cause == "market_liquidation"


# -- isolated ------------------------------------------------------------------------------------


def test_an_isolated_position_loses_its_margin_and_no_more() -> None:
    desk = Desk(usdc="100000")
    isolate(desk, "alice", 10)
    trade(desk, "alice", "bob", "100000", "1")
    desk.mark("95000")
    assert desk.size("alice") == 1
    desk.mark("94999")
    assert last(desk.trades_of("alice"), 1) == [
        ("backstop_liquidation", "close_long", "1", "90000")
    ]
    assert desk.account("alice").balance == Decimal(100000 - 40 - 10000)


def test_a_gap_costs_an_isolated_position_its_margin_and_leaves_the_others_alone() -> None:
    desk = Desk(usdc="100000")
    isolate(desk, "alice", 10)
    trade(desk, "alice", "bob", "100000", "1")
    trade(desk, "alice", "bob", "150", "10", symbol="SOL")
    balance = desk.account("alice").balance
    resting = desk.limit("alice", "bid", "100", "1", symbol="SOL")
    desk.mark("40000")
    assert (desk.size("alice"), desk.size("alice", "SOL")) == (Decimal(0), Decimal(10))
    assert desk.account("alice").balance == balance - 10000
    assert resting.status == "open"


def test_an_isolated_position_survives_the_end_of_the_cross_positions() -> None:
    desk = Desk(usdc="5000")
    isolate(desk, "alice", 20, "SOL")
    trade(desk, "alice", "bob", "150", "100", symbol="SOL")
    trade(desk, "alice", "bob", "100000", "1")
    desk.mark("90000")
    assert (desk.size("alice"), desk.size("alice", "SOL")) == (Decimal(0), Decimal(100))
    # Its margin of 750 is still there, whatever the gap was.
    assert 750 <= desk.account("alice").balance < 751


def test_the_orders_of_a_liquidated_isolated_market_are_cancelled() -> None:
    desk = Desk(usdc="100000")
    isolate(desk, "alice", 10)
    trade(desk, "alice", "bob", "100000", "1")
    order = desk.limit("alice", "bid", "94000", "0.1")
    desk.mark("94500")
    assert (order.status, order.reason) == ("cancelled", "force_cancel")


def test_an_isolated_position_whose_margin_is_gone_never_leaves_a_debt() -> None:
    desk = Desk(usdc="10100")
    isolate(desk, "alice", 10)
    trade(desk, "alice", "bob", "100000", "1")
    desk.account("alice").balance -= 1000  # as funding would: 9,060 are left of 10,000
    desk.mark("95500")
    assert desk.size("alice") == 0
    assert desk.account("alice").balance == 0


# -- the backstop and the accounts of the other side ---------------------------------------------


def test_the_backstop_carries_what_its_equity_covers_and_others_settle_the_rest() -> None:
    desk = long_at_50x()
    drain(desk, BACKSTOP, "588")  # 98,000 / 50 = 1,960 would be needed for 1 BTC
    desk.mark("98000")
    assert [(t.cause, t.amount) for t in desk.trades_of("alice")[-2:]] == [
        ("backstop_liquidation", Decimal("0.3")),
        ("settlement", Decimal("0.7")),
    ]
    assert desk.size(BACKSTOP) == Decimal("0.3")
    assert desk.size("rich") == Decimal("-0.3")


def test_a_backstop_that_would_lose_by_it_needs_the_loss_as_well() -> None:
    desk = long_at_50x()
    drain(desk, BACKSTOP, str(1960 + 48000))
    desk.mark("50000")
    assert desk.size(BACKSTOP) == 1
    assert desk.trades_of("alice")[-1].cause == "backstop_liquidation"


def test_a_settlement_is_recorded_on_both_sides_without_fees() -> None:
    desk = long_at_50x()
    drain(desk, BACKSTOP, "0")
    fees = desk.exchange.state.fees
    desk.mark("97000")
    taken, made = desk.trades_of("alice")[-1], desk.trades_of("rich")[-1]
    assert (taken.cause, taken.side, taken.fee) == ("settlement", "close_long", Decimal(0))
    assert (made.cause, made.side, made.fee) == ("settlement", "close_short", Decimal(0))
    assert made.pnl == 2000
    assert taken.price == made.price == 98000
    assert desk.exchange.state.fees == fees
    for settled in (taken, made):
        order = desk.order(settled.order_id)
        assert (order.status, order.order_type, order.reduce_only) == ("filled", "market", True)
        assert order.amount == 1 and order.client_order_id is None
        assert order.price == 98000


def test_who_gained_most_for_what_it_paid_is_deleveraged_first() -> None:
    desk = Desk(usdc="200000")
    desk.run(OpenAccount(account="poor", usdc=Decimal(2040)))
    trade(desk, "poor", "alice", "100000", "1")
    desk.mark("110000")
    trade(desk, "carol", "bob", "110000", "2")
    drain(desk, BACKSTOP, "0")
    # bob sold at 110,000 and has gained more per USDC than alice, though he sold more.
    desk.mark("98500")
    assert desk.trades_of("bob")[-1].cause == "settlement"
    assert (desk.size("poor"), desk.size("alice"), desk.size("bob")) == (
        Decimal(0),
        Decimal(-1),
        Decimal(-1),
    )


def test_a_small_position_that_gained_more_for_what_it_paid_comes_before_a_large_one() -> None:
    desk = Desk(usdc="200000")
    desk.run(OpenAccount(account="poor", usdc=Decimal(2040)))
    trade(desk, "poor", "alice", "100000", "1")
    trade(desk, "carol", "alice", "100000", "1")
    desk.mark("110000")
    trade(desk, "carol", "bob", "110000", "0.5")
    drain(desk, BACKSTOP, "0")
    desk.mark("98500")
    # bob's profit was 5,750 on 55,000, that of alice 3,000 on 200,000.
    assert (desk.size("bob"), desk.size("alice")) == (Decimal(0), Decimal("-1.5"))


def test_the_backstop_takes_what_its_own_margin_allows_and_the_other_side_the_rest() -> None:
    desk = long_at_50x()
    # At 98,000 the backstop gains 500 a token, and needs 1,960 of margin.
    drain(desk, BACKSTOP, "980")
    desk.mark("98500")
    assert last(desk.trades_of("alice"), 2) == [
        ("backstop_liquidation", "close_long", "0.5", "98000"),
        ("settlement", "close_long", "0.5", "98000"),
    ]


def test_the_largest_position_is_closed_first_whatever_its_market() -> None:
    desk = Desk(usdc="2000")
    desk.run(OpenAccount(account="rich", usdc=Decimal(10_000_000)))
    trade(desk, "alice", "rich", "100000", "0.1")
    trade(desk, "alice", "rich", "3500", "20", symbol="ETH")
    desk.mark("3410", "ETH")
    assert [trade.symbol for trade in desk.trades_of("alice")[2:]] == ["ETH", "BTC"]


def test_an_isolated_position_is_deleveraged_by_its_own_margin_alone() -> None:
    desk = Desk(usdc="2040")
    desk.run(OpenAccount(account="rich", usdc=Decimal(10_000_000)))
    isolate(desk, "rich", None)
    trade(desk, "alice", "rich", "100000", "1")
    drain(desk, BACKSTOP, "0")
    # rich holds its short at the new price, with a margin of 1,000 and cash for all of the loss.
    desk.account("rich").position("BTC").cost = Decimal(-50000)
    desk.account("rich").balance += 50000
    before = desk.account("rich").balance
    desk.mark("50000")
    # Each token costs rich 48,000. The backstop takes what its margin does not pay.
    assert (desk.size("alice"), desk.size("rich")) == (Decimal(0), Decimal("-0.97917"))
    assert before - desk.account("rich").balance == Decimal("999.84")


def test_the_house_is_deleveraged_last() -> None:
    desk = Desk(usdc="100000")
    desk.run(SetMaker(on=False))
    desk.run(OpenAccount(account="poor", usdc=Decimal(2040)))
    trade(desk, "poor", "alice", "100000", "1")
    # The maker is short at a far better price, against carol.
    maker, carol = desk.account(MAKER), desk.account("carol")
    maker.position("BTC").grow("ask", Decimal(1), Decimal(150000), desk.now)
    carol.position("BTC").grow("bid", Decimal(1), Decimal(150000), desk.now)
    drain(desk, BACKSTOP, "0")
    desk.mark("98500")
    assert (desk.size("poor"), desk.size("alice"), desk.size(MAKER)) == (
        Decimal(0),
        Decimal(0),
        Decimal(-1),
    )


def test_nobody_is_deleveraged_into_debt() -> None:
    desk = Desk(usdc="2040")
    desk.run(OpenAccount(account="rich", usdc=Decimal(10_000_000)))
    trade(desk, "alice", "rich", "100000", "1")
    drain(desk, BACKSTOP, "0")
    # rich passes its short on to bob at the new price just before the others look.
    desk.account("rich").position("BTC").close("bid", Decimal(1), Decimal(50000), desk.now)
    desk.account("bob").position("BTC").grow("ask", Decimal(1), Decimal(50000), desk.now)
    desk.mark("50000")
    assert desk.size("alice") == 0
    assert desk.account("alice").balance == 0
    # bob paid all he had for a part of it, and lost the rest of his position by that.
    assert desk.size("bob") == 0
    assert 0 <= desk.account("bob").balance < 1
    assert desk.account(BACKSTOP).balance < 0


def test_a_deleveraged_account_loses_its_reduce_only_orders() -> None:
    desk = long_at_50x()
    order = desk.limit("rich", "bid", "90000", "1", reduce_only=True)
    drain(desk, BACKSTOP, "0")
    desk.mark("98500")
    assert (order.status, order.reason) == ("cancelled", "force_cancel")


# -- on demand -----------------------------------------------------------------------------------


def test_on_demand_the_book_comes_first_and_the_backstop_pays_the_mark_price() -> None:
    desk = Desk(usdc="10000")
    trade(desk, "alice", "bob", "100000", "1")
    desk.limit("carol", "bid", "99000", "0.4")
    desk.limit("carol", "bid", "80000", "0.4")
    order = desk.limit("alice", "ask", "120000", "1")
    liquidate(desk, "alice", "market_liquidation")
    assert [(t.cause, t.amount, t.price) for t in desk.trades_of("alice")[-2:]] == [
        ("market_liquidation", Decimal("0.4"), Decimal(99000)),
        ("backstop_liquidation", Decimal("0.6"), Decimal(100000)),
    ]
    assert (order.status, order.reason) == ("cancelled", "force_cancel")
    assert desk.size("alice") == 0


def test_on_demand_the_backstop_takes_it_all_at_the_mark_price() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "1")
    desk.limit("carol", "bid", "99999", "1")
    desk.mark("100500")
    liquidate(desk, "alice", "backstop_liquidation")
    assert last(desk.trades_of("alice"), 1) == [
        ("backstop_liquidation", "close_long", "1", "100500")
    ]
    assert desk.account("alice").balance == Decimal(10000 - 40 + 500)


def test_on_demand_the_other_side_settles_at_the_mark_price() -> None:
    desk = Desk()
    trade(desk, "bob", "alice", "100000", "1")
    desk.mark("100500")
    liquidate(desk, "alice", "settlement")
    assert last(desk.trades_of("alice"), 1) == [("settlement", "close_short", "1", "100500")]
    assert last(desk.trades_of("bob"), 1) == [("settlement", "close_long", "1", "100500")]
    assert desk.size("alice") == desk.size("bob") == 0


def test_on_demand_every_position_is_closed_where_no_market_is_named() -> None:
    desk = Desk()
    trade(desk, "alice", "bob", "100000", "1")
    trade(desk, "bob", "alice", "3500", "1", symbol="ETH")
    before = money_of(desk.exchange.state)
    liquidate(desk, "alice", "market_liquidation", symbol=None)
    assert desk.size("alice") == desk.size("alice", "ETH") == 0
    assert money_of(desk.exchange.state) == before


@pytest.mark.parametrize(
    ("name", "symbol", "words"),
    [
        ("alice", "ETH", "Position not found: the account holds nothing in ETH"),
        ("bob", None, "Position not found: the account holds nothing in any market"),
        ("dave", None, "Account not found"),
        (BACKSTOP, None, "belongs to the exchange"),
        ("alice", "DOGE", "Unknown symbol"),
    ],
)
def test_where_there_is_nothing_to_liquidate_it_is_refused(
    name: str, symbol: str | None, words: str
) -> None:
    desk = Desk()
    trade(desk, "alice", "carol", "100000", "0.1")
    before = repr(desk.exchange.state)
    with pytest.raises(Refused, match=words):
        liquidate(desk, name, "market_liquidation", symbol)
    assert repr(desk.exchange.state) == before


def test_a_fall_of_the_collateral_liquidates_as_well() -> None:
    desk = Desk()
    desk.run(OpenAccount(account="rich", usdc=Decimal(10_000_000)))
    desk.run(OpenAccount(account="holder", usdc=Decimal(40), spot={"SOL": Decimal(20)}))
    trade(desk, "holder", "rich", "100000", "1")
    desk.mark("55.56", "SOL")  # 20 SOL count as 1,000.08 USDC
    assert desk.size("holder") == 1
    desk.mark("55.55", "SOL")
    assert desk.size("holder") == 0


def test_with_the_maker_on_its_quotes_take_what_is_liquidated() -> None:
    desk = Desk(usdc="2100", maker_on=True)
    desk.market("alice", "bid", "1")
    desk.mark("98900")
    assert desk.size("alice") == 0
    assert {t.cause for t in desk.trades_of("alice")} == {"normal", "market_liquidation"}
    assert 800 < desk.account("alice").balance < 1000
    assert desk.size(BACKSTOP) == 0


def test_the_equity_of_a_liquidated_account_counts_its_collateral() -> None:
    desk = Desk(usdc="40")
    desk.run(OpenAccount(account="rich", usdc=Decimal(10_000_000)))
    desk.run(OpenAccount(account="holder", usdc=Decimal(40), spot={"SOL": Decimal(20)}))
    trade(desk, "holder", "rich", "100000", "1")  # 20 SOL count as 2,700 USDC
    desk.mark("98300")
    assert desk.size("holder") == 1
    desk.mark("98299")
    assert desk.size("holder") == 0
    with exact_arithmetic():
        assert cross_equity(desk.exchange.venue, desk.account("holder")) == 0
