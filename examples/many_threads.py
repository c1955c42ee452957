"""Fifty threads share one client: the connections, the clock, the rate limit and the journal.

Usage: python examples/many_threads.py     (the environment: see examples/README.md)
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

from trading_sdk import Client, OutcomeUnknownError, RateLimitError

THREADS, ORDERS = 50, 200


def place_and_cancel(client: Client, client_order_id: UUID) -> str:
    """One order, far from the market; return what became of it."""
    try:
        placed = client.orders.create(
            symbol="BTC",
            side="bid",
            price="60000",
            amount="0.001",
            tif="ALO",
            reduce_only=False,
            client_order_id=client_order_id,
        )
        client.orders.cancel(symbol="BTC", order_id=placed.order_id)
    except OutcomeUnknownError as error:
        return f"unknown, ask for it later: {error.to_json()}"
    except RateLimitError as error:
        return f"refused, {error.retry_after} s to wait"
    return "cancelled"


def main() -> None:
    with Client.from_env(timeout=60) as client, ThreadPoolExecutor(THREADS) as threads:
        ends = list(
            threads.map(lambda id: place_and_cancel(client, id), [uuid4() for _ in range(ORDERS)])
        )
    for end in sorted(set(ends)):
        print(ends.count(end), end)


if __name__ == "__main__":
    main()
