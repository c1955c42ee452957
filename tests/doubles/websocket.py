"""A websocket of a service that does what a test says."""

from __future__ import annotations

import json
import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Thread
from typing import Any

from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve

WAIT = 20.0
"""Seconds after which something that a test waits for has failed."""


class WebsocketService:
    """Accepts connections, and writes down what comes."""

    def __init__(self) -> None:
        self.connections = SimpleQueue[ServerConnection]()
        self.messages = SimpleQueue[Any]()
        self.headers: list[Headers] = []
        self.ended = SimpleQueue[ServerConnection]()
        self.port = 0

    def serve(self, connection: ServerConnection) -> None:
        assert connection.request is not None
        self.headers.append(connection.request.headers)
        self.connections.put(connection)
        try:
            for text in connection:
                self.messages.put(json.loads(text))
        except ConnectionClosed:
            pass
        self.ended.put(connection)

    def connection(self) -> ServerConnection:
        """The next connection that is made."""
        return self.connections.get(timeout=WAIT)

    def message(self) -> Any:
        """The next message of a client."""
        return self.messages.get(timeout=WAIT)


@contextmanager
def websocket_service(
    context: ssl.SSLContext | None = None, port: int = 0
) -> Iterator[WebsocketService]:
    """A service on this machine."""
    service = WebsocketService()
    quiet = logging.Logger("service", logging.CRITICAL)
    # As long as a busy machine may take for a handshake.
    options: Any = {"ssl": context, "logger": quiet, "open_timeout": 60}
    with serve(service.serve, "127.0.0.1", port, **options) as server:
        service.port = server.socket.getsockname()[1]
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield service
        finally:
            server.shutdown()
            thread.join()


def frame(channel: str, data: Any, **beside: Any) -> str:
    """An event as it is sent."""
    return json.dumps({"channel": channel, "data": data, **beside})
