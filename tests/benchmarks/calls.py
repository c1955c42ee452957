"""Rows 2, 3 and 9: whole calls at a server that looks at nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.parse import urlsplit

import requests
import urllib3

from tests.benchmarks.measure import Comparison, Row, Way, cpu, rate
from tests.benchmarks.servers import ANSWERING, serving
from tests.benchmarks.signing import SEED, order
from trading_runtime.transport import Response
from trading_runtime.wire import decode
from trading_sdk import Client, Keypair
from trading_sdk.operations import ORDERS_CREATE

TIMES = 50
"""Calls a round."""
THREADS = 8


def create(client: Client) -> int:
    """Place an order; return its id."""
    return client.orders.create(
        symbol="BTC", price="50000.5", amount="0.001", side="bid", tif="ALO", reduce_only=False
    ).order_id


def signed_body(client: Client) -> bytes:
    """What `create` sends."""
    return client._caller.sign(ORDERS_CREATE, order()).content.encode()


def without_machinery(client: Client, url: str) -> Callable[[], int]:
    """The same call with no deadline, retry, intent, clock or rate: signed, sent and decoded."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    pool = urllib3.HTTPConnectionPool(parts.hostname, parts.port, maxsize=1)
    headers = {
        "User-Agent": "trading-service-sdk",
        "Accept-Encoding": "gzip",
        "Content-Type": "application/json",
    }

    def call() -> int:
        raw = pool.urlopen(
            "POST",
            ORDERS_CREATE.path,
            body=signed_body(client),
            headers=headers,
            retries=False,
        )
        return decode(ORDERS_CREATE, Response(raw.status, raw.headers, raw.data)).order_id

    return call


# -- row 2 ------------------------------------------------------------------------------------

OURS = "client.orders.create"
SESSION, NO_SESSION = "requests.Session().post(url, json=body)", "requests.post(url, json=body)"


@contextmanager
def at_requests() -> Iterator[Sequence[Way]]:
    """A call of ours, and what requests takes to send a body that is already signed."""
    with (
        serving(*ANSWERING) as (url, _),
        Client(url, signer=Keypair(SEED)) as client,
        requests.Session() as session,
    ):
        body, target = json.loads(signed_body(client)), f"{url}{ORDERS_CREATE.path}"
        yield (
            cpu(OURS, lambda: create(client), TIMES),
            cpu(SESSION, lambda: session.post(target, json=body), TIMES),
            cpu(NO_SESSION, lambda: requests.post(target, json=body), TIMES),
        )


ROW_2 = Row(
    number=2,
    what="client.orders.create at a server that answers at once, processor time",
    ways=at_requests,
    rounds=31,
    note="requests sends a body that was signed beforehand; ours is signed in every call.",
    comparisons=(
        Comparison(ours=OURS, reference=SESSION, at_most=0.9),
        Comparison(ours=OURS, reference=NO_SESSION, at_most=0.35),
    ),
)

# -- row 3 ------------------------------------------------------------------------------------

PLAIN, JOURNALED = "sign, urllib3 and decode alone", "client.orders.create with a journal"


@contextmanager
def at_plain() -> Iterator[Sequence[Way]]:
    """A call of ours, without a journal and with one, and without anything that guards it."""
    with ExitStack() as stack:
        url, _ = stack.enter_context(serving(*ANSWERING))
        folder = stack.enter_context(TemporaryDirectory())
        signer = Keypair(SEED)
        client = stack.enter_context(Client(url, signer=signer))
        journaled = stack.enter_context(Client(url, signer=signer, journal=Path(folder, "journal")))
        yield (
            cpu(OURS, lambda: create(client), TIMES),
            cpu(PLAIN, without_machinery(client, url), TIMES),
            cpu(JOURNALED, lambda: create(journaled), TIMES),
        )


ROW_3 = Row(
    number=3,
    what="The same with deadline, retry, intents, clock and rates",
    ways=at_plain,
    rounds=31,
    note=(
        "What is left alone has the same arguments, signature and decoding, and a pool of urllib3 "
        "in between. A journal waits for the disk twice a call, which is no processor time."
    ),
    comparisons=(
        Comparison(ours=OURS, reference=PLAIN, at_most=1.1),
        Comparison(ours=JOURNALED, reference=PLAIN),
    ),
)

# -- row 9 ------------------------------------------------------------------------------------

TOGETHER, ALONE = f"{THREADS} threads sharing a client", "one thread"


def from_threads(client: Client, threads: int, calls: int) -> int:
    """Place orders from several threads at once; return how many."""

    def share() -> None:
        for _ in range(calls // threads):
            placed.append(create(client))

    placed: list[int] = []
    running = [Thread(target=share) for _ in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return len(placed)


def threads_row(what: str, server: Sequence[str], calls: int, at_least: float) -> Row:
    """Both ways to place so many orders, at a server."""

    @contextmanager
    def ways() -> Iterator[Sequence[Way]]:
        with serving(*server) as (url, _), Client(url, signer=Keypair(SEED)) as client:
            yield (
                rate(TOGETHER, "calls", lambda: from_threads(client, THREADS, calls)),
                rate(ALONE, "calls", lambda: from_threads(client, 1, calls)),
            )

    comparison = Comparison(ours=TOGETHER, reference=ALONE, at_least=at_least)
    return Row(number=9, what=what, ways=ways, rounds=15, comparisons=(comparison,))


ROWS_9 = (
    threads_row("Threads at a server that answers at once", ANSWERING, 800, 1.0),
    threads_row(
        "Threads at a server that answers after 20 ms",
        (*ANSWERING, "--after", "0.02"),
        40,
        6.0,
    ),
)
