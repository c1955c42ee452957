"""Server-sent events: what a page reads live, drawn once for all pages that are open."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from time import perf_counter

from starlette.types import Receive, Scope, Send

PACE = 0.5
"""The least seconds between two pictures."""
SHARE = 80
"""A picture that takes long to draw is drawn less often: for one part of the time, this many are for the exchange."""
SLOWEST = 5.0
"""The most seconds between two pictures, however long one takes."""
LAST_WORDS = 0.2
"""Seconds that a reader has to take what it was sent before the stream was closed."""
HEADERS = [
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"cross-origin-resource-policy", b"same-origin"),
]

_END = {"type": "http.response.body", "body": b""}
_logger = logging.getLogger(__name__)


class PictureStream:
    """An ASGI application that sends the events `past`, once, and then `picture`, whenever it has changed.

    While nobody reads, nothing is drawn. A reader that is slow misses pictures: what waits for it is what its
    connection buffers, and one picture.

    Args:
        past: Returns what came before.
        now: Returns the picture of now. Both are called in a thread, because they may wait for locks of requests.
    """

    def __init__(self, past: Callable[[], bytes], now: Callable[[], bytes]) -> None:
        self._past = past
        self._now = now
        self._picture = b""
        self._begun = self._drawn = 0
        """How many pictures were begun, and the number of the latest that was drawn to its end."""
        self._changed = asyncio.Condition()
        self._readers: dict[asyncio.Task[None], Callable[[], None]] = {}
        """What sends to each reader, with the function that aborts its connection."""
        self._drawing: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a page until it goes or the stream is closed."""
        self._loop = asyncio.get_running_loop()
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        if scope["method"] == "HEAD" or self._closed:
            await send(_END)
            return
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_left(receive))
        self._readers[sending] = scope["state"]["abort"]
        if self._drawing is None:
            self._drawing = asyncio.create_task(self._draw())
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self._readers[sending]
            for task in (sending, leaving):
                task.cancel()
            ended = await asyncio.gather(sending, leaving, return_exceptions=True)
        for each in ended:
            if isinstance(each, Exception):
                raise each

    def close(self) -> None:
        """End every answer, from any thread. A stopping server would wait for them."""
        self._closed = True
        if self._loop is not None:
            asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()

    async def _end(self) -> None:
        if self._drawing is not None:
            self._drawing.cancel()
            await asyncio.gather(self._drawing, return_exceptions=True)
        await self._tell()
        if self._readers:
            _, stuck = await asyncio.wait(self._readers, timeout=LAST_WORDS)
            for sending in stuck & self._readers.keys():
                self._readers[sending]()

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _send(self, send: Send) -> None:
        sent = b""
        await send(_event("past", await asyncio.to_thread(self._past)))
        # No picture from before the page was opened.
        first = self._begun + 1
        while True:
            async with self._changed:
                while not self._closed and (self._drawn < first or self._picture == sent):
                    await self._changed.wait()
            if self._closed:
                break
            sent = self._picture
            # Returns only once the connection takes more.
            await send(_event("picture", sent))
        await send(_END)

    async def _draw(self) -> None:
        try:
            while self._readers:
                began = perf_counter()
                self._begun += 1
                try:
                    picture = await asyncio.to_thread(self._now)
                except Exception:
                    # A disk that is full now may have room a second later.
                    _logger.exception("The page could not be drawn")
                else:
                    self._picture, self._drawn = picture, self._begun
                    await self._tell()
                pause = SHARE * (perf_counter() - began)
                await asyncio.sleep(min(max(PACE, pause), SLOWEST))
        finally:
            self._drawing = None


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _event(name: str, data: bytes) -> dict[str, object]:
    body = b"event: %s\ndata: %s\n\n" % (name.encode(), data)
    return {"type": "http.response.body", "body": body, "more_body": True}
