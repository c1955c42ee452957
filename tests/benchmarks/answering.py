"""A server that takes any POST for an order and looks at nothing: what it measures is the client."""

from __future__ import annotations

import argparse
import asyncio
from itertools import count

from tests.benchmarks.raw_server import serve

ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 28\r\n\r\n"
    b'{"order_id":%15d}'
)
IDS = count(1_000_001)
"""No order has the id of another one, or the client would take it for the answer to that one."""


def main() -> None:
    """Answer at once, or after some seconds."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.answering")
    parser.add_argument("--after", type=float, default=0, help="seconds until it answers")
    after = parser.parse_args().after

    def answer(to: asyncio.Transport, head: bytes, body: bytes) -> None:
        if after:
            asyncio.get_running_loop().call_later(after, to.write, ANSWER % next(IDS))
        else:
            to.write(ANSWER % next(IDS))

    serve(answer)


if __name__ == "__main__":
    main()
