"""The delay of orders that may take liquidity (sections 4.1, 4.3, 4.5 rule 5, and 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import pytest

from tests.end_to_end.trading import place
from trading_sandbox import Sandbox
from trading_sdk import (
    CancelOrder,
    CancelStopOrder,
    Client,
    CreateMarketOrder,
    CreateOrder,
    SetPositionTpsl,
)

DELAY = 0.2
MARKET = CreateMarketOrder(
    symbol="BTC", side="bid", amount="0.1", slippage_percent="1", reduce_only=False
)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of an exchange that delays as the live one does."""
    with (
        Sandbox(maker=False) as sandbox,
        Client(sandbox.url, signer=sandbox.create_account()) as made,
    ):
        yield made


def bid(tif: Any) -> CreateOrder:
    return CreateOrder(
        symbol="BTC", side="bid", price=50_000, amount="0.001", tif=tif, reduce_only=False
    )


def seconds(call: Callable[[], Any]) -> float:
    began = perf_counter()
    call()
    return perf_counter() - began


@pytest.mark.parametrize(
    "call",
    [
        lambda client: place(client, price=50_000, amount="0.001", tif="GTC"),
        lambda client: place(client, price=50_000, amount="0.001", tif="IOC"),
        lambda client: client.orders.batch([MARKET]),
        lambda client: client.orders.batch([bid("ALO"), bid("GTC")]),
        lambda client: client.orders.batch([bid("IOC"), bid("TOB")]),
    ],
)
def test_what_may_take_liquidity_waits(client: Client, call: Callable[[Client], Any]) -> None:
    assert seconds(lambda: call(client)) >= DELAY


def edit(client: Client) -> None:
    placed = client.orders.batch([bid("ALO")])[0].order_id
    client.orders.edit(symbol="BTC", order_id=placed, price=51_000, amount="0.001")


@pytest.mark.parametrize(
    "call",
    [
        lambda client: place(client, price=50_000, amount="0.001", tif="ALO"),
        lambda client: place(client, price=50_000, amount="0.001", tif="TOB"),
        edit,
        lambda client: client.orders.batch([bid("ALO"), bid("TOB")]),
        lambda client: client.orders.batch(
            [
                bid("ALO"),
                CancelOrder(symbol="BTC", order_id=1),
                CancelStopOrder(symbol="BTC", order_id=1),
                SetPositionTpsl(symbol="BTC", side="ask", take_profit={"stop_price": "120000"}),
            ]
        ),
    ],
)
def test_what_only_adds_cancels_or_protects_does_not_wait(
    client: Client, call: Callable[[Client], Any]
) -> None:
    # Of a few attempts the quickest counts: a busy machine is no delay.
    assert min(seconds(lambda: call(client)) for _ in range(3)) < DELAY / 2
