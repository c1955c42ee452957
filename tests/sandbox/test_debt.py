"""Debts: who has lost more than it had owes nothing, because the insurance fund pays at once."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.sandbox.desk import Desk, money_of
from trading_sandbox import RemoteSandbox, Sandbox
from trading_sandbox.engine.control_commands import OpenAccount, SetMargin
from trading_sandbox.engine.house_accounts import BACKSTOP, FUNDS
from trading_sandbox.engine.views import account_view, insurance_fund_view
from trading_sdk import Client


def trade(desk: Desk, buyer: str, seller: str, price: str, amount: str, symbol: str) -> None:
    """Let a buyer take what a seller offers."""
    desk.limit(seller, "ask", price, amount, symbol=symbol)
    desk.limit(buyer, "bid", price, amount, symbol=symbol, tif="IOC")


def paid(desk: Desk, name: str) -> Decimal:
    return account_view(desk.exchange.venue, name).debt_paid


def fund(desk: Desk) -> Decimal:
    return desk.account(BACKSTOP).balance


def holder(tokens: str) -> Desk:
    """Return a desk where `holder` owes 2,500 USDC and has SOL, which counts 135 each.

    It has bought 1 ETH at 3,500 and sold it at 1,000. Its deposit of 1.8 USDC paid both fees.
    """
    desk = Desk(usdc="100000")
    spot = {"SOL": Decimal(tokens)}
    desk.run(OpenAccount(account="holder", usdc=Decimal("1.8"), spot=spot))
    trade(desk, "holder", "bob", "3500", "1", "ETH")
    desk.limit("carol", "bid", "1000", "1", symbol="ETH")
    desk.limit("holder", "ask", "1000", "1", symbol="ETH", tif="IOC")
    return desk


def test_a_close_in_part_leaves_the_loss_to_the_liquidation_of_the_rest() -> None:
    desk = Desk(usdc="10000")
    before = money_of(desk.exchange.state)
    trade(desk, "alice", "bob", "100000", "1", "BTC")
    desk.limit("carol", "bid", "50000", "0.2")
    rest = desk.limit("alice", "bid", "40000", "0.001")

    desk.limit("alice", "ask", "50000", "1", tif="IOC")
    # 0.2 at a loss of 50,000 each and the fees leave -44: the rest goes at 100,055 or better.
    assert desk.size("alice") == 0
    assert desk.trades_of("alice")[-1].price == 100055
    assert [desk.account("alice").balance, paid(desk, "alice")] == [0, 0]
    assert (rest.status, rest.reason) == ("cancelled", "force_cancel")
    assert money_of(desk.exchange.state) == before


def test_an_account_that_closed_everything_begins_again_at_zero() -> None:
    desk = Desk(usdc="40000")
    trade(desk, "alice", "bob", "100000", "1", "BTC")
    desk.limit("carol", "bid", "50000", "1")
    desk.limit("alice", "ask", "50000", "1", tif="IOC")

    # 40,000 less the fees of 40 and 20 and the loss of 50,000.
    view = account_view(desk.exchange.venue, "alice")
    assert [view.balance, view.debt_paid, view.free] == [0, 10060, 0]
    assert fund(desk) == FUNDS - 10060
    # The other side keeps its profit.
    assert desk.account("carol").position("BTC").unrealised(Decimal(100000)) == 50000
    assert paid(desk, "carol") == paid(desk, "bob") == 0


def test_debts_add_up_and_the_fund_may_go_below_zero() -> None:
    desk = Desk(usdc="40000")
    desk.account(BACKSTOP).balance = Decimal(15000)
    desk.run(OpenAccount(account="dave", usdc=Decimal(40000)))
    for debtor, other in (("alice", "bob"), ("carol", "dave")):
        trade(desk, debtor, other, "100000", "1", "BTC")
        desk.limit(other, "bid", "50000", "1")
        desk.limit(debtor, "ask", "50000", "1", tif="IOC")

    view = insurance_fund_view(desk.exchange.venue)
    assert [view.debt_paid, view.balance] == [20120, -5120]


def test_a_negative_balance_that_collateral_covers_is_no_debt() -> None:
    desk = holder("20")
    # 20 SOL count 2,700.
    assert desk.account("holder").balance == Decimal("-2500.0")
    assert paid(desk, "holder") == 0


def test_the_fund_pays_what_collateral_does_not_cover_and_leaves_it_where_it_is() -> None:
    desk = holder("10")
    # 10 SOL count 1,350, which 1,150 of the loss exceed.
    assert paid(desk, "holder") == 1150
    assert desk.account("holder").balance == -1350
    assert desk.account("holder").spot == {"SOL": Decimal(10)}
    desk.mark("100", "SOL")
    assert paid(desk, "holder") == 1600
    desk.mark("99.95", "SOL")
    assert paid(desk, "holder") == Decimal("1600.45")
    desk.mark("150", "SOL")
    assert account_view(desk.exchange.venue, "holder").free == Decimal("450.45")


def test_the_profit_of_another_position_pays_before_the_fund_does() -> None:
    desk = Desk(usdc="100000")
    desk.run(SetMargin(account="alice", symbol="ETH", isolated=True, leverage=10))
    trade(desk, "alice", "bob", "3500", "20", "ETH")
    trade(desk, "alice", "bob", "100000", "2", "BTC")
    desk.mark("8500", "ETH")
    desk.limit("carol", "bid", "50000", "2")
    desk.limit("alice", "ask", "50000", "2", tif="IOC")

    # The loss of 100,000 and the fees leave -148, but 20 ETH have gained 5,000 each.
    assert desk.account("alice").balance == -148
    assert [desk.size("alice", "ETH"), paid(desk, "alice")] == [20, 0]
    # Without that profit the position is liquidated, at the price that leaves nothing.
    desk.mark("3500", "ETH")
    assert [desk.size("alice", "ETH"), paid(desk, "alice")] == [0, 0]
    assert desk.account("alice").balance >= 0


def test_a_position_that_cannot_pay_the_debt_leaves_the_rest_of_it_to_the_fund() -> None:
    desk = Desk(usdc="40000")
    before = money_of(desk.exchange.state)
    trade(desk, "bob", "alice", "3500", "0.1", "ETH")
    trade(desk, "alice", "bob", "100000", "1", "BTC")
    desk.limit("carol", "bid", "50000", "1")
    desk.limit("alice", "ask", "50000", "1", tif="IOC")

    # No price above zero makes the short of 0.1 ETH worth the loss of 10,060 beyond the balance.
    assert desk.size("alice", "ETH") == 0
    assert desk.trades_of("alice")[-1].price == Decimal("0.1")
    assert desk.account("alice").balance == 0
    assert 9700 < paid(desk, "alice") < 9720
    assert money_of(desk.exchange.state) == before


def test_the_controls_show_the_fund_and_what_it_paid() -> None:
    with Sandbox(maker=False, taker_delay=0) as sandbox:
        rich, poor = sandbox.create_account("1000000"), sandbox.create_account("40000")
        with Client(sandbox.url, signer=rich) as other, Client(sandbox.url, signer=poor) as debtor:
            limit: Any = {"symbol": "BTC", "amount": "1", "tif": "GTC", "reduce_only": False}
            other.orders.create(side="ask", price="100000", **limit)
            debtor.orders.create(side="bid", price="100000", **limit)
            other.orders.create(side="bid", price="50000", **limit)
            debtor.orders.create(side="ask", price="50000", **limit)
        remote = RemoteSandbox(sandbox.url)
        account, fund = remote.account(poor), remote.insurance_fund()
        assert [account.balance, account.debt_paid] == [0, 10060]
        left = FUNDS - 10060
        assert [fund.debt_paid, fund.balance, fund.equity] == [10060, left, left]
        assert fund == sandbox.insurance_fund()
