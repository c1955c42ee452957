"""The door itself: what it lets through, how connections go on after faults, and what it leaves."""

from __future__ import annotations

import threading

import pytest
import requests

from tests.sandbox.fault_desk import (
    CONTROL,
    CREATE,
    STREAM,
    Desk,
    desk,
    post,
    running,
)

__all__ = ["desk", "running"]

ORDER = post(CREATE, {})


# What it lets through


def test_requests_without_a_fault_are_answered_as_ever(desk: Desk) -> None:
    with requests.Session() as session:
        for number in range(1, 4):
            answer = session.post(desk.server.url + CREATE, json={"n": number})
            assert answer.json() == {"order_id": number}
        assert session.get(desk.server.url + STREAM).text.count("part") == 3
        assert session.head(desk.server.url + "/api/v1/orders/history").status_code == 200
        assert session.get(desk.server.url + "/nowhere").status_code == 404
    assert [order["n"] for order in desk.exchange.orders] == [1, 2, 3]


def test_a_request_may_come_byte_by_byte(desk: Desk) -> None:
    with desk.connect() as wire:
        for byte in ORDER:
            wire.send(bytes([byte]))
        assert wire.json() == {"order_id": 1}


def test_requests_sent_at_once_are_answered_in_their_order(desk: Desk) -> None:
    with desk.connect() as wire:
        wire.send(ORDER * 20)
        assert [wire.json()["order_id"] for _ in range(20)] == list(range(1, 21))


def test_a_fault_meets_its_request_among_many_sent_at_once(desk: Desk) -> None:
    desk.faults.inject("orders.create", "delay_request", seconds=0.02)
    desk.faults.inject("orders.create", "status", status=400)
    with desk.connect() as wire:
        wire.get()
        wire.send(ORDER * 2)
        wire.get(STREAM)
        wire.send(ORDER)
        statuses, bodies = [], []
        for _ in range(5):
            answer = wire.answer()
            statuses.append(answer.status)
            bodies.append(answer.read())
    assert statuses == [200, 200, 400, 200, 200]
    assert bodies[1] == b'{"order_id":1}'
    assert bodies[3].startswith(b"part 0 0\r\n\r\n")
    assert bodies[4] == b'{"order_id":2}'


def test_more_than_fits_can_be_sent_ahead(desk: Desk) -> None:
    desk.faults.inject("orders.create", "delay_answer", seconds=0.05)
    request = post(CREATE, {"padding": "0" * 100_000})
    with desk.connect() as wire:
        sender = threading.Thread(target=wire.send, args=(request * 20,))
        sender.start()
        assert [wire.json()["order_id"] for _ in range(20)] == list(range(1, 21))
        sender.join()


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"POST %b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n",
        b"POST %b HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nA: b\r\n\r\n",
        b"POST %b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
        b"POST %b HTTP/1.1\r\nHost: x\r\nContent-Length: 1100002\r\n\r\n"
        + b" " * 1_100_000
        + b"{}",
    ],
    ids=["extension", "trailer", "expect", "large"],
)
def test_what_does_not_say_plainly_where_it_ends_is_passed_through_for_good(
    desk: Desk, request_bytes: bytes
) -> None:
    desk.faults.inject("orders.create", "status", status=400)
    with desk.connect() as wire:
        wire.send(request_bytes.replace(b"%b", CREATE.encode(), 1))
        assert wire.json() == {"order_id": 1}
        wire.order()
        assert wire.json() == {"order_id": 2}
    assert len(desk.faults.pending()) == 1


def test_a_body_in_chunks_meets_faults_however_it_arrives(desk: Desk) -> None:
    desk.faults.inject("orders.create", "status", status=418, executed=True)
    head = f"POST {CREATE} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n".encode()
    body = b'7\r\n{"a": 1\r\nE\r\n, "b": "\\r\\n"}\r\n0\r\n\r\n'
    with desk.connect() as wire:
        for number in range(len(head + body)):
            wire.send((head + body)[number : number + 1])
        answer = wire.answer()
        assert (answer.status, len(answer.read()) > 0) == (418, True)
        wire.send(head + body + ORDER)
        assert [wire.json()["order_id"] for _ in range(2)] == [2, 3]
    assert desk.exchange.orders == [{"a": 1, "b": "\r\n"}] * 2 + [{}]


@pytest.mark.parametrize("framing", ["Content-Length: 7", "Transfer-Encoding: chunked"])
def test_the_body_is_read_though_the_client_offers_http_2(desk: Desk, framing: str) -> None:
    # As HttpClient of Java and curl --http2 do, over plain HTTP.
    body = b'7\r\n{"a":1}\r\n0\r\n\r\n' if "chunked" in framing else b'{"a":1}'
    head = (
        f"POST {CREATE} HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings\r\nHost: x\r\n"
        f"{framing}\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\nUpgrade: h2c\r\n\r\n"
    )
    with desk.connect() as wire:
        wire.send(head.encode() + body)
        assert wire.json() == {"order_id": 1}
        wire.order()
        assert wire.json() == {"order_id": 2}
    assert desk.exchange.orders[0] == {"a": 1}


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
def test_what_is_no_request_is_refused_by_the_server(desk: Desk, data: bytes) -> None:
    desk.faults.inject("*", "reset")
    with desk.connect() as wire:
        wire.send(data)
        assert b" 400 " in wire.received(until=b"\r\n")
    assert len(desk.faults.pending()) == 1


# Where faults do not reach, and how connections go on


def test_control_paths_meet_no_fault(desk: Desk) -> None:
    desk.faults.inject("*", "reset", times=3)
    with desk.connect() as wire:
        for _ in range(3):
            wire.send(post(CONTROL, {}))
            assert wire.json() == {"read": 2}
    assert desk.faults.pending()[0].times == 3


def test_a_control_path_is_answered_on_a_connection_that_is_to_be_reset(desk: Desk) -> None:
    desk.faults.inject("orders.create", "reset_next")
    with desk.connect() as wire:
        wire.order()
        assert wire.json() == {"order_id": 1}
        wire.send(post(CONTROL, {}))
        assert wire.json() == {"read": 2}
        wire.order()
        assert wire.until_reset() == b""


def test_a_connection_goes_on_after_a_fault_that_keeps_it(desk: Desk) -> None:
    desk.faults.inject("orders.create", "status", times=2, status=503)
    desk.faults.inject("orders.create", "bad_json")
    with desk.connect() as wire:
        statuses = []
        for _ in range(5):
            wire.order()
            answer = wire.answer()
            answer.read()
            statuses.append(answer.status)
    assert statuses == [503, 503, 200, 200, 200]
    assert desk.executed == 3


def test_a_client_that_asks_to_close_is_answered_and_closed(desk: Desk) -> None:
    desk.faults.inject("orders.create", "delay_answer", seconds=0.02)
    with desk.connect() as wire:
        wire.send(ORDER.replace(b"Host: x", b"Host: x\r\nConnection: close"))
        assert wire.until_closed().endswith(b'{"order_id":1}')


def test_connections_meet_faults_apart(desk: Desk) -> None:
    desk.faults.inject("orders.create", "delay_answer", seconds=0.2)
    with desk.connect() as slow, desk.connect() as quick:
        slow.order()
        desk.wait_for_executed(1)
        quick.order()
        assert quick.json() == {"order_id": 2}
        assert slow.json() == {"order_id": 1}
