"""Pytest fixtures for tests of trading programs, available once the package is installed.

Nothing is imported until a test uses a fixture, so that other tests are not slowed down.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from trading_sandbox import Sandbox
    from trading_sdk import Client

TAKER_DELAY = 0.01


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """A running sandbox for this test alone; GTC, IOC and market orders wait only 10 ms."""
    from trading_sandbox import Sandbox

    with Sandbox(taker_delay=TAKER_DELAY) as running:
        yield running


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[Client]:
    """A client of an account in that sandbox, funded with 10,000 USDC."""
    from trading_sdk import Client

    with Client(sandbox.url, signer=sandbox.create_account()) as made:
        yield made
