"""Connections whose requests never become whole: they are closed, and nobody else notices."""

from __future__ import annotations

import pytest

from tests.sandbox.served import CONTROL, CREATE, Served, post
from trading_sandbox.faults.requests import PASSING_TIMEOUT, REQUEST_TIMEOUT

REQUEST = post(CREATE, {"symbol": "BTC"})
HEAD, _, BODY = REQUEST.partition(b"\r\n\r\n")


@pytest.mark.parametrize(
    "sent", [HEAD[:9], HEAD, HEAD + b"\r\n\r\n" + BODY[:-1], REQUEST + HEAD], ids=len
)
def test_a_request_that_does_not_become_whole_is_answered_408(served: Served, sent: bytes) -> None:
    whole = sent.startswith(REQUEST)
    with served.connect() as wire:
        wire.send(sent[:-1])
        assert not whole or "order_id" in wire.json()
        served.timers.wait_for(REQUEST_TIMEOUT)
        # One that drips gets no more time.
        served.timers.pass_(REQUEST_TIMEOUT - 1)
        wire.send(sent[-1:])
        assert wire.silent()
        served.timers.pass_(1)
        answer = wire.answer()
        assert (answer.status, answer.getheader("connection")) == (408, "close")
        assert b"not whole in time" in answer.read()
        assert wire.until_closed() == b""
    assert served.executed == whole


def test_a_connection_without_a_request_is_closed_in_silence(served: Served) -> None:
    # An answer to no request would be taken for that to the next one.
    with served.connect() as wire:
        served.timers.wait_for(REQUEST_TIMEOUT)
        served.timers.pass_(REQUEST_TIMEOUT)
        assert wire.until_closed() == b""


def test_each_request_of_a_connection_has_the_whole_time(served: Served) -> None:
    with served.connect() as wire:
        for _ in range(3):
            wire.send(REQUEST[:-1])
            served.timers.wait_for(REQUEST_TIMEOUT)
            served.timers.pass_(REQUEST_TIMEOUT * 0.7)
            wire.send(REQUEST[-1:])
            assert "order_id" in wire.json()
        # Between requests, and while one is answered late, there is no time limit of ours.
        served.timers.pass_(REQUEST_TIMEOUT * 1.5)
        served.faults.inject("orders.create", "delay_request", seconds=REQUEST_TIMEOUT * 2)
        wire.order()
        served.timers.wait_for(REQUEST_TIMEOUT * 2)
        served.timers.pass_(REQUEST_TIMEOUT * 2)
        assert "order_id" in wire.json()


def test_what_is_passed_through_is_closed_after_a_silence(served: Served) -> None:
    head = (
        f"POST {CONTROL} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n"
    ).encode()
    with served.connect() as wire:
        wire.send(head)
        served.timers.wait_for(PASSING_TIMEOUT)
        assert wire.received(until=b"\r\n\r\n").startswith(b"HTTP/1.1 100")
        served.timers.pass_(PASSING_TIMEOUT - 1)
        assert wire.silent()
        served.timers.pass_(1)
        assert wire.until_closed() == b""
    # An answer breaks the silence, too.
    served.exchange.holds = True
    with served.connect() as wire:
        wire.send(head + b"1234")
        assert b" 100 " in wire.received(until=b"\r\n\r\n")
        served.timers.pass_(PASSING_TIMEOUT - 1)
        served.exchange.holds = False
        assert b'{"read":4}' in wire.received(until=b"}")
        served.timers.pass_(PASSING_TIMEOUT - 1)
        assert wire.silent()
        served.timers.pass_(1)
        assert wire.until_closed() == b""
