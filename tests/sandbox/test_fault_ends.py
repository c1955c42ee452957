"""How connections end among faults: clients that hang up, servers that stop, nothing listening."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from tests.sandbox.fault_desk import (
    CREATE,
    Desk,
    desk,
    post,
    running,
    running_desk,
    wait_until,
)
from trading_sandbox.faults import Faults
from trading_sandbox.server import Server

__all__ = ["desk", "running"]

ORDER = post(CREATE, {})


@pytest.fixture(params=["httptools", "h11"])
def own(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A desk for one test alone."""
    yield from running_desk(request.param)


# Clients that hang up


@pytest.mark.parametrize("by_reset", [False, True])
def test_a_request_is_executed_though_its_client_hung_up_before(desk: Desk, by_reset: bool) -> None:
    desk.wait_for_connections(0)
    desk.faults.inject("orders.create", "delay_request", seconds=0.05)
    with desk.connect() as wire:
        wire.order()
        wait_until(lambda: not desk.faults.pending())
        if by_reset:
            wire.reset()
    assert desk.executed == 0
    desk.wait_for_executed(1)
    desk.wait_for_connections(0)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("delay_answer", {"seconds": 600}),
        ("slow_headers", {"seconds": 600}),
        ("slow_body", {"seconds": 600}),
        ("close_idle", {"seconds": 600}),
        ("second_answer", {"seconds": 600}),
        ("endless_body", {}),
    ],
)
@pytest.mark.parametrize("by_reset", [False, True])
def test_a_client_that_hangs_up_leaves_nothing_behind(
    desk: Desk, kind: str, options: dict[str, Any], by_reset: bool
) -> None:
    desk.wait_for_connections(0)
    desk.faults.inject("orders.create", kind, **options)
    with desk.connect() as wire:
        wire.order()
        desk.wait_for_executed(1)
        assert desk.server.connections == 1
        if by_reset:
            wire.reset()
    desk.wait_for_connections(0)
    wait_until(lambda: not desk.server._server.server_state.connections)
    wait_until(lambda: not desk.server._server.server_state.tasks)


def test_half_a_request_leaves_nothing_behind(desk: Desk) -> None:
    desk.wait_for_connections(0)
    desk.faults.inject("orders.create", "reset")
    with desk.connect() as wire:
        wire.send(ORDER[:-1])
        wait_until(lambda: not desk.faults.pending())
    desk.wait_for_connections(0)
    assert desk.executed == 0


# The end


@pytest.mark.parametrize("kind", ["delay_request", "delay_answer", "slow_body"])
def test_a_server_that_stops_waits_for_no_fault(own: Desk, kind: str) -> None:
    own.faults.inject("orders.create", kind, seconds=600)
    with own.connect() as wire, own.connect() as idle:
        wire.order()
        idle.get()
        idle.json()
        wait_until(lambda: not own.faults.pending())
        start = time.monotonic()
        own.server.stop()
        assert time.monotonic() - start < 2
        assert own.server.connections == 0
        assert idle.until_closed() == b""


def test_an_application_that_fails_is_closed_in_the_middle_of_a_fault() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        raise ValueError("not today")

    faults = Faults()
    server = Server(app, 0, faults)
    server.start()
    try:
        faults.inject("orders.create", "delay_answer", seconds=0)
        answer = requests.post(server.url + CREATE, json={}, timeout=5)
        assert (answer.status_code, answer.text) == (500, "Internal Server Error")
        wait_until(lambda: server.connections == 0)
    finally:
        server.stop()


# Nothing listens


def test_connections_are_refused_for_a_while(own: Desk) -> None:
    with own.connect() as idle, own.connect() as busy:
        idle.get()
        idle.json()
        own.faults.inject("orders.create", "delay_answer", seconds=0.1)
        busy.order()
        own.wait_for_executed(1)
        start = time.monotonic()
        own.faults.inject("*", "connect_refused", seconds=0.3)
        with pytest.raises(ConnectionRefusedError):
            own.connect()
        assert idle.until_closed() == b""
        assert busy.json() == {"order_id": 1}
    wait_until(lambda: _listens(own.port))
    assert 0.25 < time.monotonic() - start < 3
    with own.connect() as wire:
        wire.order()
        assert wire.json() == {"order_id": 2}


def test_clearing_faults_listens_again(own: Desk) -> None:
    own.faults.inject("*", "connect_refused", seconds=600)
    own.faults.inject("*", "connect_refused", seconds=500)
    assert not _listens(own.port)
    own.faults.clear()
    assert _listens(own.port)
    own.faults.inject("*", "connect_refused", seconds=600)
    own.server.stop()


def test_connections_can_be_refused_from_inside_the_application() -> None:
    faults = Faults()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        faults.inject("*", "connect_refused", seconds=0.1)
        await JSONResponse({})(scope, receive, send)

    server = Server(app, 0, faults)
    server.start()
    try:
        assert requests.get(server.url, timeout=5).json() == {}
        port = int(server.url.rpartition(":")[2])
        assert not _listens(port)
        wait_until(lambda: _listens(port))
    finally:
        server.stop()


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except ConnectionRefusedError:
        return False
    return True
