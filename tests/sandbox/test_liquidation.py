"""Liquidation (interface 2.2, field note 22): when, by whom, at which price, and at whose expense; and debts."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from tests.sandbox.desk import Desk, fields, leg, money_of, shown
from trading_sandbox.engine.commands import Liquidate
from trading_sandbox.engine.margin import bankruptcy_price, cross_equity
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Order
from trading_sandbox.engine.state import BACKSTOP, FUNDS, MAKER
from trading_sandbox.engine.views import account_view, insurance_fund_view

GONE = "cancelled force_cancel 0"


def with_rich(usdc: str = "2040") -> Desk:
    """Return a desk where an account can take the other side of everything."""
    desk = Desk(usdc=usdc)
    desk.open("rich", "10000000")
    return desk


def long_at_50x(usdc: str = "2040") -> Desk:
    """Return a desk where alice is long 1 BTC at 100,000 with 2,000 USDC after the fee.

    Her maintenance margin is 1,000, so she is liquidated below 99,000 and bankrupt at 98,000.
    """
    desk = with_rich(usdc)
    desk.trade("alice", "rich", "100000", "1")
    return desk


def drain(desk: Desk, left: str) -> None:
    """Leave the backstop with little; the maker gets the rest."""
    taken = desk.balance(BACKSTOP) - Decimal(left)
    desk.account(BACKSTOP).balance -= taken
    desk.account(MAKER).balance += taken


def last(desk: Desk, name: str, count: int = 1) -> list[str]:
    """Return cause, side, amount and price of the latest trades of an account."""
    return [fields(t, "cause side amount price") for t in desk.trades_of(name)[-count:]]


def orders_after(desk: Desk, name: str, order: Order) -> list[Order]:
    return [o for o in desk.orders_of(name) if o.order_id > order.order_id]


# -- when ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("usdc", "leverage", "isolated", "side", "safe", "not_safe", "closed"),
    [
        ("2040", None, False, "bid", "99000", "98999", "close_long 1 98000"),
        ("2040", None, False, "ask", "101000", "101001", "close_short 1 102000"),
        ("10040", 10, False, "bid", "95000", "94999", "close_long 1 90000"),
        # An isolated position loses its margin and no more.
        ("100000", 10, True, "bid", "95000", "94999", "close_long 1 90000"),
        ("100000", 10, True, "ask", "105000", "105001", "close_short 1 110000"),
    ],
)
def test_an_account_is_liquidated_below_its_maintenance_margin_and_no_earlier(
    usdc: str,
    leverage: int | None,
    isolated: bool,
    side: Any,
    safe: str,
    not_safe: str,
    closed: str,
) -> None:
    desk = with_rich(usdc)
    desk.margin(leverage, isolated)
    desk.limit("rich", "ask" if side == "bid" else "bid", "100000", "1")
    desk.limit("alice", side, "100000", "1")
    balance = desk.balance("alice")
    desk.mark(safe)
    assert abs(desk.size("alice")) == 1
    desk.mark(not_safe)
    assert last(desk, "alice") == [f"backstop_liquidation {closed}"]
    lost = abs(100000 - desk.trades_of("alice")[-1].price)
    assert [desk.size("alice"), desk.balance("alice")] == [0, balance - lost]


def test_a_fall_of_the_collateral_liquidates_as_well() -> None:
    for symbol, safe, not_safe in (("SOL", "55.56", "55.55"), ("BTC", "98300", "98299")):
        desk = with_rich()
        desk.open("holder", "40", SOL="20")  # 20 SOL count as 2,700 USDC
        desk.trade("holder", "rich", "100000", "1")
        desk.mark(safe, symbol)
        assert desk.size("holder") == 1
        desk.mark(not_safe, symbol)
        assert desk.size("holder") == 0
    with exact_arithmetic():
        assert cross_equity(desk.exchange.venue, desk.account("holder")) == 0


def test_a_stop_loss_that_is_reached_first_keeps_the_position_from_being_liquidated() -> None:
    for mark, outcome in (("102100", "filled 1"), ("200000", GONE)):
        desk = Desk(usdc="5000", maker_on=True)
        order = desk.market("alice", "ask", "1", stop_loss=leg("102000"))
        [stop] = desk.legs(order)
        desk.mark(mark)
        # A gap past all margin liquidates before the stop can leave a debt.
        assert shown(stop) == outcome
        assert ({t.cause for t in desk.trades_of("alice")} == {"normal"}) is (stop.filled == 1)
        assert desk.size("alice") == 0
        assert desk.balance("alice") >= 0


@pytest.mark.parametrize(
    ("buyer", "seller", "leverage", "isolated", "amount", "price"),
    [
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
    with exact_arithmetic():
        assert bankruptcy_price(desk.exchange.venue, desk.account("alice"), "BTC") == price


# -- against the book ----------------------------------------------------------------------------


def test_the_book_takes_what_it_can_down_to_the_bankruptcy_price_and_the_backstop_the_rest() -> (
    None
):
    desk = long_at_50x()
    desk.limit("rich", "bid", "98500", "0.4")
    desk.limit("rich", "bid", "98000", "0.5")
    below = desk.limit("rich", "bid", "97999", "1")
    fees = desk.exchange.state.fees
    desk.mark("98990")
    assert last(desk, "alice", 3) == [
        "market_liquidation close_long 0.4 98500",
        "market_liquidation close_long 0.5 98000",
        "backstop_liquidation close_long 0.1 98000",
    ]
    assert [desk.balance("alice"), desk.size(BACKSTOP)] == [200, Decimal("0.1")]
    assert below.status == "open"
    # Each trade belongs to an order of its cause.
    market, rest = orders_after(desk, "alice", below)
    shared = "order_type tif side reduce_only client_order_id price"
    assert {fields(one, shared) for one in (market, rest)} == {"market IOC ask True None 98000"}
    assert (shown(market), fields(market, "cause amount")) == (
        "cancelled expired 0.9",
        "market_liquidation 1",
    )
    assert (shown(rest), fields(rest, "cause amount")) == ("filled 0.1", "backstop_liquidation 0.1")
    assert [t.order_id for t in desk.trades_of("alice")[-2:]] == [market.order_id, rest.order_id]
    # The liquidated side pays no fee, and the maker its usual one.
    taken, made = desk.trades_of("alice")[-3], desk.trades_of("rich")[-2]
    assert fields(taken, "fee event_type") == "0 fulfill_taker"
    assert fields(made, "fee event_type cause") == "5.91 fulfill_maker normal"
    assert desk.exchange.state.fees == fees + Decimal("5.91") + Decimal("7.35")


def test_the_price_of_a_takeover_is_no_price_of_the_market() -> None:
    desk = long_at_50x()
    before = desk.limit("rich", "bid", "49000", "1")
    desk.mark("50000")
    # A book without a good price sees no liquidation order.
    [order] = orders_after(desk, "alice", before)
    assert fields(order, "cause price") == "backstop_liquidation 98000"
    assert desk.exchange.state.markets["BTC"].last_price == 100000


# -- several positions --------------------------------------------------------------------------


def test_the_largest_position_goes_first_and_the_rest_stays_once_the_account_is_sound() -> None:
    desk = with_rich("3400")
    desk.trade("alice", "rich", "100000", "1")
    desk.trade("alice", "rich", "150", "50", symbol="SOL")
    desk.limit("rich", "bid", "98400", "1")
    desk.mark("98000")  # equity below 1,357 less fees; half of it is needed
    desk.mark("97700")
    assert [desk.size("alice"), desk.size("alice", "SOL")] == [0, 50]
    assert last(desk, "alice")[0].startswith("market_liquidation")

    desk = with_rich("2000")
    desk.trade("alice", "rich", "100000", "0.1")
    desk.trade("alice", "rich", "3500", "20", symbol="ETH")
    desk.mark("3410", "ETH")
    assert [trade.symbol for trade in desk.trades_of("alice")[2:]] == ["ETH", "BTC"]


# -- isolated ------------------------------------------------------------------------------------


def test_an_isolated_position_whose_margin_is_gone_never_leaves_a_debt() -> None:
    desk = Desk(usdc="10100")
    desk.margin(10, isolated=True)
    desk.trade("alice", "bob", "100000", "1")
    desk.account("alice").balance -= 1000  # as funding would: 9,060 are left of 10,000
    desk.mark("95500")
    assert [desk.size("alice"), desk.balance("alice")] == [0, 0]


# -- the backstop and the accounts of the other side ---------------------------------------------


@pytest.mark.parametrize(
    ("left", "mark", "taken", "settled"),
    [
        ("588", "98000", "0.3", "0.7"),  # 98,000 / 50 = 1,960 would be needed for 1 BTC
        # At 98,000 the backstop gains 500 a token, or loses 48,000 beside its margin.
        ("980", "98500", "0.5", "0.5"),
        ("49960", "50000", "1", None),
        ("24980", "50000", "0.5", "0.5"),
    ],
)
def test_the_backstop_carries_what_its_equity_covers_and_others_settle_the_rest(
    left: str, mark: str, taken: str, settled: str | None
) -> None:
    desk = long_at_50x()
    drain(desk, left)
    desk.mark(mark)
    expected = [f"backstop_liquidation close_long {taken} 98000"]
    if settled is not None:
        expected.append(f"settlement close_long {settled} 98000")
        assert last(desk, "rich") == [f"settlement close_short {settled} 98000"]
    assert last(desk, "alice", len(expected)) == expected
    assert (desk.size(BACKSTOP), desk.size("rich")) == (Decimal(taken), -Decimal(taken))


def test_a_settlement_is_recorded_on_both_sides_without_fees() -> None:
    desk = long_at_50x()
    reducing = desk.limit("rich", "bid", "90000", "1", reduce_only=True)
    drain(desk, "0")
    fees = desk.exchange.state.fees
    desk.mark("97000")
    taken, made = desk.trades_of("alice")[-1], desk.trades_of("rich")[-1]
    told = "cause side fee price pnl"
    assert fields(taken, told) == "settlement close_long 0 98000 -2000"
    assert fields(made, told) == "settlement close_short 0 98000 2000"
    assert desk.exchange.state.fees == fees
    for settled in (taken, made):
        order = desk.order(settled.order_id)
        told = "order_type reduce_only amount client_order_id price"
        assert (shown(order), fields(order, told)) == ("filled 1", "market True 1 None 98000")
    # The deleveraged account loses its reduce-only orders.
    assert shown(reducing) == GONE


def test_who_gained_most_for_what_it_paid_is_deleveraged_first() -> None:
    # bob sold at 110,000: 5,750 on 55,000 is more than alice's 3,000 on 200,000.
    for sold, of_bob, of_alice in (("2", "-1", "-2"), ("0.5", "0", "-1.5")):
        desk = Desk(usdc="200000")
        desk.open("poor", "2040")
        desk.trade("poor", "alice", "100000", "1")
        desk.trade("carol", "alice", "100000", "1")
        desk.mark("110000")
        desk.trade("carol", "bob", "110000", sold)
        drain(desk, "0")
        desk.mark("98500")
        assert last(desk, "bob")[0].startswith("settlement")
        sizes = [desk.size(name) for name in ("poor", "alice", "bob")]
        assert sizes == [0, Decimal(of_alice), Decimal(of_bob)]


def test_the_house_is_deleveraged_last() -> None:
    desk = Desk(usdc="100000")
    desk.open("poor", "2040")
    desk.trade("poor", "alice", "100000", "1")
    # The maker is short at a far better price, against carol.
    for name, side in ((MAKER, "ask"), ("carol", "bid")):
        position: Any = desk.account(name).position("BTC")
        position.grow(side, Decimal(1), Decimal(150000), desk.now)
    drain(desk, "0")
    desk.mark("98500")
    assert [desk.size(name) for name in ("poor", "alice", MAKER)] == [0, 0, -1]


def test_nobody_is_deleveraged_into_debt() -> None:
    desk = long_at_50x()
    drain(desk, "0")
    # rich passes its short on to bob at the new price just before the others look.
    desk.account("rich").position("BTC").close("bid", Decimal(1), Decimal(50000), desk.now)
    desk.account("bob").position("BTC").grow("ask", Decimal(1), Decimal(50000), desk.now)
    desk.mark("50000")
    assert [desk.size("alice"), desk.balance("alice")] == [0, 0]
    # bob paid all he had for a part of it, and lost the rest of his position by that.
    assert desk.size("bob") == 0
    assert 0 <= desk.balance("bob") < 1
    assert desk.balance(BACKSTOP) < 0


# -- on demand -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("side", "cause", "expected"),
    [
        # The book comes first, down to the bankruptcy price; the rest is at the mark price.
        (
            "bid",
            "market_liquidation",
            "market_liquidation close_long 0.4 99000, backstop_liquidation close_long 0.6 100500",
        ),
        ("bid", "backstop_liquidation", "backstop_liquidation close_long 1 100500"),
        ("bid", "settlement", "settlement close_long 1 100500"),
        ("ask", "settlement", "settlement close_short 1 100500"),
    ],
)
def test_on_demand_a_position_is_closed_whatever_its_margin(
    desk: Desk, side: Any, cause: Any, expected: str
) -> None:
    desk.trade(*(("alice", "bob") if side == "bid" else ("bob", "alice")), "100000", "1")
    desk.mark("100500")
    if side == "bid":
        desk.limit("carol", "bid", "99000", "0.4")
        desk.limit("carol", "bid", "80000", "0.4")
    order = desk.limit("alice", "ask", "120000", "0.1")
    desk.run(Liquidate(account="alice", symbol="BTC", cause=cause))
    assert last(desk, "alice", expected.count(",") + 1) == expected.split(", ")
    assert [desk.size("alice"), shown(order)] == [0, GONE]
    if cause == "settlement":
        other = "close_short" if side == "bid" else "close_long"
        assert last(desk, "bob") == [f"settlement {other} 1 100500"]
    assert money_of(desk.exchange.state) == 30000 + 2 * FUNDS


def test_on_demand_every_position_is_closed_where_no_market_is_named(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "1")
    desk.trade("bob", "alice", "3500", "1", symbol="ETH")
    desk.run(Liquidate(account="alice", symbol=None, cause="market_liquidation"))
    assert desk.size("alice") == desk.size("alice", "ETH") == 0


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
    desk: Desk, name: str, symbol: str | None, words: str
) -> None:
    desk.trade("alice", "carol", "100000", "0.1")
    desk.refuses(Liquidate(account=name, symbol=symbol, cause="market_liquidation"), words)


# -- debts ----------------------------------------------------------------------------------------


def paid(desk: Desk, name: str) -> Decimal:
    return account_view(desk.exchange.venue, name).debt_paid


def ruin(desk: Desk, debtor: str, other: str) -> None:
    """Let somebody buy BTC at 100,000 and sell it to carol at half of that."""
    desk.trade(debtor, other, "100000", "1")
    desk.limit("carol", "bid", "50000", "1")
    desk.limit(debtor, "ask", "50000", "1", tif="IOC")


def holder(tokens: str) -> Desk:
    """Return a desk where `holder` owes 2,500 USDC and has SOL, which counts 135 each.

    It has bought 1 ETH at 3,500 and sold it at 1,000. Its deposit of 1.8 USDC paid both fees.
    """
    desk = Desk(usdc="100000")
    desk.open("holder", "1.8", SOL=tokens)
    desk.trade("holder", "bob", "3500", "1", "ETH")
    desk.limit("carol", "bid", "1000", "1", symbol="ETH")
    desk.limit("holder", "ask", "1000", "1", symbol="ETH", tif="IOC")
    return desk


def test_an_account_that_closed_everything_begins_again_at_zero_and_debts_add_up() -> None:
    desk = Desk(usdc="40000")
    desk.account(BACKSTOP).balance = Decimal(15000)
    desk.open("dave", "40000")
    ruin(desk, "alice", "bob")
    # 40,000 less the fees of 40 and 20 and the loss of 50,000.
    view = account_view(desk.exchange.venue, "alice")
    assert [view.balance, view.debt_paid, view.free] == [0, 10060, 0]
    # The other side keeps its profit.
    assert desk.account("carol").position("BTC").unrealised(Decimal(100000)) == 50000
    assert paid(desk, "carol") == paid(desk, "bob") == 0

    ruin(desk, "dave", "bob")
    fund = insurance_fund_view(desk.exchange.venue)
    assert [fund.debt_paid, fund.balance] == [20120, -5120]


def test_the_fund_pays_what_collateral_does_not_cover_and_leaves_it_where_it_is() -> None:
    # 20 SOL count 2,700: the negative balance is no debt.
    covered = holder("20")
    assert [covered.balance("holder"), paid(covered, "holder")] == [Decimal("-2500"), 0]
    # 10 SOL count 1,350, which 1,150 of the loss exceed.
    desk = holder("10")
    assert [desk.balance("holder"), paid(desk, "holder")] == [-1350, 1150]
    assert desk.account("holder").spot == {"SOL": Decimal(10)}
    for mark, debt in (("100", "1600"), ("99.95", "1600.45"), ("150", "1600.45")):
        desk.mark(mark, "SOL")
        assert paid(desk, "holder") == Decimal(debt)
    assert account_view(desk.exchange.venue, "holder").free == Decimal("450.45")


def test_the_profit_of_another_position_pays_before_the_fund_does() -> None:
    desk = Desk(usdc="100000")
    desk.margin(10, isolated=True, symbol="ETH")
    desk.trade("alice", "bob", "3500", "20", "ETH")
    desk.trade("alice", "bob", "100000", "2")
    desk.mark("8500", "ETH")
    desk.limit("carol", "bid", "50000", "2")
    desk.limit("alice", "ask", "50000", "2", tif="IOC")
    # The loss of 100,000 and the fees leave -148, but 20 ETH have gained 5,000 each.
    assert [desk.balance("alice"), desk.size("alice", "ETH"), paid(desk, "alice")] == [-148, 20, 0]
    # Without that profit the position is liquidated, at the price that leaves nothing.
    desk.mark("3500", "ETH")
    assert [desk.size("alice", "ETH"), paid(desk, "alice")] == [0, 0]
    assert desk.balance("alice") >= 0


def test_a_position_that_cannot_pay_the_debt_leaves_the_rest_of_it_to_the_fund() -> None:
    desk = Desk(usdc="40000")
    desk.trade("bob", "alice", "3500", "0.1", "ETH")
    ruin(desk, "alice", "bob")
    # No price above zero makes the short of 0.1 ETH worth the loss of 10,060 beyond the balance.
    assert [desk.size("alice", "ETH"), desk.balance("alice")] == [0, 0]
    assert desk.trades_of("alice")[-1].price == Decimal("0.1")
    assert paid(desk, "alice") == pytest.approx(9710, abs=10)
    assert money_of(desk.exchange.state) == 120000 + 2 * FUNDS
