"""`python -m trading_sandbox.demo`: one trading day in a minute, on a local exchange.

Every step checks its result, so a wrong answer ends the demo with a traceback.
"""

from __future__ import annotations

import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable
from decimal import Decimal
from itertools import count

from trading_sandbox import Sandbox
from trading_sdk import (
    BatchError,
    CancelOrder,
    Client,
    CreateMarketOrder,
    CreateOrder,
    Order,
    Side,
    Trade,
)

WIDTH = 98
PAGE = 3


class Trace:
    """Prints the demo: numbered steps, what was sent, what came back."""

    def __init__(self, write: Callable[[str], object] = sys.stdout.write) -> None:
        self._write = write
        self._steps = count(1)

    def title(self, text: str) -> None:
        self.line(f"\n{text}\n{'=' * len(text)}")

    def step(self, text: str) -> None:
        self.line(f"\n{next(self._steps):>2}  {text}")

    def say(self, who: str, text: str) -> None:
        self.line(f"      {who:<6}{text}")

    def quote(self, text: str) -> None:
        spaced = text.replace(",", ", ")
        for part in textwrap.wrap(spaced, WIDTH - 8, break_on_hyphens=False):
            self.line(f"        {part.replace(', ', ',')}")

    def table(self, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
        body = list(rows)
        widths = [max(len(row[i]) for row in [head, *body]) for i in range(len(head))]
        for row in (head, tuple("-" * width for width in widths), *body):
            self.line(
                "    " + "  ".join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True))
            )

    def line(self, text: str) -> None:
        self._write(f"{text}\n")


