"""What the client attempts again, when, and for how long; and what time it signs with."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from email.utils import formatdate
from typing import Any

import pytest

from tests.generated.recorder import Answer, Recorded, Recorder, recording
from tests.pulse import on_time
from tests.runtime.sockets import Peer, Play, Server, answer, answers, cut
from trading_runtime.errors import (
    ApiError,
    AuthenticationError,
    ConflictError,
    DecodeError,
    InternalServerError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    RateLimitError,
    TradingError,
)
from trading_runtime.keys import Keypair
from trading_runtime.rates import RateBudget
from trading_runtime.retry import Fault, Retry
from trading_runtime.transport import Request, RequestsTransport, Response, TransportFailure
from trading_sdk import CancelOrder, Client, CreateOrder

KEY = Keypair(b"\x01" * 32)
ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
ORDER: dict[str, Any] = {
    "symbol": "BTC",
    "side": "bid",
    "price": "1",
    "amount": "1",
    "tif": "ALO",
    "reduce_only": False,
}
SETTINGS = {"success": True, "data": {"auto_lend_disabled": None}}
GOOD = json.dumps(SETTINGS).encode()
NOT_SENT = TransportFailure(Fault.NOT_SENT, "cannot connect: refused")


@pytest.fixture(scope="module")
def recorder() -> Iterator[Recorder]:
    with recording() as recorder:
        yield recorder


@pytest.fixture
def service(recorder: Recorder) -> Recorder:
    recorder.taken()
    return recorder


def settings(client: Client) -> object:
    return client.account.settings()


def history(client: Client) -> object:
    return list(client.orders.history())


def subaccounts(client: Client) -> object:
    return client.subaccounts.list()


def create(client: Client) -> object:
    return client.orders.create(**ORDER, client_order_id=ID)


def cancel(client: Client) -> object:
    return client.orders.cancel(symbol="BTC", order_id=1)


def batch(client: Client) -> object:
    return client.orders.batch([CreateOrder(**ORDER), CancelOrder(symbol="BTC", order_id=1)])


def lend(client: Client) -> None:
    client.account.set_auto_lend_disabled(disabled=True)


def transfer(client: Client) -> None:
    client.subaccounts.transfer(to_account=KEY.address, amount="1")


def withdraw(client: Client) -> object:
    return client.spot.withdraw(symbol="SOL", amount="1", idempotency_key=ID)


# Of a read a failure says nothing that another attempt could not find out; these are all there are.
CHANGES = [create, cancel, batch, lend, transfer, withdraw]


def one_by_one(*replies: Answer) -> Callable[[Recorded], Answer]:
    """One answer after the other, and then the last one again and again."""
    left = list(replies)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def ok(payload: Any = None, **headers: str) -> Answer:
    return Answer(200, json.dumps(SETTINGS if payload is None else payload).encode(), headers)


def no(status: int, **headers: str) -> Answer:
    return Answer(status, b"<html>no</html>", {k.replace("_", "-"): v for k, v in headers.items()})


class Waits:
    """Stands in for sleeping: keeps how long it would have been."""

    def __init__(self, client: Client) -> None:
        self.seconds: list[float] = []
        client._caller.clock.sleep = self.sleep

    def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)
        # Enough for another millisecond, and so for another signature.
        time.sleep(0.002)


class Scripted:
    """A transport whose first attempts fail or answer as scripted; the others go to the service."""

    def __init__(self, *script: BaseException | Response) -> None:
        self._script = list(script)
        self._real = RequestsTransport()
        self.sent: list[Request] = []

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(request.body or b"{}") for request in self.sent]

    def send(self, request: Request, *, timeout: float) -> Response:
        self.sent.append(request)
        if not self._script:
            return self._real.send(request, timeout=timeout)
        outcome = self._script.pop(0)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    def close(self) -> None:
        self._real.close()


# Reads


def reset_unread(peer: Peer) -> None:
    peer.wait_for_bytes()
    peer.reset()


def reset_read(peer: Peer) -> None:
    peer.read_request()
    peer.reset()


def begun(peer: Peer) -> None:
    """The headers come, and then nothing more."""
    peer.read_request()
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")
    peer.server.leave.wait(5)


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
def test_a_refused_read_is_not_repeated(service: Recorder, status: int) -> None:
    service.respond = one_by_one(no(status, Location="/"))
    with Client(service.url, signer=KEY) as client, pytest.raises(ApiError) as caught:
        settings(client)
    assert caught.value.status == status
    assert len(service.taken()) == 1


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"success":true,"data":5}'])
def test_a_read_whose_answer_cannot_be_used_is_not_repeated(service: Recorder, body: bytes) -> None:
    service.will_answer(body)
    with Client(service.url, signer=KEY) as client, pytest.raises(DecodeError):
        settings(client)
    assert len(service.taken()) == 1


def test_a_page_that_fails_is_read_again_and_the_list_goes_on(service: Recorder) -> None:
    event = {"amount": "1", "balance": "2", "symbol": "SOL", "event_type": "x", "created_at": 1}
    page = {"success": True, "data": [event], "next_cursor": "a", "has_more": True}
    last = {**page, "next_cursor": None, "has_more": False}
    service.respond = one_by_one(no(503), ok(page), no(500), no(502), ok(last))
    with Client(service.url, signer=KEY) as client:
        assert len(list(client.spot.balance_history())) == 2
    assert ["cursor=a" in request.query for request in service.taken()] == [0, 0, 1, 1, 1]


def test_a_signed_read_is_signed_anew_for_each_attempt(service: Recorder) -> None:
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
    service: Recorder, change: Callable[[Client], object], failures: int
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


def test_an_id_that_was_minted_is_the_same_over_all_attempts(service: Recorder) -> None:
    service.will_answer({"order_id": 1})
    transport = Scripted(NOT_SENT, NOT_SENT)
    with Client(service.url, signer=KEY, transport=transport) as client:
        client.orders.create(**ORDER)
    assert len({body["client_order_id"] for body in transport.bodies}) == 1
    assert len(transport.bodies) == 3


def test_a_host_that_is_found_at_the_second_look_is_reached(
    service: Recorder, monkeypatch: pytest.MonkeyPatch
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
    transport = Scripted(TransportFailure(Fault.NOT_TRUSTED, "certificate verify failed"))
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
    service: Recorder, change: Callable[[Client], object], attempts: int
) -> None:
    service.respond = one_by_one(no(429))
    with Client(service.url, signer=KEY) as client, pytest.raises(RateLimitError):
        change(client)
    requests = service.taken()
    assert len(requests) == attempts
    assert len({request.body for request in requests}) == attempts


def test_a_duplicate_of_a_second_attempt_may_be_its_own_first(service: Recorder) -> None:
    service.will_answer({"error": "idempotency_key was used"}, 409)
    with Client(service.url, signer=KEY, transport=Scripted(NOT_SENT)) as client:
        with pytest.raises(OutcomeUnknownError) as caught:
            withdraw(client)
        assert isinstance(caught.value.__cause__, ConflictError)
        assert caught.value.client_ids == (ID,)
        with pytest.raises(ConflictError):
            withdraw(client)


def test_an_unknown_outcome_carries_the_times_of_its_last_attempt(service: Recorder) -> None:
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
    service: Recorder, call: Callable[[Client], object], status: int
) -> None:
    service.respond = one_by_one(no(status))
    with Client(service.url, signer=KEY, retry=Retry(attempts=1)) as client:
        with pytest.raises(TradingError):
            call(client)
        assert len(service.taken()) == 1
    transport = Scripted(NOT_SENT)
    with (
        Client(service.url, signer=KEY, transport=transport, retry=Retry(attempts=1)) as client,
        pytest.raises(NotSentError),
    ):
        call(client)
    assert service.taken() == []


@pytest.mark.parametrize("attempts", [2, 5])
def test_a_client_attempts_a_call_as_often_as_it_is_told(service: Recorder, attempts: int) -> None:
    service.respond = one_by_one(no(503))
    retry = Retry(attempts=attempts, first_wait=0)
    with Client(service.url, signer=KEY, retry=retry) as client, pytest.raises(InternalServerError):
        settings(client)
    assert len(service.taken()) == attempts


def test_the_waits_between_attempts_are_random_below_bounds_that_double(service: Recorder) -> None:
    service.respond = one_by_one(no(503))
    bounds, retry = [0.1, 0.2, 0.4, 0.5, 0.5], Retry(attempts=6, first_wait=0.1, longest_wait=0.5)
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


def attempts_of(client: Client, service: Recorder, reply: Answer) -> int:
    service.respond = one_by_one(reply)
    if reply.status == 200:
        settings(client)
    else:
        with pytest.raises(ApiError):
            settings(client)
    return len(service.taken())


def test_all_calls_together_are_repeated_as_often_as_the_budget_pays_for(
    service: Recorder,
) -> None:
    retry = Retry(budget=3, first_wait=0)
    with Client(service.url, signer=KEY, retry=retry) as client:
        assert [attempts_of(client, service, no(503)) for _ in range(4)] == [3, 2, 1, 1]
        assert [attempts_of(client, service, ok()) for _ in range(9)] == [1] * 9
        assert attempts_of(client, service, no(503)) == 1
        assert attempts_of(client, service, ok()) == 1
        assert [attempts_of(client, service, no(503)) for _ in range(2)] == [2, 1]


def test_the_budget_of_one_client_is_not_another_ones(service: Recorder) -> None:
    retry = Retry(budget=2, first_wait=0)
    for _ in range(2):
        with Client(service.url, signer=KEY, retry=retry) as client:
            assert attempts_of(client, service, no(503)) == 3


def test_a_client_without_a_budget_repeats_nothing(service: Recorder) -> None:
    with Client(service.url, signer=KEY, retry=Retry(budget=0)) as client:
        assert attempts_of(client, service, no(503)) == 1


def test_a_failing_service_sees_few_more_requests_than_calls(service: Recorder) -> None:
    service.respond = one_by_one(no(503))
    with Client(service.url, signer=KEY, retry=Retry(first_wait=0)) as client:

        def work(_: int) -> None:
            with pytest.raises(InternalServerError):
                settings(client)

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(40)))
    # Threads that look at the last token together may each take it.
    assert 50 <= len(service.taken()) <= 54


# How long


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
    service: Recorder, call: Callable[[Client], object]
) -> None:
    service.respond = one_by_one(no(429))
    retry = Retry(attempts=10**9, first_wait=0.02, longest_wait=0.02, budget=10**9)
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
    service: Recorder, call: Callable[[Client], object]
) -> None:
    with (
        Client(service.url, signer=SlowSigner(0.25), timeout=0.2) as client,
        pytest.raises(NotSentError, match="the time was up before it was sent"),
    ):
        call(client)
    assert service.taken() == []


def test_the_time_that_signing_takes_is_not_given_to_sending() -> None:
    with Server(silent) as server:
        with Client(server.url, signer=SlowSigner(0.2), timeout=0.5) as client:
            fails_in_time(0.5, lambda: create(client))
        assert len(server.requests) == 1


# Waits that the service asks for


def limited(**headers: str) -> Answer:
    return no(429, **headers)


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("value", "asked"),
    [
        ("0", 0.0),
        ("2", 2.0),
        ("5", 5.0),
        ("-1", None),
        ("NaN", None),
        ("soon", None),
    ],
)
def test_a_read_waits_as_long_as_it_is_asked_to_and_garbage_asks_for_nothing(
    service: Recorder, status: int, value: str, asked: float | None
) -> None:
    service.respond = one_by_one(no(status, Retry_After=value), ok())
    with Client(service.url, signer=KEY) as client:
        waits = Waits(client)
        settings(client)
    (waited,) = waits.seconds
    assert (asked or 0) <= waited <= (asked or 0) + 0.05


def test_a_read_waits_until_a_date() -> None:
    busy = answer(
        b"", f"Date: {formatdate(100, usegmt=True)}", f"Retry-After: {formatdate(103, usegmt=True)}",
        status="429 Slow",
    )  # fmt: skip
    with (
        Server(cut(busy), answers(answer(GOOD))) as server,
        Client(server.url, signer=KEY) as client,
    ):
        waits = Waits(client)
        settings(client)
    assert 3 <= waits.seconds[0] <= 3.05


def test_a_read_waits_until_its_budget_is_whole_again(service: Recorder) -> None:
    service.respond = one_by_one(limited(ratelimit='"credits";r=0;t=4'), ok())
    with Client(service.url, signer=KEY) as client:
        waits = Waits(client)
        settings(client)
    assert 4 <= waits.seconds[0] <= 4.05


@pytest.mark.parametrize(
    ("headers", "asked"),
    [
        ({"Retry_After": "6"}, 6.0),
        ({"Retry_After": "1000000000"}, 1e9),
        ({"Retry_After": "1e9"}, 1e9),
        ({"ratelimit": '"credits";r=0;t=32'}, 32.0),
    ],
)
def test_a_wait_that_is_too_long_is_told_at_once(
    service: Recorder, headers: dict[str, str], asked: float
) -> None:
    service.respond = one_by_one(limited(**headers), ok())
    with Client(service.url, signer=KEY) as client:
        waits = Waits(client)
        with pytest.raises(RateLimitError) as caught:
            settings(client)
    assert waits.seconds == []
    assert caught.value.retry_after == asked
    assert len(service.taken()) == 1


def test_a_wait_beyond_the_timeout_is_told_at_once(service: Recorder) -> None:
    service.respond = one_by_one(limited(Retry_After="3"), ok())
    with Client(service.url, signer=KEY, timeout=2) as client:
        waits = Waits(client)
        with pytest.raises(RateLimitError) as caught:
            settings(client)
    assert (waits.seconds, caught.value.retry_after) == ([], 3.0)


def test_a_more_patient_client_waits_longer(service: Recorder) -> None:
    service.respond = one_by_one(limited(Retry_After="60"), ok())
    with Client(service.url, signer=KEY, timeout=90, retry=Retry(patience=60)) as client:
        waits = Waits(client)
        settings(client)
    assert waits.seconds[0] >= 60


def test_a_client_really_sleeps(service: Recorder) -> None:
    service.respond = one_by_one(limited(Retry_After="1"), ok())
    started = time.monotonic()
    with Client(service.url, signer=KEY) as client:
        settings(client)
    assert time.monotonic() - started >= 1


# The rate budget

NOTE_16 = {"ratelimit": '"credits";r=1200;t=32', "ratelimit-policy": '"credits";q=1250;w=60'}
BUDGET = RateBudget(remaining=Decimal(120), resets_in=32, quota=Decimal(125), window=60)


def test_a_client_knows_its_rate_budget_from_the_latest_answer(service: Recorder) -> None:
    with Client(service.url, signer=KEY) as client:
        assert client.rate_budget is None
        service.will_answer(SETTINGS, 200, **NOTE_16)
        settings(client)
        assert client.rate_budget == BUDGET
        service.will_answer(SETTINGS)
        settings(client)
        assert client.rate_budget == BUDGET
        service.will_answer({"error": "no"}, 400, ratelimit='"credits";r=7')
        with pytest.raises(ApiError):
            create(client)
        assert client.rate_budget is not None
        assert client.rate_budget.remaining == Decimal("0.7")


def test_a_refusal_carries_its_rate_budget_and_wait(service: Recorder) -> None:
    service.respond = one_by_one(limited(**NOTE_16, Retry_After="3"))
    with Client(service.url, signer=KEY) as client, pytest.raises(RateLimitError) as caught:
        create(client)
    assert (caught.value.rate_budget, caught.value.retry_after) == (BUDGET, 3.0)
    assert caught.value.intent is not None
    assert caught.value.intent.client_ids == (ID,)


def test_a_refusal_that_tells_nothing_carries_nothing(service: Recorder) -> None:
    service.respond = one_by_one(no(400))
    with Client(service.url, signer=KEY) as client, pytest.raises(ApiError) as caught:
        settings(client)
    found = caught.value
    assert (found.rate_budget, found.retry_after, found.intent, found.clock_hint) == (None,) * 4


# Clocks


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


def test_an_interrupted_wait_ends_the_call(service: Recorder) -> None:
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    service.respond = one_by_one(no(503))
    with Client(service.url, signer=KEY) as client:
        client._caller.clock.sleep = interrupted
        with pytest.raises(KeyboardInterrupt):
            settings(client)
    assert len(service.taken()) == 1
