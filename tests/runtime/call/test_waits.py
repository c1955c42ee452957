"""What a service says of its limits, and what a vector cannot show of it: this machine's clock, real sleep.

spec/vectors/outcome/asked-wait-* and rate-budget-* have the waits and budgets; test_rate_limit.py the headers.
"""

from __future__ import annotations

import time
from decimal import Decimal
from email.utils import formatdate

import pytest

from tests.doubles.calls import SETTINGS, create, settings
from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE, ID
from tests.doubles.signer import KEY
from tests.doubles.transport import ScriptedTransport, no, ok
from trading_runtime.errors import RateLimitError
from trading_runtime.rate_limit import RateBudget
from trading_sdk import Client

NOTE_16 = {"ratelimit": '"credits";r=1200;t=32', "ratelimit-policy": '"credits";q=1250;w=60'}
BUDGET = RateBudget(remaining=Decimal(120), resets_in=32, quota=Decimal(125), window=60)


def test_without_a_date_of_the_answer_a_date_to_wait_for_is_by_this_machines_clock() -> None:
    virtual = VirtualTime()
    until = formatdate(virtual.now // 1_000 + 60, usegmt=True)
    transport = ScriptedTransport(no(429, Retry_After=until))
    with (
        virtual.hold(Client(HERE, signer=KEY, transport=transport)) as client,
        virtual.ruling(),
        pytest.raises(RateLimitError) as caught,
    ):
        create(client)
    assert caught.value.retry_after == 60


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


def test_a_client_really_sleeps() -> None:
    transport = ScriptedTransport(no(429, Retry_After="0.2"), ok(SETTINGS))
    started = time.monotonic()
    with Client(HERE, signer=KEY, transport=transport) as client:
        settings(client)
    assert time.monotonic() - started >= 0.2
