"""What the client attempts again, and how often."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.doubles.calls import (
    CHANGES,
    batch,
    cancel,
    create,
    history,
    lend,
    settings,
    subaccounts,
    transfer,
    withdraw,
)
from tests.doubles.orders import ID
from tests.doubles.server import Peer, Play, Server, answer, answers, cut
from tests.doubles.signer import KEY
from tests.doubles.transport import NOT_SENT, no, one_by_one, response
from tests.runtime.attempts import GOOD, ORDER, Scripted, Waits, ok
from trading_runtime.call.retry import Retry
from trading_runtime.errors import (
    ApiError,
    ConflictError,
    DecodeError,
    InternalServerError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    RateLimitError,
    TradingError,
)
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Response
from trading_sdk import Client

# Reads


def reset_unread(peer: Peer) -> None:
    peer.wait_for_bytes()
    peer.reset()


def reset_read(peer: Peer) -> None:
    peer.read_request()
    peer.reset()


def failing(status: int) -> Play:
    return cut(answer(b"<html>", status=f"{status} No"))


LOST = {
    "reset before it was read": (reset_unread, NoResponseError),
    "reset after it was read": (reset_read, NoResponseError),
    "closed": (cut(b""), NoResponseError),
    "not HTTP": (cut(b"nonsense\r\n\r\n"), NoResponseError),
    **{f"{status}": (failing(status), InternalServerError) for status in (500, 502, 503, 504)},
    **{f"{status}": (failing(status), ApiError) for status in (408, 460, 499)},
    "429": (failing(429), RateLimitError),
}


@pytest.mark.parametrize("name", LOST)
def test_a_read_that_fails_twice_is_answered_by_its_third_attempt(name: str) -> None:
    play, _ = LOST[name]
    with Server(play, play, answers(answer(GOOD))) as server, Client(server.url) as client:
        assert client.account.settings(account=KEY.address).auto_lend_disabled is None
        assert server.connections == 3


@pytest.mark.parametrize("name", LOST)
def test_a_read_that_fails_three_times_is_the_error_of_its_last_attempt(name: str) -> None:
    play, error = LOST[name]
    with Server(play) as server, Client(server.url, signer=KEY) as client:
        for count, read in enumerate((settings, history, subaccounts), 1):
            with pytest.raises(error) as caught:
                read(client)
            assert caught.value.__context__ is None
            assert server.connections == 3 * count


@pytest.mark.parametrize("status", [301, 302, 307, 308, 400, 401, 403, 404, 409, 418, 422, 501])
def test_a_refused_read_is_not_repeated(service: Server, status: int) -> None:
    service.respond = one_by_one(no(status, Location="/"))
    with Client(service.url, signer=KEY) as client, pytest.raises(ApiError) as caught:
        settings(client)
    assert caught.value.status == status
    assert len(service.taken()) == 1


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"success":', b'{"success":true,"data":NaN}'])
def test_a_read_whose_answer_is_not_json_is_repeated(service: Server, body: bytes) -> None:
    service.respond = one_by_one(response(200, body), ok())
    with Client(service.url, signer=KEY) as client:
        settings(client)
        assert len(service.taken()) == 2

        service.will_answer(body)
        with pytest.raises(DecodeError) as caught:
            settings(client)
        assert not caught.value.is_json
        assert len(service.taken()) == 3


@pytest.mark.parametrize("body", [b"[]", b'{"success":true,"data":5}'])
def test_a_read_whose_answer_cannot_be_used_is_not_repeated(service: Server, body: bytes) -> None:
    service.will_answer(body)
    with Client(service.url, signer=KEY) as client, pytest.raises(DecodeError):
        settings(client)
    assert len(service.taken()) == 1


def test_a_page_that_fails_is_read_again_and_the_list_goes_on(service: Server) -> None:
    event = {"amount": "1", "balance": "2", "symbol": "SOL", "event_type": "x", "created_at": 1}
    page = {"success": True, "data": [event], "next_cursor": "a", "has_more": True}
    last = {**page, "next_cursor": None, "has_more": False}
    service.respond = one_by_one(no(503), ok(page), no(500), no(502), ok(last))
    with Client(service.url, signer=KEY) as client:
        assert len(list(client.spot.balance_history())) == 2
    assert ["cursor=a" in request.query for request in service.taken()] == [0, 0, 1, 1, 1]


def test_a_signed_read_is_signed_anew_for_each_attempt(service: Server) -> None:
    service.respond = one_by_one(no(503), no(503), ok({"subaccounts": []}))
    with Client(service.url, signer=KEY) as client:
        Waits(client)
        client.subaccounts.list()
    bodies = [json.loads(request.body) for request in service.taken()]
    assert len({body["signature"] for body in bodies}) == 3
    assert bodies[0]["timestamp"] < bodies[1]["timestamp"] < bodies[2]["timestamp"]


# Changes


@pytest.mark.parametrize("name", [name for name in LOST if name != "429"])
def test_a_change_that_may_have_been_sent_is_never_sent_again(name: str) -> None:
    play, _ = LOST[name]
    with Server(play) as server, Client(server.url, signer=KEY) as client:
        for count, change in enumerate(CHANGES, 1):
            with pytest.raises(OutcomeUnknownError):
                change(client)
            assert server.connections == count


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("failures", [1, 2])
def test_a_change_that_was_certainly_not_sent_is_sent_with_the_same_ids_signed_anew(
    service: Server, change: Callable[[Client], object], failures: int
) -> None:
    service.respond = one_by_one(no(400))
    transport = Scripted(*[NOT_SENT] * failures)
    with Client(service.url, signer=KEY, transport=transport) as client:
        Waits(client)
        with pytest.raises(ApiError, match="no"):
            change(client)
    assert len(service.taken()) == 1
    assert len(transport.bodies) == failures + 1
    messages = [body.get("actions", [{"data": body}])[0]["data"] for body in transport.bodies]
    assert len({message.pop("signature") for message in messages}) == failures + 1
    times = [message.pop("timestamp") for message in messages]
    assert times == sorted(set(times))
    assert all(message == messages[0] for message in messages)


def test_an_id_that_was_minted_is_the_same_over_all_attempts(service: Server) -> None:
    service.will_answer({"order_id": 1})
    transport = Scripted(NOT_SENT, NOT_SENT)
    with Client(service.url, signer=KEY, transport=transport) as client:
        client.orders.create(**ORDER)
    assert len({body["client_order_id"] for body in transport.bodies}) == 1
    assert len(transport.bodies) == 3


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
        assert client.orders.create(**ORDER).order_id == 7
    assert len(looks) == 2
    assert len(service.taken()) == 1


@pytest.mark.parametrize("call", [settings, subaccounts, *CHANGES])
def test_a_call_that_never_gets_through_was_not_sent(call: Callable[[Client], object]) -> None:
    transport = Scripted(NOT_SENT, NOT_SENT, NOT_SENT)
    with (
        Client("https://a.b", signer=KEY, transport=transport) as client,
        pytest.raises(NotSentError, match="cannot connect: refused"),
    ):
        call(client)
    assert len(transport.sent) == 3


@pytest.mark.parametrize("call", [settings, subaccounts, *CHANGES])
def test_a_service_that_is_not_trusted_is_not_tried_again(
    call: Callable[[Client], object],
) -> None:
    transport = Scripted(TransportError(Fault.NOT_TRUSTED, "certificate verify failed"))
    with (
        Client("https://a.b", signer=KEY, transport=transport) as client,
        pytest.raises(NotSentError, match="certificate verify failed"),
    ):
        call(client)
    assert len(transport.sent) == 1


@pytest.mark.parametrize(
    ("change", "attempts"),
    [(lend, 3), (cancel, 3), (create, 1), (withdraw, 1), (transfer, 1), (batch, 1)],
)
def test_a_rate_limited_change_is_repeated_only_where_twice_is_as_good_as_once(
    service: Server, change: Callable[[Client], object], attempts: int
) -> None:
    service.respond = one_by_one(no(429))
    with Client(service.url, signer=KEY) as client, pytest.raises(RateLimitError):
        change(client)
    requests = service.taken()
    assert len(requests) == attempts
    assert len({request.body for request in requests}) == attempts


def test_a_duplicate_of_a_second_attempt_may_be_its_own_first(service: Server) -> None:
    service.will_answer({"error": "idempotency_key was used"}, 409)
    with Client(service.url, signer=KEY, transport=Scripted(NOT_SENT)) as client:
        with pytest.raises(OutcomeUnknownError) as caught:
            withdraw(client)
        assert isinstance(caught.value.__cause__, ConflictError)
        assert caught.value.client_ids == (ID,)
        with pytest.raises(ConflictError):
            withdraw(client)


def test_an_unknown_outcome_carries_the_times_of_its_last_attempt(service: Server) -> None:
    service.will_answer(b"oops", 500)
    transport = Scripted(NOT_SENT, NOT_SENT)
    with Client(service.url, signer=KEY, transport=transport) as client:
        Waits(client)
        with pytest.raises(OutcomeUnknownError) as caught:
            create(client)
    assert caught.value.timestamp == transport.bodies[-1]["timestamp"]
    assert caught.value.client_ids == (ID,)


# How often


@pytest.mark.parametrize("call", [settings, subaccounts, create, lend])
@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_client_of_one_attempt_repeats_nothing(
    service: Server, call: Callable[[Client], object], status: int
) -> None:
    service.respond = one_by_one(no(status))
    with Client(service.url, signer=KEY, retry=Retry(max_attempts=1)) as client:
        with pytest.raises(TradingError):
            call(client)
        assert len(service.taken()) == 1
    transport = Scripted(NOT_SENT)
    with (
        Client(service.url, signer=KEY, transport=transport, retry=Retry(max_attempts=1)) as client,
        pytest.raises(NotSentError),
    ):
        call(client)
    assert service.taken() == []


@pytest.mark.parametrize("attempts", [2, 5])
def test_a_client_attempts_a_call_as_often_as_it_is_told(service: Server, attempts: int) -> None:
    service.respond = one_by_one(no(503))
    retry = Retry(max_attempts=attempts, base_delay=0)
    with Client(service.url, signer=KEY, retry=retry) as client, pytest.raises(InternalServerError):
        settings(client)
    assert len(service.taken()) == attempts


def test_the_waits_between_attempts_are_random_below_bounds_that_double(service: Server) -> None:
    service.respond = one_by_one(no(503))
    bounds, retry = [0.1, 0.2, 0.4, 0.5, 0.5], Retry(max_attempts=6, base_delay=0.1, max_delay=0.5)
    seen = set()
    for _ in range(5):
        with Client(service.url, signer=KEY, retry=retry) as client:
            waits = Waits(client)
            with pytest.raises(InternalServerError):
                settings(client)
        assert len(waits.seconds) == len(bounds)
        assert all(0 <= wait <= bound for wait, bound in zip(waits.seconds, bounds, strict=True))
        seen |= set(waits.seconds)
    assert len(seen) == 25


def attempts_of(client: Client, service: Server, reply: Response) -> int:
    service.respond = one_by_one(reply)
    if reply.status == 200:
        settings(client)
    else:
        with pytest.raises(ApiError):
            settings(client)
    return len(service.taken())


def test_all_calls_together_are_repeated_as_often_as_the_budget_pays_for(
    service: Server,
) -> None:
    retry = Retry(quota=3, base_delay=0)
    with Client(service.url, signer=KEY, retry=retry) as client:
        assert [attempts_of(client, service, no(503)) for _ in range(4)] == [3, 2, 1, 1]
        assert [attempts_of(client, service, ok()) for _ in range(9)] == [1] * 9
        assert attempts_of(client, service, no(503)) == 1
        assert attempts_of(client, service, ok()) == 1
        assert [attempts_of(client, service, no(503)) for _ in range(2)] == [2, 1]


def test_the_budget_of_one_client_is_not_another_ones(service: Server) -> None:
    retry = Retry(quota=2, base_delay=0)
    for _ in range(2):
        with Client(service.url, signer=KEY, retry=retry) as client:
            assert attempts_of(client, service, no(503)) == 3


def test_a_client_without_a_budget_repeats_nothing(service: Server) -> None:
    with Client(service.url, signer=KEY, retry=Retry(quota=0)) as client:
        assert attempts_of(client, service, no(503)) == 1


def test_a_failing_service_sees_few_more_requests_than_calls(service: Server) -> None:
    service.respond = one_by_one(no(503))
    with Client(service.url, signer=KEY, retry=Retry(base_delay=0)) as client:

        def work(_: int) -> None:
            with pytest.raises(InternalServerError):
                settings(client)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(40)))
    # Threads that look at the last token together may each take it.
    assert 50 <= len(service.taken()) <= 54


# What is no failure of a call


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), MemoryError(), ValueError()])
@pytest.mark.parametrize("call", [settings, subaccounts, *CHANGES])
def test_whatever_else_a_transport_raises_passes_unchanged(
    error: BaseException, call: Callable[[Client], object]
) -> None:
    transport = Scripted(error)
    with (
        Client("https://a.b", signer=KEY, transport=transport) as client,
        pytest.raises(type(error)) as caught,
    ):
        call(client)
    assert caught.value is error
    assert len(transport.sent) == 1


def test_an_interrupted_wait_ends_the_call(service: Server) -> None:
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    service.respond = one_by_one(no(503))
    with Client(service.url, signer=KEY) as client:
        client._caller.clock.sleep = interrupted
        with pytest.raises(KeyboardInterrupt):
            settings(client)
    assert len(service.taken()) == 1
