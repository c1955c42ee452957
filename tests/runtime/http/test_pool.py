"""The connections of the transport: whom it trusts, and what goes by a proxy."""

from __future__ import annotations

import contextlib
import socket
import ssl
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
    never_reads,
    refused_port,
    reset_before_reading,
    secured,
    server_context,
    tunnel,
)
from tests.runtime.transports import EVIL, call, failure
from trading_runtime.errors import RequestError
from trading_runtime.http.fault import Fault
from trading_runtime.http.transport import RequestsTransport

# TLS


def test_a_server_of_the_given_authority_is_trusted(
    context: ssl.SSLContext, trusting: RequestsTransport
) -> None:
    with Server(secured(context, answers(answer(b"1"), answer(b"2")))) as server:
        assert call(trusting, server.https).body == b"1"
        assert call(trusting, server.https).body == b"2"
    assert server.connections == 1


PAST = datetime(2020, 1, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("trusted", "host", "dates", "says"),
    [
        (False, "127.0.0.1", {}, "certificate verify failed"),
        (True, "elsewhere.example", {}, "not valid for '127.0.0.1'"),
        (True, "127.0.0.1", {"not_before": PAST, "not_after": PAST}, "expired"),
    ],
)
def test_a_server_that_is_not_trusted_gets_nothing_and_the_error_says_why(
    authority: trustme.CA,
    transport: RequestsTransport,
    trusting: RequestsTransport,
    trusted: bool,
    host: str,
    dates: Any,
    says: str,
) -> None:
    context = server_context(authority, host, **dates)
    with Server(secured(context, answers(answer()))) as server:
        error = failure(trusting if trusted else transport, server.https)
    assert error.fault is Fault.NOT_TRUSTED
    assert says in error.reason
    assert server.requests == []


def test_a_service_behind_a_proxy_that_is_not_trusted_is_told_from_one_that_is_not_reached(
    context: ssl.SSLContext, transport: RequestsTransport
) -> None:
    with (
        Server(secured(context, answers(answer()))) as server,
        Server(tunnel(server.port)) as proxy,
    ):
        through = RequestsTransport(proxy=proxy.url)
        assert failure(through, server.https).fault is Fault.NOT_TRUSTED
        through.close()


def test_a_proxy_that_is_not_trusted_gets_nothing(context: ssl.SSLContext) -> None:
    with Server(secured(context, answers(answer()))) as proxy:
        through = RequestsTransport(proxy=proxy.https)
        for url in ("http://127.0.0.1:1", "https://127.0.0.1:1"):
            assert failure(through, url).fault is Fault.NOT_TRUSTED
        through.close()
    assert proxy.requests == []


# Beyond 8192 bytes TLS holds what was not read where no poll of the socket sees it.
@pytest.mark.parametrize("size", [2, 8_000, 10_000, 100_000])
@pytest.mark.parametrize("proxied", [False, True])
def test_what_comes_with_an_answer_over_tls_never_answers_the_next_call(
    context: ssl.SSLContext, ca_file: str, size: int, proxied: bool
) -> None:
    good, bad = answers(answer(b"1"), answer(b"2")), answers(answer(bytes(size)) + EVIL, EVIL)
    with (
        Server(*(secured(context, play) for play in (bad, good))) as server,
        Server(secured(context, tunnel(server.port))) as proxy,
    ):
        through = proxy.https if proxied else None
        transport = RequestsTransport(proxy=through, ca_file=ca_file)
        bodies = [call(transport, server.https).body for _ in range(3)]
        transport.close()
    assert bodies == [bytes(size), b"1", b"2"]
    assert server.connections == 2


@pytest.mark.parametrize("play", [reset_before_reading, never_reads, cut(b"plain text")])
def test_a_failed_handshake_is_not_sent(trusting: RequestsTransport, play: Play) -> None:
    with Server(play) as server:
        error = failure(trusting, server.https, timeout=0.3)
    assert error.fault is Fault.NOT_SENT


def test_a_tls_error_after_the_handshake_may_have_been_sent(
    context: ssl.SSLContext, trusting: RequestsTransport
) -> None:
    def garbage(peer: Peer) -> None:
        peer.read_request()
        peer.raw.sendall(b"this is not a TLS record")

    with Server(secured(context, garbage)) as server:
        error = failure(trusting, server.https)
    assert error.fault is Fault.MAYBE_SENT
    assert len(server.requests) == 1


@pytest.mark.parametrize("name", ["missing.pem", "empty.pem", "."])
def test_a_ca_file_that_cannot_be_used_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty.pem").touch()
    transport = RequestsTransport(ca_file=str(tmp_path / name))
    with pytest.raises(RequestError, match="cannot be loaded") as caught:
        call(transport, "https://127.0.0.1:1")
    assert str(tmp_path / name) in str(caught.value)