class Demo:
    """Two traders and an exchange."""

    def __init__(self, exchange: Sandbox, trace: Trace) -> None:
        self.trace = trace
        self.maker_key = exchange.create_account(usdc="250000")
        self.taker_key = exchange.create_account(usdc="25000")
        self.maker = Client(exchange.url, signer=self.maker_key)
        self.taker = Client(exchange.url, signer=self.taker_key)
        self.exchange = exchange

    def run(self) -> None:
        """Play every step, in order."""
        self.open()
        self.explain()
        resting = self.rest()
        self.cross()
        self.edit_and_cancel(resting)
        self.batch_of_ten()
        orders = self.page_history()
        self.close(orders)

    def open(self) -> None:
        self.trace.title("trading-service-sdk: a day on the local exchange")
        self.trace.step(f"The exchange listens at {self.exchange.url}; two accounts are funded")
        self.trace.say("maker", f"{self.maker_key.address}  250000 USDC")
        self.trace.say("taker", f"{self.taker_key.address}   25000 USDC")

    def explain(self) -> None:
        """Show what is signed, before the first order is sent."""
        self.trace.step("What exactly gets signed? The canonical text of the maker's first order:")
        signed = self.maker.explain(
            "orders.create",
            symbol="BTC",
            side="ask",
            price="60010",
            amount="0.1",
            tif="ALO",
            reduce_only=False,
        )
        self.trace.quote(signed.canonical)
        self.trace.say("sign", f"{signed.signature[:60]}...")
        self.trace.say("by", signed.address)

    def rest(self) -> list[int]:
        self.trace.step("The maker quotes three levels a side; ALO adds liquidity or is rejected")
        self.exchange.set_mark_price("BTC", "60000")
        ids = []
        levels = {Side.ASK: (60_010, 60_020, 60_030), Side.BID: (59_990, 59_980, 59_970)}
        for side, price in ((side, price) for side, prices in levels.items() for price in prices):
            placed = self.maker.orders.create(
                symbol="BTC", side=side, price=price, amount="0.1", tif="ALO", reduce_only=False
            )
            self.trace.say("maker", f"#{placed.order_id} {side} 0.1 BTC at {price}, rests")
            ids.append(placed.order_id)
        return ids

    def cross(self) -> None:
        self.trace.step("The taker crosses: 0.15 BTC at once, through two levels of the book")
        placed = self.taker.orders.create(
            symbol="BTC", side="bid", price="60020", amount="0.15", tif="IOC", reduce_only=False
        )
        (order,) = [o for o in self.taker.orders.history() if o.order_id == placed.order_id]
        _expect(order.order_status == "filled" and order.filled_amount == Decimal("0.15"))
        self.trace.say(
            "taker",
            f"#{order.order_id} {order.order_status}, {order.filled_amount} BTC "
            f"at {order.average_filled_price.normalize():f} on average",
        )
        for trade in self.taker.trades.history(symbol="BTC"):
            self.trace.say("trade", _trade(trade))

    def edit_and_cancel(self, resting: list[int]) -> None:
        self.trace.step("The maker moves its best bid and takes its worst one back")
        best, worst = resting[3], resting[5]
        edited = self.maker.orders.edit(symbol="BTC", order_id=best, price="59995", amount="0.2")
        self.trace.say("maker", f"#{best} edited: now #{edited.order_id}, 0.2 BTC at 59995")
        self.maker.orders.cancel(symbol="BTC", order_id=worst)
        self.trace.say("maker", f"#{worst} cancelled")
        states = {o.order_id: o.order_status for o in self.maker.orders.history()}
        _expect(states[best] == states[worst] == "cancelled" and states[edited.order_id] == "open")

    def batch_of_ten(self) -> None:
        self.trace.step("Ten actions in one request, each signed on its own; one is meant to fail")
        unknown = 999_999
        quotes = [
            CreateOrder(
                symbol="BTC", side="bid", price=price, amount="0.01", tif="ALO", reduce_only=False
            )
            for price in range(59_900, 59_820, -10)
        ]
        market = CreateMarketOrder(
            symbol="BTC", amount="0.05", side="bid", slippage_percent="0.5", reduce_only=False
        )
        cancel = CancelOrder(symbol="BTC", order_id=unknown)
        results = self.taker.orders.batch([*quotes, market, cancel])
        asked = [
            *(f"bid {bid.amount} BTC at {bid.price}, rests" for bid in quotes),
            f"buy {market.amount} BTC at market, filled",
        ]
        for index, (result, what) in enumerate(zip(results, asked, strict=False)):
            self.trace.say(f"[{index}]", f"#{result.order_id} {what}")
        self.trace.say("[9]", f"cancel #{unknown}: {results[9].error}")
        try:
            results.raise_on_failure()
        except BatchError as error:
            _expect(list(error.failures) == [9])
            self.trace.say("sdk", f"BatchError: {error}")
        else:
            raise AssertionError("the last action should have failed")

    def page_history(self) -> list[Order]:
        self.trace.step(f"The taker's order history, {PAGE} records a page, by cursor")
        orders: list[Order] = []
        for page in self.taker.orders.history(limit=PAGE).pages():
            ids = ", ".join(f"#{order.order_id}" for order in page.items)
            cursor = f"next ...{page.next_cursor[-20:]}" if page.next_cursor else "the last one"
            self.trace.say("page", f"{ids:<30} {cursor}")
            orders.extend(page.items)
        _expect(len(orders) == len({order.order_id for order in orders}) == 10)
        return orders

    def close(self, taker_orders: list[Order]) -> None:
        self.trace.step("What is left of the day")
        rows = [
            _row("maker", list(self.maker.orders.history()), list(self.maker.trades.history())),
            _row("taker", taker_orders, list(self.taker.trades.history())),
        ]
        head = ("", "orders", "open", "filled", "cancelled", "traded BTC", "fees USDC", "pnl USDC")
        self.trace.table(head, rows)
        self.maker.close()
        self.taker.close()
        sent = len(self.exchange.requests)
        self.trace.line(f"\n    {sent} requests, every signature verified by the exchange. Bye.")


def _trade(trade: Trade) -> str:
    return f"{trade.side} {trade.amount} BTC at {trade.price}, fee {trade.fee} USDC"


def _row(name: str, orders: list[Order], trades: list[Trade]) -> tuple[str, ...]:
    states = Counter(str(order.order_status) for order in orders)
    alive = states["open"] + states["partially_filled"]
    return (
        name,
        str(len(orders)),
        str(alive),
        str(states["filled"]),
        str(states["cancelled"]),
        _total(trade.amount for trade in trades),
        _total(trade.fee for trade in trades),
        _total(trade.pnl for trade in trades),
    )


def _total(amounts: Iterable[Decimal]) -> str:
    return f"{sum(amounts, Decimal()).normalize():f}"


def _expect(held: bool) -> None:
    if not held:
        raise AssertionError("the exchange did not do what the demo expects of it")


def main() -> None:
    """Run the demo on a sandbox of its own."""
    with Sandbox(seed=7, maker=False) as exchange:
        Demo(exchange, Trace()).run()


if __name__ == "__main__":
    main()
