"""Signed ALO orders a second through the sandbox, client included; `nox -s bench` runs it.

The sandbox is one process, each client another, all on this machine. A client signs and sends one
order at a time through the SDK, on one connection. The rate is that of all clients together, from
the first order to the last; the shares say who spent the processor time meanwhile. What a machine
makes of it is best told by the same clients at a server that only answers, in the same run.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

import requests

from trading_sdk import Client, Keypair

TARGET = 1_000
"""What the sandbox is meant to take, in orders a second."""
WARM_UP = 100
PRICES = 1_000


class Round(NamedTuple):
    """One measurement, in seconds but for the number of orders."""

    orders: int
    wall: float
    client: float
    server: float

    @property
    def rate(self) -> float:
        return self.orders / self.wall


SANDBOX = ("-m", "trading_sandbox", "--port", "0", "--no-maker")
ANSWERING = ("-m", "tests.benchmarks.answering")


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[str, int]]:
    """Run a server; yield its URL and the id of its process."""
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
            assert found is not None, "the server did not start"
            yield found[0], process.pid
        finally:
            process.terminate()
            process.communicate()


def funded_key(url: str) -> str:
    """Open an account that can pay for all the orders; return its private key."""
    answer = requests.post(
        f"{url}/sandbox/v1/create_account", json={"usdc": "100000000"}, timeout=10
    )
    answer.raise_for_status()
    found = answer.json()
    # The server that only answers opens no accounts, and takes orders of anybody.
    return str(found["result"]["private_key"]) if "result" in found else _any_key()


def _any_key() -> str:
    return Keypair.generate().export_base58()


def place(url: str, key: str, orders: int, together: Barrier) -> float:
    """Place orders that rest, starting with the other clients; return processor seconds."""
    with Client(url, signer=Keypair.from_base58(key)) as client:

        def order(number: int) -> None:
            client.orders.create(
                symbol="BTC",
                side="bid",
                price=50_000 + number % PRICES,
                amount="0.001",
                tif="ALO",
                reduce_only=False,
            )

        for number in range(WARM_UP):
            order(number)
        together.wait()
        before = time.process_time()
        for number in range(orders):
            order(number)
        spent = time.process_time() - before
        together.wait()
        return spent


def measure(orders: int, clients: int, *server: str) -> Round:
    """Place orders from several client processes at once."""
    context = multiprocessing.get_context("spawn")
    with serving(*server) as (url, pid), context.Manager() as manager:
        together = manager.Barrier(clients + 1)
        share = orders // clients
        with context.Pool(clients) as pool:
            keys = [funded_key(url) for _ in range(clients)]
            running = pool.starmap_async(place, [(url, key, share, together) for key in keys])
            together.wait()
            before, began = processor_seconds(pid), time.monotonic()
            together.wait()
            wall, spent = time.monotonic() - began, processor_seconds(pid) - before
            return Round(share * clients, wall, sum(running.get()), spent)


def processor_seconds(pid: int) -> float:
    """Return what a process has used up so far; 0 where the system does not tell."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.is_file():
        return 0.0
    fields = stat.read_text("ascii").rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return ticks / 100


def report(title: str, rounds: list[Round], reference: list[Round]) -> None:
    """Print the median of some rounds, their spread, and how it compares."""
    rates = sorted(each.rate for each in rounds)
    client = statistics.median(each.client / each.orders for each in rounds) * 1e6
    server = statistics.median(each.server / each.orders for each in rounds) * 1e6
    ratio = statistics.median(rates) / statistics.median(each.rate for each in reference)
    print(
        f"{title:<20}{statistics.median(rates):>7,.0f} orders/s "
        f"({rates[0]:,.0f} to {rates[-1]:,.0f}), {ratio:.2f} x a server that only answers; "
        f"processor time of an order: client {client:,.0f} us, server {server:,.0f} us"
    )


def main() -> None:
    """Measure each kind of server in turns, and print them side by side."""
    parser = argparse.ArgumentParser(description="Signed ALO orders a second, client included.")
    parser.add_argument("--orders", type=int, default=6_000)
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    reference, in_memory, on_disk = [], [], []
    for _ in range(options.rounds):
        reference.append(measure(options.orders, options.clients, *ANSWERING))
        in_memory.append(measure(options.orders, options.clients, *SANDBOX))
        with tempfile.TemporaryDirectory() as folder:
            state = ("--state", str(Path(folder, "state.db")))
            on_disk.append(measure(options.orders, options.clients, *SANDBOX, *state))
    report("only answering", reference, reference)
    report("sandbox", in_memory, reference)
    report("sandbox --state", on_disk, reference)
    print(f"The sandbox is meant to take {TARGET:,} orders/s on a machine with two free cores.")


if __name__ == "__main__":
    main()
