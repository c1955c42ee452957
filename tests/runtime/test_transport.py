"""The transport against real sockets: what it sends, what it hands back, how it fails."""

from __future__ import annotations

import gc
import gzip
import logging
import os
import signal
import socket
import ssl
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.runtime.sockets import Peer, Play, Server, answer, answers, cut
from trading_runtime.errors import RequestError
from trading_runtime.retry import Fault
from trading_runtime.transport import (
    Request,
    RequestsTransport,
    Response,
    Transport,
    TransportFailure,
)

CANARY = "canary-api-key-7f3a"
BODY = b'{"signature":"canary-signature"}'


@pytest.fixture
def transport() -> Iterator[RequestsTransport]:
    transport = RequestsTransport()
    yield transport
    transport.close()


def call(transport: Transport, url: str, method: str = "POST", *, timeout: float = 5.0) -> Response:
    headers = {"PF-API-KEY": CANARY, "Content-Type": "application/json"}
    body = BODY if method == "POST" else None
    return transport.send(Request(method, url, headers, body), timeout=timeout)


def failure(transport: Transport, url: str, *, timeout: float = 5.0) -> TransportFailure:
    with pytest.raises(TransportFailure) as caught:
        call(transport, url, timeout=timeout)
    return caught.value


# What goes out and what comes back


def test_a_post_arrives_as_given_and_the_answer_comes_back(transport: RequestsTransport) -> None:
    with Server(answers(answer(b'{"order_id":1}', "X-One: 1", status="201 Made"))) as server:
        response = call(transport, f"{server.url}/api/v1/orders/create?a=b%20c")
    assert (response.status, response.body) == (201, b'{"order_id":1}')
    assert response.headers["x-ONE"] == "1"
    (request,) = server.requests
    assert request.startswith(b"POST /api/v1/orders/create?a=b%20c HTTP/1.1\r\n")
    assert b"PF-API-KEY: " + CANARY.encode() in request
    assert b"User-Agent: trading-service-sdk" in request
    assert request.endswith(BODY)


def test_a_get_carries_no_body(transport: RequestsTransport) -> None:
    with Server(answers(answer())) as server:
        assert call(transport, server.url, "GET").body == b"{}"
    assert server.requests[0].startswith(b"GET / HTTP/1.1\r\n")
    assert b"content-length" not in server.requests[0].lower()


def test_calls_of_one_thread_share_a_connection(transport: RequestsTransport) -> None:
    with Server(answers(answer(b"1"), answer(b"2"), answer(b"3"))) as server:
        bodies = [call(transport, server.url).body for _ in range(3)]
    assert bodies == [b"1", b"2", b"3"]
    assert server.connections == 1


@pytest.mark.parametrize("status", ["302 Found", "400 Bad", "408 Late", "500 Oops", "504 Late"])
def test_no_answer_but_a_2xx_leaves_a_connection_on_which_a_late_one_could_come(
    transport: RequestsTransport, status: str
) -> None:
    surplus = answer(b"late, of the first call")
    with Server(answers(answer(b"no", status=status), surplus), answers(answer(b"mine"))) as server:
        assert call(transport, server.url).body == b"no"
        assert call(transport, server.url).body == b"mine"
    assert server.connections == 2


def test_a_connection_that_was_closed_while_idle_is_replaced(transport: RequestsTransport) -> None:
    with Server(cut(answer(b"1")), answers(answer(b"2"))) as server:
        assert call(transport, server.url).body == b"1"
        assert server.closed.wait(2)
        assert call(transport, server.url).body == b"2"
    assert len(server.requests) == 2


@pytest.mark.parametrize("coding", ["gzip", "X-GZIP"])
def test_a_gzip_body_is_unpacked(transport: RequestsTransport, coding: str) -> None:
    packed = gzip.compress(b'{"a":1}')
    with Server(answers(answer(packed, f"Content-Encoding: {coding}"))) as server:
        assert call(transport, server.url).body == b'{"a":1}'
    assert b"Accept-Encoding: gzip\r\n" in server.requests[0]


