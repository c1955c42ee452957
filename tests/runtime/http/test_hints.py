"""An error of a connection says what to write, and what the environment holds that is not used."""

from __future__ import annotations

import pytest
import trustme

from tests.doubles.server import Server, answer, answers, refused_port, secured
from tests.runtime.http.test_pool import server_context
from tests.runtime.transports import assert_clean, failure
from trading_runtime.http.hints import unreachable, untrusted
from trading_runtime.http.transport import RequestsTransport

AUTHORITIES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR")
PROXIES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*AUTHORITIES, *PROXIES):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", AUTHORITIES)
def test_a_certificate_that_is_not_trusted_names_ca_file(
    name: str,
    authority: trustme.CA,
    transport: RequestsTransport,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Server(secured(server_context(authority, "127.0.0.1"), answers(answer()))) as server:
        words = failure(transport, server.https).reason
        assert words.endswith("; if its CA is your own, write RequestsTransport(ca_file=...)")
        monkeypatch.setenv(name, "/canary.pem")
        error = failure(transport, server.https)
    assert error.reason == f"{words} ({name} is set in the environment, which is not used)"
    assert_clean(error)


@pytest.mark.parametrize("name", PROXIES)
def test_a_proxy_of_the_environment_is_named_where_no_connection_was_made(
    name: str, transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = refused_port()
    encrypted = closed.replace("http:", "https:")
    assert failure(transport, encrypted).reason.endswith("refused")
    monkeypatch.setenv(name, "http://me:canary@127.0.0.1:1")
    error = failure(transport, encrypted)
    assert error.reason.endswith(
        f"refused; {name} is set in the environment, which is not used: "
        "write RequestsTransport(proxy=...)"
    )
    assert_clean(error)
    assert failure(transport, closed).reason.endswith("refused"), "plain http stays here"
    through = RequestsTransport(proxy=closed)
    assert failure(through, encrypted).reason.endswith("refused"), "it has a proxy"
    through.close()


def test_a_variable_that_is_empty_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*AUTHORITIES, *PROXIES):
        monkeypatch.setenv(name, "")
    assert unreachable("https://exchange.example", "P") == ""
    assert untrusted("C") == "; if its CA is your own, write C"
