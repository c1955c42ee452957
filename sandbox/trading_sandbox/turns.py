"""Turns: one thread uses the exchange, and long work is done in slices, with the turns of others between.

While a server runs, that thread is the one of its loop, which answers the requests. So no request waits for
a lock, and it waits for at most a slice of what others do.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future
from threading import Lock, get_ident
from typing import TypeAlias, TypeVar

ROUNDS = 8
"""Rounds of the loop between two slices: a request is read, answered and sent in fewer."""
T = TypeVar("T")
Slices: TypeAlias = Generator[None, None, T]
"""Work in slices: what it yields between two of them says nothing, what it returns is its result."""


def whole(work: Slices[T]) -> T:
    """Do all slices at once."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result


async def in_turns(work: Slices[T]) -> T:
    """Do one slice after another; between two of them the loop does what waits."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        for _ in range(ROUNDS):
            await asyncio.sleep(0)


class Turns:
    """Brings work to the thread that uses the exchange: before a loop begins, any thread."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: int | None = None
        self._tasks: set[asyncio.Task[object]] = set()
        self._ended = False
        # Held only while work is handed over, so that none is after the end.
        self._lock = Lock()

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Use the exchange in this thread alone from now on, that of a loop."""
        with self._lock:
            self._loop, self._thread = loop, get_ident()

    async def end(self) -> None:
        """Take no more work, and break off what is not done; in the loop, which ends then."""
        with self._lock:
            self._ended = True
        # What was handed over before becomes a task in the first of two rounds, and begins in the second.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def take(self, work: Callable[[], T]) -> T:
        """Do some work in one piece and return its result, from any thread.

        Raises:
            RuntimeError: the loop has ended.
        """
        if self._is_here():
            return work()
        future: Future[T] = Future()

        def do() -> None:
            try:
                future.set_result(work())
            except BaseException as error:  # whoever waits for it gets it
                future.set_exception(error)

        with self._lock:
            self._open_loop().call_soon_threadsafe(do)
        return future.result()

    def take_slices(self, work: Slices[T]) -> T:
        """Do some work in slices and return its result, from any thread.

        Raises:
            RuntimeError: the loop has ended, or it ended before the work was done.
        """
        if self._is_here():
            return whole(work)
        with self._lock:
            loop = self._open_loop()
            future = asyncio.run_coroutine_threadsafe(self._kept(work), loop)
        try:
            return future.result()
        except CancelledError:
            raise _ended() from None

    def _is_here(self) -> bool:
        """Whether this thread may use the exchange: that of the loop cannot wait for itself."""
        return not self._ended and self._thread in (None, get_ident())

    def _open_loop(self) -> asyncio.AbstractEventLoop:
        if self._ended or self._loop is None:
            raise _ended()
        return self._loop

    async def _kept(self, work: Slices[T]) -> T:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            return await in_turns(work)
        finally:
            self._tasks.discard(task)


def _ended() -> RuntimeError:
    return RuntimeError("the sandbox runs inside a with block only")
