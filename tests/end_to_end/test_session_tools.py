"""What people have for requests works over a session: mocks, cassettes, instrumentation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import requests_mock
import responses
import vcr  # type: ignore[import-untyped]
from opentelemetry.instrumentation.requests import RequestsInstrumentor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.end_to_end.trading import Connect, place
from tests.interface import METHODS
from trading_sandbox import Sandbox
from trading_sdk import (
    BadRequestError,
    Client,
    DecodeError,
    Keypair,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    Retry,
    SessionTransport,
)

NOWHERE = "https://exchange.example"
CREATE = METHODS["orders.create"].path
HISTORY = METHODS["orders.history"].path
PAGE = {"success": True, "data": [], "next_cursor": None, "has_more": False}
CANARY = "canary-api-key"


@pytest.fixture
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


@pytest.fixture
def bot(session: requests.Session) -> Iterator[Client]:
    """A client of a service that is not there."""
    transport = SessionTransport(session)
    retry = Retry(max_attempts=1)
    with Client(
        NOWHERE, signer=Keypair.generate(), api_key=CANARY, transport=transport, retry=retry
    ) as client:
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


@responses.activate
def test_a_refusal_of_responses_is_one_of_the_service(bot: Client) -> None:
    responses.post(f"{NOWHERE}{CREATE}", json={"error": "Invalid price", "code": 400}, status=400)
    with pytest.raises(BadRequestError, match="Invalid price"):
        place(bot)


@responses.activate
def test_what_responses_raises_may_have_been_sent_unless_it_could_not_connect(bot: Client) -> None:
    raised: tuple[tuple[Exception, type[Exception]], ...] = (
        (requests.ConnectTimeout(), NotSentError),
        (requests.ReadTimeout(), OutcomeUnknownError),
        (requests.ConnectionError("canary"), OutcomeUnknownError),
        (RuntimeError("canary"), OutcomeUnknownError),
    )
    for error, seen in raised:
        responses.upsert("POST", f"{NOWHERE}{CREATE}", body=error)
        with pytest.raises(seen) as caught:
            place(bot)
        assert "canary" not in str(caught.value)


@responses.activate
def test_a_request_that_no_mock_expects_may_have_been_sent(bot: Client) -> None:
    with pytest.raises(OutcomeUnknownError, match=r"raised requests\.exceptions\."):
        place(bot)
    with pytest.raises(NoResponseError):
        list(bot.orders.history())


def test_responses_lets_through_what_is_to_be_sent(sandbox: Sandbox, connect: Connect) -> None:
    with requests.Session() as session, responses.RequestsMock() as mock:
        client = connect(sandbox.create_account("1000"), transport=SessionTransport(session))
        mock.add_passthru(sandbox.url)
        mock.get(NOWHERE)
        order = place(client)
        requests.get(NOWHERE)
    assert [each.order_id for each in client.orders.history()] == [order]


# requests-mock


def test_requests_mock_answers_for_all_sessions_or_for_one(
    bot: Client, session: requests.Session
) -> None:
    mockers = requests_mock.Mocker(), requests_mock.Mocker(session=session)
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
    assert session.cookies.get_dict() == {}


# VCR


def test_a_cassette_is_recorded_and_played_without_the_service(tmp_path: Path) -> None:
    cassette = str(tmp_path / "orders.yaml")
    recorder: Any = vcr.VCR(filter_headers=["PF-API-KEY"])
    with Sandbox(maker=False) as exchange:
        url, signer = exchange.url, exchange.create_account("1000")
        with Client(url, signer=signer) as owner:
            key = owner.api_keys.create().api_key
        with recorder.use_cassette(cassette) as recorded:
            first = traded(url, signer, key)
            assert recorded.play_count == 0
    assert key not in Path(cassette).read_text()
    with recorder.use_cassette(cassette) as played:
        assert traded(url, signer, key) == first
        assert played.all_played


def traded(url: str, signer: Keypair, key: str) -> list[int]:
    once = Retry(max_attempts=1)
    with requests.Session() as session:
        transport = SessionTransport(session)
        with Client(url, signer=signer, api_key=key, transport=transport, retry=once) as client:
            return [place(client), *(each.order_id for each in client.orders.history())]


# OpenTelemetry


def test_opentelemetry_makes_a_span_of_each_attempt(sandbox: Sandbox, connect: Connect) -> None:
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    instrumentor = RequestsInstrumentor()
    instrumentor.instrument(tracer_provider=provider)
    try:
        with requests.Session() as session:
            client = connect(sandbox.create_account("1000"), transport=SessionTransport(session))
            sandbox.faults.inject("orders.history", "status", status=503)
            place(client)
            list(client.orders.history())
    finally:
        instrumentor.uninstrument()
    statuses = [dict(each.attributes or {}) for each in spans.get_finished_spans()]
    assert [each.get("http.status_code") for each in statuses] == [200, 503, 200]
