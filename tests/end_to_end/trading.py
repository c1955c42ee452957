"""What traders do again and again. BTC has a mark price of 100,000 when the exchange opens."""

from __future__ import annotations

from decimal import Decimal
from itertools import islice
from typing import Any, Protocol

from trading_sdk import Client, DecimalLike, Order, Signer, Trade
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


def order(client: Client, order_id: int | None) -> Order:
    """Return an order as the history shows it."""
    return next(each for each in client.orders.history() if each.order_id == order_id)


def state(client: Client, order_id: int | None) -> tuple[str, str | None]:
    """Return the status of an order and the reason of it."""
    found = order(client, order_id)
    return str(found.order_status), None if found.reason is None else str(found.reason)


def latest_trade(client: Client) -> Trade:
    """Return the newest trade."""
    return next(iter(client.trades.history(limit=1)))


def latest_trades(client: Client, count: int) -> list[Trade]:
    """Return the newest trades, newest first."""
    return list(islice(client.trades.history(), count))


def position(client: Client) -> Decimal:
    """Return the size of the BTC position, as the trades add up to it."""
    signs = {"open_long": 1, "close_short": 1, "open_short": -1, "close_long": -1}
    return sum(
        (signs[each.side] * each.amount for each in client.trades.history(symbol="BTC")),
        Decimal(0),
    )
