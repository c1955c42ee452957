"""What the client makes of the clock of the service, and what time it signs with."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from email.utils import formatdate
from typing import Any

import pytest

from tests.runtime.attempts import GOOD, KEY, create, settings
from tests.runtime.sockets import Peer, Play, Server, answer
from trading_runtime.errors import ApiError, AuthenticationError
from trading_sdk import Client


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


@pytest.mark.parametrize("seconds", [-3600, -60, 0, 60, 3600])
def test_a_client_knows_how_far_the_clock_of_the_service_is_ahead(seconds: int) -> None:
    with Server(skewed(seconds, ())) as server, Client(server.url, signer=KEY) as client:
        assert client.clock_skew is None
        settings(client)
        assert client.clock_skew == pytest.approx(seconds * 1000, abs=1000)


@pytest.mark.parametrize("status", ["401 Unauthorized", "400 Bad Request"])
@pytest.mark.parametrize(
    ("seconds", "words"),
    [(60, "the message had expired by the service's clock"), (-60, "the message was from the fut")],
)
def test_a_change_that_is_refused_because_of_a_clock_says_so(
    status: str, seconds: int, words: str
) -> None:
    play = skewed(seconds, (b'{"error":"Message expired"}', status))
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
    with Server(play) as server:
        with Client(server.url, signer=KEY, clock="server" if ahead else "local") as client:
            settings(client)
            create(client)
            explained = client.explain("orders.cancel", symbol="BTC", order_id=1)
        signed = json.loads(server.requests[1].partition(b"\r\n\r\n")[2])["timestamp"]
    expected = time.time() * 1000 + (seconds * 1000 if ahead else 0)
    assert signed == pytest.approx(expected, abs=1500)
    assert explained.header["timestamp"] == pytest.approx(expected, abs=1500)


def test_a_message_that_expired_is_not_signed_again_even_by_the_services_clock() -> None:
    expired = (b'{"error":"Message expired"}', "401 Unauthorized")
    with (
        Server(skewed(60, expired), skewed(60, (b'{"order_id":1}',))) as server,
        Client(server.url, signer=KEY, clock="server") as client,
    ):
        with pytest.raises(AuthenticationError):
            create(client)
        assert len(server.requests) == 1
        create(client)
