"""A market maker that may be killed at any moment, and still knows every order that it has.

Usage: python examples/market_maker.py [ROUNDS]     (the environment: see examples/README.md)

What keeps it safe:
- With a journal, every call is on disk before it is sent. `unsettled()` lists after a crash what may be open.
- A call with an unknown outcome is never repeated. `reconcile` reads from the histories what became of it.
- Quotes are ALO orders and the signatures expire soon: a late quote is refused, not filled at an old price.
- It begins and ends with no open order, so that a restart needs no other memory than the exchange's.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Literal

from trading_sdk import (
    ApiError,
    Client,
    CreateOrder,
    NoResponseError,
    NotSentError,
    Order,
    OutcomeUnknownError,
    Trade,
)

SYMBOL, TICK = "BTC", Decimal(1)
SIZE = Decimal("0.01")
LIMIT = Decimal("0.05")
"""Largest position, long or short."""
EDGE = Decimal("0.0004")
"""Distance of a quote from the fair price, as a part of the price."""
PAUSE = 0.1
"""Seconds between two rounds, and before something is tried again."""
SIGNS = {"open_long": 1, "close_short": 1, "open_short": -1, "close_long": -1}


def main(rounds: int) -> None:
    with Client.from_env(journal="maker.journal", expiry_window=5_000, history_lag=1) as client:
        for error in client.unsettled():
            settle(client, error)
        for _ in range(rounds):
            repeat(client, quote)
            time.sleep(PAUSE)
        repeat(client, cancel_quotes)
        trades = list(client.trades.history(symbol=SYMBOL))
        earned = sum(trade.pnl - trade.fee for trade in trades)
        print(f"{len(trades)} trades, position {position(trades)} {SYMBOL}, earned {earned} USDC")


def repeat(client: Client, step: Callable[[Client], None]) -> None:
    """Carry out a step until it succeeds. Every step first reads what is open, so it can be repeated."""
    while True:
        try:
            return step(client)
        except OutcomeUnknownError as error:
            settle(client, error)
        except (NotSentError, NoResponseError, ApiError) as error:
            print("again, because", error)
            time.sleep(getattr(error, "retry_after", None) or PAUSE)


def settle(client: Client, error: OutcomeUnknownError) -> None:
    """Wait until it is known what became of a call. Nothing is sent again here."""
    if error.operation == "orders.cancel":
        return client.acknowledge(error)  # the order is cancelled again, should it still be open
    while True:
        try:
            settlements = client.reconcile(error)
        except (NotSentError, NoResponseError, ApiError) as unread:
            print("the histories cannot be read:", unread)
        else:
            for each in settlements:
                print(each.operation, each.client_id, each.state)
            if all(each.state != "unsettled" for each in settlements):
                return None
        time.sleep(PAUSE)


def quote(client: Client) -> None:
    """Replace both quotes; none on the side where the position has reached its limit."""
    cancel_quotes(client)
    price, held = fair_price(client), position(client.trades.history(symbol=SYMBOL))
    quotes = [
        *([order("bid", price * (1 - EDGE), ROUND_FLOOR)] if held < LIMIT else []),
        *([order("ask", price * (1 + EDGE), ROUND_CEILING)] if held > -LIMIT else []),
    ]
    for index, result in enumerate(client.orders.batch(quotes)):
        if not result.success:
            print(quotes[index].side, "not placed:", result.error)


def cancel_quotes(client: Client) -> None:
    """Cancel until nothing is open. An order that cannot be cancelled was filled in the meantime."""
    while orders := [each for each in client.orders.history() if is_open(each)]:
        for each in orders:
            try:
                client.orders.cancel(symbol=each.symbol, order_id=each.order_id)
            except ApiError as error:
                print("not cancelled:", error)


def order(side: Literal["bid", "ask"], price: Decimal, rounding: str) -> CreateOrder:
    """A post-only order, with the price rounded away from the market."""
    ticks = (price / TICK).to_integral_value(rounding)
    return CreateOrder(
        symbol=SYMBOL, side=side, price=ticks * TICK, amount=SIZE, tif="ALO", reduce_only=False
    )


def is_open(each: Order) -> bool:
    return each.order_status in ("open", "partially_filled")


def position(trades: Iterable[Trade]) -> Decimal:
    """The position that trades lead to: above zero long, below zero short."""
    return sum((SIGNS[trade.side] * trade.amount for trade in trades), Decimal(0))


def fair_price(client: Client) -> Decimal:
    """The oracle price of the last full hour. A real market maker has a price feed here."""
    record = client.funding.history(symbol=SYMBOL, limit=1).first()
    assert record is not None
    return record.oracle_price


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 100)
