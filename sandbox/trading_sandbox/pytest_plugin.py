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
    from trading_runtime.stream import Stream
    from trading_sandbox import Sandbox
    from trading_sdk import Client
    from trading_sdk_observed import Client as LiveClient

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


# -- the live dialect ---------------------------------------------------------------------------


@pytest.fixture
def live_sandbox() -> Iterator[Sandbox]:
    """A running sandbox of the live dialect, with market data and a websocket, for this test alone."""
    from trading_sandbox import Sandbox

    with Sandbox(taker_delay=TAKER_DELAY, dialect="live") as running:
        yield running


@pytest.fixture
def live_client(live_sandbox: Sandbox) -> Iterator[LiveClient]:
    """A client of `trading_sdk_observed` in that sandbox, whose lists are never late, funded with 10,000 USDC."""
    from trading_sdk_observed import Client

    signer = live_sandbox.create_account()
    with Client(live_sandbox.url, signer=signer, history_lag=0) as client:
        yield client


@pytest.fixture
def live_stream(live_client: LiveClient) -> Iterator[Stream]:
    """The events of that client's websocket; it needs the extra `[streams]`."""
    with live_client.stream() as stream:
        yield stream


def assert_no_open_orders(client: Client | LiveClient) -> None:
    """Fail if an order of the account can still be filled, by the order history of a client of either package.

    An order in a state that this version does not know counts as open. GTC, IOC and market orders are accepted before
    they are in the history: let the test see that they were, or `advance` the sandbox.
    """
    living = [
        f"{each.order_id} {each.symbol} {each.side} {each.order_status}"
        for each in client.orders.history()
        if each.order_status not in ("filled", "cancelled", "rejected")
    ]
    if living:
        pytest.fail(f"orders are open: {', '.join(living)}")
