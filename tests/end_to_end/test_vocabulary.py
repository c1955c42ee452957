"""A day on the exchange, after which every word of the document has occurred (sections 2.1, 2.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import evolve, frozen

from tests.end_to_end.trading import place, trade
from tests.interface import ENUMS
from trading_sandbox import Sandbox
from trading_sdk import Client, Order, OrderStatus, Side, StopOrderConfig, Trade, TriggerPriceType


@frozen
class Day:
    """Two traders on an exchange, and what its histories told when the day was over."""

    sandbox: Sandbox
    maker: Client
    taker: Client
    orders: tuple[Order, ...] = ()
    trades: tuple[Trade, ...] = ()

    def closed(self) -> Day:
        """The same day with its histories."""
        traders = (self.maker, self.taker)
        return evolve(
            self,
            orders=tuple(each for trader in traders for each in trader.orders.history(limit=100)),
            trades=tuple(each for trader in traders for each in trader.trades.history(limit=100)),
        )


def stop(client: Client, side: Side, **config: Any) -> None:
    order = StopOrderConfig(**config)
    client.orders.create_stop(symbol="BTC", side=side, reduce_only=False, stop_order=order)


def open_and_reject(day: Day) -> None:
    """Orders of each time in force, one of which rests, and one of which is rejected."""
    place(day.maker, "ask", 100_000, "0.3", "GTC")
    place(day.taker, "bid", 100_000, "0.1", "ALO")
    place(day.taker, "bid", 100_000, "0.1", "TOB")
    place(day.taker, "bid", 100_000, "0.4", "IOC")
    place(day.maker, "ask", 100_500, "0.2")
    day.taker.orders.create_market(
        symbol="BTC", side="bid", amount="0.1", slippage_percent="1", reduce_only=False
    )


def cancel_and_prevent(day: Day) -> None:
    """An order is cancelled; another would trade with its own account."""
    day.maker.orders.cancel(symbol="BTC", order_id=place(day.maker))
    place(day.maker, "bid", 99_000)
    place(day.maker, "ask", 99_000, "0.2", "GTC")


def protect(day: Day) -> None:
    """An order with legs, one with other legs, and stop orders for each of the prices."""
    limits: dict[str, Any] = {
        "take_profit": {"stop_price": "120000", "limit_price": "120000"},
        "stop_loss": {"stop_price": "80000", "limit_price": "80000"},
    }
    place(day.taker, "bid", 90_000, **limits)
    place(
        day.taker,
        "bid",
        90_000,
        take_profit={"stop_price": "120000"},
        stop_loss={"stop_price": "80000"},
    )
    stop(day.taker, Side.BID, stop_price="120000", amount="0.1", limit_price="120000")
    for price in TriggerPriceType:
        stop(day.taker, Side.BID, stop_price="130000", amount="0.1", trigger_price_type=price)


def close_both_ways(day: Day) -> None:
    """Both have a position, and close it."""
    trade(day.maker, day.taker, 98_000, "0.5")


def liquidate(day: Day) -> None:
    """Positions are closed for every cause."""
    for cause in ("market_liquidation", "backstop_liquidation", "settlement"):
        trade(day.taker, day.maker, 98_000, "1")
        place(day.maker, "bid", 97_900, "0.5")
        day.sandbox.liquidate(day.taker.account_address or "", "BTC", cause)


HOURS: tuple[Callable[[Day], None], ...] = (
    open_and_reject,
    cancel_and_prevent,
    close_both_ways,
    protect,
    liquidate,
)


@pytest.fixture
def day(sandbox: Sandbox, maker: Client, taker: Client) -> Iterator[Day]:
    lived = Day(sandbox, maker, taker)
    for hour in HOURS:
        hour(lived)
    yield lived.closed()


def sent(day: Day, field: str) -> Iterator[Any]:
    """The values of a field in all that was sent, at any depth."""

    def inside(value: Any) -> Iterator[Any]:
        for name, inner in value.items():
            if name == field:
                yield inner
            elif isinstance(inner, dict):
                yield from inside(inner)

    for request in day.sandbox.requests:
        yield from inside(request.body or {})


def test_every_word_of_the_document_occurs_in_a_day(day: Day) -> None:
    occurred: dict[str, set[Any]] = {
        "Side": {each.side for each in day.orders},
        "TimeInForce": set(sent(day, "tif")),
        "TriggerPriceType": set(sent(day, "trigger_price_type")),
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


def test_an_order_has_a_reason_exactly_when_it_was_cancelled_or_rejected(day: Day) -> None:
    for each in day.orders:
        ended = each.order_status in (OrderStatus.CANCELLED, OrderStatus.REJECTED)
        assert (each.reason is not None) == ended


def test_the_fills_of_an_order_add_up_to_what_it_shows(day: Day) -> None:
    for each in day.orders:
        fills = [trade for trade in day.trades if trade.order_id == each.order_id]
        assert sum(fill.amount for fill in fills) == each.filled_amount
        quote = sum(fill.amount * fill.price for fill in fills)
        assert abs(quote - each.average_filled_price * each.filled_amount) < 1e-6
