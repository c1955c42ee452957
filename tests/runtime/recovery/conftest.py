"""Fixtures of the tests of `reconcile`: a client, the histories it reads, a clock to set."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from tests.runtime.recovery.histories import HERE, KEY, Histories, LocalClock
from trading_sdk import Client


@pytest.fixture
def histories() -> Histories:
    return Histories()


@pytest.fixture
def client(histories: Histories) -> Iterator[Client]:
    with Client(HERE, signer=KEY, transport=histories) as client:
        yield client


@pytest.fixture
def clock(client: Client, monkeypatch: pytest.MonkeyPatch) -> LocalClock:
    """The clock that `client` goes by from here on."""
    clock = LocalClock()
    monkeypatch.setattr(time, "time_ns", lambda: clock.now * 1_000_000)
    client._caller.clock.sleep = clock.sleep
    client._caller.clock.monotonic = lambda: clock.slept
    client._caller.clock._offset = None
    return clock
