"""Attempts of one call, and what no vector can show: sockets, chance, interrupts, threads, wrong policies.

spec/vectors/outcome says what is attempted again, how often, after which delay, and which error ends a call.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.doubles.calls import BY_CLASS, CHANGES, Call, batch, create, settings, subaccounts
from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE
from tests.doubles.signer import KEY, ScriptedSigner
from tests.doubles.transport import LOST, NOT_SENT, ScriptedTransport, no, refusal
from trading_runtime.call.retry import Retry, RetryQuota
from trading_runtime.errors import (
    BadRequestError,
    InternalServerError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    RequestError,
)
from trading_sdk import Client

READS = BY_CLASS["safe"]


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


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(1), MemoryError(), ValueError()])
@pytest.mark.parametrize("call", [*READS, *CHANGES])
def test_what_else_a_transport_raises_is_unchanged(error: BaseException, call: Call) -> None:
    transport = ScriptedTransport(error)
    with (
        Client(HERE, signer=KEY, transport=transport) as client,
        pytest.raises(type(error)) as caught,
    ):
        call(client)
    assert caught.value is error
    assert len(transport.sent) == 1


@pytest.mark.parametrize("kept", [True, False])
def test_a_call_that_is_interrupted_while_it_waits_is_listed_if_there_is_a_journal(
    kept: bool, tmp_path: Path
) -> None:
    transport = ScriptedTransport(then=KeyboardInterrupt())
    journal = tmp_path / "journal" if kept else None
    with Client(HERE, signer=KEY, journal=journal, transport=transport) as client:
        with pytest.raises(KeyboardInterrupt):
            create(client)
        with pytest.raises(KeyboardInterrupt):
            settings(client)
        assert not kept or len(client.unsettled()) == 1


def test_an_interrupted_wait_ends_the_call() -> None:
    def interrupted(_: float) -> None:
        raise KeyboardInterrupt

    transport = ScriptedTransport(no(503))
    with Client(HERE, signer=KEY, transport=transport) as client:
        client._caller.clock.sleep = interrupted
        with pytest.raises(KeyboardInterrupt):
            settings(client)
    assert len(transport.sent) == 1


# -- waits and the deadline -------------------------------------------------------------------------


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


@pytest.mark.parametrize("name", ["base_delay", "max_delay", "max_retry_after"])
def test_a_wait_of_more_than_a_day_is_refused_by_its_name(name: str) -> None:
    """Whatever else is refused stands in spec/vectors/outcome."""
    with pytest.raises(RequestError, match=f"^Retry: {name} must be at least 0 and at most 86400 "):
        Retry(**{name: 86_401})


def test_a_full_quota_restores_nothing() -> None:
    quota = RetryQuota()
    for left in (2, 2):
        for _ in range(100):
            quota.restore()
        assert (quota.left(left), quota.left(0)) == (left, 0)
        quota.spend()