def test_a_chunked_body_is_joined(transport: RequestsTransport) -> None:
    chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n1\r\n\n\r\n0\r\n\r\n"
    with Server(answers(chunks, answer(b"next"))) as server:
        assert call(transport, server.url).body == b"{}\n"
        assert call(transport, server.url).body == b"next"
    assert server.connections == 1


def test_an_empty_204_is_an_answer(transport: RequestsTransport) -> None:
    with Server(answers(b"HTTP/1.1 204 No Content\r\n\r\n")) as server:
        assert call(transport, server.url).body == b""


# What is never done


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_handed_back_and_not_followed(
    transport: RequestsTransport, status: int
) -> None:
    with Server(answers(answer())) as elsewhere:
        moved = answer(b"", f"Location: {elsewhere.url}/", status=f"{status} Moved")
        with Server(answers(moved)) as server:
            assert call(transport, server.url).status == status
        assert elsewhere.connections == 0


def test_a_redirect_to_a_hostile_target_is_still_only_an_answer(
    transport: RequestsTransport,
) -> None:
    with Server(answers(answer(b"", "Location: http://[", status="302 Found"))) as server:
        assert call(transport, server.url).status == 302


def test_cookies_are_not_sent_back(transport: RequestsTransport) -> None:
    with Server(answers(answer(b"", "Set-Cookie: a=b; Path=/"), answer())) as server:
        call(transport, server.url)
        call(transport, server.url)
    assert b"cookie" not in server.requests[1].lower()


def test_the_environment_is_ignored(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login somebody password secret\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("NETRC", str(netrc))
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere")
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with Server(answers(answer())) as server:
        assert call(transport, server.url).status == 200
    assert b"authorization" not in server.requests[0].lower()


@pytest.mark.parametrize(
    "unwritable",
    [
        Request("GET", "http://127.0.0.1:1/", {"PF-API-KEY": f"{CANARY}\r\nX-Evil: 1"}, None),
        Request("GET", "http://[/", {}, None),
        Request("GET", "/no/host", {}, None),
    ],
)
def test_a_request_that_cannot_be_written_is_refused(
    transport: RequestsTransport, unwritable: Request
) -> None:
    with pytest.raises(RequestError, match="cannot be sent") as caught:
        transport.send(unwritable, timeout=1)
    assert_clean(caught.value)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 1e10, 86_400.5])
def test_a_timeout_of_nothing_or_of_more_than_a_day_is_refused(
    transport: RequestsTransport, timeout: float
) -> None:
    with Server(answers(answer())) as server:
        with pytest.raises(RequestError, match="timeout"):
            call(transport, server.url, timeout=timeout)
        assert server.connections == 0


def test_a_timeout_of_a_day_is_possible(transport: RequestsTransport) -> None:
    with Server(answers(answer())) as server:
        assert call(transport, server.url, timeout=86_400).status == 200


# Failures before anything was sent


def refused_port() -> str:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"


def test_a_refused_connection_is_not_sent(transport: RequestsTransport) -> None:
    error = failure(transport, refused_port())
    assert error.fault is Fault.NOT_SENT
    assert error.status is None
    assert "refused" in error.reason
    assert str(error) == error.reason


