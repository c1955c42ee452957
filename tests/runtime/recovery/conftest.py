"""Fixtures of the tests of `reconcile`: a client, the histories it reads, a time to let pass."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.doubles.clock import VirtualTime
from tests.doubles.orders import HERE
from tests.doubles.signer import KEY
from tests.doubles.transport import ListsTransport
from trading_sdk import Client


@pytest.fixture
def histories() -> ListsTransport:
    return ListsTransport()


@pytest.fixture
def client(histories: ListsTransport) -> Iterator[Client]:
    with Client(HERE, signer=KEY, transport=histories) as client:
        yield client


@pytest.fixture
def clock(client: Client) -> Iterator[VirtualTime]:
    """The time that `client`, and all the runtime, goes by from here on."""
    time = VirtualTime()
    with time.ruling():
        time.hold(client)
        yield time
