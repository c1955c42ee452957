"""What the service says of its limits: the waits that it asks for, and the rate budget."""

from __future__ import annotations

import time
from decimal import Decimal
from email.utils import formatdate

import pytest

from tests.doubles.calls import SETTINGS, create, settings
from tests.doubles.orders import ID
from tests.doubles.server import Server, answer, answers, cut
from tests.doubles.signer import KEY
from tests.doubles.transport import no, one_by_one
from tests.runtime.attempts import GOOD, Waits, ok
from trading_runtime.call.retry import Retry
from trading_runtime.errors import ApiError, RateLimitError
from trading_runtime.http.transport import Response
from trading_runtime.rate_limit import RateBudget
from trading_sdk import Client

# Waits that the service asks for


def limited(**headers: str) -> Response:
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
    service: Server, status: int, value: str, asked: float | None
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


def test_without_a_date_of_the_answer_a_date_to_wait_for_is_by_this_machines_clock() -> None:
    until = f"Retry-After: {formatdate(time.time() + 60, usegmt=True)}"
    with (
        Server(answers(answer(b"", until, status="429 Slow"))) as server,
        Client(server.url, signer=KEY) as client,
        pytest.raises(RateLimitError) as caught,
    ):
        create(client)
    assert 55 <= (caught.value.retry_after or 0) <= 60


def test_a_read_waits_until_its_budget_is_whole_again(service: Server) -> None:
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
    service: Server, headers: dict[str, str], asked: float
) -> None:
    service.respond = one_by_one(limited(**headers), ok())
    with Client(service.url, signer=KEY) as client:
        waits = Waits(client)
        with pytest.raises(RateLimitError) as caught:
            settings(client)
    assert waits.seconds == []
    assert caught.value.retry_after == asked
    assert len(service.taken()) == 1


def test_a_wait_beyond_the_timeout_is_told_at_once(service: Server) -> None:
    service.respond = one_by_one(limited(Retry_After="3"), ok())
    with Client(service.url, signer=KEY, timeout=2) as client:
        waits = Waits(client)
        with pytest.raises(RateLimitError) as caught:
            settings(client)
    assert (waits.seconds, caught.value.retry_after) == ([], 3.0)


def test_a_more_patient_client_waits_longer(service: Server) -> None:
    service.respond = one_by_one(limited(Retry_After="60"), ok())
    with Client(service.url, signer=KEY, timeout=90, retry=Retry(max_retry_after=60)) as client:
        waits = Waits(client)
        settings(client)
    assert waits.seconds[0] >= 60


def test_a_client_really_sleeps(service: Server) -> None:
    service.respond = one_by_one(limited(Retry_After="1"), ok())
    started = time.monotonic()
    with Client(service.url, signer=KEY) as client:
        settings(client)
    assert time.monotonic() - started >= 1


# The rate budget

NOTE_16 = {"ratelimit": '"credits";r=1200;t=32', "ratelimit-policy": '"credits";q=1250;w=60'}
BUDGET = RateBudget(remaining=Decimal(120), resets_in=32, quota=Decimal(125), window=60)


def test_a_client_knows_its_rate_budget_from_the_latest_answer(service: Server) -> None:
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


def test_a_refusal_carries_its_rate_budget_and_wait(service: Server) -> None:
    service.respond = one_by_one(limited(**NOTE_16, Retry_After="3"))
    with Client(service.url, signer=KEY) as client, pytest.raises(RateLimitError) as caught:
        create(client)
    assert (caught.value.rate_budget, caught.value.retry_after) == (BUDGET, 3.0)
    assert caught.value.intent is not None
    assert caught.value.intent.client_ids == (ID,)


def test_a_refusal_that_tells_nothing_carries_nothing(service: Server) -> None:
    service.respond = one_by_one(no(400))
    with Client(service.url, signer=KEY) as client, pytest.raises(ApiError) as caught:
        settings(client)
    found = caught.value
    assert (found.rate_budget, found.retry_after, found.intent, found.clock_hint) == (None,) * 4
