"""Trades and what they do to a position: sides, fees, profit, margin (section 2.2; notes 21, 22)."""

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
from trading_sdk import BadRequestError, Client, Keypair


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


def test_a_short_position_is_opened_and_closed_with_its_loss(maker: Client, taker: Client) -> None:
    trade(maker, taker, 100_000, "0.1")
    assert latest_trade(taker).side == "open_short"

    trade(taker, maker, 101_000, "0.04")

    assert (latest_trade(taker).side, latest_trade(taker).pnl) == ("close_short", Decimal(-40))
    assert position(taker) == Decimal("-0.06")


def test_a_trade_that_turns_a_position_is_told_in_two_parts(maker: Client, taker: Client) -> None:
    trade(taker, maker, 100_000, "0.1")
    trade(maker, taker, 100_500, "0.3")

    opened, closed = latest_trades(taker, 2)

    assert (closed.side, closed.amount, closed.pnl) == ("close_long", Decimal("0.1"), Decimal(50))
    assert (opened.side, opened.amount, opened.pnl) == ("open_short", Decimal("0.2"), Decimal(0))
    assert opened.order_id == closed.order_id


def test_profit_counts_from_the_average_entry_price(maker: Client, taker: Client) -> None:
    trade(taker, maker, 100_000, "0.1")
    trade(taker, maker, 100_300, "0.2")

    trade(maker, taker, 101_000, "0.3")

    assert latest_trade(taker).pnl == Decimal("0.3") * 800


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


@pytest.mark.parametrize(("leverage", "most"), [(None, "0.49"), (10, "0.09")])
def test_an_order_needs_its_notional_divided_by_the_leverage(
    sandbox: Sandbox, connect: Connect, leverage: int | None, most: str
) -> None:
    key = sandbox.create_account("1000")
    sandbox.set_margin(key, "BTC", leverage=leverage)
    trader = connect(key)

    with pytest.raises(BadRequestError, match="Insufficient balance"):
        place(trader, "bid", 100_000, Decimal(most) + Decimal("0.02"))
    place(trader, "bid", 100_000, most)


def test_open_orders_reserve_margin_until_they_are_cancelled(
    sandbox: Sandbox, connect: Connect
) -> None:
    trader = connect(sandbox.create_account("1000"))
    resting = place(trader, "bid", 100_000, "0.4")
    with pytest.raises(BadRequestError, match="Insufficient balance"):
        place(trader, "bid", 100_000, "0.2")

    trader.orders.cancel(symbol="BTC", order_id=resting)

    place(trader, "bid", 100_000, "0.2")


def test_in_cross_margin_the_profit_of_one_market_backs_another(
    sandbox: Sandbox, connect: Connect, maker: Client
) -> None:
    key = sandbox.create_account("1000")
    trader = connect(key)
    trade(trader, maker, 100_000, "0.4")
    with pytest.raises(BadRequestError, match="Insufficient balance"):
        place(trader, symbol="ETH", price=3_500, amount="10")

    sandbox.set_mark_price("BTC", 105_000)

    place(trader, symbol="ETH", price=3_500, amount="10")


def test_an_isolated_position_keeps_its_profit_to_itself(
    sandbox: Sandbox, connect: Connect, maker: Client
) -> None:
    key = sandbox.create_account("1000")
    sandbox.set_margin(key, "BTC", isolated=True)
    trader = connect(key)
    trade(trader, maker, 100_000, "0.4")

    sandbox.set_mark_price("BTC", 105_000)

    with pytest.raises(BadRequestError, match="Insufficient balance"):
        place(trader, symbol="ETH", price=3_500, amount="10")


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


def test_what_the_market_does_not_take_goes_to_the_backstop(
    sandbox: Sandbox, connect: Connect, maker: Client
) -> None:
    _, trader = long_at_fifty(sandbox, maker, connect)
    place(maker, "bid", 98_500, "0.4")

    sandbox.set_mark_price("BTC", 98_900)

    causes = {str(each.cause): each.amount for each in latest_trades(trader, 2)}
    assert causes == {
        "market_liquidation": Decimal("0.4"),
        "backstop_liquidation": Decimal("0.6"),
    }


def test_a_settlement_closes_the_position_of_the_other_side_too(
    sandbox: Sandbox, connect: Connect, maker: Client
) -> None:
    key, trader = long_at_fifty(sandbox, maker, connect)

    sandbox.liquidate(key, "BTC", "settlement")

    ours, theirs = latest_trade(trader), latest_trade(maker)
    assert (ours.cause, ours.side) == ("settlement", "close_long")
    assert (theirs.cause, theirs.side) == ("settlement", "close_short")
    assert position(maker) == position(trader) == 0


def test_an_isolated_position_is_liquidated_though_the_account_is_rich(
    sandbox: Sandbox, connect: Connect, maker: Client
) -> None:
    key = sandbox.create_account("1000000")
    sandbox.set_margin(key, "BTC", isolated=True)
    trader = connect(key)
    trade(trader, maker, 100_000, "1")

    sandbox.set_mark_price("BTC", 98_900)

    assert latest_trade(trader).cause == "backstop_liquidation"
    assert position(trader) == 0


def test_a_position_of_a_lower_leverage_survives_the_same_fall(
    sandbox: Sandbox, connect: Connect, maker: Client
) -> None:
    key = sandbox.create_account("20100")
    sandbox.set_margin(key, "BTC", isolated=True, leverage=5)
    trader = connect(key)
    trade(trader, maker, 100_000, "1")

    sandbox.set_mark_price("BTC", 98_900)

    assert position(trader) == 1
