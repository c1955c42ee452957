"""How connections end among faults: clients that hang up or go silent, servers that stop, nothing listening."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tests.sandbox.served import CONTROL, CREATE, Served, post, serving, wait_until
from trading_sandbox.faults import proxy


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 5).close()
    except ConnectionRefusedError:
        return False
    return True


# -- clients that hang up ------------------------------------------------------------------------


@pytest.mark.parametrize("by_reset", [False, True])
def test_a_request_is_executed_though_its_client_hung_up_before(
    served: Served, by_reset: bool
) -> None:
    with served.ordered("delay_request", seconds=0.2) as wire:
        wait_until(lambda: not served.faults.pending())
        if by_reset:
            wire.reset()
    served.wait_for_executed(1)
    served.wait_for_connections(0)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        *(
            (kind, {"seconds": 600})
            for kind in ("delay_answer", "slow_headers", "slow_body", "close_idle", "second_answer")
        ),
        ("endless_body", {}),
    ],
)
@pytest.mark.parametrize("by_reset", [False, True])
def test_a_client_that_hangs_up_leaves_nothing_behind(
    served: Served, kind: str, options: dict[str, Any], by_reset: bool
) -> None:
    with served.ordered(kind, **options) as wire:
        served.wait_for_executed(1)
        assert served.server.connections == 1
        if by_reset:
            wire.reset()
    served.wait_for_connections(0)
    wait_until(lambda: not served.server._state.connections)
    wait_until(lambda: not served.server._state.tasks)


# -- the end -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["delay_request", "delay_answer", "slow_body"])
def test_a_server_that_stops_waits_for_no_fault(own: Served, kind: str) -> None:
    with own.ordered(kind, seconds=600), own.connect() as idle:
        idle.get()
        idle.json()
        wait_until(lambda: not own.faults.pending())
        own.server.stop()
        assert own.server.connections == 0
        assert idle.until_closed() == b""


# -- nothing listens -----------------------------------------------------------------------------


def test_connections_are_refused_until_it_listens_again(own: Served) -> None:
    with own.connect() as idle, own.ordered("delay_answer", seconds=0.2) as busy:
        idle.get()
        idle.json()
        own.wait_for_executed(1)
        for seconds in (600, 500):
            own.faults.inject("*", "connect_refused", seconds=seconds)
        assert not _listens(own.port)
        assert idle.until_closed() == b""
        assert busy.json() == {"order_id": 1}
    own.faults.clear()
    assert _listens(own.port)
    # By itself it does so after the time that was told.
    own.faults.inject("*", "connect_refused", seconds=0.05)
    wait_until(lambda: _listens(own.port))
    with own.connect() as wire:
        wire.order()
        assert wire.json() == {"order_id": 2}
    own.faults.inject("*", "connect_refused", seconds=600)
    own.server.stop()


# -- requests that never become whole -------------------------------------------------------------

REQUEST = post(CREATE, {"symbol": "B" * 1000})


@pytest.fixture(scope="module", params=["httptools", "h11"])
def hasty(request: pytest.FixtureRequest) -> Iterator[Served]:
    """A server that soon loses its patience with a request."""
    yield from serving(request.param, request_timeout=1)


@pytest.mark.parametrize(("before", "sent"), [(b"", REQUEST[:9]), (REQUEST, REQUEST[:-900])])
def test_a_request_that_does_not_become_whole_is_answered_408(
    hasty: Served, before: bytes, sent: bytes
) -> None:
    with hasty.connect() as wire:
        wire.send(before + sent)
        assert not before or "order_id" in wire.json()
        # One that drips gets no more time.
        for _ in range(100):
            if not wire.silent(0.1):
                break
            wire.send(b"B")
        else:
            pytest.fail("it got more time")
        answer = wire.answer()
        assert (answer.status, answer.getheader("connection")) == (408, "close")
        assert b"not whole in time" in answer.read()
        assert wire.until_closed() == b""
    assert hasty.executed == bool(before)
    hasty.clear()


def test_a_connection_without_a_request_is_closed_in_silence(hasty: Served) -> None:
    # An answer to no request would be taken for that to the next one.
    with hasty.connect() as wire:
        assert wire.until_closed() == b""


def test_what_is_passed_through_is_closed_after_a_silence(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proxy, "PASSING_TIMEOUT", 0.5)
    head = (
        f"POST {CONTROL} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
    ).encode()
    with served.connect() as wire:
        wire.send(head)
        assert wire.received(until=b"\r\n\r\n").startswith(b"HTTP/1.1 100")
        assert wire.until_closed() == b""
