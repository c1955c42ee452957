"""A uvicorn server in a thread of its own, on the loopback address alone."""

from __future__ import annotations

import os
import socket
import threading
import time

import uvicorn
from starlette.types import ASGIApp

HOST = "127.0.0.1"


def listen(port: int) -> socket.socket:
    """Return a socket that listens on a port of the loopback address; 0 takes a free one.

    Raises:
        OSError: the port is in use.
    """
    # asyncio sets TCP_NODELAY only where the protocol is named. Without it the body of an answer
    # waits some 40 ms, until the client has acknowledged the headers.
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


class Server:
    """Serves an application until it is stopped.

    Raises:
        OSError: the port is in use.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._socket = listen(port)
        self.url = f"http://{HOST}:{self._socket.getsockname()[1]}"
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                lifespan="off",
                ws="none",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=75,
                timeout_graceful_shutdown=5,
            )
        )
        self._thread = threading.Thread(
            target=self._server.run, args=([self._socket],), name="trading-sandbox", daemon=True
        )

    def start(self) -> None:
        """Serve; return once requests are answered."""
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                self._socket.close()
                raise RuntimeError("the server of the sandbox did not start")
            time.sleep(0.001)

    def stop(self) -> None:
        """Finish what is being answered, close every connection and end the thread."""
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()
