"""Records of the exchange as they are sent, through the generated models."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import UUID

import attrs

import trading_sdk
from trading_runtime import wire
from trading_sandbox.engine.funding import Funding
from trading_sandbox.engine.money import shortest
from trading_sandbox.engine.records import Order, Trade


def order_record(order: Order) -> dict[str, Any]:
    """Return an order as the order history lists it (interface section 2.1)."""
    return _sent(
        trading_sdk.Order(
            order_id=order.order_id,
            client_order_id=_uuid(order.client_order_id),
            symbol=order.symbol,
            side=order.side,
            price=_short(order.price),
            initial_price=_short(order.initial_price),
            average_filled_price=_short(order.average_price),
            amount=_short(order.amount),
            filled_amount=_short(order.filled),
            order_status=order.status,
            order_type=order.order_type,
            reduce_only=order.reduce_only,
            reason=order.reason,
            created_at=order.created_at,
            updated_at=order.updated_at,
        )
    )


def trade_record(trade: Trade) -> dict[str, Any]:
    """Return a trade as the trade history lists it (interface section 2.2)."""
    return _sent(
        trading_sdk.Trade(
            history_id=trade.history_id,
            order_id=trade.order_id,
            client_order_id=_uuid(trade.client_order_id),
            symbol=trade.symbol,
            amount=_short(trade.amount),
            price=_short(trade.price),
            entry_price=_short(trade.price),
            fee=_short(trade.fee),
            pnl=_short(trade.pnl),
            event_type=trade.event_type,
            side=trade.side,
            created_at=trade.created_at,
            cause=trading_sdk.TradeCause.NORMAL,
        )
    )


def funding_record(funding: Funding) -> dict[str, Any]:
    """Return a funding record as the funding history lists it (interface section 2.5)."""
    return _sent(
        trading_sdk.FundingRecord(
            oracle_price=_short(funding.oracle_price),
            bid_impact_price=_short(funding.bid_impact_price),
            ask_impact_price=_short(funding.ask_impact_price),
            funding_rate=_short(funding.funding_rate),
            next_funding_rate=_short(funding.next_funding_rate),
            created_at=funding.created_at,
        )
    )


def _sent(model: attrs.AttrsInstance) -> dict[str, Any]:
    """Return the fields of a model; those without a value are null rather than absent."""
    names = [field.name for field in attrs.fields(type(model))]
    return {**dict.fromkeys(names), **wire.unstructure(model)}


def _short(value: Decimal) -> Decimal:
    return Decimal(shortest(value))


def _uuid(text: str | None) -> UUID | None:
    return None if text is None else UUID(text)
