"""What the faults of connection and framing put on the wire, byte by byte."""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from typing import Any

import pytest

from tests.sandbox.served import CREATE, Served, post, wait_until
from trading_sandbox.faults import KINDS

ANSWER = b'{"order_id":1}'
UNTOUCHED = b'{"success":true,"data":null,"error":null,"code":null}'
EITHER = [kind.name for kind in KINDS.values() if kind.executed_may_be_told and not kind.about_next]
OPTIONS: dict[str, dict[str, Any]] = {
    "status": {"status": 503},
    "redirect": {"location": "http://127.0.0.1:1/"},
    "slow_headers": {"seconds": 0},
    "slow_body": {"seconds": 0},
    "gzip_bomb": {"size": 2**20},
}


@pytest.mark.parametrize("kind", EITHER)
@pytest.mark.parametrize("executed", [True, False])
def test_whether_the_exchange_executed_is_as_told(
    served: Served, kind: str, executed: bool
) -> None:
    with served.ordered(kind, executed=executed, **OPTIONS.get(kind, {})) as wire:
        with suppress(ConnectionResetError):
            wire.received()
        assert served.executed == int(executed)
    assert served.faults.pending() == []


# -- the connection ends -------------------------------------------------------------------------


def test_a_reset_on_the_head_does_not_wait_for_the_body_and_one_after_it_does(
    served: Served,
) -> None:
    head, end, body = post(CREATE, {}).partition(b"\r\n\r\n")
    served.faults.inject("orders.create", "reset_before_read")
    with served.connect() as wire:
        wire.send(head + end)
        assert wire.until_reset() == b""
    assert served.executed == 0

    served.faults.inject("orders.create", "reset")
    with served.connect() as wire:
        wire.send(head + end)
        assert wire.silent()
        wire.send(body)
        assert wire.until_reset() == b""
    assert served.executed == 1


def test_a_kept_connection_is_closed_while_idle(served: Served) -> None:
    with served.ordered("close_idle", seconds=60) as wire:
        answer = wire.answer()
        assert (answer.read(), answer.will_close) == (ANSWER, False)
        served.timers.wait_for(60)
        served.timers.pass_(59)
        assert wire.silent()
        served.timers.pass_(1)
        assert wire.until_closed() == b""


@pytest.mark.parametrize("executed", [False, True])
def test_the_next_request_on_the_connection_is_reset(served: Served, executed: bool) -> None:
    with served.ordered("reset_next", executed=executed) as wire:
        assert wire.json() == {"order_id": 1}
        assert served.faults.pending() == []
        wire.order()
        assert wire.until_reset() == b""
    assert served.executed == 1 + executed
    with served.connect() as wire:
        wire.order()
        assert "order_id" in wire.json()


def test_a_second_answer_waits_on_the_connection(served: Served) -> None:
    with served.ordered("second_answer", body=b'{"order_id":99}', seconds=60) as wire:
        assert wire.json() == {"order_id": 1}
        wire.order()
        served.timers.wait_for(60)
        served.timers.pass_(60)
        assert wire.json() == {"order_id": 99}
        assert wire.json() == {"order_id": 2}


# -- framing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "options", "framing", "body"),
    [
        ("reset_in_body", {}, {b"content-length: 14"}, ANSWER[:7]),
        ("cut_chunks", {}, {b"transfer-encoding: chunked"}, b"e\r\n" + ANSWER[:7]),
        ("no_length", {}, set(), ANSWER),
        # What was not executed is answered with an empty success.
        ("no_length", {"executed": False}, set(), UNTOUCHED),
    ],
)
def test_the_body_ends_with_the_connection(
    served: Served, kind: str, options: dict[str, Any], framing: set[bytes], body: bytes
) -> None:
    with served.ordered(kind, **options) as wire:
        data = wire.until_reset() if kind == "reset_in_body" else wire.until_closed()
    head, _, sent = data.partition(b"\r\n\r\n")
    lines = {line for line in head.lower().split(b"\r\n") if b"length" in line or b"enc" in line}
    assert (lines, sent) == (framing, body)


@pytest.mark.parametrize("kind", ["slow_headers", "slow_body"])
def test_what_drips_comes_in_pieces_and_whole_in_the_end(served: Served, kind: str) -> None:
    with served.ordered(kind, seconds=150) as wire:
        # From here on the connection has no timer but that of the fault.
        served.wait_for_executed(1)
        began = served.timers.now
        pieces = [wire.received(until=b"\r\n\r\n")] if kind == "slow_body" else []
        while ANSWER not in b"".join(pieces):
            assert wire.silent(0.001)
            served.timers.pass_to_next()
            pieces.append(wire.received())
        assert len(pieces) >= 12
        assert served.timers.now - began == pytest.approx(150)
        wire.order()
        assert wire.json() == {"order_id": 2}


def test_an_endless_body_goes_on_until_the_client_hangs_up_and_fills_no_memory(
    served: Served,
) -> None:
    with served.ordered("endless_body") as wire, served.connect() as other:
        served.wait_for_executed(1)
        (door,) = [d for d in served.server._connections if d._fault is not None]
        wait_until(lambda: door._player is not None and door._player._paused)
        assert door._transport.get_write_buffer_size() < 2**20
        # Others are served while it is not read.
        other.get()
        assert other.json()["success"] is True
        assert len(wire.received(2**22)) >= 2**22
    served.wait_for_connections(0)


def test_a_gzip_bomb_is_small_and_good_gzip(served: Served) -> None:
    size = 8 * 2**20 + 5
    with served.ordered("gzip_bomb", size=size) as wire:
        answer = wire.answer()
        packed = answer.read()
    assert answer.headers["content-encoding"] == "gzip"
    assert len(packed) < size / 500
    unpacked = gzip.decompress(packed)
    assert len(unpacked) == size
    assert json.loads(unpacked) == {"order_id": 1}
