"""The exchange that the tests of this folder trade on, and clients of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.doubles.clock import leave_the_hour_behind
from tests.end_to_end.trading import Connect
from trading_sandbox import Sandbox
from trading_sdk import Client, Signer

RICH = "1000000"


@pytest.fixture(scope="session")
def exchange() -> Iterator[Sandbox]:
    """One exchange for all tests of a process: to start one takes 50 ms, to reset it takes 2."""
    with Sandbox(maker=False, taker_delay=0.01) as running:
        yield running


@pytest.fixture
def sandbox(exchange: Sandbox) -> Sandbox:
    """An exchange that was just opened, on which nobody trades by himself."""
    leave_the_hour_behind()
    exchange.reset()
    return exchange


@pytest.fixture
def url(sandbox: Sandbox) -> str:
    """Where clients send their requests; a proxy may stand in between."""
    return sandbox.url


@pytest.fixture
def connect(url: str) -> Iterator[Connect]:
    with ExitStack() as clients:

        def connected(signer: Signer | None = None, **options: Any) -> Client:
            # The sandbox shows at once what it did.
            return clients.enter_context(
                Client(url, signer=signer, **{"history_lag": 1, **options})
            )

        yield connected


@pytest.fixture
def client(sandbox: Sandbox, connect: Connect) -> Client:
    """A client of a funded account."""
    return connect(sandbox.create_account(RICH))
