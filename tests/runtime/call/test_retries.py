"""What attempts of one call have in common, and what no vector can show: real sockets, real chance, interrupts.

spec/vectors/outcome says what is attempted again, how often, after which delay, and which error ends a call.
"""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from tests.doubles.calls import BY_CLASS, CHANGES, SETTINGS, Call, create, settings, subaccounts
from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, order
from tests.doubles.server import Server, answer, answers, cut, reset_after_reading
from tests.doubles.server import reset_before_reading as reset_unread
from tests.doubles.signer import KEY
from tests.doubles.transport import LOST, NOT_SENT, ScriptedTransport, no, ok, refusal
from tests.interface import page
from trading_runtime.call.retry import Retry
from trading_runtime.errors import (
    BadRequestError,
    InternalServerError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
)
from trading_runtime.http.fault import Fault, TransportError
from trading_sdk import Client

READS = BY_CLASS["safe"]


@pytest.mark.parametrize(
    "play", [reset_unread, reset_after_reading, cut(b""), cut(b"nonsense\r\n\r\n")]
)
def test_at_a_socket_a_read_is_attempted_three_times_and_a_change_once(play: Any) -> None:
    good = answers(answer(json.dumps(SETTINGS).encode()))
    with Server(play, play, good) as server, Client(server.url, signer=KEY) as client:
        settings(client)
        assert server.connections == 3
    with Server(play) as server, Client(server.url, signer=KEY) as client:
        with pytest.raises(NoResponseError) as caught:
            settings(client)
        assert caught.value.__context__ is None
        assert server.connections == 3
        for count, change in enumerate(CHANGES, 4):
            with pytest.raises(OutcomeUnknownError):
                change(client)
            assert server.connections == count


def test_a_page_that_fails_is_read_again_and_the_list_goes_on() -> None:
    event = {"amount": "1", "balance": "2", "symbol": "SOL", "event_type": "x", "created_at": 1}
    first = {**page(event), "next_cursor": "a", "has_more": True}
    transport = ScriptedTransport(no(503), ok(first), no(500), no(502), ok(page(event)))
    with Client(HERE, signer=KEY, transport=transport, retry=Retry(base_delay=0)) as client:
        assert len(list(client.spot.balance_history())) == 2
    assert ["cursor=a" in request.url for request in transport.sent] == [0, 0, 1, 1, 1]


@pytest.mark.parametrize("call", [subaccounts, *CHANGES])
def test_every_attempt_has_the_same_ids_and_values_and_is_signed_anew(call: Call) -> None:
    transport = ScriptedTransport(NOT_SENT, NOT_SENT, refusal(400))
    with Client(HERE, signer=KEY, transport=transport) as client:
        VirtualTime().hold(client)
        with pytest.raises(BadRequestError):
            call(client)
    messages = [body.get("actions", [{"data": body}])[0]["data"] for body in transport.bodies]
    assert len({message.pop("signature") for message in messages}) == 3
    times = [message.pop("timestamp") for message in messages]
    assert times == sorted(set(times))
    assert all(message == messages[0] for message in messages)


def test_a_host_that_is_found_at_the_second_look_is_reached(
    service: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.will_answer({"order_id": 7})
    real, looks = socket.getaddrinfo, []

    def look_up(*arguments: Any, **options: Any) -> Any:
        looks.append(arguments)
        if len(looks) == 1:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return real(*arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with Client(service.url, signer=KEY) as client:
        assert client.orders.create(**order()).order_id == 7
    assert len(looks) == 2
    assert len(service.taken()) == 1


@pytest.mark.parametrize("call", [*READS, *CHANGES])
@pytest.mark.parametrize(
    ("failure", "attempts"),
    [(NOT_SENT, 3), (TransportError(Fault.NOT_TRUSTED, "cannot connect: certificate"), 1)],
)
def test_a_call_that_never_gets_through_was_not_sent(
    call: Call, failure: TransportError, attempts: int
) -> None:
    transport = ScriptedTransport(then=failure)
    with (
        Client(HERE, signer=KEY, transport=transport, retry=Retry(base_delay=0)) as client,
        pytest.raises(NotSentError, match=failure.reason),
    ):
        call(client)
    assert len(transport.sent) == attempts


def test_the_waits_between_attempts_are_random_below_bounds_that_double() -> None:
    bounds, retry = [0.1, 0.2, 0.4, 0.5, 0.5], Retry(max_attempts=6, base_delay=0.1, max_delay=0.5)
    seen = set[float]()
    for _ in range(5):
        time = VirtualTime()
        transport = ScriptedTransport(then=no(503))
        with (
            time.hold(Client(HERE, signer=KEY, retry=retry, transport=transport)) as client,
            pytest.raises(InternalServerError),
        ):
            settings(client)
        assert len(time.naps) == len(bounds)
        assert all(0 <= nap <= bound for nap, bound in zip(time.naps, bounds, strict=True))
        seen |= set(time.naps)
    assert len(seen) == 25


def test_the_quota_of_one_client_is_not_another_ones() -> None:
    transport = ScriptedTransport(then=no(503))
    retry = Retry(quota=2, base_delay=0)
    for _ in range(2):
        with Client(HERE, signer=KEY, retry=retry, transport=transport) as client:
            for _ in range(2):
                with pytest.raises(InternalServerError):
                    settings(client)
    assert len(transport.sent) == 2 * (3 + 1)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), MemoryError(), ValueError()])
@pytest.mark.parametrize("call", [*READS, *CHANGES])
def test_whatever_else_a_transport_raises_passes_unchanged(
    error: BaseException, call: Call
) -> None:
    transport = ScriptedTransport(error)
    with (
        Client(HERE, signer=KEY, transport=transport) as client,
        pytest.raises(type(error)) as caught,
    ):
        call(client)
    assert caught.value is error
    assert len(transport.sent) == 1


def test_an_interrupted_wait_ends_the_call() -> None:
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    transport = ScriptedTransport(no(503))
    with Client(HERE, signer=KEY, transport=transport) as client:
        client._caller.clock.sleep = interrupted
        with pytest.raises(KeyboardInterrupt):
            settings(client)
    assert len(transport.sent) == 1


def test_an_unknown_outcome_carries_the_times_of_its_last_attempt() -> None:
    transport = ScriptedTransport(NOT_SENT, NOT_SENT, LOST)
    with (
        VirtualTime().hold(Client(HERE, signer=KEY, transport=transport)) as client,
        pytest.raises(OutcomeUnknownError) as caught,
    ):
        create(client)
    assert caught.value.timestamp == transport.bodies[-1]["timestamp"]
