"""A day on the exchange, after which every word of the document has occurred (sections 2.1, 2.2)."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from tests.doubles.orders import market_order
from tests.end_to_end.trading import place, trade
from tests.interface import ENUMS
from tests.trees import objects
from trading_sandbox import Sandbox
from trading_sdk import Client, Order, Side, StopOrderConfig, Trade, TriggerPriceType


class Day(NamedTuple):
    """What the histories of two traders told when the day was over, and all that they sent."""

    orders: list[Order]
    trades: list[Trade]
    sent: list[Any]


def stop(client: Client, side: Side, **config: Any) -> None:
    order = StopOrderConfig(**config)
    client.orders.create_stop(symbol="BTC", side=side, reduce_only=False, stop_order=order)


def open_and_reject(maker: Client, taker: Client) -> None:
    """Orders of each time in force, one of which rests, and one of which is rejected."""
    place(maker, "ask", 100_000, "0.3", "GTC")
    place(taker, "bid", 100_000, "0.1", "ALO")
    place(taker, "bid", 100_000, "0.1", "TOB")
    place(taker, "bid", 100_000, "0.4", "IOC")
    place(maker, "ask", 100_500, "0.2")
    taker.orders.create_market(**market_order(amount="0.1"))


def cancel_and_prevent(maker: Client) -> None:
    """An order is cancelled; another would trade with its own account."""
    maker.orders.cancel(symbol="BTC", order_id=place(maker))
    place(maker, "bid", 99_000)
    place(maker, "ask", 99_000, "0.2", "GTC")


def protect(taker: Client) -> None:
    """An order with legs, one with other legs, and stop orders for each of the prices."""
    for more in ({}, {"limit_price": "100000"}):
        legs: dict[str, Any] = {
            "take_profit": {"stop_price": "120000", **more},
            "stop_loss": {"stop_price": "80000", **more},
        }
        place(taker, "bid", 90_000, **legs)
    stop(taker, Side.BID, stop_price="120000", amount="0.1", limit_price="120000")
    for price in TriggerPriceType:
        stop(taker, Side.BID, stop_price="130000", amount="0.1", trigger_price_type=price)


def liquidate(sandbox: Sandbox, maker: Client, taker: Client) -> None:
    """Positions are closed for every cause."""
    for cause in ("market_liquidation", "backstop_liquidation", "settlement"):
        trade(taker, maker, 98_000, "1")
        place(maker, "bid", 97_900, "0.5")
        sandbox.liquidate(taker.account_address or "", "BTC", cause)


@pytest.fixture
def day(sandbox: Sandbox, maker: Client, taker: Client) -> Day:
    open_and_reject(maker, taker)
    cancel_and_prevent(maker)
    trade(maker, taker, 98_000, "0.5")  # both have a position, and close it
    protect(taker)
    liquidate(sandbox, maker, taker)
    return Day(
        [each for trader in (maker, taker) for each in trader.orders.history(limit=100)],
        [each for trader in (maker, taker) for each in trader.trades.history(limit=100)],
        [each.body for each in sandbox.requests if each.body],
    )


def values(found: Any, field: str) -> set[Any]:
    """The values of a field in what was sent, at any depth."""
    return {each[field] for each in objects(found) if field in each}


def test_every_word_of_the_document_occurs_in_a_day(day: Day) -> None:
    occurred: dict[str, set[Any]] = {
        "Side": {each.side for each in day.orders},
        "TimeInForce": values(day.sent, "tif"),
        "TriggerPriceType": values(day.sent, "trigger_price_type"),
        "OrderStatus": {each.order_status for each in day.orders},
        "OrderType": {each.order_type for each in day.orders},
        "OrderReason": {each.reason for each in day.orders} - {None},
        "TradeEventType": {each.event_type for each in day.trades},
        "TradeSide": {each.side for each in day.trades},
        "TradeCause": {each.cause for each in day.trades},
    }

    assert {name: {str(each) for each in found} for name, found in occurred.items()} == {
        name: set(values) for name, values in ENUMS.items()
    }
