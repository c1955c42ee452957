"""What traders do again and again. BTC has a mark price of 100,000 when the exchange opens."""

from __future__ import annotations

from typing import Any, Protocol

from trading_sdk import Client, DecimalLike, Signer
from trading_sdk.models import SideLike, TimeInForceLike

MARK = 100_000


class Connect(Protocol):
    """Makes a client that is closed when the test ends."""

    def __call__(self, signer: Signer | None = None, **options: Any) -> Client: ...


def place(
    client: Client,
    side: SideLike = "bid",
    price: DecimalLike = 90_000,
    amount: DecimalLike = "0.1",
    tif: TimeInForceLike = "ALO",
    *,
    symbol: str = "BTC",
    reduce_only: bool = False,
    **more: Any,
) -> int:
    """Place a limit order; return its id."""
    placed = client.orders.create(
        symbol=symbol,
        side=side,
        price=price,
        amount=amount,
        tif=tif,
        reduce_only=reduce_only,
        **more,
    )
    return placed.order_id


def trade(
    buyer: Client, seller: Client, price: DecimalLike = MARK, amount: DecimalLike = "0.1"
) -> None:
    """Let a buyer take what a seller offers."""
    place(seller, "ask", price, amount)
    place(buyer, "bid", price, amount, "IOC")
