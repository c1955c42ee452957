"""A server of trades: pages prepared beforehand, of which only the cursor changes.

The cursor is the number of pages that are left, this one included, so a client chooses by its first
one how far it walks.
"""

from __future__ import annotations

import asyncio
import json
import re

from tests.benchmarks.records import PAGE_OF_TRADES, trades

CURSOR = re.compile(rb"[?&]cursor=([0-9]+)")
PAGES = 8
"""Different ones, in turns."""


def prepared(seed: int) -> bytes:
    """A page up to its cursor."""
    records = json.dumps(trades(PAGE_OF_TRADES, seed), separators=(",", ":")).encode()
    start = b'{"success":true,"data":%b,"next_cursor":' % records
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (
        len(start) + len(ending(1))
    )
    return head + start


def ending(left: int) -> bytes:
    """The end of a page, padded to the same length for any number of pages that are left."""
    if left == 1:
        return b'null,"has_more":false}'.ljust(40)
    return (b'"%d","has_more":true}' % (left - 1)).ljust(40)


class Paging(asyncio.Protocol):
    """One connection."""

    def __init__(self, pages: list[bytes]) -> None:
        """Send these pages in turns."""
        self._pages = pages
        self._unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Remember where to answer."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer once the whole request is there."""
        self._unread += data
        cursor = CURSOR.search(self._unread)
        if self._unread.endswith(b"\r\n\r\n") and cursor is not None:
            self._unread = b""
            left = int(cursor[1])
            self._transport.writelines([self._pages[left % PAGES], ending(left)])


async def main() -> None:
    """Serve until killed; print the URL first."""
    pages = [prepared(seed) for seed in range(PAGES)]
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Paging(pages), "127.0.0.1", 0)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
