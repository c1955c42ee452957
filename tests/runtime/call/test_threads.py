"""A client that 32 threads share: every answer is that of its own call, whatever happens to others.

tests/soak/leaks.py does the same with a thousand calls a thread, and with forks in between.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.doubles.server import Peer, Server, answer
from tests.doubles.signer import KEY
from trading_sdk import BadRequestError, Client, OutcomeUnknownError

THREADS = 32
CALLS = 12


def echo(peer: Peer) -> None:
    """Answer each request with its own number; every 5th is refused, every 7th cut, every 11th reset."""
    while True:
        body = json.loads(peer.read_request())
        peer.server.requests.pop()
        number = body["order_id"]
        if number % 11 == 0:
            return peer.reset()
        if number % 7 == 0:
            return peer.send(answer(json.dumps({"order_id": number}).encode())[:-3])
        if number % 5 == 0:
            peer.send(answer(f'{{"error":"{number}"}}'.encode(), status="400 Bad Request"))
        else:
            peer.send(answer(json.dumps({"order_id": number}).encode()))


@pytest.fixture
def client() -> Iterator[Client]:
    with Server(echo) as server, Client(server.url, signer=KEY, timeout=20) as made:
        yield made


def edit(client: Client, number: int) -> str:
    """Make the call of a number and say what came of it, or of which other number it came."""
    try:
        placed = client.orders.edit(symbol="BTC", price=1, amount=1, order_id=number)
    except BadRequestError as refusal:
        return "refused" if refusal.error == str(number) else refusal.error
    except OutcomeUnknownError as error:
        sent = error.intent.messages[0].fields["order_id"]
        return "unknown" if sent == number else f"unknown of {sent}"
    return "placed" if placed.order_id == number else f"placed as {placed.order_id}"


def expected(number: int) -> str:
    if number % 11 == 0 or number % 7 == 0:
        return "unknown"
    return "refused" if number % 5 == 0 else "placed"


def test_no_thread_gets_the_answer_of_another(client: Client) -> None:
    together = threading.Barrier(THREADS)

    def work(thread: int) -> list[tuple[int, str]]:
        together.wait(20)
        numbers = range(1 + thread * CALLS, 1 + (thread + 1) * CALLS)
        return [(number, edit(client, number)) for number in numbers]

    with ThreadPoolExecutor(THREADS) as pool:
        done = [each for found in pool.map(work, range(THREADS)) for each in found]
    assert len(done) == THREADS * CALLS
    assert [(n, found) for n, found in done if found != expected(n)] == []
