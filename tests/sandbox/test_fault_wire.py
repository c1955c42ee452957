"""What the faults of connection and framing put on the wire, byte by byte."""

from __future__ import annotations

import gzip
import json
import time
import zlib
from contextlib import suppress
from http.client import IncompleteRead, LineTooLong
from typing import Any

import pytest

from tests.sandbox.fault_desk import CREATE, Desk, desk, post, running
from trading_sandbox.faults import KINDS

__all__ = ["desk", "running"]

ANSWER = b'{"order_id":1}'
UNTOUCHED = b'{"success":true,"data":null,"error":null,"code":null}'
EITHER = [kind.name for kind in KINDS.values() if kind.executed_may_be_told and not kind.about_next]
OPTIONS: dict[str, dict[str, Any]] = {
    "status": {"status": 503},
    "redirect": {"location": "http://127.0.0.1:1/"},
    "slow_headers": {"seconds": 0.01},
    "slow_body": {"seconds": 0.01},
    "gzip_bomb": {"size": 2**20},
}


@pytest.mark.parametrize("kind", EITHER)
@pytest.mark.parametrize("executed", [True, False])
def test_whether_the_exchange_executed_is_as_told(desk: Desk, kind: str, executed: bool) -> None:
    desk.faults.inject("orders.create", kind, executed=executed, **OPTIONS.get(kind, {}))
    with desk.connect() as wire:
        wire.order()
        with suppress(ConnectionResetError):
            wire.received()
        assert desk.executed == int(executed)
    assert desk.faults.pending() == []


def test_a_reset_on_the_head_does_not_wait_for_the_body(desk: Desk) -> None:
    desk.faults.inject("orders.create", "reset_before_read")
    with desk.connect() as wire:
        wire.send(post(CREATE, {}).partition(b"\r\n\r\n")[0] + b"\r\n\r\n")
        assert wire.until_reset() == b""
    assert desk.executed == 0


def test_a_reset_waits_for_the_body_and_sends_nothing(desk: Desk) -> None:
    desk.faults.inject("orders.create", "reset")
    with desk.connect() as wire:
        head, _, body = post(CREATE, {}).partition(b"\r\n\r\n")
        wire.send(head + b"\r\n\r\n")
        assert wire.silent()
        wire.send(body)
        assert wire.until_reset() == b""
    assert desk.executed == 1


def test_a_close_sends_nothing_and_ends_in_order(desk: Desk) -> None:
    desk.faults.inject("orders.create", "close")
    with desk.connect() as wire:
        wire.order()
        assert wire.until_closed() == b""
    assert desk.executed == 1


def test_a_kept_connection_is_closed_while_idle(desk: Desk) -> None:
    desk.faults.inject("orders.create", "close_idle", seconds=0.05)
    with desk.connect() as wire:
        wire.order()
        answer = wire.answer()
        assert (answer.read(), answer.will_close) == (ANSWER, False)
        assert wire.silent(0.01)
        assert wire.until_closed() == b""


@pytest.mark.parametrize("executed", [False, True])
def test_the_next_request_on_the_connection_is_reset(desk: Desk, executed: bool) -> None:
    desk.faults.inject("orders.create", "reset_next", executed=executed)
    with desk.connect() as wire:
        wire.order()
        assert wire.json() == {"order_id": 1}
        assert desk.faults.pending() == []
        wire.order()
        assert wire.until_reset() == b""
    assert desk.executed == 1 + executed
    with desk.connect() as wire:
        wire.order()
        assert "order_id" in wire.json()


def test_a_second_answer_waits_on_the_connection(desk: Desk) -> None:
    desk.faults.inject("orders.create", "second_answer", body='{"order_id":99}', seconds=0.02)
    with desk.connect() as wire:
        wire.order()
        assert wire.json() == {"order_id": 1}
        wire.order()
        assert wire.json() == {"order_id": 99}
        assert wire.json() == {"order_id": 2}


@pytest.mark.parametrize(("keep", "sent"), [(None, 7), (0, 0), (5, 5), (1000, 13)])
def test_a_short_body_is_shorter_than_its_length_says(
    desk: Desk, keep: int | None, sent: int
) -> None:
    desk.faults.inject("orders.create", "short_body", keep=keep)
    with desk.connect() as wire:
        wire.order()
        answer = wire.answer()
        with pytest.raises(IncompleteRead) as error:
            answer.read()
    assert answer.headers["content-length"] == "14"
    assert error.value.partial == ANSWER[:sent]


def test_a_reset_in_the_body_comes_after_half_of_it(desk: Desk) -> None:
    desk.faults.inject("orders.create", "reset_in_body")
    with desk.connect() as wire:
        wire.order()
        head, _, body = wire.until_reset().partition(b"\r\n\r\n")
    assert b"content-length: 14" in head
    assert body == ANSWER[:7]


