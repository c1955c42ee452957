"""Sandboxes and clients for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sandbox.raw import RawClient
from trading_sandbox import Sandbox
from trading_sandbox.pytest_plugin import client, sandbox

__all__ = ["client", "raw", "sandbox", "shared"]


@pytest.fixture(scope="session")
def shared() -> Iterator[Sandbox]:
    """One sandbox for all tests that leave its books alone."""
    with Sandbox(taker_delay=0) as running:
        yield running


@pytest.fixture
def raw(shared: Sandbox) -> RawClient:
    """A client that is not ours, of a new account in the shared sandbox."""
    return RawClient(shared.url, shared.create_account().export_base58())
