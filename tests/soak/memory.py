"""A million orders through a state file; memory must not grow."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from uuid import UUID

from tests.benchmarks.walks import memory
from trading_sandbox.engine.commands import Cancel, Command, OpenAccount, PlaceLimit, Side
from trading_sandbox.service import open_service

WARM_UP = 100_000
"""Orders after which memory is first looked at."""
LARGEST_GROWTH_MIB = 50


def soak(folder: Path, orders: int) -> str:
    """Place orders; return by how much memory has grown since the warm-up, which must be little."""
    service = open_service(folder / "state", seed=7, maker=False, taker_delay=0)
    for account in ("alice", "bob"):
        service.execute(OpenAccount(account=account, usdc=Decimal(1_000_000)))
    warm = 0.0
    for number in range(0, orders, 2):
        for command in _two_orders(number):
            service.execute(command)
        if number + 2 == WARM_UP:
            warm = memory("VmRSS")
    growth = memory("VmRSS") - warm
    service.close()
    told = f"{orders} orders: memory has grown by {growth:.1f} MiB since {WARM_UP}"
    assert growth < LARGEST_GROWTH_MIB, told
    return told


def _two_orders(number: int) -> Iterator[Command]:
    """Return two orders that trade with each other, or two that are cancelled."""
    ids = [str(UUID(int=number + n + 1)) for n in range(2)]
    if number % 5 == 0:
        sides: tuple[Side, Side] = ("ask", "bid") if number % 10 else ("bid", "ask")
        yield _order("alice", sides[0], "100000", ids[0])
        yield _order("bob", sides[1], "100000", ids[1])
        return
    for client_order_id in ids:
        yield _order("alice", "bid", "99000", client_order_id)
    for client_order_id in ids:
        yield Cancel(account="alice", symbol="BTC", client_order_id=client_order_id)


def _order(account: str, side: Side, price: str, client_order_id: str) -> PlaceLimit:
    return PlaceLimit(
        account=account,
        symbol="BTC",
        side=side,
        price=Decimal(price),
        amount=Decimal("0.001"),
        tif="GTC",
        client_order_id=client_order_id,
    )
