"""What the client makes of the clock of the service, and what time it signs with."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from email.utils import formatdate
from typing import Any

import pytest
from attrs import evolve, frozen

from tests.doubles.calls import create, settings
from tests.doubles.server import Peer, Play, Server, answer, answers, cut
from tests.doubles.signer import KEY
from tests.runtime.attempts import GOOD
from trading_runtime.call.retry import Retry
from trading_runtime.client import BaseClient
from trading_runtime.errors import (
    ApiError,
    AuthenticationError,
    NotSentError,
    OutcomeUnknownError,
    RequestError,
)
from trading_runtime.operation import Api
from trading_sdk import Client
from trading_sdk.operations import FUNDING_HISTORY


def at(seconds: float, body: bytes = GOOD, status: str = "200 OK") -> bytes:
    """An answer of a service whose clock is so many seconds ahead of this machine's."""
    return answer(body, f"Date: {formatdate(time.time() + seconds, usegmt=True)}", status=status)


def skewed(seconds: float, *replies: Sequence[Any]) -> Play:
    """Answer each request with (body, status), dated by a clock that is so far ahead."""

    def play(peer: Peer) -> None:
        for reply in replies:
            peer.read_request()
            peer.send(at(seconds, *reply))
        peer.wait_for_close()

    return play


def since(began: float, expected: float) -> Any:
    """A time in ms, as exact as a `Date` can tell it to a call that began then, on however busy a machine."""
    return pytest.approx(expected, abs=1_001 + (time.monotonic() - began) * 1_000)


@pytest.mark.parametrize("seconds", [-3600, -60, 0, 60, 3600])
def test_a_client_knows_how_far_the_clock_of_the_service_is_ahead(seconds: int) -> None:
    with Server(skewed(seconds, ())) as server, Client(server.url, signer=KEY) as client:
        assert client.clock_skew is None
        began = time.monotonic()
        settings(client)
        assert client.clock_skew == since(began, seconds * 1000)


@pytest.mark.parametrize("status", ["401 Unauthorized", "400 Bad Request", "200 OK"])
@pytest.mark.parametrize(
    ("seconds", "words"),
    [(60, "the message had expired by the service's clock"), (-60, "the message was from the fut")],
)
def test_a_change_that_is_refused_because_of_a_clock_says_so(
    status: str, seconds: int, words: str
) -> None:
    play = skewed(seconds, (b'{"success":false,"error":"Message expired"}', status))
    with Server(play) as server, Client(server.url, signer=KEY) as client:
        with pytest.raises(ApiError, match="Message expired") as caught:
            create(client)
        assert len(server.requests) == 1
    assert words in str(caught.value)
    assert "clock='server'" in (caught.value.clock_hint or "")


@pytest.mark.parametrize(
    ("seconds", "status"), [(0, "401 No"), (20, "401 No"), (60, "422 No"), (60, "403 No")]
)
def test_a_change_that_is_refused_for_another_reason_does_not_blame_the_clock(
    seconds: int, status: str
) -> None:
    with (
        Server(skewed(seconds, (b"{}", status))) as server,
        Client(server.url, signer=KEY) as client,
        pytest.raises(ApiError) as caught,
    ):
        create(client)
    assert caught.value.clock_hint is None


@pytest.mark.parametrize("seconds", [-90, 90])
@pytest.mark.parametrize("ahead", [True, False], ids=["server", "local"])
def test_a_client_signs_by_the_clock_that_it_was_given(seconds: int, ahead: bool) -> None:
    play = skewed(seconds, (), (b'{"order_id":1}',), (b'{"order_id":2}',))
    began = time.monotonic()
    with Server(play) as server:
        with Client(server.url, signer=KEY, clock="server" if ahead else "local") as client:
            settings(client)
            create(client)
            explained = client.explain("orders.cancel", symbol="BTC", order_id=1)
        signed = json.loads(server.requests[1].partition(b"\r\n\r\n")[2])["timestamp"]
    expected = time.time() * 1000 + (seconds * 1000 if ahead else 0)
    assert signed == since(began, expected)
    assert explained.header["timestamp"] == since(began, expected)


