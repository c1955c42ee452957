"""Sandboxes and clients for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doubles.clock import leave_the_hour_behind
from tests.sandbox.desk import Desk
from tests.sandbox.raw import RawClient
from tests.sandbox.served import Served, serving
from tests.sandbox.trading import Clock, opened
from trading_sandbox import Sandbox
from trading_sandbox.service import Service
from trading_sdk import Client


@pytest.fixture(scope="session")
def shared() -> Iterator[Sandbox]:
    """One sandbox for all tests that leave its books alone; nobody trades there by himself."""
    with Sandbox(maker=False, taker_delay=0) as running:
        yield running


@pytest.fixture(scope="session")
def reusable() -> Iterator[Sandbox]:
    """The sandbox behind `sandbox`: to reset one is much faster than to start another."""
    with Sandbox(maker=False, taker_delay=0.01) as running:
        yield running


@pytest.fixture
def sandbox(reusable: Sandbox) -> Sandbox:
    """A sandbox as if new, in which nobody trades by himself."""
    leave_the_hour_behind()
    reusable.reset()
    return reusable


@pytest.fixture
def client(sandbox: Sandbox) -> Iterator[Client]:
    """A client of an account of that sandbox."""
    with Client(sandbox.url, signer=sandbox.create_account()) as made:
        yield made


@pytest.fixture
def raw(shared: Sandbox) -> RawClient:
    """A client that is not ours, of a new account in the shared sandbox."""
    return RawClient.of(shared)


@pytest.fixture
def user(sandbox: Sandbox) -> RawClient:
    """A client that is not ours, of a new account in a sandbox as if new."""
    return RawClient.of(sandbox)


@pytest.fixture
def desk() -> Desk:
    """An exchange without HTTP, on which nobody trades by himself."""
    return Desk()


@pytest.fixture(scope="module", params=["httptools", "h11"])
def reusable_served(request: pytest.FixtureRequest) -> Iterator[Served]:
    """One server for the tests of a module."""
    yield from serving(request.param)


@pytest.fixture
def served(reusable_served: Served) -> Served:
    """An exchange behind the fault proxy, without faults and orders."""
    reusable_served.clear()
    return reusable_served


@pytest.fixture(params=["httptools", "h11"])
def own(request: pytest.FixtureRequest) -> Iterator[Served]:
    """The same for one test alone, which stops it."""
    yield from serving(request.param)


@pytest.fixture
def clock() -> Clock:
    """The clock of the machine that `service` runs on."""
    return Clock()


@pytest.fixture(params=["memory", "file"])
def service(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Service]:
    """A service that keeps its state in memory, and one that keeps it in a file."""
    made = opened(None if request.param == "memory" else tmp_path / "state", clock=clock)
    yield made
    made.close()
