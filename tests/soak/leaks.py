"""A client that is used for long leaks nothing and mixes up nothing.

Threads come and go, one call in ten fails in one way or another, and each answer must be that of its
own call. Meanwhile sockets, threads and memory must not grow, nor the journal.
"""

from __future__ import annotations

import gc
import logging
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import TypeVar
from uuid import UUID

from attrs import frozen

from tests.benchmarks.walks import memory
from tests.doubles.orders import order
from tests.doubles.server import in_child
from tests.soak.echo import order_id_of
from trading_sdk import (
    BadRequestError,
    Client,
    Keypair,
    OutcomeUnknownError,
    RequestError,
)

T = TypeVar("T")
ECHO = ("-m", "tests.soak.echo")
LARGEST_GROWTH_MIB = 10
LARGEST_JOURNAL = 4 * 1024 * 1024
TIMEOUT = 5.0
"""Seconds; long enough for any thread of many to have its turn."""

THREADS = 16
ROUNDS = 50
"""How often so many threads come and go."""

_GOOD = frozenset("078")
_SETTLES = 5.0


@frozen
class Held:
    """What the process holds."""

    files: int
    threads: int
    mib: float


def held() -> Held:
    """Count what this process holds now, once what is over is gone."""
    gc.collect()
    files = len(os.listdir("/proc/self/fd"))
    return Held(files, threading.active_count(), memory("VmRSS"))


def client_of(url: str, journal: Path | None = None) -> Client:
    """A client with a key of its own."""
    return Client(url, signer=Keypair.generate(), timeout=TIMEOUT, journal=journal)


def use(client: Client, random: Random, calls: int) -> None:
    """Make calls, some of which fail, and hold every answer against its call."""
    for _ in range(calls):
        if random.random() < 0.1:
            limit = random.randint(1, 2**31)
            assert [order.order_id for order in client.orders.history(limit=limit)] == [limit]
        else:
            _place(client, random)


def _place(client: Client, random: Random) -> None:
    id_ = UUID(int=random.getrandbits(128), version=4)
    price = _price(random) if random.random() < 0.1 else "0"
    try:
        placed = client.orders.create(**order(price=price, client_order_id=id_))
    except BadRequestError as refusal:
        assert (price, refusal.error) == ("1", str(order_id_of(id_)))
    except OutcomeUnknownError as error:
        assert price in "2345679" and error.client_ids == (str(id_),), (price, error)
        with suppress(RequestError):  # without a journal there is nothing to mark
            client.acknowledge(error)
    else:
        assert price in _GOOD and placed.order_id == order_id_of(id_), (price, placed, id_)


def _price(random: Random) -> str:
    # Seldom, because a call that is never answered takes a whole timeout.
    return "9" if random.random() < 0.001 else random.choice("12345678")


def in_threads(of: Sequence[T], work: Callable[[T], None]) -> None:
    """Do something with each in a thread of its own, which are there together; raise if it fails in any."""
    together = threading.Barrier(len(of))
    with ThreadPoolExecutor(len(of), initializer=together.wait) as threads:
        list(threads.map(work, of))


def leaks(url: str, folder: Path, calls: int, seed: int) -> str:
    """Use one client for long; return a line about it."""
    journal = folder / "journal"
    share = calls // (ROUNDS * THREADS)
    with client_of(url) as client:
        use(client, Random(seed), 1)  # what a process opens once
    before = held()
    with client_of(url, journal) as client:
        warm: Held | None = None
        largest = 0
        for number in range(ROUNDS):
            randoms = [Random(f"{seed}:{number}:{n}") for n in range(THREADS)]
            in_threads(randoms, lambda random: use(client, random, share))
            largest = max(largest, journal.stat().st_size)
            if number == ROUNDS // 4:
                warm = held()
        assert warm is not None
        now = _settled(warm)
        assert client.unsettled() == []
    after = _settled(before)
    line = (
        f"{ROUNDS * THREADS * share} calls by {ROUNDS * THREADS} threads: files {warm.files} -> {now.files}, "
        f"threads {warm.threads} -> {now.threads}, memory {warm.mib:.1f} -> {now.mib:.1f} MiB, "
        f"journal up to {largest / 2**20:.1f} MiB"
    )
    assert after.files <= before.files and after.threads <= before.threads, f"{line}; {after}"
    # How many idle connections a client keeps, one a thread at most, is decided by which calls failed last.
    assert now.files < warm.files + THREADS and now.threads <= warm.threads, line
    assert now.mib - warm.mib < LARGEST_GROWTH_MIB and largest < LARGEST_JOURNAL, line
    return line


def _settled(warm: Held) -> Held:
    """What is held once connections that are being closed are closed."""
    ends = monotonic() + _SETTLES
    while (now := held()).files > warm.files and monotonic() < ends:
        sleep(0.1)
    return now


def forks(url: str, children: int, calls: int, seed: int) -> str:
    """Fork while other threads use the client; the children use it as well. Return a line.

    It has no journal, which would belong to the parent alone.
    """
    with client_of(url) as client, ThreadPoolExecutor(2) as others:
        use(client, Random(seed), calls)
        done, random = threading.Event(), Random(f"{seed}:forks")

        def work(random: Random) -> None:
            while not done.is_set():
                use(client, random, 1)

        running = others.map(work, [Random(f"{seed}:{n}") for n in range(2)])
        try:
            for _ in range(children):
                _fork(client, Random(random.random()), calls)
                use(client, random, calls)
        finally:
            done.set()
        list(running)
    return f"{children} children x {calls} calls after a fork"


def _fork(client: Client, random: Random, calls: int) -> None:
    def used() -> bool:
        # Of a log file that another thread was writing to in this moment, Python keeps the lock for ever.
        logging.disable()
        use(client, random, calls)
        return True

    # A call that is never answered takes a whole timeout.
    assert in_child(used, seconds=60), "a call of a child failed, or hangs"
