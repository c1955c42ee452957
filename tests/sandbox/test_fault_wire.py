"""What the faults of connection and framing put on the wire, byte by byte, and what is let through."""

from __future__ import annotations

import gzip
import json
import threading
from contextlib import suppress
from http.client import LineTooLong
from time import monotonic
from typing import Any

import pytest
import requests

from tests.sandbox.served import CONTROL, CREATE, STREAM, Served, Wire, post, wait_until
from trading_sandbox.faults import KINDS
from trading_sandbox.faults.answers import Answer
from trading_sandbox.faults.injection import make_script
from trading_sandbox.faults.playback import Sleep

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
    with served.ordered("close_idle", seconds=0.1) as wire:
        answer = wire.answer()
        assert (answer.read(), answer.will_close) == (ANSWER, False)
        assert wire.until_closed() == b""
        assert monotonic() - served.exchange.latest_at >= 0.1


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
    with served.ordered("second_answer", body=b'{"order_id":99}', seconds=0.1) as wire:
        assert wire.json() == {"order_id": 1}
        wire.order()
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
    served.faults.inject("orders.create", kind, seconds=150)
    fault = served.faults.take("POST", CREATE)
    assert fault is not None
    steps = list(make_script(fault, Answer(body=ANSWER)).steps)
    waits = [step.seconds for step in steps if isinstance(step, Sleep)]
    assert sum(waits) == pytest.approx(150)
    assert len(waits) >= 12
    with served.ordered(kind, seconds=0.1) as wire:
        assert wire.json() == {"order_id": 1}
        assert monotonic() - served.exchange.latest_at >= 0.1
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


def test_a_header_can_be_too_large_or_there_can_be_too_many(served: Served) -> None:
    with served.ordered("large_header") as wire, pytest.raises(LineTooLong):
        wire.answer()
    with served.ordered("large_header", size=100) as wire:
        assert wire.answer().headers["x-padding"] == "0" * 100
    with served.ordered("many_headers", size=150) as wire:
        assert wire.received(until=b'{"order_id":3}').count(b"\r\nx-padding-") == 150


# -- the door itself: what it lets through --------------------------------------------------------

ORDER = post(CREATE, {})
HEAD = f"POST {CREATE} HTTP/1.1\r\nHost: x\r\n"


def ids(wire: Wire, count: int) -> list[int]:
    """The ids of the orders in the next answers."""
    return [wire.json()["order_id"] for _ in range(count)]


def test_requests_without_a_fault_are_answered_as_ever(served: Served) -> None:
    with requests.Session() as session:
        for number in range(1, 4):
            answer = session.post(served.server.url + CREATE, json={"n": number})
            assert answer.json() == {"order_id": number}
        assert session.get(served.server.url + STREAM).text.count("part") == 3
        assert session.head(served.server.url + "/api/v1/orders/history").status_code == 200
        assert session.get(served.server.url + "/nowhere").status_code == 404
    assert [order["n"] for order in served.exchange.orders] == [1, 2, 3]


def test_a_fault_meets_its_request_among_many_sent_at_once(served: Served) -> None:
    served.faults.inject("orders.create", "delay_request", seconds=0.02)
    served.faults.inject("orders.create", "status", status=400)
    with served.connect() as wire:
        wire.get()
        wire.send(ORDER * 2)
        wire.get(STREAM)
        wire.send(ORDER)
        answers = [(answer.status, answer.read()) for answer in (wire.answer() for _ in range(5))]
    assert [status for status, _ in answers] == [200, 200, 400, 200, 200]
    assert answers[1][1] == b'{"order_id":1}'
    assert answers[3][1].startswith(b"part 0 0\r\n\r\n")
    assert answers[4][1] == b'{"order_id":2}'


def test_more_than_fits_can_be_sent_ahead(served: Served) -> None:
    served.faults.inject("orders.create", "delay_answer", seconds=0.05)
    request = post(CREATE, {"padding": "0" * 100_000})
    with served.connect() as wire:
        sender = threading.Thread(target=wire.send, args=(request * 20,))
        sender.start()
        assert ids(wire, 20) == list(range(1, 21))
        sender.join()


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
