"""Fixtures for tests of trading programs: add `-p trading_sandbox.pytest_plugin` to pytest."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from trading_sandbox.sandbox import Sandbox
from trading_sdk import Client

TAKER_DELAY = 0.01


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """A sandbox of its own for each test; GTC, IOC and market orders are delayed by 10 ms only."""
    with Sandbox(taker_delay=TAKER_DELAY) as running:
        yield running


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[Client]:
    """A client of an account of that sandbox, funded with 10,000 USDC."""
    with Client(sandbox.url, signer=sandbox.create_account()) as made:
        yield made
