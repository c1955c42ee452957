"""A client that 32 threads share: every answer is that of its own call, whatever happens to others.

tests/soak/leaks.py does the same with a thousand calls a thread, and with forks in between.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.doubles.server import Peer, Server, answer
from trading_sdk import BadRequestError, Client, Keypair, OutcomeUnknownError

THREADS = 32
CALLS = 12
KEYS = [Keypair(bytes([number + 1]) * 32) for number in range(THREADS)]


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
    with Server(echo) as server, Client(server.url, signer=KEYS[0], timeout=20) as made:
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


def test_clients_of_several_accounts_do_not_mix_them_up() -> None:
    seen: list[tuple[str, str]] = []

    def check(peer: Peer) -> None:
        while True:
            body = json.loads(peer.read_request())
            head = peer.server.requests.pop().partition(b"\r\n\r\n")[0].decode()
            key = re.search("PF-API-KEY: (.*)", head)
            seen.append((body["account"], key[1].strip() if key else ""))
            peer.send(answer(b'{"order_id":%d}' % len(seen)))

    with Server(check) as server:
        clients = [Client(server.url, signer=k, api_key=f"key of {k.address}") for k in KEYS[:8]]

        def work(client: Client) -> None:
            for _ in range(3):
                client.orders.edit(symbol="BTC", price=1, amount=1, order_id=1)

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, clients))
        for client in clients:
            client.close()
    assert len(seen) == 24
    assert {key for _, key in seen} == {f"key of {k.address}" for k in KEYS[:8]}
    assert all(key == f"key of {account}" for account, key in seen)
