"""The transport against real sockets: what it sends, what it hands back, how it fails."""

from __future__ import annotations

import gzip
import socket
from typing import Any

import pytest

from tests.doubles.server import Peer, Play, Server, answer, answers, cut, refused_port
from tests.runtime.transports import BODY, CANARY, assert_clean, call, failure
from trading_runtime.errors import RequestError
from trading_runtime.http.fault import Fault
from trading_runtime.http.transport import HTTPTransport, Request, Response, Transport

SESSIONS = ("own", "plain")
"""What is held here is held of the client's own session, and of a plain one of the user's."""

# What goes out and what comes back


def test_a_post_arrives_as_given_and_the_answer_comes_back(transport: Transport) -> None:
    with Server(answers(answer(b'{"order_id":1}', "X-One: 1", status="201 Made"))) as server:
        response = call(transport, f"{server.url}/api/v1/orders/create?a=b%20c")
    assert (response.status, response.body) == (201, b'{"order_id":1}')
    assert response.headers["x-ONE"] == "1"
    (request,) = server.requests
    assert request.startswith(b"POST /api/v1/orders/create?a=b%20c HTTP/1.1\r\n")
    assert b"PF-API-KEY: " + CANARY.encode() in request
    assert b"User-Agent: trading-service-sdk" in request
    assert request.endswith(BODY)


def test_the_headers_of_an_answer_ignore_case_also_where_a_transport_of_ones_own_made_it() -> None:
    headers = Response(200, {"date": "now"}, b"").headers
    assert headers["Date"] == headers.get("DATE") == "now"


def test_the_usual_transport_sends_head_and_body_at_once(
    usual: HTTPTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bytes] = []
    send_all = socket.socket.sendall

    def noted(sock: socket.socket, data: bytes) -> None:
        sent.append(bytes(data))
        send_all(sock, data)

    with Server(cut(answer())) as server:
        monkeypatch.setattr(socket.socket, "sendall", noted)
        usual.send(Request("POST", server.url, {}, BODY), timeout=5)
        assert [each for each in sent if each.startswith(b"POST")] == server.requests


@pytest.mark.parametrize("status", ["302 Found", "400 Bad", "408 Late", "500 Oops", "504 Late"])
def test_no_answer_but_a_2xx_leaves_a_connection_on_which_a_late_one_could_come(
    transport: Transport, status: str
) -> None:
    surplus = answer(b"late, of the first call")
    with Server(answers(answer(b"no", status=status), surplus), answers(answer(b"mine"))) as server:
        assert call(transport, server.url).body == b"no"
        assert call(transport, server.url).body == b"mine"
    assert server.connections == 2


@pytest.mark.parametrize("coding", ["gzip", "X-GZIP"])
def test_a_gzip_body_is_unpacked(transport: Transport, coding: str) -> None:
    packed = gzip.compress(b'{"a":1}')
    with Server(answers(answer(packed, f"Content-Encoding: {coding}"))) as server:
        assert call(transport, server.url).body == b'{"a":1}'
    assert b"Accept-Encoding: gzip\r\n" in server.requests[0]


@pytest.mark.parametrize(
    ("begin", "kind"),
    [
        (answer(b"", f"X-Canary: {'canary' * 20_000}"), "LineTooLong"),
        (answer(b"", *(f"X-Canary-{n}: 1" for n in range(150))), "HTTPException"),
        (b"canary\r\n\r\n", "BadStatusLine"),
    ],
    ids=["long header", "many headers", "no HTTP"],
)
def test_an_unreadable_answer_may_be_one(transport: Transport, begin: bytes, kind: str) -> None:
    with Server(answers(begin)) as server:
        error = failure(transport, server.url)
    assert error.fault is Fault.MAYBE_SENT
    assert error.reason == f"no answer came that can be read: {kind}"
    assert_clean(error)


# What is never done


