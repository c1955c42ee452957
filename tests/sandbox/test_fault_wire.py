"""What faults put on the wire that no client shows, and what is let through.

What a client makes of a fault, and whether its request was executed, stands in tests/faults.
"""

from __future__ import annotations

import gzip
import json
from contextlib import suppress
from time import monotonic
from typing import Any

import pytest

from tests.sandbox.served import CONTROL, CREATE, SETTINGS, Served, Wire, post, wait_until
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


def test_a_second_answer_waits_on_the_connection(served: Served) -> None:
    with served.ordered("second_answer", body=b'{"order_id":99}', seconds=0.1) as wire:
        assert wire.json() == {"order_id": 1}
        answered = monotonic()
        wire.order()
        assert wire.json() == {"order_id": 99}
        assert monotonic() - answered >= 0.09
        assert wire.json() == {"order_id": 2}


@pytest.mark.parametrize(
    ("kind", "header", "body"),
    [
        ("cut_chunks", b"\r\ntransfer-encoding: chunked", b"e\r\n" + ANSWER[:7]),
        ("cut_headers", b"", b""),
    ],
)
def test_what_is_cut_ends_with_the_connection(
    served: Served, kind: str, header: bytes, body: bytes
) -> None:
    with served.ordered(kind) as wire:
        head, _, sent = wire.until_closed().partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n") and b"content-length" not in head
    assert (header in head, sent) == (True, body)


def test_an_answer_in_chunks_is_read_whole(served: Served) -> None:
    served.faults.inject("account.settings", "no_length")
    with served.connect() as wire:
        wire.get(SETTINGS)
        _, _, body = wire.until_closed().partition(b"\r\n\r\n")
    assert json.loads(body) == {"success": True, "data": {}, "error": None, "code": None}


@pytest.mark.parametrize("executed", [True, False])
def test_a_body_without_a_length_ends_with_the_connection(served: Served, executed: bool) -> None:
    with served.ordered("no_length", executed=executed) as wire:
        head, _, body = wire.until_closed().partition(b"\r\n\r\n")
    assert b"length" not in head.lower() and b"encoding" not in head.lower()
    # What was not executed is answered with an empty success.
    assert body == (ANSWER if executed else UNTOUCHED)


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
    size = 2**20 + 5
    with served.ordered("gzip_bomb", size=size) as wire:
        packed = wire.answer().read()
    assert len(packed) < size / 500
    assert len(gzip.decompress(packed)) == size


# -- the door itself: what it lets through --------------------------------------------------------

ORDER = post(CREATE, {})
HEAD = f"POST {CREATE} HTTP/1.1\r\nHost: x\r\n"


def ids(wire: Wire, count: int) -> list[int]:
    """The ids of the orders in the next answers."""
    return [wire.json()["order_id"] for _ in range(count)]


def test_a_fault_meets_its_request_among_many_sent_at_once(served: Served) -> None:
    served.faults.inject("orders.create", "delay_request", seconds=0.02)
    served.faults.inject("orders.create", "status", status=400)
    with served.connect() as wire:
        wire.get()
        wire.send(ORDER * 3)
        answers = [(answer.status, answer.read()) for answer in (wire.answer() for _ in range(4))]
    assert [status for status, _ in answers] == [200, 200, 400, 200]
    assert (answers[1][1], answers[3][1]) == (ANSWER, b'{"order_id":2}')


@pytest.mark.parametrize(
    "rest",
    [
        "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nA: b\r\n\r\n",
        "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
        f"Content-Length: 1100002\r\n\r\n{' ' * 1_100_000}{{}}",
    ],
    ids=["extension", "trailer", "expect", "large"],
)
def test_what_does_not_say_plainly_where_it_ends_is_passed_through_for_good(
    served: Served, rest: str
) -> None:
    served.faults.inject("orders.create", "status", status=400)
    with served.connect() as wire:
        wire.send((HEAD + rest).encode())
        assert ids(wire, 1) == [1]
        wire.order()
        assert ids(wire, 1) == [2]
    assert len(served.faults.pending()) == 1


def test_a_body_in_chunks_meets_faults_however_it_arrives(served: Served) -> None:
    served.faults.inject("orders.create", "status", status=418, executed=True)
    body = '7\r\n{"a": 1\r\nE\r\n, "b": "\\r\\n"}\r\n0\r\n\r\n'
    request = f"{HEAD}Transfer-Encoding: Chunked\r\n\r\n{body}".encode()
    with served.connect() as wire:
        for byte in request:
            wire.send(bytes([byte]))
        answer = wire.answer()
        assert (answer.status, len(answer.read()) > 0) == (418, True)
        wire.send(request + ORDER)
        assert ids(wire, 2) == [2, 3]
    assert served.exchange.orders == [{"a": 1, "b": "\r\n"}] * 2 + [{}]


@pytest.mark.parametrize("framing", ["Content-Length: 7", "Transfer-Encoding: chunked"])
def test_the_body_is_read_though_the_client_offers_http_2(served: Served, framing: str) -> None:
    # As HttpClient of Java and curl --http2 do, over plain HTTP.
    body = '7\r\n{"a":1}\r\n0\r\n\r\n' if "chunked" in framing else '{"a":1}'
    offer = "Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n"
    with served.connect() as wire:
        wire.send(f"{HEAD}{offer}{framing}\r\nUpgrade: h2c\r\n\r\n{body}".encode())
        assert ids(wire, 1) == [1]
        wire.order()
        assert ids(wire, 1) == [2]
    assert served.exchange.orders[0] == {"a": 1}


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20,
        b"nonsense\r\n\r\n",
        b"NONSENSE\r\n\r\n",
        b"GET / HTTP/1.1\nHost: x\r\n: y\r\n\r\n",
        b"GET /a b HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\nabcde",
    ],
)
def test_what_is_no_request_is_refused_by_the_server(served: Served, data: bytes) -> None:
    served.faults.inject("*", "reset")
    with served.connect() as wire:
        wire.send(data)
        assert b" 400 " in wire.received(until=b"\r\n")
    assert len(served.faults.pending()) == 1


# -- where faults do not reach, and how connections go on ----------------------------------------


def test_control_paths_meet_no_fault(served: Served) -> None:
    served.faults.inject("*", "reset", times=3)
    with served.connect() as wire:
        for _ in range(3):
            wire.send(post(CONTROL, {}))
            assert wire.json() == {"read": 2}
    assert served.faults.pending()[0].times == 3
    served.clear()
    # Nor on a connection that is to be reset.
    with served.ordered("reset_next") as wire:
        assert ids(wire, 1) == [1]
        wire.send(post(CONTROL, {}))
        assert wire.json() == {"read": 2}
        wire.order()
        assert wire.until_reset() == b""
