"""Connections whose requests never become whole: they are closed, and nobody else notices."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.sandbox.fault_desk import CONTROL, CREATE, Desk, post, running_desk
from trading_sandbox.faults import requests

TIMEOUT = 0.2
REQUEST = post(CREATE, {"symbol": "BTC"})
HEAD, _, BODY = REQUEST.partition(b"\r\n\r\n")


@pytest.fixture(scope="module", params=["httptools", "h11"])
def hasty(request: pytest.FixtureRequest) -> Iterator[Desk]:
    """A server that waits 0.2 s for a request."""
    yield from running_desk(request.param, TIMEOUT)


@pytest.fixture
def desk(hasty: Desk) -> Desk:
    hasty.clear()
    return hasty


@pytest.mark.parametrize("sent", [HEAD[:9], HEAD, HEAD + b"\r\n\r\n" + BODY[:-1]])
def test_a_request_that_does_not_become_whole_is_answered_408(desk: Desk, sent: bytes) -> None:
    with desk.connect() as wire:
        began = time.monotonic()
        wire.send(sent)
        answer = wire.answer()
        assert (answer.status, answer.getheader("connection")) == (408, "close")
        assert b"not whole in time" in answer.read()
        assert wire.until_closed() == b""
        assert TIMEOUT - 0.05 < time.monotonic() - began < TIMEOUT + 1
    assert desk.executed == 0


def test_a_connection_without_a_request_is_closed_in_silence(desk: Desk) -> None:
    # An answer to no request would be taken for that to the next one.
    with desk.connect() as wire:
        assert wire.until_closed() == b""


def test_a_request_that_drips_gets_no_more_time(desk: Desk) -> None:
    with desk.connect() as wire:
        began = time.monotonic()
        for byte in REQUEST[:-1]:
            try:
                wire.send(bytes([byte]))
            except (BrokenPipeError, ConnectionResetError):
                break
            time.sleep(0.01)
        assert time.monotonic() - began < TIMEOUT + 1
    assert desk.executed == 0


def test_each_request_of_a_connection_has_the_whole_time(desk: Desk) -> None:
    with desk.connect() as wire:
        for _ in range(3):
            wire.send(REQUEST[:-1])
            time.sleep(TIMEOUT * 0.7)
            wire.send(REQUEST[-1:])
            assert "order_id" in wire.json()
        # Between requests there is no time limit of ours.
        time.sleep(TIMEOUT * 1.5)
        wire.order()
        assert "order_id" in wire.json()


def test_a_second_request_that_does_not_become_whole_is_answered_408(desk: Desk) -> None:
    with desk.connect() as wire:
        wire.send(REQUEST + HEAD)
        assert "order_id" in wire.json()
        assert wire.answer().status == 408


def test_a_request_that_is_answered_late_is_not_timed_out(desk: Desk) -> None:
    desk.faults.inject("orders.create", "delay_request", seconds=TIMEOUT * 2)
    with desk.connect() as wire:
        wire.order()
        assert "order_id" in wire.json()


def test_what_is_passed_through_is_closed_after_a_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trading_sandbox.faults.proxy.PASSING_TIMEOUT", TIMEOUT)
    head = (
        f"POST {CONTROL} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
    )
    desks = running_desk("httptools")
    desk = next(desks)
    try:
        with desk.connect() as wire:
            wire.send(head.encode())
            began = time.monotonic()
            assert b"200 OK" not in wire.until_closed()
            assert time.monotonic() - began < requests.REQUEST_TIMEOUT
        with desk.connect() as wire:
            wire.send(head.encode() + b"1234")
            assert b'{"read":4}' in wire.received(until=b"}")
    finally:
        next(desks, None)