@pytest.mark.parametrize(
    "unwritable",
    [
        Request("GET", "http://127.0.0.1:1/", {"PF-API-KEY": f"{CANARY}\r\nX-Evil: 1"}, None),
        Request("GET", "http://127.0.0.1:1/", {"PF-API-KEY:": CANARY}, None),
        Request("GET", "http://127.0.0.1:1/", {"a": f" {CANARY}"}, None),
        Request("POST", "http://127.0.0.1:1/", {"content-length": "0"}, b"{}"),
        Request("POST", "http://127.0.0.1:1/", {"Transfer-Encoding": "chunked"}, b"{}"),
        Request("GET", "http://127.0.0.1:1@127.0.0.1:2/", {}, None),
        Request("GET", "http://:80/", {}, None),
    ],
)
def test_an_unwritable_request_is_refused(transport: Transport, unwritable: Request) -> None:
    with pytest.raises(RequestError) as caught:
        transport.send(unwritable, timeout=1)
    assert str(caught.value) == "the URL or a header has characters that cannot be sent"
    assert_clean(caught.value)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 1e10, 86_400.5])
def test_a_timeout_of_nothing_or_of_days_is_refused(transport: Transport, timeout: float) -> None:
    with Server(answers(answer())) as server:
        with pytest.raises(RequestError, match=r"^timeout must be above 0 and at most 86400 sec"):
            call(transport, server.url, timeout=timeout)
        assert server.connections == 0
        assert call(transport, server.url, timeout=86_400).status == 200


# Failures before anything was sent


@pytest.mark.parametrize(
    ("where", "raised", "reason"),
    [
        ("socket.getaddrinfo", socket.gaierror(socket.EAI_NONAME, "Name not known"), "not known"),
        ("socket.socket.connect", TimeoutError("timed out"), "connect: TimeoutError: timed out"),
        ("", None, "refused"),
    ],
)
def test_a_connection_that_is_not_made_is_not_sent(
    transport: Transport, monkeypatch: pytest.MonkeyPatch, where: str, raised: Any, reason: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise raised

    url = "http://nobody.invalid" if "addr" in where else refused_port()
    if where:
        monkeypatch.setattr(where, fail)
    error = failure(transport, url)
    assert (error.fault, error.status, error.body) == (Fault.NOT_SENT, None, b"")
    assert reason in error.reason
    assert_clean(error)


# Failures after something may have been sent


INTERIM = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nContent-Length: 9\r\n\r\n"


def interim(interims: bytes, then: bytes) -> Play:
    """Send interim answers, and the real one a moment later."""

    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(interims)
        peer.server.leave.wait(0.1)
        peer.send(then)
        peer.wait_for_close()

    return play


@pytest.mark.parametrize(
    "interims",
    [
        b"".join(INTERIM.replace(b"103", b"%d" % n) for n in (100, 102, 103, 104, 199)),
        INTERIM * 100,
    ],
)
def test_interim_answers_are_passed_over(usual: HTTPTransport, interims: bytes) -> None:
    with Server(interim(interims, answer(b"real", status="201 Made"))) as server:
        response = call(usual, server.url)
    assert (response.status, response.body, "Link" in response.headers) == (201, b"real", False)


def test_what_is_no_answer_does_not_hand_the_real_one_to_the_next_call(
    transport: Transport, request: pytest.FixtureRequest
) -> None:
    # An adapter without the deadline passes over a 100 alone.
    for status in (101, 103) if "plain" in request.node.name else (101,):
        play = interim(INTERIM.replace(b"103", b"%d" % status), answer(b"first"))
        with Server(play, answers(answer(b"mine"))) as server:
            error = failure(transport, server.url)
            assert (error.fault, error.status) == (Fault.MAYBE_SENT, status)
            assert error.reason == f"a {status} is no answer"
            assert call(transport, server.url).body == b"mine"


# What an error says to write


@pytest.mark.parametrize("value", ["x", 1.5, True, None])
def test_a_size_of_a_body_that_is_no_integer_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^max_body_bytes must be an integer of bytes, not "):
        HTTPTransport(max_body_bytes=value)