# Proxies


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_of_either_scheme_is_told_the_whole_url_of_a_service_in_plain_text(
    scheme: str, context: ssl.SSLContext, ca_file: str
) -> None:
    play = answers(answer(b"1"), answer(b"2"))
    if scheme == "https":
        play = secured(context, play)
    with Server(play) as proxy:
        url = proxy.url.replace("http", scheme)
        transport = RequestsTransport(proxy=url, ca_file=ca_file)
        bodies = [call(transport, "http://127.0.0.1:1/path").body for _ in range(2)]
        transport.close()
    assert bodies == [b"1", b"2"]
    lines = {request.partition(b"\r\n")[0] for request in proxy.requests}
    assert lines == {b"POST http://127.0.0.1:1/path HTTP/1.1"}


@pytest.mark.parametrize(
    ("play", "url", "fault"),
    [
        (None, "http://127.0.0.1:1", Fault.NOT_SENT),
        (cut(answer(b"", status="403 Forbidden")), "https://127.0.0.1:1", Fault.NOT_SENT),
        (close_after_reading, "http://127.0.0.1:1", Fault.MAYBE_SENT),
    ],
    ids=["refused", "no tunnel", "hung up"],
)
def test_a_proxy_that_fails_may_have_sent_on_what_it_read(
    play: Play | None, url: str, fault: Fault
) -> None:
    with Server(play or close_after_reading) as server:
        proxy = server.url if play else refused_port()
        with contextlib.closing(RequestsTransport(proxy=proxy)) as transport:
            assert failure(transport, url).fault is fault


PASSWORD = "me:hunter2@"


@pytest.mark.parametrize(
    "proxy",
    [
        *(f"http://{PASSWORD}h{each}" for each in ("&a=b", "%2e%2e%2f", 'a","b', "\uff0fb")),
        *(5, b"http://h:1", "", "127.0.0.1:1", f"{PASSWORD}h:1"),
        *(f"{scheme}://{PASSWORD}h:1" for scheme in ("socks5", "ftp", "file", "")),
        *("http://", "http://:80", f"http://{PASSWORD}", f"http://{PASSWORD}:80", "http:///path"),
        *(
            "http://a..b",
            "http://.a",
            f"http://{PASSWORD}a..b:80",
            "http://" + "x" * 64,
            "http://a%20b",
        ),
        *(f"http://{PASSWORD}h{rest}" for rest in ("/path", "/?q", "?q", "/#f", "#f", "\\x")),
        *(f"http://{PASSWORD}h:{port}" for port in ("0", "65536", "-1", "x", "80x")),
        *("http://a b", " http://h", "http://h ", "http://h\n", "http://h\r\nX: y", "http://h\0"),
        *("http://\u00e4.example", "http://\u2028", "http://[::1", "http://[x]", "http://::1"),
        *("http://u:pa[5word@h:1", "http://u:pa]5word@h:1", "http://u:pa\u21005word@h:1"),
    ],
)
def test_a_proxy_that_cannot_be_used_is_refused_at_once_without_repeating_its_password(
    proxy: Any,
) -> None:
    with pytest.raises(RequestError) as caught:
        RequestsTransport(proxy=proxy)
    assert str(caught.value) == "proxy: give text, http://HOST:PORT or https://HOST:PORT"
    assert caught.value.__cause__ is caught.value.__context__ is None


@pytest.mark.parametrize(
    "proxy",
    [
        *("http://h", "https://h", "HTTP://h:1", "http://h/", "http://h:8080", "http://[::1]:80"),
        *("http://a.b.c", "http://a.", "http://a_b-c", f"http://{PASSWORD}h", "http://u:%20%2f@h"),
    ],
)
def test_a_proxy_that_can_be_used_is_taken_without_io(proxy: str) -> None:
    RequestsTransport(proxy=proxy).close()


@pytest.mark.parametrize("proxy", ["http://proxy.example:1", "https://proxy.example"])
def test_a_proxy_on_another_machine_gets_nothing_in_plain_text(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def look_up(host: str, *_: object, **__: object) -> Any:
        asked.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    with contextlib.closing(RequestsTransport(proxy=proxy)) as transport:
        with Server(answers(answer(b"1"))) as server:
            assert call(transport, server.url).body == b"1"
        assert server.requests[0].startswith(b"POST / HTTP/1.1\r\n")
        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        failure(transport, "https://127.0.0.1:1")
    assert asked == ["proxy.example"]


def test_the_password_of_a_proxy_is_sent_and_not_shown() -> None:
    with Server(answers(answer())) as proxy:
        transport = RequestsTransport(proxy=proxy.url.replace("://", "://me:hunter2@"))
        call(transport, "http://127.0.0.1:1")
        assert "hunter2" not in repr(transport) + str(vars(transport))
        assert "Masked(http, https)" in str(vars(transport))
        transport.close()
    assert b"Proxy-Authorization: Basic bWU6aHVudGVyMg==" in proxy.requests[0]