def test_chunks_are_cut_in_the_middle(desk: Desk) -> None:
    desk.faults.inject("orders.create", "cut_chunks")
    with desk.connect() as wire:
        wire.order()
        head, _, body = wire.until_closed().partition(b"\r\n\r\n")
    assert b"transfer-encoding: chunked" in head
    assert b"content-length" not in head
    assert body == b"e\r\n" + ANSWER[:7]


@pytest.mark.parametrize("keep", [None, 20])
def test_headers_are_cut_before_they_end(desk: Desk, keep: int | None) -> None:
    desk.faults.inject("orders.create", "cut_headers", keep=keep)
    with desk.connect() as wire:
        wire.order()
        data = wire.until_closed()
    assert data.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"\r\n\r\n" not in data
    assert b"content-length" not in data
    assert keep is None or len(data) == keep


def test_gzip_is_cut_under_a_length_that_matches(desk: Desk) -> None:
    desk.faults.inject("orders.create", "cut_gzip", keep=24)
    with desk.connect() as wire:
        wire.order()
        answer = wire.answer()
        body = answer.read()
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["content-length"] == str(len(body)) == "24"
        unpacked = zlib.decompressobj(31)
        assert ANSWER.startswith(unpacked.decompress(body))
        assert not unpacked.eof
        wire.order()
        assert wire.json() == {"order_id": 2}


def test_a_body_without_length_ends_with_the_connection(desk: Desk) -> None:
    desk.faults.inject("orders.create", "no_length")
    with desk.connect() as wire:
        wire.order()
        head, _, body = wire.until_closed().partition(b"\r\n\r\n")
    assert b"content-length" not in head and b"transfer-encoding" not in head
    assert body == ANSWER


@pytest.mark.parametrize(
    ("kind", "first"), [("slow_headers", b"H"), ("slow_body", b"HTTP/1.1 200")]
)
def test_what_drips_comes_in_pieces_and_whole_in_the_end(
    desk: Desk, kind: str, first: bytes
) -> None:
    desk.faults.inject("orders.create", kind, seconds=0.3)
    with desk.connect() as wire:
        start = time.monotonic()
        wire.order()
        pieces = [wire.received()]
        while ANSWER not in b"".join(pieces):
            pieces.append(wire.received())
        assert 0.25 <= time.monotonic() - start < 2
        assert pieces[0].startswith(first)
        assert len(pieces) >= 5
        wire.order()
        assert wire.json() == {"order_id": 2}


def test_an_endless_body_goes_on_until_the_client_hangs_up(desk: Desk) -> None:
    desk.wait_for_connections(0)
    desk.faults.inject("orders.create", "endless_body")
    with desk.connect() as wire, desk.connect() as other:
        wire.order()
        assert len(wire.received(2**20)) >= 2**20
        other.get()
        assert other.json()["success"] is True
    desk.wait_for_connections(0)


def test_a_client_that_does_not_read_an_endless_body_fills_no_memory(desk: Desk) -> None:
    desk.faults.inject("orders.create", "endless_body")
    with desk.connect() as wire, desk.connect() as other:
        wire.order()
        for _ in range(50):
            other.get()
            assert other.json()["success"] is True
        (door,) = [d for d in desk.server._connections if d._player is not None]
        assert door._transport.get_write_buffer_size() < 2**20
    desk.wait_for_connections(0)


def test_a_gzip_bomb_is_small_and_good_gzip(desk: Desk) -> None:
    size = 8 * 2**20 + 5
    desk.faults.inject("orders.create", "gzip_bomb", size=size)
    with desk.connect() as wire:
        wire.order()
        answer = wire.answer()
        packed = answer.read()
    assert answer.headers["content-encoding"] == "gzip"
    assert len(packed) < size / 500
    unpacked = gzip.decompress(packed)
    assert len(unpacked) == size
    assert json.loads(unpacked) == {"order_id": 1}


def test_a_header_can_be_too_large(desk: Desk) -> None:
    desk.faults.inject("orders.create", "large_header")
    with desk.connect() as wire:
        wire.order()
        with pytest.raises(LineTooLong):
            wire.answer()


def test_there_can_be_too_many_headers(desk: Desk) -> None:
    desk.faults.inject("orders.create", "many_headers", size=150)
    with desk.connect() as wire:
        wire.order()
        assert wire.received(until=ANSWER).count(b"\r\nx-padding-") == 150


def test_what_was_not_executed_is_answered_with_an_empty_success(desk: Desk) -> None:
    desk.faults.inject("orders.create", "no_length", executed=False)
    with desk.connect() as wire:
        wire.order()
        assert wire.until_closed().partition(b"\r\n\r\n")[2] == UNTOUCHED
