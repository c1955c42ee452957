"""A server that takes any POST for an order and looks at nothing: what it measures is the client.

`python -m tests.benchmarks.answering [SECONDS]` answers at once, or after some seconds.
"""

from __future__ import annotations

import asyncio
import sys
from itertools import count

from tests.benchmarks.raw_server import serve

ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 28\r\n\r\n"
    b'{"order_id":%15d}'
)
IDS = count(1_000_001)


def answer(to: asyncio.Transport, head: bytes, body: bytes) -> None:
    """Answer an order with an id of its own."""
    after = sum(map(float, sys.argv[1:]))
    if after:
        asyncio.get_running_loop().call_later(after, to.write, ANSWER % next(IDS))
    else:
        to.write(ANSWER % next(IDS))


if __name__ == "__main__":
    serve(answer)
