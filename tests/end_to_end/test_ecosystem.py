"""What people have for requests works with any client: mocks, cassettes, instrumentation, adapters, CAs, proxies."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import requests_mock
import responses
import trustme
import truststore
from opentelemetry.instrumentation.requests import RequestsInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.doubles.server import (
    Received,
    Server,
    answer,
    answers,
    secured,
    server_context,
    tunnel,
)
from tests.doubles.transport import ok
from tests.end_to_end.trading import Connect, place
from tests.interface import METHODS
from trading_sandbox import Sandbox
from trading_sdk import (
    BadRequestError,
    Client,
    DeadlineAdapter,
    DecodeError,
    Keypair,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    Retry,
    new_session,
)

NOWHERE = "https://exchange.example"
CREATE = METHODS["orders.create"].path
HISTORY = METHODS["orders.history"].path
PAGE = {"success": True, "data": [], "next_cursor": None, "has_more": False}
CANARY = "canary-api-key"


@pytest.fixture(params=["own session", "given session"])
def options(request: pytest.FixtureRequest) -> Iterator[dict[str, Any]]:
    """What a client is made with: nothing of the kind, or a session of the user's."""
    if request.param == "own session":
        yield {}
        return
    with requests.Session() as session:
        yield {"session": session}


@pytest.fixture
def bot(options: dict[str, Any]) -> Iterator[Client]:
    """A client of a service that is not there."""
    signer, retry = Keypair.generate(), Retry(max_attempts=1)
    with Client(NOWHERE, signer=signer, api_key=CANARY, retry=retry, **options) as client:
        yield client


# responses


@responses.activate
def test_responses_answers_and_sees_what_was_sent(bot: Client) -> None:
    made = responses.post(f"{NOWHERE}{CREATE}", json={"order_id": 7})
    responses.get(f"{NOWHERE}{HISTORY}", json=PAGE)

    assert place(bot) == 7
    assert list(bot.orders.history()) == []
    assert made.call_count == 1
    assert responses.calls[0].request.headers["PF-API-KEY"] == CANARY
    refused = {"error": "Invalid price", "code": 400}
    responses.upsert("POST", f"{NOWHERE}{CREATE}", json=refused, status=400)
    with pytest.raises(BadRequestError, match="Invalid price"):
        place(bot)


@responses.activate
def test_what_no_mock_expects_may_have_been_sent(bot: Client) -> None:
    with pytest.raises(OutcomeUnknownError, match=r"raised requests\.exceptions\."):
        place(bot)
    with pytest.raises(NoResponseError):
        list(bot.orders.history())


def test_responses_lets_through_what_is_to_be_sent(
    sandbox: Sandbox, connect: Connect, options: dict[str, Any]
) -> None:
    with responses.RequestsMock() as mock:
        client = connect(sandbox.create_account("1000"), **options)
        mock.add_passthru(sandbox.url)
        mock.get(NOWHERE)
        order = place(client)
        requests.get(NOWHERE)
    assert [each.order_id for each in client.orders.history()] == [order]


# requests-mock


def test_requests_mock_answers_for_all_or_for_one(bot: Client, options: dict[str, Any]) -> None:
    mockers = [requests_mock.Mocker()]
    mockers += [requests_mock.Mocker(session=each) for each in options.values()]
    for order, mocker in enumerate(mockers, 1):
        with mocker as mock:
            mock.post(f"{NOWHERE}{CREATE}", json={"order_id": order})
            assert place(bot) == order
            assert mock.last_request.json()["symbol"] == "BTC"
            mock.post(f"{NOWHERE}{CREATE}", text="<html>", cookies={"a": "b"})
            with pytest.raises(OutcomeUnknownError):
                place(bot)
            mock.get(f"{NOWHERE}{HISTORY}", text="<html>")
            with pytest.raises(DecodeError):
                list(bot.orders.history())
    assert [each.cookies.get_dict() for each in options.values()] == [{}] * len(options)


# VCR


