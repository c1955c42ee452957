"""The HTTP server: uvicorn in a thread of its own, on 127.0.0.1 only, behind the fault proxy."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from email.utils import formatdate
from functools import partial
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.server import ServerState

from trading_runtime import now_ms
from trading_sandbox.faults.injection import Faults
from trading_sandbox.faults.proxy import FaultProxy
from trading_sandbox.faults.requests import LARGEST_BODY, REQUEST_TIMEOUT
from trading_sandbox.turns import Turns

HOST = "127.0.0.1"
STOP_TIMEOUT = 5.0
"""How long a stopping server waits for requests that are being answered, in seconds."""


def listen(port: int) -> socket.socket:
    """Return a socket that listens on a port of the loopback address; 0 takes a free one.

    Raises:
        OSError: the port is in use.
    """
    # asyncio sets TCP_NODELAY only if the socket names IPPROTO_TCP. Without it the body of an
    # answer waits some 40 ms, until the client has acknowledged the headers.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # On Windows this option would let two servers share a port.
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((HOST, port))
        listening.listen(1024)
    except OSError:
        listening.close()
        raise
    return listening


class _State(ServerState):
    """Answers tell the second in which they were asked for, in `Date`."""

    def __init__(self, wall: Callable[[], int]) -> None:
        self._wall = wall
        super().__init__()

    def _dated(self) -> list[tuple[bytes, bytes]]:
        return [(b"date", formatdate(self._wall() / 1000, usegmt=True).encode())]

    def _ignore(self, _: list[tuple[bytes, bytes]]) -> None:
        """uvicorn has none at the start."""

    default_headers: Any = property(_dated, _ignore)


class Server:
    """Serves an application until it is stopped.

    Of uvicorn it takes the protocols of HTTP and of websockets. It has a loop of its own, because it stops listening for a while
    where a fault asks for it, and stops without waiting for faults.

    Args:
        app: The application that answers the requests.
        port: The port to listen on; 0 takes a free port.
        faults: The injected faults; None: no faults.
        request_timeout: How long a request may take to become whole, in seconds.
        wall: Returns the time that `Date` tells, in ms.
        turns: Brings work of other threads to the loop, while it runs.
        websocket: Whether the application has a websocket.

    Raises:
        OSError: the port is in use.
    """

    def __init__(
        self,
        app: ASGIApp,
        port: int,
        faults: Faults | None = None,
        request_timeout: float = REQUEST_TIMEOUT,
        wall: Callable[[], int] = now_ms,
        turns: Turns | None = None,
        websocket: bool = False,
    ) -> None:
        self._turns = Turns() if turns is None else turns
        self._faults = Faults() if faults is None else faults
        self._connections: set[FaultProxy] = set()
        self._request_timeout = request_timeout
        self._config = uvicorn.Config(
            app,
            lifespan="off",
            ws="wsproto" if websocket else "none",
            # The application closes a connection that is silent; a client may send pings.
            ws_ping_interval=None,
            ws_per_message_deflate=False,
            ws_max_size=LARGEST_BODY,
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=75,
        )
        self._config.load()
        self._state = _State(wall)
        self._socket = listen(port)
        self._port: int = self._socket.getsockname()[1]
        self.url = f"http://{HOST}:{self._port}"
        self._loop = asyncio.new_event_loop()
        self._leaving = asyncio.Event()
        self._listener: asyncio.Server | None = None
        self._reopening: asyncio.TimerHandle | None = None
        self._opening: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._run, name="trading-sandbox", daemon=True)

    @property
    def connections(self) -> int:
        """How many connections are open."""
        return len(self._connections)

    def start(self) -> None:
        """Start serving; return once the loop accepts connections, from when on faults may refuse them."""
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._listen(self._socket), self._loop).result()
        self._faults.attach(self)

    def stop(self) -> None:
        """Finish the requests that are being answered, close every connection, end the thread."""
        self._faults.attach(None)
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._leaving.set)
            self._thread.join()
        self._socket.close()
        self._loop.close()

    def _run(self) -> None:
        self._turns.begin(self._loop)
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        await self._leaving.wait()
        self._stay_as_it_is()
        self._stop_listening()
        for connection in list(self._connections):
            connection.hang_up()
        await asyncio.sleep(0)
        state, end = self._state, self._loop.time() + STOP_TIMEOUT
        for protocol in list(state.connections):
            protocol.shutdown()
        while (state.connections or state.tasks) and self._loop.time() < end:
            await asyncio.sleep(0.001)
        for task in state.tasks:
            task.cancel()
        await asyncio.gather(*state.tasks, return_exceptions=True)
        await self._turns.end()
        await asyncio.sleep(0.01 if self._connections else 0)
        # A connection that is open when the loop ends would stay open, and its client would wait.
        for connection in list(self._connections):
            connection.abort()
        await asyncio.sleep(0)

    # -- for faults: a gate --------------------------------------------------------------------

    def refuse(self, seconds: float) -> None:
        """Refuse new connections for some seconds and close idle ones; return once that is done."""
        self._in_loop(partial(self._refuse, seconds))

    def admit(self) -> None:
        """Listen again, if the server does not; return once it does."""
        # Usually it listens. Then do not wait for the loop, which may need a lock of the caller.
        if self._listener is None:
            self._in_loop(self._admit)

    def _in_loop(self, act: Callable[[], None]) -> None:
        if threading.get_ident() == self._thread.ident:
            # This is the thread of the loop: waiting for the loop here would block forever.
            act()
        else:
            asyncio.run_coroutine_threadsafe(self._done(act), self._loop).result()

    async def _done(self, act: Callable[[], None]) -> None:
        act()
        # A transport closes its socket in a later round of the loop.
        await asyncio.sleep(0.001)
        if self._opening is not None:
            await self._opening

    def _refuse(self, seconds: float) -> None:
        self._stay_as_it_is()
        self._stop_listening()
        for connection in list(self._connections):
            connection.close_if_idle()
        self._reopening = self._loop.call_later(seconds, self._admit)

    def _stop_listening(self) -> None:
        listener, self._listener = self._listener, None
        if listener is None:
            return
        # If asyncio closes a listener in the same round of the loop in which it accepted a
        # connection, the connection stays open and is never served.
        if self._accepts_no_more(listener):
            self._loop.call_soon(listener.close)
        else:
            listener.close()

    def _accepts_no_more(self, listener: asyncio.Server) -> bool:
        """Stop a listener from accepting; return False if this loop does not accept by readers."""
        removed = False
        for listening in listener.sockets:
            with suppress(NotImplementedError, OSError):
                removed = self._loop.remove_reader(listening.fileno()) or removed
                if removed:
                    listening.shutdown(socket.SHUT_RDWR)
        return removed

    def _admit(self) -> None:
        if self._listener is None and self._opening is None:
            self._stay_as_it_is()
            self._opening = self._loop.create_task(self._open())

    def _stay_as_it_is(self) -> None:
        for pending in (self._reopening, self._opening):
            if pending is not None:
                pending.cancel()
        self._reopening = self._opening = None

    async def _open(self) -> None:
        # Another program may have taken the port meanwhile. It is likely to become free again.
        for _ in range(100):
            with suppress(OSError):
                await self._listen(listen(self._port))
                break
            await asyncio.sleep(0.05)
        else:
            raise OSError(f"port {self._port} was taken while nothing listened there")
        self._opening = None

    async def _listen(self, listening: socket.socket) -> None:
        # Known before it listens, so that it is closed if this is cancelled meanwhile.
        self._listener = await self._loop.create_server(
            self._connection, sock=listening, start_serving=False
        )
        await self._listener.start_serving()

    def _connection(self) -> FaultProxy:
        return FaultProxy(
            self._loop,
            self._config,
            self._state,
            self._faults,
            self._connections,
            self._request_timeout,
        )
