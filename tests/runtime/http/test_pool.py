"""The connections of the transport: whom it trusts, and what goes by a proxy."""

from __future__ import annotations

import contextlib
import re
import ssl
import threading
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
import trustme

from tests.doubles.server import (
    Peer,
    Play,
    Server,
    answer,
    answers,
    close_after_reading,
    cut,
    refused_port,
    secured,
    server_context,
    tunnel,
)
from tests.runtime.transports import CANARY, assert_clean, call, failure, over
from trading_runtime.http.deadline import DeadlineAdapter, new_session
from trading_runtime.http.fault import Fault
from trading_runtime.http.transport import HTTPTransport

# TLS


PAST = datetime(2020, 1, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("trusted", "host", "dates", "says"),
    [
        (
            False,
            "127.0.0.1",
            {},
            "certificate verify failed.*; if its CA is your own, write session.ver",
        ),
        (True, "elsewhere.example", {}, "not valid for '127.0.0.1'"),
        (True, "127.0.0.1", {"not_before": PAST, "not_after": PAST}, "expired"),
    ],
)
def test_a_server_that_is_not_trusted_gets_nothing_and_the_error_says_why(
    authority: trustme.CA,
    transport: HTTPTransport,
    trusting: HTTPTransport,
    trusted: bool,
    host: str,
    dates: Any,
    says: str,
) -> None:
    context = server_context(authority, host, **dates)
    with Server(secured(context, answers(answer()))) as server:
        error = failure(trusting if trusted else transport, server.https)
    assert error.fault is Fault.NOT_TRUSTED
    assert re.search(says, error.reason)
    assert server.requests == []


def test_a_service_behind_a_proxy_that_is_not_trusted_is_told_from_one_that_is_not_reached(
    context: ssl.SSLContext, transport: HTTPTransport
) -> None:
    with (
        Server(secured(context, answers(answer()))) as server,
        Server(tunnel(server.port)) as proxy,
    ):
        through = over(proxy=proxy.url)
        assert failure(through, server.https).fault is Fault.NOT_TRUSTED


def test_a_proxy_that_is_not_trusted_gets_nothing(context: ssl.SSLContext) -> None:
    with Server(secured(context, answers(answer()))) as proxy:
        through = over(proxy=proxy.https)
        assert failure(through, "https://127.0.0.1:1").fault is Fault.NOT_TRUSTED
    assert proxy.requests == []


def test_a_tls_error_after_the_handshake_may_have_been_sent(
    context: ssl.SSLContext, trusting: HTTPTransport
) -> None:
    def garbage(peer: Peer) -> None:
        peer.read_request()
        peer.raw.sendall(b"this is not a TLS record")

    with Server(secured(context, garbage)) as server:
        error = failure(trusting, server.https)
    assert error.fault is Fault.MAYBE_SENT
    assert len(server.requests) == 1


@pytest.mark.parametrize("name", ["missing.pem", "empty.pem"])
def test_a_file_of_cas_that_cannot_be_used_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty.pem").touch()
    error = failure(over(str(tmp_path / name)), "https://127.0.0.1:1")
    assert error.fault is Fault.NOT_SENT
    assert str(tmp_path / name) in error.reason


def test_a_session_whose_cas_change_trusts_the_new(context: ssl.SSLContext, ca_file: str) -> None:
    with Server(secured(context, answers(answer(b"1")))) as server, new_session() as session:
        session.verify = ca_file
        transport = HTTPTransport(session)
        assert call(transport, server.https).body == b"1"
        session.verify = True
        assert failure(transport, server.https).fault is Fault.NOT_TRUSTED


def test_what_an_adapter_says_of_its_pool_is_heeded(context: ssl.SSLContext, ca_file: str) -> None:
    class Bound(DeadlineAdapter):
        def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
            kwargs["ssl_context"] = ssl.create_default_context(cafile=ca_file)
            super().init_poolmanager(*args, **kwargs, source_address=("127.0.0.2", 0))

    def tells(peer: Peer) -> None:
        peer.read_request()
        peer.send(answer(peer.raw.getpeername()[0].encode()))
        peer.wait_for_close()

    with Server(secured(context, tells)) as server, new_session() as session:
        session.mount("https://", Bound())
        assert call(HTTPTransport(session), server.https).body == b"127.0.0.2"


def test_a_connection_too_many_for_the_pool_is_closed() -> None:
    together = threading.Barrier(2)

    def both(peer: Peer) -> None:
        peer.read_request()
        together.wait(5)
        peer.send(answer())
        peer.wait_for_close()

    with Server(both) as server, new_session() as session:
        session.mount("http://", DeadlineAdapter(pool_maxsize=1))
        transport = HTTPTransport(session)
        threads = [threading.Thread(target=call, args=(transport, server.url)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(5)
        assert server.hung_up.wait(20)
    assert server.connections == 2


# Pools


# Proxies


@pytest.mark.parametrize(
    ("play", "url", "fault"),
    [
        (None, "http://127.0.0.1:1", Fault.NOT_SENT),
        (cut(answer(b"", status="403 Forbidden")), "https://127.0.0.1:1", Fault.NOT_SENT),
        (close_after_reading, "http://127.0.0.1:1", Fault.MAYBE_SENT),
    ],
    ids=["refused", "no tunnel", "hung up"],
)
def test_a_proxy_that_fails_may_have_sent_it_on(play: Play | None, url: str, fault: Fault) -> None:
    with Server(play or close_after_reading) as server:
        proxy = server.url if play else refused_port()
        with contextlib.closing(over(proxy=proxy)) as transport:
            assert failure(transport, url).fault is fault


def test_another_request_goes_through_a_proxy_that_speaks_tls_as_ever(
    context: ssl.SSLContext, ca_file: str
) -> None:
    with (
        Server(secured(context, answers(answer(b"1")))) as server,
        Server(secured(context, tunnel(server.port))) as proxy,
        new_session() as session,
    ):
        session.verify, session.proxies = ca_file, {"https": proxy.https}
        assert session.get(server.https, timeout=5).content == b"1"


PASSWORD = "me:hunter2@"


@pytest.mark.parametrize(
    "proxy",
    [
        *("http://", "https://:80", f"http://{PASSWORD}", "http://[::1", f"http://{PASSWORD}h:x"),
        *(f"http://{PASSWORD}{'x' * 64}", f"ftp://{PASSWORD}h:1", f"socks5://{PASSWORD}h:1"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_not_repeated_and_nothing_was_sent(proxy: str) -> None:
    error = failure(over(proxy=proxy), "https://127.0.0.1:1", timeout=2)
    assert error.fault is Fault.NOT_SENT
    assert "hunter2" not in error.reason
    assert_clean(error)


def test_the_password_of_a_proxy_is_sent_and_not_shown() -> None:
    with Server(answers(answer())) as proxy:
        transport = over(proxy=proxy.url.replace("://", f"://me:{CANARY}@"))
        call(transport, "http://127.0.0.1:1")
        assert CANARY not in repr(transport) + str(vars(transport))
    assert b"Proxy-Authorization: Basic " in proxy.requests[0]
