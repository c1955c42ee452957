"""`python -m tests.soak.memory`: a million orders through a state file; memory must not grow."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from uuid import UUID

from trading_sandbox.engine.commands import Cancel, Command, PlaceLimit, Side
from trading_sandbox.engine.control_commands import OpenAccount
from trading_sandbox.service import Service, open_service

WARM_UP = 100_000
"""Orders after which memory is first looked at."""
LARGEST_GROWTH_MIB = 50


def main() -> int:
    """Place orders, print the rate and the memory, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.memory", description=__doc__)
    parser.add_argument("--orders", type=int, default=1_000_000)
    orders = parser.parse_args().orders
    with TemporaryDirectory() as folder:
        growth = run(Path(folder) / "state", orders)
    return 0 if growth < LARGEST_GROWTH_MIB else 1


def run(file: Path, orders: int) -> float:
    """Place orders; return by how many MiB memory has grown since the warm-up."""
    service = open_service(file, seed=7, maker=False, taker_delay=0)
    for account in ("alice", "bob"):
        service.execute(OpenAccount(account=account, usdc=Decimal(1_000_000)))
    began, warm = monotonic(), 0.0
    for number in range(0, orders, 2):
        for command in _two_orders(number):
            service.execute(command)
        done = number + 2
        if done == WARM_UP:
            warm = resident_mib()
        if done % WARM_UP == 0:
            rate = done / (monotonic() - began)
            print(f"{done} orders: {rate:.0f}/s, {resident_mib():.0f} MiB", flush=True)
    growth = resident_mib() - warm
    size = file.stat().st_size / 2**20
    print(f"grown by {growth:.1f} MiB since {WARM_UP} orders; the file has {size:.0f} MiB")
    _look_back(service)
    return growth


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


def _look_back(service: Service) -> None:
    """Print how long a large page of the history takes, and a restart."""
    began = monotonic()
    records, _ = service.page("orders", "alice", limit=4000)
    print(f"a page of {len(records)} orders: {(monotonic() - began) * 1000:.1f} ms")
    service.close()


def resident_mib() -> float:
    """Return the memory that this process has at the moment."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise RuntimeError("this system does not tell: there is no VmRSS")


if __name__ == "__main__":
    sys.exit(main())