def test_a_cassette_is_recorded_and_played_alone(tmp_path: Path, options: dict[str, Any]) -> None:
    vcr = pytest.importorskip("vcr", reason="VCR.py needs Python 3.11")
    cassette = str(tmp_path / "orders.yaml")
    recorder: Any = vcr.VCR(filter_headers=["PF-API-KEY"])
    with Sandbox(maker=False) as exchange:
        signer = exchange.create_account("1000")
        with Client(exchange.url, signer=signer) as owner:
            key = owner.api_keys.create().api_key
        made: dict[str, Any] = {"signer": signer, "api_key": key, "retry": Retry(max_attempts=1)}
        with Client(exchange.url, **made, **options) as client:
            placed = place(client, price=89_000)  # on a connection from before the cassette
            with recorder.use_cassette(cassette) as recorded:
                first = traded(client)
                assert (recorded.play_count, len(recorded)) == (0, 2)
            assert key not in Path(cassette).read_text()
            listed = [each.order_id for each in client.orders.history()]
            assert sorted(listed) == sorted({placed, *first})
        sent = len(exchange.requests)
        again = Client(exchange.url, **made, **options)
        with again as client, recorder.use_cassette(cassette) as played:
            assert traded(client) == first
            assert played.all_played
        assert len(exchange.requests) == sent


def traded(client: Client) -> list[int]:
    return [place(client), *(each.order_id for each in client.orders.history())]


# OpenTelemetry


def test_opentelemetry_makes_a_span_of_each_attempt(
    sandbox: Sandbox, connect: Connect, options: dict[str, Any]
) -> None:
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    instrumentor = RequestsInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        client = connect(sandbox.create_account("1000"), **options)
        sandbox.faults.inject("orders.history", "status", status=503)
        place(client)
        list(client.orders.history())
    finally:
        instrumentor.uninstrument()
    statuses = [dict(each.attributes or {}) for each in spans.get_finished_spans()]
    assert [each.get("http.status_code") for each in statuses] == [200, 503, 200]
    assert all("PF-API-KEY" not in str(each) and CANARY not in str(each) for each in statuses)


# adapters


class Gateway(DeadlineAdapter):
    """Adds a header for a gateway."""

    def add_headers(self, request: requests.PreparedRequest, **_: object) -> None:
        request.headers["X-Gateway-Team"] = "trading"


def test_an_adapter_adds_a_header_for_a_gateway() -> None:
    with Server() as server, new_session() as session:
        session.mount("http://", Gateway())
        server.respond = lambda _: ok({"order_id": 7})
        with Client(server.url, signer=Keypair.generate(), session=session) as client:
            assert place(client) == 7
        assert ("X-Gateway-Team", "trading") in Received.read(server.requests[0]).headers


# CAs and proxies


@pytest.fixture
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def secure(
    authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Server]:
    """A service over TLS, of an authority that only this test knows; its file is `ca.pem` here."""
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.chdir(tmp_path)
    placed = answer(b'{"order_id":7}')
    with Server(secured(server_context(authority), answers(placed, placed))) as server:
        yield server


def ordered(server: Server, session: requests.Session | None = None) -> int:
    retry = Retry(max_attempts=1)
    with Client(server.https, signer=Keypair.generate(), session=session, retry=retry) as client:
        return place(client)


def test_truststore_works_in_an_adapter(secure: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    class Trusting(DeadlineAdapter):
        def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
            context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            super().init_poolmanager(*args, **kwargs, ssl_context=context)

    with pytest.raises(NotSentError, match="certificate verify failed"):
        ordered(secure)
    # OpenSSL reads the CAs of the system from here.
    monkeypatch.setenv("SSL_CERT_FILE", "ca.pem")
    with new_session() as session:
        session.mount("https://", Trusting())
        assert ordered(secure, session) == 7


def test_truststore_works_in_the_process(secure: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "ca.pem")
    truststore.inject_into_ssl()
    try:
        assert ordered(secure) == 7
        with requests.Session() as session:
            session.trust_env = False
            assert ordered(secure, session) == 7
    finally:
        truststore.extract_from_ssl()


@pytest.mark.parametrize("make", [requests.Session, new_session])
def test_the_proxy_and_the_cas_of_the_environment_are_used_by_a_session_that_trusts_it(
    make: Callable[[], requests.Session], secure: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "ca.pem")
    with Server(tunnel(secure.port)) as proxy, make() as session:
        for name, value in (("no_proxy", ""), ("https_proxy", proxy.url)):
            monkeypatch.setenv(name, value)
            monkeypatch.setenv(name.upper(), value)
        session.trust_env = True
        assert ordered(secure, session) == 7
        with pytest.raises(NotSentError, match="certificate verify failed"):
            ordered(secure)
        session.close()
    assert [each.partition(b" ")[0] for each in proxy.requests] == [b"CONNECT"]
