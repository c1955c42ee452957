"""A server that takes any POST for an order and looks at nothing: what it measures is the client."""

from __future__ import annotations

import argparse
import asyncio
import re
from itertools import count

ANSWER = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 28\r\n\r\n"
    b'{"order_id":%15d}'
)
IDS = count(1_000_001)
"""No order has the id of another one, or the client would take it for the answer to that one."""
LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)


class Answering(asyncio.Protocol):
    """One connection."""

    def __init__(self, after: float) -> None:
        """Answer after so many seconds; 0 is at once."""
        self._after = after
        self._unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to answer."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer once the whole request is there."""
        self._unread += data
        head, end, body = self._unread.partition(b"\r\n\r\n")
        length = LENGTH.search(head)
        if end and length is not None and len(body) >= int(length[1]):
            self._unread = b""
            answer = ANSWER % next(IDS)
            if self._after:
                loop = asyncio.get_running_loop()
                loop.call_later(self._after, self._transport.write, answer)
            else:
                self._transport.write(answer)


async def main() -> None:
    """Serve until killed; print the URL first."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.answering")
    parser.add_argument("--after", type=float, default=0, help="seconds until it answers")
    after = parser.parse_args().after
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Answering(after), "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
