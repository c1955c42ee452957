"""What traders do again and again."""

from __future__ import annotations

from typing import Any, Protocol

from tests.doubles.orders import resting
from trading_sdk import Client, Signer


class Connect(Protocol):
    """Makes a client that is closed when the test ends."""

    def __call__(self, signer: Signer | None = None, **options: Any) -> Client: ...


def place(client: Client, **changes: Any) -> int:
    """Place a limit order that rests; return its id."""
    return client.orders.create(**resting(**changes)).order_id
