"""A server that takes whole requests off its connections and looks at no more than their length."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable

Answer = Callable[[asyncio.Transport, bytes, bytes], None]
"""Answers the head and the body of a request."""
_LENGTH = re.compile(rb"\r\ncontent-length: *([0-9]+)", re.IGNORECASE)


class _Connection(asyncio.Protocol):
    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._unread += data
        head, end, body = self._unread.partition(b"\r\n\r\n")
        length = _LENGTH.search(head)
        if end and len(body) >= (int(length[1]) if length else 0):
            self._unread = b""
            self._answer(self._transport, head, body)


def serve(answer: Answer) -> None:
    """Serve until killed; print the URL first."""
    asyncio.run(_serve(answer))


async def _serve(answer: Answer) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(answer), "127.0.0.1", 0, backlog=512)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()
