"""`python -m trading_sandbox.demo`: one trading day in a minute, on a local exchange; `--open` shows it.

Every step checks its result, so a wrong answer ends the demo with a traceback.
"""

from __future__ import annotations

import argparse
import textwrap
import webbrowser
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from itertools import count
from time import sleep

from trading_sandbox import Sandbox
from trading_sdk import BatchError, CancelOrder, Client, CreateMarketOrder, CreateOrder, Side, Trade

WIDTH = 90
PAGE = 3
PAUSE = 0.5
"""Seconds after each line for who watches, so that the page shows what it tells."""
_ROW = "    {:<7} {:<8} {:<6} {:<8} {:<11} {:<12} {:<11} {}"


class Demo:
    """Two traders and an exchange; `tell` is called with each line of what they do."""

    def __init__(self, exchange: Sandbox, tell: Callable[[str], object] = print) -> None:
        self.exchange = exchange
        self.tell = tell
        self._steps = count(1)
        self.maker = Client(exchange.url, signer=exchange.create_account(usdc="250000"))
        self.taker = Client(exchange.url, signer=exchange.create_account(usdc="25000"))

    def run(self) -> None:
        """Play every step, in order."""
        with self.maker, self.taker:
            self.open()
            self.explain()
            self.rest()
            self.cross()
            self.edit_and_cancel()
            self.batch_of_ten()
            self.page_history()
            self.close()

    def step(self, text: str) -> None:
        self.tell(f"\n{next(self._steps):>2}  {text}")

    def say(self, who: str, text: str) -> None:
        self.tell(f"      {who:<6}{text}")

    def open(self) -> None:
        title = "trading-service-sdk: a day on the local exchange"
        self.tell(f"\n{title}\n{'=' * len(title)}")
        self.step(f"The exchange listens at {self.exchange.url}; two accounts are funded")
        self.say("watch", "open that address in a browser to watch")
        self.say("maker", f"{self.maker.account_address}  250000 USDC")
        self.say("taker", f"{self.taker.account_address}   25000 USDC")
        self.exchange.set_mark_price("BTC", "60000")

    def explain(self) -> None:
        """Show what is signed, before the first order is sent."""
        self.step("What exactly gets signed? The canonical text of the maker's first order:")
        order = {"side": "ask", "price": "60010", "amount": "0.1", "tif": "ALO"}
        signed = self.maker.explain("orders.create", symbol="BTC", **order, reduce_only=False)
        spaced = signed.canonical.replace(",", ", ")
        for line in textwrap.wrap(spaced, WIDTH, break_on_hyphens=False):
            self.tell(f"        {line.replace(', ', ',')}")
        self.say("sign", f"{signed.signature[:60]}...")
        self.say("by", signed.address)

    def rest(self) -> None:
        self.step("The maker quotes three levels a side; ALO adds liquidity or is rejected")
        for side, away in ((Side.ASK, 10), (Side.BID, -10)):
            for level in (1, 2, 3):
                self._quote(side, 60_000 + level * away)

    def _quote(self, side: Side, price: int) -> None:
        placed = self.maker.orders.create(
            symbol="BTC", side=side, price=price, amount="0.1", tif="ALO", reduce_only=False
        )
        self.say("maker", f"#{placed.order_id} {side} 0.1 BTC at {price}, rests")

    def cross(self) -> None:
        self.step("The taker crosses: 0.15 BTC at once, through two levels of the book")
        placed = self.taker.orders.create(
            symbol="BTC", side="bid", price="60020", amount="0.15", tif="IOC", reduce_only=False
        )
        [order] = self.taker.orders.history()
        _expect(order.order_id == placed.order_id and order.order_status == "filled")
        average = f"{order.filled_amount} BTC at {_shortest(order.average_filled_price)} on average"
        self.say("taker", f"#{order.order_id} {order.order_status}, {average}")
        for trade in self.taker.trades.history(symbol="BTC"):
            told = f"{trade.side} {trade.amount} BTC at {trade.price}, fee {trade.fee} USDC"
            self.say("trade", told)

    def edit_and_cancel(self) -> None:
        self.step("The maker moves its best bid and takes its worst one back")
        worst, _, best = [order.order_id for order in self.maker.orders.history().to_list(3)]
        edited = self.maker.orders.edit(symbol="BTC", order_id=best, price="59995", amount="0.2")
        self.say("maker", f"#{best} edited: now #{edited.order_id}, 0.2 BTC at 59995")
        self.maker.orders.cancel(symbol="BTC", order_id=worst)
        self.say("maker", f"#{worst} cancelled")
        states = {o.order_id: o.order_status for o in self.maker.orders.history()}
        _expect(states[best] == states[worst] == "cancelled" and states[edited.order_id] == "open")

    def batch_of_ten(self) -> None:
        self.step("Ten actions in one request, each signed on its own; one is meant to fail")
        quotes = [
            CreateOrder(
                symbol="BTC", side="bid", price=price, amount="0.01", tif="ALO", reduce_only=False
            )
            for price in range(59_900, 59_820, -10)
        ]
        market = CreateMarketOrder(
            symbol="BTC", amount="0.05", side="bid", slippage_percent="0.5", reduce_only=False
        )
        cancel = CancelOrder(symbol="BTC", order_id=999_999)
        results = self.taker.orders.batch([*quotes, market, cancel])
        for index, (result, bid) in enumerate(zip(results, quotes, strict=False)):
            self.say(f"[{index}]", f"#{result.order_id} bid 0.01 BTC at {bid.price}, rests")
        self.say("[8]", f"#{results[8].order_id} buy 0.05 BTC at market, filled")
        self.say("[9]", f"cancel #999999: {results[9].error}")
        try:
            results.raise_on_failure()
        except BatchError as error:
            _expect(list(error.failures) == [9])
            self.say("sdk", f"BatchError: {error}")
        else:
            raise AssertionError("the last action should have failed")

    def page_history(self) -> None:
        self.step(f"The taker's order history, {PAGE} records a page, by cursor")
        seen: set[int] = set()
        for page in self.taker.orders.history(limit=PAGE).pages():
            ids = [order.order_id for order in page.items]
            cursor = f"next ...{page.next_cursor[-20:]}" if page.next_cursor else "the last one"
            self.say("page", f"{', '.join(f'#{each}' for each in ids):<30} {cursor}")
            _expect(seen.isdisjoint(ids))
            seen.update(ids)
        _expect(len(seen) == 10)

    def close(self) -> None:
        self.step("What is left of the day")
        head = ("orders", "open", "filled", "cancelled", "traded BTC", "fees USDC", "pnl USDC")
        self.tell(_ROW.format("", *head))
        for name, client in (("maker", self.maker), ("taker", self.taker)):
            states = Counter(str(order.order_status) for order in client.orders.history())
            alive = states["open"] + states["partially_filled"]
            counts = (states.total(), alive, states["filled"], states["cancelled"])
            self.tell(_ROW.format(name, *counts, *_totals(list(client.trades.history()))))
        sent = len(self.exchange.requests)
        self.tell(f"\n    {sent} requests, every signature verified by the exchange. Bye.")


