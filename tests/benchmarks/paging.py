"""A server of trades: pages prepared beforehand, of which only the cursor changes.

The cursor is the number of pages that are left, this one included, so a client chooses by its first
one how far it walks.
"""

from __future__ import annotations

import asyncio
import json
import re

from tests.benchmarks.raw_server import serve
from tests.benchmarks.records import PAGE_OF_TRADES, made
from tests.interface.records import TRADE

CURSOR = re.compile(rb"[?&]cursor=([0-9]+)")
PAGES = 8
"""Different ones, in turns."""


def prepared(seed: int) -> bytes:
    """A page up to its cursor."""
    records = json.dumps(made(TRADE, PAGE_OF_TRADES, seed), separators=(",", ":")).encode()
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


def main() -> None:
    """Send the pages in turns."""
    pages = [prepared(seed) for seed in range(PAGES)]

    def answer(to: asyncio.Transport, head: bytes, body: bytes) -> None:
        cursor = CURSOR.search(head)
        assert cursor is not None, "a walk names its first cursor"
        left = int(cursor[1])
        to.writelines([pages[left % PAGES], ending(left)])

    serve(answer)


if __name__ == "__main__":
    main()
