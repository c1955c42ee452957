"""The exchange that the tests of this folder trade on, and clients of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import certifi
import pytest

from tests.end_to_end.trading import Connect
from trading_sandbox import Sandbox
from trading_sdk import Client, RequestsTransport, Signer

RICH = "1000000"


@pytest.fixture(scope="session")
def exchange() -> Iterator[Sandbox]:
    """One exchange for all tests of a process: to start one takes 50 ms, to reset it takes 2."""
    with Sandbox(maker=False, taker_delay=0.01) as running:
        yield running


@pytest.fixture
def sandbox(exchange: Sandbox) -> Sandbox:
    """An exchange that was just opened, on which nobody trades by himself."""
    exchange.reset()
    return exchange


@pytest.fixture
def url(sandbox: Sandbox) -> str:
    """Where clients send their requests; a proxy may stand in between."""
    return sandbox.url


@pytest.fixture(scope="session")
def one_ca(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a single CA: no test needs more, and to load them all takes a client 30 ms."""
    end = "-----END CERTIFICATE-----\n"
    path = tmp_path_factory.mktemp("certificates") / "one.pem"
    path.write_text(Path(certifi.where()).read_text(encoding="utf-8").partition(end)[0] + end)
    return path


@pytest.fixture
def connect(url: str, one_ca: Path) -> Iterator[Connect]:
    with ExitStack() as clients:

        def connected(signer: Signer | None = None, **options: Any) -> Client:
            transport = RequestsTransport(ca_file=str(one_ca))
            client = Client(url, signer=signer, transport=transport, **options)
            return clients.enter_context(client)

        yield connected


@pytest.fixture
def client(sandbox: Sandbox, connect: Connect) -> Client:
    """A client of a funded account."""
    return connect(sandbox.create_account(RICH))


@pytest.fixture
def maker(sandbox: Sandbox, connect: Connect) -> Client:
    """A client of the account that rests its orders in the book."""
    return connect(sandbox.create_account(RICH))


@pytest.fixture
def taker(sandbox: Sandbox, connect: Connect) -> Client:
    """A client of the account that trades with them."""
    return connect(sandbox.create_account(RICH))
