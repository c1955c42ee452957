"""Debts: who has lost more than it had owes nothing, because the insurance fund pays at once."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.sandbox.desk import Desk, money_of, shown
from trading_sandbox.engine.state import BACKSTOP, FUNDS
from trading_sandbox.engine.views import account_view, insurance_fund_view


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


def test_a_close_in_part_leaves_the_loss_to_the_liquidation_of_the_rest(desk: Desk) -> None:
    desk.trade("alice", "bob", "100000", "1")
    desk.limit("carol", "bid", "50000", "0.2")
    rest = desk.limit("alice", "bid", "40000", "0.001")
    desk.limit("alice", "ask", "50000", "1", tif="IOC")
    # 0.2 at a loss of 50,000 each and the fees leave -44: the rest goes at 100,055 or better.
    assert desk.size("alice") == 0
    assert desk.trades_of("alice")[-1].price == 100055
    assert [desk.balance("alice"), paid(desk, "alice")] == [0, 0]
    assert shown(rest) == "cancelled force_cancel 0"
    assert money_of(desk.exchange.state) == 30000 + 2 * FUNDS


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
