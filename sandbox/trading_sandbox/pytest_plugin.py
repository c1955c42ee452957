"""Pytest fixtures for tests of trading programs, available once the package is installed.

Nothing is imported until a test uses a fixture, so that other tests are not slowed down.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol, cast

import pytest

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from trading_runtime import ClientOptions, DecimalLike
    from trading_sandbox import Sandbox
    from trading_sdk import Client

TAKER_DELAY = 0.01


class AccountFactory(Protocol):
    """Opens an account in the sandbox of a test, and returns a client of it."""

    def __call__(
        self, usdc: DecimalLike = "10000", spot: Mapping[str, DecimalLike] | None = None
    ) -> Client:
        """Open an account with a deposit of USDC, and of spot assets in tokens: `{"SOL": "5"}`."""
        ...


class ClientFactory(Protocol):
    """Makes clients of one funded account in the sandbox of a test."""

    def __call__(self, **options: Unpack[ClientOptions]) -> Client:
        """Make a client with options of `Client`, like `journal` or `timeout`."""
        ...


@pytest.fixture
def trading_sandbox() -> Iterator[Sandbox]:
    """A running sandbox for this test alone; GTC, IOC and market orders wait only 10 ms."""
    from trading_sandbox import Sandbox

    with Sandbox(taker_delay=TAKER_DELAY) as running:
        yield running


@pytest.fixture
def trading_account(trading_sandbox: Sandbox) -> Iterator[AccountFactory]:
    """Opens funded accounts in that sandbox and returns a client of each, closed after the test."""
    from trading_sdk import Client

    with ExitStack() as clients:

        def open_account(
            usdc: DecimalLike = "10000", spot: Mapping[str, DecimalLike] | None = None
        ) -> Client:
            signer = trading_sandbox.create_account(usdc, spot)
            return clients.enter_context(Client(trading_sandbox.url, signer=signer))

        yield open_account


@pytest.fixture
def trading_client_factory(trading_sandbox: Sandbox) -> Iterator[ClientFactory]:
    """Makes clients of one account in that sandbox, funded with 10,000 USDC, closed after the test.

    A second one is what a bot has after a restart: `trading_client_factory(journal="bot.journal")`.
    """
    from trading_sdk import Client

    signer = trading_sandbox.create_account()
    with ExitStack() as clients:

        def connect(**options: Unpack[ClientOptions]) -> Client:
            return clients.enter_context(
                Client(trading_sandbox.url, signer=signer, **cast("Any", options))
            )

        yield connect


@pytest.fixture
def trading_client(trading_client_factory: ClientFactory) -> Client:
    """A client of that account, without options."""
    return trading_client_factory()
