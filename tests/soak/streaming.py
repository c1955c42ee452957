"""An hour of trading with a stream that is cut every minute: at its end all that knows positions agrees."""

from __future__ import annotations

from random import Random

from tests.doubles.websocket import WAIT
from tests.toolkit.test_live import act, position_of, take, trading, until_true
from trading_runtime.stream import StreamEvent
from trading_sdk_observed.streams import (
    AccountOrders,
    AccountOrderUpdates,
    AccountPositions,
    AccountTrades,
    BestPrices,
    Book,
    Reconnected,
)
from trading_toolkit.live import LiveBook, LiveOrders, LivePositions

ACTS = 12
"""In a minute of the exchange's time."""
CUTS = ("cut_off", "half_frame", "try_again_later")


class Gaps:
    """How often a connection was made again."""

    count = 0

    def add(self, event: StreamEvent | None) -> None:
        """Look at an event."""
        self.count += isinstance(event, Reconnected)


def soak(minutes: int, seed: int) -> str:
    """Trade, and end the connection each minute; the states, the history and the exchange agree to the digit."""
    random, gaps = Random(seed), Gaps()
    states = LiveOrders(), LivePositions(), LiveBook("BTC")
    both = (*states, gaps)
    with trading() as (sandbox, client, other, stream):
        stream.subscribe(
            *(AccountOrders(), AccountOrderUpdates(), AccountPositions(), AccountTrades()),
            *(Book(symbol="BTC"), BestPrices(symbol="BTC")),
        )
        for minute in range(minutes):
            cut = random.randrange(ACTS)
            for turn in range(ACTS):
                if turn == cut:
                    sandbox.faults.inject("account_order_updates", random.choice(CUTS))
                act(random, client, other)
                sandbox.advance(60_000 // ACTS)
                for _ in range(random.randrange(6)):
                    take(stream, both, 0)
            while gaps.count <= minute:
                assert take(stream, both, WAIT), "nothing came any more"
        client.orders.cancel_all(all_symbols=True, exclude_reduce_only=False)
        act(random, client, other)
        until_true(stream, states, client)
        trades = client.trades.history().to_list()
        assert states[1].sizes == position_of(trades)

    return f"{minutes} minutes and cuts, {len(trades)} trades: stream, history and exchange agree"
