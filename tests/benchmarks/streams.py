"""Rows 13 and 14: from the frames of a websocket to typed events, and how many of them a stream takes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from itertools import cycle
from random import Random

import msgspec
from websockets.sync.server import ServerConnection, serve

from tests.benchmarks.measure import Comparison, Row, Way, cpu, rate
from tests.benchmarks.servers import serving
from trading_runtime import stream
from trading_sdk_observed import Client
from trading_sdk_observed.streams import CHANNELS, Book, BookSnapshot, TradesHappened

OURS, MSGSPEC = "ours", "msgspec alone"
TAKEN = "book events through one iterator"
LEVELS = 10
"""Of each side, as the live service sends them."""
DIFFERENT = 7
"""Frames, taken in turns, so that nobody gains by remembering the last one."""
TIMES = 5_000
"""Frames a round."""
LAST = b'{"channel": "trades", "data": []}'
"""An event, so that it waits behind the pictures."""
KINDS = {kind.channel: kind for kind in CHANNELS}


class Framed(msgspec.Struct):
    """A frame of the channel `book`, as a program without this package would read it."""

    channel: str
    data: BookSnapshot


def frame(seed: int, symbol: str = "BTC") -> bytes:
    """A picture of a book."""
    random = Random(seed)
    sides = [
        [
            {"a": str(Decimal(random.randrange(1, 10**6)) / 10**5), "n": 3, "p": str(price + level)}
            for level in range(LEVELS)
        ]
        for price in (99_000, 100_000)
    ]
    data = {"l": sides, "s": symbol, "t": 1_750_000_000_000 + seed, "li": 1_559_885_104 + seed}
    return json.dumps({"channel": "book", "data": data}, separators=(",", ":")).encode()


def read_by_us(data: bytes) -> object:
    """The event of a frame as a stream reads it."""
    return stream._event(stream._frame(data), KINDS)


@contextmanager
def decoding() -> Iterator[Sequence[Way]]:
    """Every reader, at frames of a book."""
    frames = cycle([frame(seed) for seed in range(DIFFERENT)])
    alone = msgspec.json.Decoder(Framed).decode
    yield (
        cpu(OURS, lambda: read_by_us(next(frames)), 700),
        cpu(MSGSPEC, lambda: alone(next(frames)), 700),
    )


@contextmanager
def iterating() -> Iterator[Sequence[Way]]:
    """A stream, at a service that sends as fast as it can."""
    with serving("-m", __name__) as url, Client(url) as client:

        def take() -> int:
            handed = 0
            with client.stream() as opened:
                opened.subscribe(Book(symbol="BTC"))
                while not isinstance(event := opened.next(), TradesHappened):
                    assert isinstance(event, BookSnapshot), event
                    handed += 1
            assert handed == TIMES
            return handed

        yield (rate(TAKEN, "events", take),)


ROW_13 = Row(
    number=13,
    what=f"A frame of a book of {2 * LEVELS} levels, bytes to a typed event with Decimal",
    ways=decoding,
    rounds=71,
    note="msgspec reads the same envelope into the same classes, and does not check the decimals.",
    comparisons=(Comparison(ours=OURS, reference=MSGSPEC, at_most=2.0),),
)
ROW_14 = Row(
    number=14,
    what="Book events a second through one iterator",
    ways=iterating,
    rounds=9,
    note=(
        "50,000 a minute are 833 a second. Each is of a market of its own, so that none takes the place of another: the "
        "iterator is handed all of them, and no `Lagging`."
    ),
    comparisons=(Comparison(ours=TAKEN, reference=None, at_least=833, unit="events/s"),),
)


def main() -> None:
    """Serve the frames; print the URL first."""
    frames = [frame(seed, f"M{seed}").decode() for seed in range(TIMES)]

    def send(connection: ServerConnection) -> None:
        connection.recv()
        for text in frames:
            connection.send(text)
        connection.send(LAST.decode())
        for _ in connection:  # until the client leaves: the end of a connection drops its pictures
            pass

    with serve(send, "127.0.0.1", 0, compression=None) as server:
        print(f"http://127.0.0.1:{server.socket.getsockname()[1]}", flush=True)
        server.serve_forever()


if __name__ == "__main__":
    main()
