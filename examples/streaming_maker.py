"""The market maker of market_maker.py, at the prices that the websocket tells.

Usage: python examples/streaming_maker.py [ROUNDS] [--history-lag SECONDS]
(the environment: see examples/README.md; the sandbox runs with `--dialect live`)

It replaces its quotes when the oracle price moves or an order fills. When the stream is cut, or this program lags, it
cancels what is open, and quotes again at a price that came afterwards. Positions and ends of orders come by REST, as
in market_maker.py, so no trade is counted twice, and none that the stream missed is lost.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from decimal import Decimal

from market_maker import SYMBOL, Maker, StuckError, parsed, work
from trading_runtime.stream import Stream
from trading_sdk_observed import Client
from trading_sdk_observed.streams import (
    AccountTrades,
    Disconnected,
    Lagging,
    OwnTradesHappened,
    Prices,
    PricesSnapshot,
    Reconnected,
    StreamEvent,
    SubscriptionRefused,
)

MOVE = Decimal("0.0001")
"""How far the price moves until quotes are replaced, as a part of the price."""
LONGEST = 10.0
"""Seconds after which they are replaced anyway."""


class StreamingMaker(Maker):
    """Quotes around the price of a stream."""

    def __init__(self, client: Client, stream: Stream) -> None:
        super().__init__(client)
        self.stream = stream
        self.price: Decimal | None = None
        """The oracle price; None before it is told, and while the stream is cut."""
        self.is_outdated = False
        stream.subscribe(Prices(), AccountTrades())

    def quote(self) -> None:
        """Replace both quotes, by the price that the stream tells by then."""
        self.clear()
        while (event := self.stream.next(timeout=0)) is not None:
            self.take(event)
        while self.price is None:
            self.wait(None)
        self.is_outdated = False
        self.place(self.price)

    def steps(self, rounds: int) -> Iterator[Callable[[], None]]:
        """Quote so often, and cancel when the stream is cut."""
        for _ in range(rounds):
            yield self.quote
            quoted = self.price
            while not self.is_outdated and quoted and self.price:
                if abs(self.price - quoted) >= quoted * MOVE or not self.wait(LONGEST):
                    break
            if self.price is None:
                yield self.clear

    def wait(self, timeout: float | None) -> bool:
        """Take the next event; False if none comes in time."""
        event = self.stream.next(timeout=timeout)
        if event is None and timeout is None:
            raise StuckError("the stream was closed")
        if event is not None:
            self.take(event)
        return event is not None

    def take(self, event: StreamEvent) -> None:
        match event:
            case PricesSnapshot(prices=prices):
                self.price = next(each.oracle for each in prices if each.symbol == SYMBOL)
            case OwnTradesHappened():
                self.is_outdated = True
            case Disconnected(reason=reason):
                print("the stream was cut:", reason)
                self.price, self.is_outdated = None, True
            case Reconnected():
                self.price, self.is_outdated = None, True
            case Lagging():  # of pictures, and so of prices, the newest is kept
                self.is_outdated = True
            case SubscriptionRefused(error=error):
                raise StuckError(error)


def main(arguments: list[str]) -> None:
    given = parsed(arguments)
    with (
        Client.from_env(
            journal="maker.journal", expiry_window=5_000, history_lag=given.history_lag
        ) as client,
        client.stream() as stream,
    ):
        maker = StreamingMaker(client, stream)
        work(maker, maker.steps(given.rounds))


if __name__ == "__main__":
    main(sys.argv[1:])
