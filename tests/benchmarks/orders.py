"""Row 11: signed ALO orders a second through the sandbox, client included.

The sandbox is one process, each client another, all on this machine. A client signs and sends one
order at a time through the SDK, on one connection. The rate is that of all clients together, from
the first order to the last; the shares say who spent the processor time meanwhile. What a machine
makes of it is best told by the same clients at a server that only answers, in the same run.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.synchronize import Barrier
from pathlib import Path
from tempfile import TemporaryDirectory

import requests

from tests.benchmarks.measure import Comparison, Figure, Row, Way
from tests.benchmarks.servers import ANSWERING, SANDBOX, processor_seconds, serving
from tests.doubles.orders import resting
from trading_sdk import Client, Keypair

ORDERS = 4_000
"""A round, of all clients together."""
CLIENTS = 4
WARM_UP = 100
PRICES = 1_000


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
    bids = [resting(price=50_000 + number, amount="0.001") for number in range(PRICES)]
    with Client(url, signer=Keypair.from_base58(key)) as client:
        for number in range(WARM_UP):
            client.orders.create(**bids[number % PRICES])
        together.wait()
        before = time.process_time()
        for number in range(orders):
            client.orders.create(**bids[number % PRICES])
        spent = time.process_time() - before
        together.wait()
        return spent


def measure(name: str, *server: str) -> Mapping[str, Figure]:
    """Place orders from several client processes at once."""
    context = multiprocessing.get_context("spawn")
    with serving(*server) as (url, pid), context.Manager() as manager:
        together = manager.Barrier(CLIENTS + 1)
        with context.Pool(CLIENTS) as pool:
            keys = [funded_key(url) for _ in range(CLIENTS)]
            share = ORDERS // CLIENTS
            running = pool.starmap_async(place, [(url, key, share, together) for key in keys])
            together.wait()
            before, began = processor_seconds(pid), time.monotonic()
            together.wait()
            wall, server_spent = time.monotonic() - began, processor_seconds(pid) - before
            client_spent = sum(running.get())
    return {
        name: Figure(ORDERS / wall, "orders/s"),
        f"{name}: processor time of the client, an order": Figure(client_spent / ORDERS),
        f"{name}: processor time of the server, an order": Figure(server_spent / ORDERS),
        f"{name}: share of the client": Figure(
            100 * client_spent / (client_spent + server_spent), "%"
        ),
    }


ANSWERED, IN_MEMORY, ON_DISK = "a server that only answers", "sandbox", "sandbox --state"


def on_disk() -> Mapping[str, Figure]:
    """The sandbox with a state file, which is new each time."""
    with TemporaryDirectory() as folder:
        return measure(ON_DISK, *SANDBOX, "--state", str(Path(folder, "state.db")))


@contextmanager
def ways() -> Iterator[Sequence[Way]]:
    """Each kind of server."""
    yield (
        lambda: measure(ANSWERED, *ANSWERING),
        lambda: measure(IN_MEMORY, *SANDBOX),
        on_disk,
    )


ROW_11 = Row(
    number=11,
    what="Signed orders through the sandbox, 4 client processes",
    ways=ways,
    note="The rate is that of all clients together, from the first order to the last.",
    rounds=3,
    warm_up=0,
    comparisons=(
        Comparison(ours=IN_MEMORY, reference=ANSWERED),
        Comparison(ours=ON_DISK, reference=ANSWERED),
    ),
)