def _totals(trades: list[Trade]) -> list[str]:
    """Return what was traded, the fees and the profits of trades."""
    columns = zip(*((each.amount, each.fee, each.pnl) for each in trades), strict=True)
    return [_shortest(sum(column, Decimal())) for column in columns]


def _shortest(number: Decimal) -> str:
    return f"{number.normalize():f}"


def _expect(held: bool) -> None:
    if not held:
        raise AssertionError("the exchange did not do what the demo expects of it")


def _tell_slowly(line: str) -> None:
    print(line, flush=True)
    sleep(PAUSE)


def main(arguments: list[str] | None = None) -> None:
    """Run the demo on a sandbox of its own."""
    parser = argparse.ArgumentParser(prog="python -m trading_sandbox.demo")
    told = "show it in a browser, slowly, and serve the page until Ctrl-C"
    parser.add_argument("--open", action="store_true", help=told)
    options = parser.parse_args(arguments)
    with Sandbox(seed=7, maker=False) as exchange:
        if not options.open:
            Demo(exchange).run()
            return
        webbrowser.open(exchange.url)
        Demo(exchange, _tell_slowly).run()
        print(f"    The page stays at {exchange.url} until Ctrl-C.", flush=True)
        with suppress(KeyboardInterrupt):
            while True:
                sleep(3600)


if __name__ == "__main__":
    main()
