"""How long the client goes on with a call: one deadline for all its attempts, signing and waiting included."""

from __future__ import annotations

import pytest

from tests.doubles.calls import Call, batch, create, lend, settings, subaccounts
from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE
from tests.doubles.server import Play, Server, begun, silent
from tests.doubles.signer import KEY, ScriptedSigner
from tests.doubles.transport import LOST, ScriptedTransport, no
from tests.pulse import on_time
from trading_runtime.call.retry import Retry
from trading_runtime.errors import NoResponseError, NotSentError, OutcomeUnknownError, TradingError
from trading_runtime.http.fault import TransportError
from trading_runtime.http.transport import Request
from trading_sdk import Client


@pytest.mark.parametrize("play", [silent, begun], ids=lambda play: play.__name__)
def test_at_a_socket_all_attempts_of_a_read_end_with_its_timeout(play: Play) -> None:
    with Server(play) as server, Client(server.url, signer=KEY, timeout=0.3) as client:
        with on_time(0.3), pytest.raises(TradingError):
            settings(client)
        assert server.connections == 1


@pytest.mark.parametrize("call", [settings, lend])
def test_endless_attempts_end_with_the_timeout(call: Call) -> None:
    time, transport = VirtualTime(), ScriptedTransport(then=no(429))
    retry = Retry(max_attempts=10**9, base_delay=2, max_delay=2, quota=10**9)
    with (
        time.ruling(),
        Client(HERE, signer=KEY, transport=transport, timeout=30, retry=retry) as client,
    ):
        time.hold(client)
        with pytest.raises(TradingError):
            call(client)
    assert len(transport.sent) > 14
    assert 28 <= time.slept <= 30
    assert transport.timeouts == sorted(transport.timeouts, reverse=True)


def test_a_read_that_times_out_has_no_time_left_for_another_attempt() -> None:
    time = VirtualTime()

    def times_out(_: Request) -> TransportError:
        time.advance(10_000)
        return LOST

    transport = ScriptedTransport(times_out)
    with (
        time.ruling(),
        Client(HERE, signer=KEY, transport=transport) as client,
        pytest.raises(NoResponseError),
    ):
        settings(client)
    assert transport.timeouts == [10]


@pytest.mark.parametrize("call", [create, subaccounts, batch])
def test_a_signer_takes_the_time_of_the_call(call: Call) -> None:
    time, transport = VirtualTime(), ScriptedTransport(LOST)
    slow = ScriptedSigner(before=lambda: time.advance(6_000 if not slow.signatures else 0))
    once = Retry(max_attempts=1)
    with time.ruling(), Client(HERE, signer=slow, transport=transport, retry=once) as client:
        with pytest.raises(NoResponseError if call is subaccounts else OutcomeUnknownError):
            call(client)
        assert transport.timeouts == [4], "what signing took is not given to sending"
        slow.before = lambda: time.advance(11_000)
        with pytest.raises(NotSentError, match="the deadline passed before it was sent"):
            call(client)
    assert len(transport.sent) == 1
