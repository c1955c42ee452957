"""A little exchange behind the fault proxy, and a client at the socket that believes nothing."""

from __future__ import annotations

import asyncio
import io
import json
import socket
import struct
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPResponse
from importlib.util import find_spec
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.http.h11_impl import H11Protocol

from tests.interface import OPERATIONS
from trading_sandbox.faults import Faults
from trading_sandbox.server import Server

CREATE = OPERATIONS["orders.create"].path
HISTORY = OPERATIONS["orders.history"].path
SETTINGS = OPERATIONS["account.settings"].path
CONTROL = "/sandbox/v1/reset"
PATIENCE = 20.0
"""How long a test waits for what must happen, in seconds."""


class Exchange:
    """Counts what it carries out."""

    def __init__(self) -> None:
        self.orders: list[Any] = []
        self.app = Starlette(
            routes=[
                Route(CREATE, self._create, methods=["POST"]),
                Route(HISTORY, self._history, methods=["GET"]),
                Route(SETTINGS, self._settings, methods=["GET"]),
                Route(CONTROL, self._control, methods=["POST"]),
            ]
        )

    async def _create(self, request: Request) -> Response:
        self.orders.append(json.loads(await request.body()))
        return JSONResponse({"order_id": len(self.orders)})

    async def _history(self, request: Request) -> Response:
        record = {"order_id": 1, "symbol": "BTC", "side": "bid", "price": "1", "reason": None}
        page = {"success": True, "data": [record], "next_cursor": "second", "has_more": True}
        return JSONResponse(page)

    async def _settings(self, request: Request) -> Response:
        async def parts() -> AsyncIterator[str]:
            # In chunks, whose lengths have a second digit.
            yield '{"success":true,"data":{},'
            yield '"error":null,"code":null}'

        return StreamingResponse(parts(), media_type="application/json")

    async def _control(self, request: Request) -> Response:
        return JSONResponse({"read": len(await request.body())})


class OneAnswer(HTTPResponse):
    """One answer on a connection, which leaves unread and open what comes after it."""

    def __init__(self, connection: socket.socket, file: io.BufferedReader) -> None:
        super().__init__(connection)
        self.fp.close()
        self.fp = file

    def _close_conn(self) -> None:
        self.fp = io.BufferedReader(io.BytesIO())


class Wire:
    """One connection; it reads exactly what is sent."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def order(self, **fields: Any) -> None:
        self.send(post(CREATE, {"symbol": "BTC", **fields}))

    def get(self, target: str = HISTORY) -> None:
        self.send(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())

    def answer(self) -> HTTPResponse:
        """Read the head of one answer, as the standard library does."""
        response = OneAnswer(self.socket, self.file)
        response.begin()
        return response

    def json(self) -> Any:
        """Read one answer and return its document."""
        return json.loads(self.answer().read())

    def received(self, wanted: int = 1, until: bytes = b"") -> bytes:
        """Read until so many bytes and these bytes are there, or the connection is closed."""
        data = b""
        while len(data) < wanted or until not in data:
            more = self.file.read1(65_536)
            if not more:
                break
            data += more
        return data

    def until_closed(self) -> bytes:
        """Read until the connection is closed, which must be in order."""
        return self.received(2**40)

    def until_reset(self) -> bytes:
        """Read until the connection is reset, and nothing else will do."""
        data = b""
        with pytest.raises(ConnectionResetError):
            while True:
                more = self.file.read1(65_536)
                assert more, "the connection was closed, not reset"
                data += more
        return data

    def silent(self, seconds: float = 0.05) -> bool:
        """Whether nothing comes and the connection stays open for a while."""
        self.socket.settimeout(seconds)
        try:
            self.socket.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            return True
        finally:
            self.socket.settimeout(PATIENCE)
        return False

    def reset(self) -> None:
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self) -> None:
        self.file.close()
        self.socket.close()


class Served:
    """An exchange that is served, and its faults."""

    def __init__(self, http: type[asyncio.Protocol], request_timeout: float) -> None:
        self.exchange = Exchange()
        self.faults = Faults()
        self.server = Server(self.exchange.app, 0, self.faults, request_timeout)
        self.server._config.http_protocol_class = http
        self.port = int(self.server.url.rpartition(":")[2])

    @contextmanager
    def connect(self) -> Iterator[Wire]:
        wire = Wire(self.port)
        try:
            yield wire
        finally:
            wire.close()

    @contextmanager
    def ordered(self, kind: str, **options: Any) -> Iterator[Wire]:
        """A connection on which an order was sent that meets a fault."""
        self.faults.inject("orders.create", kind, **options)
        with self.connect() as wire:
            wire.order()
            yield wire

    @property
    def executed(self) -> int:
        return len(self.exchange.orders)

    def clear(self) -> None:
        self.wait_for_connections(0)
        self.faults.clear()
        self.exchange.orders.clear()

    def wait_for_executed(self, orders: int) -> None:
        wait_until(lambda: self.executed == orders)

    def wait_for_connections(self, connections: int) -> None:
        wait_until(lambda: self.server.connections == connections)


def post(target: str, document: Any) -> bytes:
    """A request, as bytes."""
    body = json.dumps(document).encode()
    head = f"POST {target} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)


def serving(protocol: str, request_timeout: float = PATIENCE) -> Iterator[Served]:
    """An exchange behind one of the two HTTP protocols of uvicorn."""
    if protocol == "httptools" and find_spec("httptools") is None:
        pytest.skip("httptools is not installed")
    http: Any = {"h11": H11Protocol, "httptools": AutoHTTPProtocol}[protocol]
    served = Served(http, request_timeout)
    served.server.start()
    try:
        yield served
    finally:
        served.server.stop()
