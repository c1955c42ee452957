"""Attempts of one call, and what no vector can show: sockets, chance, interrupts, threads, wrong policies.

spec/vectors/outcome says what is attempted again, how often, after which delay, and which error ends a call.
"""

from __future__ import annotations

import json
import random
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest

from tests.doubles.calls import (
    BY_CLASS,
    CHANGES,
    SETTINGS,
    Call,
    batch,
    create,
    lend,
    settings,
    subaccounts,
)
from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, ID
from tests.doubles.server import (
    Server,
    answer,
    answers,
    cut,
    reset_after_reading,
    reset_before_reading as reset_unread,
)
from tests.doubles.signer import KEY, ScriptedSigner
from tests.doubles.transport import LOST, NOT_SENT, ScriptedTransport, no, refusal
from trading_runtime.call.retry import (
    FailedAttempt,
    NextAttempt,
    Raise,
    Retry,
    RetryQuota,
    Stop,
    decide,
)
from trading_runtime.errors import (
    BadRequestError,
    InternalServerError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    RateLimitError,
    RequestError,
    TradingError,
)
from trading_runtime.http.fault import Fault
from trading_runtime.rate_limit import RateBudget
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


# -- waits and the deadline -------------------------------------------------------------------------

NOTE_16 = {"ratelimit": '"credits";r=1200;t=32', "ratelimit-policy": '"credits";q=1250;w=60'}
BUDGET = RateBudget(remaining=Decimal(120), resets_in=32, quota=Decimal(125), window=60)


def test_a_wait_that_is_too_long_is_told_at_once_and_with_the_budget() -> None:
    transport = ScriptedTransport(no(429, **NOTE_16, Retry_After="1e9"))
    virtual = VirtualTime()
    with virtual.hold(Client(HERE, signer=KEY, transport=transport)) as client:
        with pytest.raises(RateLimitError) as caught:
            create(client)
        assert client.rate_budget == BUDGET
    assert virtual.naps == []
    assert (caught.value.rate_budget, caught.value.retry_after) == (BUDGET, 1e9)
    assert caught.value.intent is not None
    assert caught.value.intent.client_ids == (ID,)


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


# -- the decision, the policy and the quota ------------------------------------------------------------

POLICY = Retry(max_attempts=3, base_delay=0.05, max_delay=2.0, max_retry_after=5.0, quota=10)


def failed(number: int = 1, left: float = 60.0, quota: float = 10.0, asked: Any = None) -> Any:
    """An attempt of a read that was not sent, which may follow once more by its fault and class."""
    return FailedAttempt(
        fault=Fault.NOT_SENT,
        retry_class="safe",
        number=number,
        time_left=left,
        quota_left=quota,
        retry_after=asked,
    )


def test_a_decision_does_no_io_and_depends_on_nothing_but_what_it_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(*_: object, **__: object) -> Any:
        raise AssertionError("the decision is not pure")

    for where, name in ((time, "time"), (time, "monotonic"), (time, "sleep"), (random, "random")):
        monkeypatch.setattr(where, name, forbidden)
    monkeypatch.setattr(socket, "socket", forbidden)
    found = [decide(failed(asked=1.5), POLICY, 0.25) for _ in range(5)]
    assert found == [NextAttempt(1.5 + 0.25 * 0.05)] * 5


@pytest.mark.parametrize("attempt", [100, 10**9, 10**30])
def test_a_huge_number_of_attempts_does_not_overflow(attempt: int) -> None:
    assert decide(failed(attempt), Retry(max_attempts=attempt + 1), 1.0) == NextAttempt(2.0)


@pytest.mark.parametrize("asked", [5.001, 1e9, float("inf"), float("nan")])
def test_a_delay_beyond_max_retry_after_raises_at_once(asked: float) -> None:
    assert decide(failed(left=1e12, asked=asked), POLICY, 0.0) == Stop(Raise.NOT_SENT, "wait")


DELAYS = ("base_delay", "max_delay", "max_retry_after")
SECONDS = "must be a number of seconds"
A_DAY = "must be at least 0 and at most 86400 seconds"


@pytest.mark.parametrize(
    ("name", "value", "error", "says"),
    [
        *(("max_attempts", each, RequestError, "must be at least 1, not ") for each in (0, -9)),
        *(("max_attempts", each, TypeError, "must be an integer") for each in (1.0, "3", None, True)),
        *(("quota", each, RequestError, "must be at least 0, not ") for each in (-1, -9)),
        *(("quota", each, TypeError, "must be an integer") for each in (1.5, "1", None, True)),
        *((name, each, RequestError, A_DAY) for name in DELAYS for each in (-0.001, 86_401)),
        *((name, float(each), RequestError, A_DAY) for name in DELAYS for each in ("inf", "nan")),
        *((name, each, TypeError, SECONDS) for name in DELAYS for each in ("1", None, True, [1])),
    ],
)  # fmt: skip
def test_a_policy_refuses_a_wrong_value_by_its_name(
    name: str, value: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=f"^Retry: {name} {says}"):
        Retry(**{name: value})


def test_a_policy_compares_by_value_and_cannot_be_changed() -> None:
    assert Retry(base_delay=0, max_delay=0, max_retry_after=0, quota=0).quota == 0
    assert Retry() == Retry(max_attempts=3)
    with pytest.raises(AttributeError):
        setattr(Retry(), "max_attempts", 5)  # noqa: B010


def test_a_full_quota_restores_nothing() -> None:
    quota = RetryQuota()
    for left in (2, 2):
        for _ in range(100):
            quota.restore()
        assert (quota.left(left), quota.left(0)) == (left, 0)
        quota.spend()


def test_threads_lose_no_token_of_a_shared_quota() -> None:
    quota = RetryQuota()

    def work(_: int) -> None:
        for _ in range(500):
            quota.spend()
        for _ in range(500):
            quota.restore()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert quota.left(10_000) == 10_000 - 8 * 500 + 8 * 50