def test_an_unknown_host_is_not_sent(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    error = failure(transport, "http://nobody.invalid")
    assert error.fault is Fault.NOT_SENT
    assert "not known" in error.reason


def test_a_connect_timeout_is_not_sent(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(*_: object, **__: object) -> None:
        raise TimeoutError("timed out")

    monkeypatch.setattr(socket.socket, "connect", hang)
    error = failure(transport, "http://127.0.0.1:9")
    assert error.fault is Fault.NOT_SENT
    assert error.reason == "cannot connect: TimeoutError: timed out"


# Failures after something may have been sent


def reset_before_reading(peer: Peer) -> None:
    peer.wait_for_bytes()
    peer.reset()


def never_answers(peer: Peer) -> None:
    peer.server.leave.wait(5)


def reset_after_reading(peer: Peer) -> None:
    peer.read_request()
    peer.reset()


def close_after_reading(peer: Peer) -> None:
    peer.read_request()


def silent(peer: Peer) -> None:
    peer.read_request()
    peer.server.leave.wait(5)


@pytest.mark.parametrize("play", [reset_before_reading, reset_after_reading, close_after_reading])
def test_a_connection_lost_before_the_answer_may_have_been_sent(
    transport: RequestsTransport, play: Play
) -> None:
    with Server(play) as server:
        error = failure(transport, server.url)
    assert error.fault is Fault.MAYBE_SENT
    assert error.reason.startswith("no answer came: ")
    assert server.connections == 1


@pytest.mark.parametrize(
    "reply",
    [
        b"not http at all\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 70_000 + b"\r\n\r\n",
    ],
)
def test_an_answer_that_is_not_http_may_have_been_sent(
    transport: RequestsTransport, reply: bytes
) -> None:
    with Server(cut(reply)) as server:
        assert failure(transport, server.url).fault is Fault.MAYBE_SENT


def test_no_answer_in_time_may_have_been_sent(transport: RequestsTransport) -> None:
    with Server(silent) as server:
        started = time.monotonic()
        error = failure(transport, server.url, timeout=0.1)
        assert time.monotonic() - started < 1
    assert error.fault is Fault.MAYBE_SENT


def test_a_late_answer_does_not_answer_the_next_call(transport: RequestsTransport) -> None:
    def late(peer: Peer) -> None:
        peer.read_request()
        time.sleep(0.2)
        peer.send(answer(b"late"))

    with Server(late, answers(answer(b"mine"))) as server:
        failure(transport, server.url, timeout=0.1)
        assert server.closed.wait(2)
        assert call(transport, server.url).body == b"mine"


def test_an_interim_answer_does_not_hand_its_real_one_to_the_next_call(
    transport: RequestsTransport,
) -> None:
    def hints(peer: Peer) -> None:
        peer.read_request()
        peer.send(b"HTTP/1.1 103 Early Hints\r\n\r\n")
        peer.server.leave.wait(0.1)
        peer.send(answer(b"first"))

    with Server(hints, answers(answer(b"mine"))) as server:
        error = failure(transport, server.url)
        assert (error.fault, error.status) == (Fault.MAYBE_SENT, 103)
        assert call(transport, server.url).body == b"mine"


# Bodies that cannot be used

GZIP = gzip.compress(b"x" * 1000)
CUT_BODIES = {
    "short Content-Length": b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}",
    "cut chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}",
    "no last chunk": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    "bad chunk size": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n",
    "truncated gzip": answer(GZIP[:-10], "Content-Encoding: gzip"),
    "gzip without its end": answer(GZIP[:12], "Content-Encoding: gzip"),
    "not gzip": answer(b"{}", "Content-Encoding: gzip"),
    "corrupt gzip": answer(GZIP[:12] + b"\xff" * 9, "Content-Encoding: gzip"),
    "coding not asked for": answer(b"{}", "Content-Encoding: br"),
    "no length": b"HTTP/1.1 200 OK\r\n\r\n{}",
    "cut header block": b"HTTP/1.1 200 OK\r\nContent-Ty",
    "cut after the length": b"HTTP/1.1 200 OK\r\nContent-Length: 20\r\nContent-Ty",
}


# What is kept of each: as it came, where the coding cannot be undone.
KEPT = {
    "bad chunk size": b"",
    "truncated gzip": GZIP[:-10],
    "gzip without its end": GZIP[:12],
    "corrupt gzip": GZIP[:12] + b"\xff" * 9,
    "cut header block": b"",
    "cut after the length": b"",
}


@pytest.mark.parametrize("name", CUT_BODIES)
def test_a_success_whose_body_was_cut_is_unusable(transport: RequestsTransport, name: str) -> None:
    with Server(cut(CUT_BODIES[name]), answers(answer(b"mine"))) as server:
        error = failure(transport, server.url)
        assert (error.fault, error.status) == (Fault.UNUSABLE, 200)
        assert error.body == KEPT.get(name, b"{}")
        assert server.closed.wait(2)
        assert call(transport, server.url).body == b"mine"


@pytest.mark.parametrize("name", CUT_BODIES)
def test_a_refusal_whose_body_was_cut_is_still_a_refusal_in_the_words_that_came(
    transport: RequestsTransport, name: str
) -> None:
    reply = CUT_BODIES[name].replace(b"200 OK", b"400 Bad Request")
    with Server(cut(reply)) as server:
        response = call(transport, server.url)
    assert (response.status, response.body) == (400, KEPT.get(name, b"{}"))


def begins(start: bytes, then: Play) -> Play:
    """Read a request, send the start of an answer, and go on when the client has read it."""

    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(start)
        peer.server.leave.wait(0.1)
        then(peer)

    return play


@pytest.mark.parametrize("name", ["short Content-Length", "cut chunk"])
def test_a_reset_within_the_body_is_unusable(transport: RequestsTransport, name: str) -> None:
    with Server(begins(CUT_BODIES[name], Peer.reset)) as server:
        error = failure(transport, server.url)
    assert (error.fault, error.status, error.body) == (Fault.UNUSABLE, 200, b"{}")


@pytest.mark.parametrize("name", ["short Content-Length", "cut chunk"])
def test_a_body_that_stops_may_have_been_sent(transport: RequestsTransport, name: str) -> None:
    with Server(begins(CUT_BODIES[name], never_answers)) as server:
        error = failure(transport, server.url, timeout=0.2)
    assert (error.fault, error.status, error.body) == (Fault.MAYBE_SENT, 200, b"{}")


def test_a_refusal_whose_body_stops_is_still_a_refusal(transport: RequestsTransport) -> None:
    reply = CUT_BODIES["short Content-Length"].replace(b"200 OK", b"400 Bad Request")
    with Server(begins(reply, never_answers)) as server:
        response = call(transport, server.url, timeout=0.2)
    assert (response.status, response.body) == (400, b"{}")


def test_a_body_that_comes_in_pieces_is_joined_and_ends_where_it_says(
    transport: RequestsTransport,
) -> None:
    def rest(peer: Peer) -> None:
        peer.send(b'"a":1}' + answer(b"not asked for"))
        peer.read_request()
        peer.send(answer(b"mine"))

    start = b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{"
    with Server(begins(start, rest), answers(answer(b"mine"))) as server:
        assert call(transport, server.url).body == b'{"a":1}'
        assert call(transport, server.url).body == b"mine"


def test_a_body_of_many_reads_is_joined(transport: RequestsTransport) -> None:
    body = bytes(range(256)) * 4096
    with Server(answers(answer(body), answer(b"next"))) as server:
        assert call(transport, server.url).body == body
        assert call(transport, server.url).body == b"next"
    assert server.connections == 1


# TLS


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def server_context(authority: trustme.CA, host: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(host).configure_cert(context)
    return context


@pytest.fixture
def trusting(authority: trustme.CA, tmp_path: Path) -> Iterator[RequestsTransport]:
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    transport = RequestsTransport(ca_file=str(tmp_path / "ca.pem"))
    yield transport
    transport.close()


def secured(context: ssl.SSLContext, then: Play) -> Play:
    def play(peer: Peer) -> None:
        peer.start_tls(context)
        then(peer)

    return play


def https(server: Server) -> str:
    return server.url.replace("http:", "https:")


def test_a_server_of_the_given_authority_is_trusted(
    authority: trustme.CA, trusting: RequestsTransport
) -> None:
    context = server_context(authority, "127.0.0.1")
    with Server(secured(context, answers(answer(b"1"), answer(b"2")))) as server:
        assert call(trusting, https(server)).body == b"1"
        assert call(trusting, https(server)).body == b"2"
    assert server.connections == 1


def test_an_unknown_authority_is_not_sent(
    authority: trustme.CA, transport: RequestsTransport
) -> None:
    context = server_context(authority, "127.0.0.1")
    with Server(secured(context, answers(answer()))) as server:
        error = failure(transport, https(server))
    assert error.fault is Fault.NOT_SENT
    assert "certificate verify failed" in error.reason
    assert server.requests == []


def test_a_certificate_of_another_host_is_not_sent(
    authority: trustme.CA, trusting: RequestsTransport
) -> None:
    context = server_context(authority, "elsewhere.example")
    with Server(secured(context, answers(answer()))) as server:
        error = failure(trusting, https(server))
    assert error.fault is Fault.NOT_SENT
    assert "not valid for '127.0.0.1'" in error.reason


@pytest.mark.parametrize("play", [reset_before_reading, never_answers, cut(b"plain text")])
def test_a_failed_handshake_is_not_sent(trusting: RequestsTransport, play: Play) -> None:
    with Server(play) as server:
        error = failure(trusting, https(server), timeout=0.2)
    assert error.fault is Fault.NOT_SENT


def test_a_tls_error_after_the_handshake_may_have_been_sent(
    authority: trustme.CA, trusting: RequestsTransport
) -> None:
    def garbage(peer: Peer) -> None:
        peer.read_request()
        peer.raw.sendall(b"this is not a TLS record")

    with Server(secured(server_context(authority, "127.0.0.1"), garbage)) as server:
        error = failure(trusting, https(server))
    assert error.fault is Fault.MAYBE_SENT
    assert len(server.requests) == 1


@pytest.mark.parametrize("name", ["missing.pem", "empty.pem", "."])
def test_a_ca_file_that_cannot_be_used_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty.pem").touch()
    transport = RequestsTransport(ca_file=str(tmp_path / name))
    with pytest.raises(RequestError, match="cannot be loaded") as caught:
        call(transport, "https://127.0.0.1:1")
    assert str(tmp_path / name) in str(caught.value)


def test_the_secrets_of_a_tls_connection_are_not_written_where_the_environment_says(
    authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "keys.log"))
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    context = server_context(authority, "127.0.0.1")
    refused = cut(answer(b"", status="403 Forbidden"))
    with Server(secured(context, answers(answer())), secured(context, refused)) as server:
        direct = RequestsTransport(ca_file=str(tmp_path / "ca.pem"))
        assert call(direct, https(server)).status == 200
        direct.close()
        proxied = RequestsTransport(ca_file=str(tmp_path / "ca.pem"), proxy=https(server))
        assert "403" in failure(proxied, "https://127.0.0.1:1").reason
    assert [path.name for path in tmp_path.iterdir()] == ["ca.pem"]


# Proxies


def test_the_given_proxy_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    with Server(answers(answer(b"1"))) as proxy:
        transport = RequestsTransport(proxy=proxy.url)
        assert call(transport, "http://127.0.0.1:1/path").body == b"1"
        transport.close()
    assert proxy.requests[0].startswith(b"POST http://127.0.0.1:1/path HTTP/1.1\r\n")


def test_a_refused_proxy_is_not_sent() -> None:
    transport = RequestsTransport(proxy=refused_port())
    assert failure(transport, "http://127.0.0.1:1").fault is Fault.NOT_SENT


def test_a_refused_tunnel_is_not_sent() -> None:
    with Server(cut(answer(b"", status="403 Forbidden"))) as proxy:
        transport = RequestsTransport(proxy=proxy.url)
        assert failure(transport, "https://127.0.0.1:1").fault is Fault.NOT_SENT


def test_a_proxy_that_hangs_up_after_reading_may_have_sent_it_on() -> None:
    with Server(close_after_reading) as proxy:
        transport = RequestsTransport(proxy=proxy.url)
        assert failure(transport, "http://127.0.0.1:1").fault is Fault.MAYBE_SENT


@pytest.mark.parametrize(
    "proxy", ["socks5://me:hunter2@127.0.0.1:1", "127.0.0.1:1", "http://", "", 5, b"http://h:1"]
)
def test_a_proxy_of_another_kind_is_refused_without_repeating_its_password(proxy: Any) -> None:
    with pytest.raises(RequestError, match="proxy") as caught:
        RequestsTransport(proxy=proxy)
    assert "hunter2" not in str(caught.value)


def test_the_password_of_a_proxy_is_sent_and_not_shown() -> None:
    with Server(answers(answer())) as proxy:
        transport = RequestsTransport(proxy=proxy.url.replace("://", "://me:hunter2@"))
        call(transport, "http://127.0.0.1:1")
        assert "hunter2" not in repr(transport) + str(vars(transport))
        transport.close()
    assert b"Proxy-Authorization: Basic bWU6aHVudGVyMg==" in proxy.requests[0]


# Threads, forks, closing


def in_thread(job: Callable[[], object]) -> None:
    thread = threading.Thread(target=job)
    thread.start()
    thread.join(5)


def test_each_thread_has_connections_of_its_own(transport: RequestsTransport) -> None:
    bodies: list[bytes] = []
    with Server(answers(answer(b"1")), answers(answer(b"2"))) as server:
        call(transport, server.url)
        in_thread(lambda: bodies.append(call(transport, server.url).body))
    assert bodies == [b"2"]
    assert server.connections == 2


def test_a_thread_that_ended_leaves_no_connection_behind(transport: RequestsTransport) -> None:
    with Server(answers(answer())) as server:
        in_thread(lambda: call(transport, server.url))
        gc.collect()
        assert server.hung_up.wait(2)


def test_close_closes_the_connections_of_every_thread(transport: RequestsTransport) -> None:
    done, leave = threading.Event(), threading.Event()

    def job() -> None:
        call(transport, server.url)
        done.set()
        leave.wait(5)

    with Server(answers(answer())) as server:
        thread = threading.Thread(target=job)
        thread.start()
        assert done.wait(5)
        assert not server.hung_up.is_set()
        transport.close()
        assert server.hung_up.wait(2)
        leave.set()
        thread.join(5)


def test_a_call_after_close_is_refused_and_close_may_be_repeated(
    transport: RequestsTransport,
) -> None:
    transport.close()
    transport.close()
    with pytest.raises(RequestError, match="closed"):
        call(transport, "http://127.0.0.1:1")


def in_child(job: Callable[[], bool]) -> bool:
    """Whether the job was true in a forked child, within five seconds."""
    with warnings.catch_warnings():
        # From 3.12 on: "use of fork() may lead to deadlocks" in a process with threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        signal.alarm(5)
        good = False
        try:
            good = job()
        finally:
            os._exit(0 if good else 1)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_has_connections_of_its_own(transport: RequestsTransport) -> None:
    two = answers(answer(b"parent"), answer(b"parent"))
    with Server(two, answers(answer(b"child"))) as server:
        assert call(transport, server.url).body == b"parent"
        assert in_child(lambda: call(transport, server.url).body == b"child")
        assert call(transport, server.url).body == b"parent"
    assert server.connections == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_forked_while_another_thread_holds_the_lock_can_close(
    transport: RequestsTransport,
) -> None:
    def close() -> bool:
        transport.close()
        return True

    with transport._lock:
        assert in_child(close)


def test_a_process_of_another_id_does_not_use_inherited_connections(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server(answers(answer(b"1")), answers(answer(b"2"))) as server:
        call(transport, server.url)
        monkeypatch.setattr(os, "getpid", lambda: -1)
        assert call(transport, server.url).body == b"2"


# Secrets


def assert_clean(error: BaseException) -> None:
    """No secret and no foreign exception anywhere in what may be printed of an error."""
    assert error.__cause__ is None
    assert error.__context__ is None
    text = "".join(traceback.format_exception(error)) + repr(error) + str(vars(error))
    assert "canary" not in text


@pytest.mark.parametrize(
    "play",
    [reset_after_reading, silent, cut(b"nonsense"), *map(cut, CUT_BODIES.values())],
)
def test_a_failure_shows_no_secret(
    transport: RequestsTransport, caplog: pytest.LogCaptureFixture, play: Play
) -> None:
    caplog.set_level(logging.DEBUG)
    with Server(play) as server:
        assert_clean(failure(transport, server.url, timeout=0.2))
    assert "canary" not in caplog.text


def test_a_refused_connection_shows_no_secret(transport: RequestsTransport) -> None:
    assert_clean(failure(transport, refused_port()))


def test_requests_and_answers_show_neither_headers_nor_bodies() -> None:
    request = Request("POST", "http://127.0.0.1/", {"PF-API-KEY": CANARY}, BODY)
    response = Response(200, {"Set-Cookie": CANARY}, BODY)
    assert "canary" not in repr(request) + str(request) + repr(response) + str(response)
    assert repr(response) == "Response(status=200)"
