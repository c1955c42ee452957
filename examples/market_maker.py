"""A market maker that leaves no order open behind your back, however it ends.

Usage: python examples/market_maker.py [ROUNDS] [--pnl-includes-fees] [--history-lag SECONDS]
(the environment: see examples/README.md)

It needs an account of its own, like a subaccount: it cancels every open order of its market there.

What keeps it safe:
- With a journal, every call is on disk before it is sent. After `kill -9`, the next start asks what became of it.
- A call with an unknown outcome is never repeated. `reconcile` reads from the histories what became of it: each quote
  is a new order, with an id that the SDK makes.
- Quotes are ALO orders and the signatures expire soon: a late quote is refused, not filled at an old price.
- Every end cancels what is open: the last round, an error, Ctrl-C, SIGTERM. If that fails, it prints which orders
  may be open, with their ids, and fails.
- What is refused or lost for now is tried again, with longer and longer pauses, some 25 seconds long. Any other
  refusal (no balance, a wrong key) ends it with the words of the service.

Whether the service takes fees off a trade's `pnl` is not documented. By default it is taken as before fees, which are
then subtracted. If your trades show `pnl` after fees (an opening fill has `pnl == -fee`), give --pnl-includes-fees.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Callable, Iterable
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import TYPE_CHECKING, Literal, cast
from uuid import UUID

from trading_sdk import (
    ApiError,
    Client,
    CreateOrder,
    DecodeError,
    InternalServerError,
    NoResponseError,
    NotSentError,
    Order,
    OutcomeUnknownError,
    PaginationError,
    RateLimitError,
    Trade,
    TradingError,
)

if TYPE_CHECKING:
    from trading_sdk_observed import Client as ObservedClient

SYMBOL, TICK = "BTC", Decimal(1)
SIZE = Decimal("0.01")
LIMIT = Decimal("0.05")
"""Largest position, long or short, as the trade history shows it. What it does not show yet comes on top."""
EDGE = Decimal("0.0004")
"""Distance of a quote from the fair price, as a part of the price."""
PAUSE = 0.1
"""Seconds between two rounds."""
PAUSES = [0.1 * 2**number for number in range(8)]
"""Seconds before each further try: from 0.1 to 12.8."""
LONGEST = 60.0
"""Seconds that it waits at most where the service asks for a wait."""
FOR_NOW = (
    *(NotSentError, NoResponseError, DecodeError, PaginationError),
    *(RateLimitError, InternalServerError, OutcomeUnknownError),
)
"""What may go well another time. Every other error ends the program."""
SIGNS = {"open_long": 1, "close_short": 1, "open_short": -1, "close_long": -1}


class StuckError(Exception):
    """Something does not go away by itself."""


def main(arguments: list[str]) -> None:
    given = parsed(arguments)
    with Client.from_env(
        journal="maker.journal", expiry_window=5_000, history_lag=given.history_lag
    ) as client:
        maker = Maker(client)
        work(maker, (maker.quote for _ in range(given.rounds)))
        trades = list(client.trades.history(symbol=SYMBOL))
    earned = sum(
        trade.pnl if given.pnl_includes_fees else trade.pnl - trade.fee for trade in trades
    )
    told = "pnl, which includes fees" if given.pnl_includes_fees else "pnl less fees"
    print(
        f"{len(trades)} trades, position {position(trades)} {SYMBOL}, earned {earned} USDC ({told})"
    )


def work(maker: Maker, steps: Iterable[Callable[[], None]]) -> None:
    """Carry out one step after another. Every end cancels what is open."""
    asked_to_end = False

    def end(*_: object) -> None:
        nonlocal asked_to_end
        asked_to_end = True
        raise KeyboardInterrupt

    for each in (signal.SIGINT, signal.SIGTERM):  # `docker stop` ends it like Ctrl-C
        signal.signal(each, end)
    problem, is_clear = None, False
    try:
        for step in steps:
            maker.repeat(step)
            time.sleep(PAUSE)
            if asked_to_end:  # Python ignores what is raised while it destroys an object
                raise KeyboardInterrupt
    except (TradingError, StuckError) as error:
        problem = f"ended by {type(error).__name__}: {error}"
    finally:
        is_clear = maker.leave()
    if problem or not is_clear:
        sys.exit(problem or 1)


def parsed(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Quote both sides of a market.")
    parser.add_argument("rounds", nargs="?", type=int, default=100)
    parser.add_argument(
        "--pnl-includes-fees", action="store_true", help="pnl of trades is after fees already"
    )
    parser.add_argument(
        "--history-lag", type=float, default=15, help="seconds until the lists show an order"
    )
    return parser.parse_args(arguments)


class Maker:
    """Quotes a market, and knows which orders may be open."""

    def __init__(self, client: Client | ObservedClient) -> None:
        self.client = client
        self.may_be_open: dict[UUID | int, str] = {}
        """Client order id, or else order id -> the order in words. It stays until the history shows its end."""

    def repeat(self, step: Callable[[], None]) -> None:
        """Carry out a step until it succeeds. Each step first clears what is open, so it can be repeated."""
        for pause in PAUSES:
            try:
                return step()
            except FOR_NOW as error:
                print("again, because", error)
                asked = getattr(error, "retry_after", None) or 0
                time.sleep(min(max(pause, asked), LONGEST))
        return step()  # the last time: its error ends the program

    def quote(self) -> None:
        """Replace both quotes; none on the side where the position has reached its limit."""
        price = fair_price(cast(Client, self.client))
        self.clear()
        self.place(price)

    def place(self, price: Decimal) -> None:
        """Quote around a price."""
        held = position(self.client.trades.history(symbol=SYMBOL))
        quotes = [
            *([order("bid", price * (1 - EDGE), ROUND_FLOOR)] if held < LIMIT else []),
            *([order("ask", price * (1 + EDGE), ROUND_CEILING)] if held > -LIMIT else []),
        ]
        ids = [each.client_order_id for each in quotes if each.client_order_id]
        for id_, each in zip(ids, quotes, strict=True):
            self.may_be_open[id_] = f"{each.side} {each.amount} at {each.price}"
        try:
            results = self.client.orders.batch(quotes)
        except TradingError as error:
            if not isinstance(error, OutcomeUnknownError):  # that is settled before the next quotes
                self.forget(ids)
            raise
        self.forget(id_ for id_, each in zip(ids, results, strict=True) if not each.success)
        results.raise_on_failure()

    def leave(self) -> bool:
        """Cancel what is open, and say so. If that fails, say what may be open, and return False."""
        try:
            self.repeat(self.clear)
            print("no order is open")
        except BaseException as error:  # a second Ctrl-C, too
            print(f"NOT ALL ORDERS ARE CANCELLED, {type(error).__name__}: {error}")
            for id_, words in self.may_be_open.items():
                print(f"may be open: {SYMBOL} {words}, id {id_}")
            print(
                "orders of an earlier run may be open, too: start it again, or cancel them yourself"
            )
            if not isinstance(error, (TradingError, StuckError)):
                raise
            return False
        return True

    def clear(self) -> None:
        """Cancel until nothing is open, neither orders nor calls that may have placed some."""
        self.cancel()
        for error in self.client.unsettled():
            self.settle(error)
        for pause in PAUSES:
            if not self.cancel():
                return
            time.sleep(pause)
        raise StuckError("the history still does not show the end of some orders")

    def cancel(self) -> bool:
        """Cancel what may be open; return whether there was anything."""
        orders = self.client.orders.history().to_list()
        self.forget(key(each) for each in orders if not is_open(each))
        for each in filter(is_open, orders):
            words = f"{each.side} {each.amount} at {each.initial_price}, order id {each.order_id}"
            self.may_be_open[key(each)] = words
        for id_ in self.may_be_open:
            try:
                if isinstance(id_, UUID):
                    self.client.orders.cancel(symbol=SYMBOL, client_order_id=id_)
                else:
                    self.client.orders.cancel(symbol=SYMBOL, order_id=id_)
            except ApiError as error:  # most likely filled: the next look at the history shows it
                print("not cancelled:", error)
        return bool(self.may_be_open)

    def settle(self, error: OutcomeUnknownError) -> None:
        """Find out what became of a call. Nothing is sent again here."""
        if error.operation == "orders.cancel":
            return self.client.acknowledge(error)  # it is cancelled again, should it still be open
        for pause in PAUSES:
            settlements = self.client.reconcile(error)
            for each in settlements:
                print(each.operation, each.client_id, each.state)
            if all(each.state != "unsettled" for each in settlements):
                never = [each.client_id for each in settlements if each.state == "not executed"]
                return self.forget(UUID(id_) for id_ in never if id_)
            time.sleep(pause)
        raise StuckError(f"look for it yourself, and then client.acknowledge it: {error}")

    def forget(self, ids: Iterable[UUID | int]) -> None:
        """These orders are not open."""
        for id_ in ids:
            self.may_be_open.pop(id_, None)


def order(side: Literal["bid", "ask"], price: Decimal, rounding: str) -> CreateOrder:
    """A post-only order, with the price rounded away from the market."""
    ticks = (price / TICK).to_integral_value(rounding)
    return CreateOrder(
        symbol=SYMBOL, side=side, price=ticks * TICK, amount=SIZE, tif="ALO", reduce_only=False
    )


def key(each: Order) -> UUID | int:
    return each.client_order_id or each.order_id


def is_open(each: Order) -> bool:
    # A status that this version does not know may be one of an open order.
    return each.symbol == SYMBOL and each.order_status not in ("filled", "cancelled", "rejected")


def position(trades: Iterable[Trade]) -> Decimal:
    """The position that trades lead to: above zero long, below zero short."""
    return sum((SIGNS[trade.side] * trade.amount for trade in trades), Decimal(0))


def fair_price(client: Client) -> Decimal:
    """The oracle price of the last full hour. A real market maker has a price feed here."""
    record = client.funding.history(symbol=SYMBOL, limit=1).first()
    if record is None:
        raise StuckError(f"there is no price of {SYMBOL}")
    return record.oracle_price


if __name__ == "__main__":
    main(sys.argv[1:])
