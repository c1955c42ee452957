"""How long the client goes on with a call."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.doubles.calls import batch, create, lend, settings, subaccounts
from tests.doubles.server import Peer, Play, Server, answer, begun
from tests.doubles.signer import KEY
from tests.doubles.transport import no, one_by_one
from tests.pulse import on_time
from trading_runtime.call.retry import Retry
from trading_runtime.errors import NoResponseError, NotSentError, TradingError
from trading_sdk import Client


def fails_in_time(seconds: float, call: Callable[[], object]) -> None:
    with on_time(seconds), pytest.raises(TradingError):
        call()


def silent(peer: Peer) -> None:
    peer.read_request()
    peer.server.leave.wait(5)


def late_error(peer: Peer) -> None:
    peer.read_request()
    peer.server.leave.wait(0.12)
    peer.send(answer(b"", status="503 Busy"))


@pytest.mark.parametrize("play", [silent, begun, late_error], ids=lambda play: play.__name__)
def test_all_attempts_of_a_read_end_with_its_timeout(play: Play) -> None:
    with Server(play) as server, Client(server.url, signer=KEY, timeout=0.3) as client:
        fails_in_time(0.3, lambda: settings(client))


@pytest.mark.parametrize("call", [settings, lend])
def test_endless_attempts_end_with_the_timeout(
    service: Server, call: Callable[[Client], object]
) -> None:
    service.respond = one_by_one(no(429))
    retry = Retry(max_attempts=10**9, base_delay=0.02, max_delay=0.02, quota=10**9)
    with Client(service.url, signer=KEY, timeout=0.3, retry=retry) as client:
        fails_in_time(0.3, lambda: call(client))
    assert len(service.taken()) > 1


def test_a_read_that_times_out_has_no_time_left_for_another_attempt() -> None:
    with Server(silent) as server, Client(server.url, signer=KEY, timeout=0.2) as client:
        with pytest.raises(NoResponseError):
            settings(client)
        assert server.connections == 1


class SlowSigner:
    """A hardware key whose owner takes his time."""

    address = KEY.address

    def __init__(self, *seconds: float) -> None:
        self._seconds = list(seconds)

    def sign(self, message: bytes) -> bytes:
        time.sleep(self._seconds.pop(0) if self._seconds else 0)
        return KEY.sign(message)


@pytest.mark.parametrize("call", [create, subaccounts, batch])
def test_a_signer_that_takes_the_whole_timeout_leaves_nothing_sent(
    service: Server, call: Callable[[Client], object]
) -> None:
    with (
        Client(service.url, signer=SlowSigner(0.25), timeout=0.2) as client,
        pytest.raises(NotSentError, match="the deadline passed before it was sent"),
    ):
        call(client)
    assert service.taken() == []


def test_the_time_that_signing_takes_is_not_given_to_sending() -> None:
    with Server(silent) as server:
        with Client(server.url, signer=SlowSigner(0.2), timeout=0.5) as client:
            fails_in_time(0.5, lambda: create(client))
        assert len(server.requests) == 1
