"""A million orders through a state file; memory must not grow."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from uuid import UUID

from attrs import evolve

from tests.benchmarks.walks import memory
from trading_sandbox.engine.commands import Cancel, Command, OpenAccount, PlaceLimit
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


_ORDER = PlaceLimit(
    account="alice",
    symbol="BTC",
    side="bid",
    tif="GTC",
    price=Decimal(99_000),
    amount=Decimal("0.001"),
)


def _two_orders(number: int) -> Iterator[Command]:
    """Two orders that are cancelled, or two that trade with each other."""
    one, two = (evolve(_ORDER, client_order_id=str(UUID(int=number + n))) for n in (1, 2))
    if number % 10:
        yield from (one, two)
        for each in (one, two):
            yield Cancel(account="alice", symbol="BTC", client_order_id=each.client_order_id)
    else:
        # Now one buys and now the other, so that no position grows for ever.
        buyer, seller = ("alice", "bob") if number % 20 else ("bob", "alice")
        yield evolve(one, account=buyer, price=Decimal(100_000))
        yield evolve(two, account=seller, price=Decimal(100_000), side="ask")
