"""Trades, funding and what they do to a position (sections 2.2, 2.5 and 4.15; notes 20 to 22)."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.end_to_end.trading import (
    Connect,
    latest_trade,
    latest_trades,
    order,
    place,
    position,
    trade,
)
from trading_sandbox import Sandbox
from trading_sdk import Client, FundingRecord, Keypair

HOUR = 3_600_000


def test_a_trade_tells_order_price_and_time(sandbox: Sandbox, maker: Client, taker: Client) -> None:
    sandbox.freeze()
    place(maker, "ask", 100_000)
    taken = place(taker, "bid", 100_500, "0.04", "IOC")

    found = latest_trade(taker)

    assert (found.order_id, found.client_order_id) == (taken, order(taker, taken).client_order_id)
    assert (found.symbol, found.amount, found.cause) == ("BTC", Decimal("0.04"), "normal")
    assert (found.price, found.entry_price) == (Decimal(100_000), Decimal(100_000))
    assert found.created_at == order(taker, taken).updated_at


def test_the_taker_takes_the_maker_makes_and_each_pays_his_fee(
    maker: Client, taker: Client
) -> None:
    trade(taker, maker, 100_000, "0.1")

    made, took = latest_trade(maker), latest_trade(taker)

    assert (took.event_type, took.fee) == ("fulfill_taker", 10_000 * Decimal("0.0004"))
    assert (made.event_type, made.fee) == ("fulfill_maker", 10_000 * Decimal("0.00015"))
    assert made.history_id != took.history_id


def test_a_long_position_is_opened_and_closed_with_its_profit(maker: Client, taker: Client) -> None:
    trade(taker, maker, 100_000, "0.1")
    assert (latest_trade(taker).side, latest_trade(taker).pnl) == ("open_long", Decimal(0))

    trade(maker, taker, 101_000, "0.1")

    assert (latest_trade(taker).side, latest_trade(taker).pnl) == ("close_long", Decimal(100))
    assert (latest_trade(maker).side, latest_trade(maker).pnl) == ("close_short", Decimal(-100))


def test_a_trade_that_turns_a_position_is_told_in_two_parts(maker: Client, taker: Client) -> None:
    trade(taker, maker, 100_000, "0.1")
    trade(maker, taker, 100_500, "0.3")

    opened, closed = latest_trades(taker, 2)

    assert (closed.side, closed.amount, closed.pnl) == ("close_long", Decimal("0.1"), Decimal(50))
    assert (opened.side, opened.amount, opened.pnl) == ("open_short", Decimal("0.2"), Decimal(0))
    assert opened.order_id == closed.order_id


def test_fees_and_profit_reach_the_balance(
    sandbox: Sandbox, connect: Connect, maker: Client
) -> None:
    main = sandbox.create_account()
    trader = connect(sandbox.create_subaccount(main, usdc="10000"))
    trade(trader, maker, 100_000, "0.1")
    trade(maker, trader, 101_000, "0.1")

    [listed] = connect(main).subaccounts.list()

    fees = sum(each.fee for each in trader.trades.history())
    assert listed.balance == 10_000 + 100 - fees


# -- margin and leverage ---------------------------------------------------------------------


# -- liquidation -----------------------------------------------------------------------------


def long_at_fifty(sandbox: Sandbox, maker: Client, connect: Connect) -> tuple[Keypair, Client]:
    """Long 1 BTC at 100,000 with 2,000 USDC: the maintenance margin is half the initial 2,000."""
    key = sandbox.create_account("2040")
    trader = connect(key)
    trade(trader, maker, 100_000, "1")
    return key, trader


def test_below_its_maintenance_margin_a_position_is_liquidated_in_the_market(
    sandbox: Sandbox, connect: Connect, maker: Client
) -> None:
    _, trader = long_at_fifty(sandbox, maker, connect)
    place(maker, "bid", 98_500, "1")
    resting = place(trader, "ask", 120_000, "1", reduce_only=True)

    sandbox.set_mark_price("BTC", 99_000)
    assert position(trader) == 1
    sandbox.set_mark_price("BTC", 98_999)

    found = latest_trade(trader)
    assert (found.cause, found.side, found.price) == (
        "market_liquidation",
        "close_long",
        Decimal(98_500),
    )
    assert (found.fee, found.pnl) == (Decimal(0), Decimal(-1_500))
    assert position(trader) == 0
    assert order(trader, resting).reason == "force_cancel"
    # Whoever bought it made an ordinary trade.
    assert latest_trade(maker).cause == "normal"


# -- funding ---------------------------------------------------------------------------------


def newest(client: Client, symbol: str = "BTC") -> FundingRecord:
    return next(iter(client.funding.history(symbol=symbol, limit=1)))


@pytest.mark.parametrize(("premium", "payer"), [(1_000, "long"), (-1_000, "short")])
def test_longs_pay_shorts_while_the_rate_is_positive(
    sandbox: Sandbox, connect: Connect, maker: Client, premium: int, payer: str
) -> None:
    main = sandbox.create_account()
    keys = {name: sandbox.create_subaccount(main, usdc="50000") for name in ("long", "short")}
    trade(connect(keys["long"]), connect(keys["short"]), 100_000, "1")
    place(maker, "bid" if premium > 0 else "ask", 100_000 + premium, "1")
    owner = connect(main)
    before = {each.address: each.balance for each in owner.subaccounts.list()}

    sandbox.advance(HOUR)

    after = {each.address: each.balance for each in owner.subaccounts.list()}
    change = {name: after[key.address] - before[key.address] for name, key in keys.items()}
    assert change["long"] == -change["short"] == -100_000 * newest(owner).funding_rate
    assert change[payer] < 0