@pytest.mark.parametrize("seconds", [-90, 90])
def test_the_first_call_by_the_services_clock_reads_its_time_once(seconds: int) -> None:
    play = skewed(seconds, (), (b'{"order_id":1}',), (b'{"order_id":2}',))
    began = time.monotonic()
    with Server(play) as server:
        with Client(server.url, signer=KEY, clock="server") as client:
            create(client)
            create(client)
        read, *signed = server.requests
    assert read.startswith(f"GET /api/v1/account/settings?account={KEY.address} ".encode())
    for request in signed:
        timestamp = json.loads(request.partition(b"\r\n\r\n")[2])["timestamp"]
        assert timestamp == since(began, (time.time() + seconds) * 1000)
    assert len(signed) == 2


def test_a_refusal_of_the_service_tells_its_time_too() -> None:
    plays = (skewed(60, (b'{"error":"no"}', "401 No")), skewed(60, (b'{"order_id":1}',)))
    with Server(*plays) as server, Client(server.url, signer=KEY, clock="server") as client:
        began = time.monotonic()
        create(client)
        assert client.clock_skew == since(began, 60_000)


@pytest.mark.parametrize(
    ("play", "says"),
    [
        (answers(answer(GOOD)), "its answer has no Date"),
        (skewed(0, (b"<html>", "503 No")), "account.settings: 503"),
        (cut(b""), "account.settings: no complete answer"),
    ],
)
def test_without_the_services_time_nothing_is_signed_by_its_clock(play: Play, says: str) -> None:
    options: dict[str, Any] = {"signer": KEY, "clock": "server", "retry": Retry(max_attempts=1)}
    with Server(play) as server, Client(server.url, **options) as client:
        with pytest.raises(NotSentError, match="did not tell the service's time") as caught:
            create(client)
        told = f"account.settings did not tell the service's time: {says}"
        assert caught.value.reason.startswith(told)
        assert caught.value.operation == "orders.create"
        assert len(server.requests) == 1


def test_reading_the_time_is_part_of_the_call() -> None:
    slow = skewed(0, ())

    def play(peer: Peer) -> None:
        peer.server.leave.wait(0.3)
        slow(peer)

    options: dict[str, Any] = {"signer": KEY, "clock": "server", "timeout": 0.5}
    with Server(play) as server, Client(server.url, **options) as client:
        began = time.monotonic()
        with pytest.raises(OutcomeUnknownError):
            create(client)  # the order gets no answer
        assert time.monotonic() - began < 0.75


def test_a_client_without_a_signer_reads_no_time_before_it_refuses() -> None:
    client = Client("http://127.0.0.1:9", clock="server")
    with client, pytest.raises(RequestError, match="give the client a signer"):
        create(client)


def test_a_service_without_a_read_of_one_object_has_no_clock_to_sign_by() -> None:
    class Lists(BaseClient):
        api = Api(title="", version="1", operations=[FUNDING_HISTORY], api_key_header=None)

    words = "^clock='server': this service has no read that could tell its time$"
    with pytest.raises(RequestError, match=words):
        Lists("http://127.0.0.1:9", clock="server")


@frozen
class OneMarket:
    account: str
    market: str


@frozen
class AnyMarket:
    account: str
    market: str | None = None


def test_the_time_is_told_by_a_read_that_needs_the_account_alone() -> None:
    known = Client.api.operations
    one, any_ = (
        evolve(known["account.settings"], name=path, path=path, params=params)
        for path, params in (("/one", OneMarket), ("/any", AnyMarket))
    )

    class Markets(Client):
        api = evolve(Client.api, operations=[one, any_, *known.values()])

    play = skewed(60, (), (b'{"order_id":1}',))
    with Server(play) as server, Markets(server.url, signer=KEY, clock="server") as client:
        create(client)
        assert server.requests[0].startswith(f"GET /any?account={KEY.address} ".encode())


def test_a_message_that_expired_is_not_signed_again_even_by_the_services_clock() -> None:
    expired = (b'{"error":"Message expired"}', "401 Unauthorized")

    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(at(0))
        skewed(60, expired)(peer)  # its clock was set meanwhile

    with (
        Server(play, skewed(60, (b'{"order_id":1}',))) as server,
        Client(server.url, signer=KEY, clock="server") as client,
    ):
        with pytest.raises(AuthenticationError):
            create(client)
        assert len(server.requests) == 2
        create(client)
