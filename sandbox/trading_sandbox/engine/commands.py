"""What can be asked of the exchange. The same commands at the same times give the same state."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import attrs

Side = Literal["bid", "ask"]
TimeInForce = Literal["GTC", "IOC", "ALO", "TOB"]


@attrs.frozen(kw_only=True)
class OpenAccount:
    """Open an account with a deposit of USDC."""

    account: str
    usdc: Decimal


@attrs.frozen(kw_only=True)
class SetMarkPrice:
    """Set the mark price of a market."""

    symbol: str
    price: Decimal


@attrs.frozen(kw_only=True)
class PlaceLimit:
    """Place a limit order."""

    account: str
    symbol: str
    side: Side
    price: Decimal
    amount: Decimal
    tif: TimeInForce
    reduce_only: bool = False
    client_order_id: str | None = None


@attrs.frozen(kw_only=True)
class PlaceMarket:
    """Place a market order that fills within `slippage_percent` of the current price."""

    account: str
    symbol: str
    side: Side
    amount: Decimal
    slippage_percent: Decimal
    reduce_only: bool = False
    client_order_id: str | None = None


@attrs.frozen(kw_only=True)
class OrderRef:
    """An order of an account, named by exactly one of its two ids."""

    account: str
    symbol: str
    order_id: int | None = None
    client_order_id: str | None = None


@attrs.frozen(kw_only=True)
class Cancel(OrderRef):
    """Cancel an open order."""


@attrs.frozen(kw_only=True)
class Edit(OrderRef):
    """Cancel an open order and place another with a new price and amount."""

    price: Decimal
    amount: Decimal


Command = OpenAccount | SetMarkPrice | PlaceLimit | PlaceMarket | Cancel | Edit
