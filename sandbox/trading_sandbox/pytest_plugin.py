"""Fixtures for tests of trading programs; pytest finds them once the package is installed.

Nothing is imported before a test asks for it, so that tests which do not are not slowed down.
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
    """A sandbox of its own for each test; GTC, IOC and market orders are delayed by 10 ms only."""
    from trading_sandbox import Sandbox

    with Sandbox(taker_delay=TAKER_DELAY) as running:
        yield running


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[Client]:
    """A client of an account of that sandbox, funded with 10,000 USDC."""
    from trading_sdk import Client

    with Client(sandbox.url, signer=sandbox.create_account()) as made:
        yield made
