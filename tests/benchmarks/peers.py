"""What a user would write without this package, as well as can be."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from time import time
from typing import Annotated, Any, TypeAlias, TypeVar
from uuid import UUID, uuid4

import base58
import solders.keypair
from pydantic import BaseModel, Field

from trading_sdk import OrderReason, OrderStatus, OrderType, Side

T = TypeVar("T")

# -- signing: dicts sorted in Python, solders, base58 -------------------------------------------


class UsualSigner:
    """Signs as the public examples of the service do."""

    def __init__(self, seed: bytes) -> None:
        """Sign for the account of this seed."""
        self._keypair = solders.keypair.Keypair.from_seed(seed)
        self._account = str(self._keypair.pubkey())

    def body(self, type_: str, arguments: Mapping[str, Any]) -> bytes:
        """The finished body of an operation: section 5.1 of the interface document, step by step."""
        data = {**arguments, "client_order_id": str(uuid4())}
        header = {"type": type_, "timestamp": int(time() * 1000), "expiry_window": 30_000}
        message = sorted_keys({**header, "data": data})
        compact = json.dumps(message, separators=(",", ":"))
        signature = bytes(self._keypair.sign_message(compact.encode()))
        body = {
            "account": self._account,
            "signature": base58.b58encode(signature).decode("ascii"),
            "timestamp": header["timestamp"],
            "expiry_window": header["expiry_window"],
            **data,
        }
        return json.dumps(body).encode()


def sorted_keys(value: Any) -> Any:
    """A copy with the keys of every object sorted."""
    if isinstance(value, dict):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [sorted_keys(item) for item in value]
    return value


# -- typed pages: pydantic ----------------------------------------------------------------------

# Left to right, because pydantic would otherwise take the text as it is, and never find the member.
_Open: TypeAlias = Annotated[T | str, Field(union_mode="left_to_right")]


class FundingRecord(BaseModel):
    """As in section 2.5."""

    oracle_price: Decimal
    bid_impact_price: Decimal
    ask_impact_price: Decimal
    funding_rate: Decimal
    next_funding_rate: Decimal
    created_at: int


class Order(BaseModel):
    """As in section 2.1."""

    order_id: int
    client_order_id: UUID | None = None
    symbol: str
    side: _Open[Side]
    initial_price: Decimal
    average_filled_price: Decimal
    amount: Decimal
    filled_amount: Decimal
    order_status: _Open[OrderStatus]
    order_type: _Open[OrderType]
    stop_price: Decimal | None = None
    stop_parent_order_id: int | None = None
    reduce_only: bool
    reason: _Open[OrderReason] | None = None
    created_at: int
    updated_at: int
    price: Decimal | None = None


class _Page(BaseModel):
    success: bool
    next_cursor: str | None
    has_more: bool


class FundingPage(_Page):
    """A page of funding records."""

    data: list[FundingRecord]


class OrderPage(_Page):
    """A page of orders."""

    data: list[Order]
