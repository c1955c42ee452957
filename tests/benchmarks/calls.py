"""Rows 2, 3 and 9: whole calls at a server that looks at nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from urllib.parse import urlsplit

import requests
import urllib3

from tests.benchmarks.measure import Comparison, Row, Way, cpu, rate
from tests.benchmarks.servers import ANSWERING, serving
from tests.benchmarks.signing import ARGUMENTS, SEED, body
from trading_runtime.codec.answers import ResultReader
from trading_sdk import Client, Keypair, OrderPlaced
from trading_sdk.operations import ORDERS_CREATE

TIMES = 50
"""Calls a round."""
THREADS = 8


def create(client: Client) -> int:
    """Place an order; return its id."""
    return client.orders.create(**ARGUMENTS).order_id


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

    reader: ResultReader[OrderPlaced] = ResultReader(ORDERS_CREATE)

    def call() -> int:
        raw = pool.urlopen(
            "POST",
            ORDERS_CREATE.path,
            body=body(client),
            headers=headers,
            retries=False,
        )
        return reader.read(raw.status, raw.data).order_id

    return call


# -- row 2 ------------------------------------------------------------------------------------

OURS = "client.orders.create"
SESSION, NO_SESSION = "requests.Session().post(url, json=body)", "requests.post(url, json=body)"


@contextmanager
def at_requests() -> Iterator[Sequence[Way]]:
    """A call of ours, and what requests takes to send a body that is already signed."""
    with (
        serving(*ANSWERING) as url,
        Client(url, signer=Keypair(SEED)) as client,
        requests.Session() as session,
    ):
        sent, target = json.loads(body(client)), f"{url}{ORDERS_CREATE.path}"
        yield (
            cpu(OURS, lambda: create(client), TIMES),
            cpu(SESSION, lambda: session.post(target, json=sent), TIMES),
            cpu(NO_SESSION, lambda: requests.post(target, json=sent), TIMES),
        )


WHERE_A_CALL_GOES = (
    "A call without a session takes only half as long again here as one with a session. Ours goes through a "
    "session, too, so that what people have for requests works: requests, urllib3, http.client and the parser of "
    "e-mails that it reads headers with take half of it, the kernel and the signature a quarter. Past the session, "
    "as in 0.2, the ratio was 0.43 x. For 0.35 x it would take http.client alone."
)

ROW_2 = Row(
    number=2,
    what="client.orders.create at a server that answers at once, processor time",
    ways=at_requests,
    rounds=31,
    note="requests sends a body that was signed beforehand; ours is signed in every call.",
    comparisons=(
        Comparison(ours=OURS, reference=SESSION, at_most=0.9),
        Comparison(
            ours=OURS, reference=NO_SESSION, at_most=0.35, reached=0.56, why=WHERE_A_CALL_GOES
        ),
    ),
)

# -- row 3 ------------------------------------------------------------------------------------

PLAIN = "sign, urllib3 and decode alone"


@contextmanager
def at_plain() -> Iterator[Sequence[Way]]:
    """A call of ours, and one without anything that guards it."""
    with serving(*ANSWERING) as url, Client(url, signer=Keypair(SEED)) as client:
        yield (
            cpu(OURS, lambda: create(client), TIMES),
            cpu(PLAIN, without_machinery(client, url), TIMES),
        )


WHERE_IT_GOES = (
    "The session of requests and the deadline are half of the difference. The rest "
    "is what is written down of a call before it is sent, the loop of its attempts, and what is learnt "
    "from the headers of its answer. To read the answer is 3 % of a call, and the same on both sides."
)

ROW_3 = Row(
    number=3,
    what="The same with deadline, retry, intents, clock and rates",
    ways=at_plain,
    rounds=31,
    note=(
        "What is left alone has the same arguments, signature and decoding, and a pool of urllib3 "
        "in between."
    ),
    comparisons=(
        Comparison(ours=OURS, reference=PLAIN, at_most=1.1, reached=1.4, why=WHERE_IT_GOES),
    ),
)

# -- row 9 ------------------------------------------------------------------------------------

TOGETHER, ALONE = f"{THREADS} threads sharing a client", "one thread"
THE_LOCK = (
    "Every system call lets go of the lock of the interpreter, and to hand it to a thread on the other "
    "processor takes longer than to wait for this server. It is much the same with requests. "
    "With the client kept on one processor (`taskset -c 0`) the ratio was 1.0 to 1.5 x, with "
    "the server on that one as well 0.9 to 1.3 x. It takes processes, or a Python without that lock."
)


def in_threads(threads: int, calls: int, client: Client) -> int:
    """Let threads place so many orders together; return how many were placed."""

    def place(number: int) -> int:
        return len([create(client) for _ in range(number)])

    with ThreadPoolExecutor(threads) as running:
        return sum(running.map(place, [calls // threads] * threads))


def threads_row(what: str, server: Sequence[str], calls: int, comparison: Comparison) -> Row:
    """Orders of one thread and of several at a server."""

    @contextmanager
    def ways() -> Iterator[Sequence[Way]]:
        with serving(*server) as url, Client(url, signer=Keypair(SEED)) as client:
            yield (
                rate(TOGETHER, "calls", lambda: in_threads(THREADS, calls, client)),
                rate(ALONE, "calls", lambda: in_threads(1, calls, client)),
            )

    return Row(number=9, what=what, ways=ways, rounds=15, comparisons=[comparison])


ROWS_9 = (
    threads_row(
        "Threads at a server that answers at once",
        ANSWERING,
        800,
        Comparison(ours=TOGETHER, reference=ALONE, at_least=1.0, reached=0.5, why=THE_LOCK),
    ),
    threads_row(
        "Threads at a server that answers after 20 ms, where a lock held meanwhile would show",
        (*ANSWERING, "0.02"),
        40,
        Comparison(ours=TOGETHER, reference=ALONE, at_least=6.0),
    ),
)
