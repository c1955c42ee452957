"""Records of the exchange as JSON, as they are stored and sent, made with the generated models."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple
from uuid import UUID

import attrs

import trading_sdk
from trading_runtime import unstructure
from trading_sandbox.engine.money import plain, shortest
from trading_sandbox.engine.records import (
    BalanceEvent,
    Changes,
    Funding,
    FundingPayment,
    Order,
    Trade,
    Withdrawal,
)

History = Literal[
    "orders", "trades", "spot_balances", "withdrawals", "fundings", "payments", "market_trades"
]


class Row(NamedTuple):
    """A record as JSON, with the columns by which histories are filtered and sorted."""

    list: History
    owner: str
    """The account; for a funding record and a trade of a market, the market."""
    id: int
    symbol: str
    created_at: int
    record: str


def rows(changes: Changes) -> Iterator[Row]:
    """Return the rows of all records that a command has created or changed."""
    for order in changes.orders.values():
        yield order_row(order)
    for trade in changes.trades:
        yield _row("trades", trade.account, trade.history_id, trade, _trade)
        if trade.is_public:
            yield _plain_row("market_trades", trade.symbol, trade, _market_trade(trade))
    for event in changes.balance_events:
        yield _row("spot_balances", event.account, event.event_id, event, _balance_event)
    for withdrawal in changes.withdrawals:
        yield _row(
            "withdrawals", withdrawal.account, withdrawal.batch_nonce, withdrawal, _withdrawal
        )
    for funding in changes.fundings:
        yield _row("fundings", funding.symbol, funding.created_at, funding, _funding)
    for payment in changes.payments:
        yield _plain_row("payments", payment.account, payment, _payment(payment))


def order_row(order: Order) -> Row:
    """Return the row of an order as it is now."""
    return _row("orders", order.account, order.order_id, order, _order)


def _row(
    history: History,
    owner: str,
    record_id: int,
    record: Any,
    model: Callable[[Any], attrs.AttrsInstance],
) -> Row:
    text = _encoder.encode(_sent(model(record)))
    return Row(history, owner, record_id, record.symbol, record.created_at, text)


def _plain_row(
    history: History, owner: str, record: Trade | FundingPayment, fields: dict[str, Any]
) -> Row:
    """Return the row of a record of which the documented interface has no model."""
    text = _encoder.encode(fields)
    return Row(history, owner, record.history_id, record.symbol, record.created_at, text)


def _market_trade(trade: Trade) -> dict[str, Any]:
    return {
        "event_type": trade.event_type,
        "price": shortest(trade.price),
        "amount": shortest(trade.amount),
        "side": trade.side,
        "cause": trade.cause,
        "created_at": trade.created_at,
    }


def _payment(payment: FundingPayment) -> dict[str, Any]:
    return {
        "history_id": payment.history_id,
        "symbol": payment.symbol,
        "side": "bid" if payment.size > 0 else "ask",
        "amount": shortest(abs(payment.size)),
        "payout": shortest(payment.payout),
        "rate": shortest(payment.rate),
        "created_at": payment.created_at,
    }


def _order(order: Order) -> trading_sdk.Order:
    stop = order.stop
    return trading_sdk.Order(
        order_id=order.order_id,
        client_order_id=_uuid(order.client_order_id),
        symbol=order.symbol,
        side=order.side,
        price=plain(order.price),
        initial_price=plain(order.initial_price),
        average_filled_price=plain(order.average_price),
        amount=plain(order.amount),
        filled_amount=plain(order.filled),
        order_status=order.status,
        order_type=order.order_type,
        stop_price=None if stop is None else plain(stop.price),
        stop_parent_order_id=order.attached,
        reduce_only=order.reduce_only,
        reason=order.reason,
        created_at=order.created_at,
        updated_at=order.updated_at,
    )


def _trade(trade: Trade) -> trading_sdk.Trade:
    return trading_sdk.Trade(
        history_id=trade.history_id,
        order_id=trade.order_id,
        client_order_id=_uuid(trade.client_order_id),
        symbol=trade.symbol,
        amount=plain(trade.amount),
        price=plain(trade.price),
        entry_price=plain(trade.entry_price),
        fee=plain(trade.fee),
        pnl=plain(trade.pnl),
        event_type=trade.event_type,
        side=trade.side,
        created_at=trade.created_at,
        cause=trade.cause,
    )


def _balance_event(event: BalanceEvent) -> trading_sdk.SpotBalanceEvent:
    return trading_sdk.SpotBalanceEvent(
        amount=plain(event.amount),
        balance=plain(event.balance),
        symbol=event.symbol,
        event_type=event.event_type,
        created_at=event.created_at,
    )


def _withdrawal(withdrawal: Withdrawal) -> trading_sdk.SpotWithdrawal:
    return trading_sdk.SpotWithdrawal(
        symbol=withdrawal.symbol,
        amount=plain(withdrawal.amount),
        batch_nonce=withdrawal.batch_nonce,
        transaction_id=withdrawal.transaction_id,
        created_at=withdrawal.created_at,
    )


def _funding(funding: Funding) -> trading_sdk.FundingRecord:
    return trading_sdk.FundingRecord(
        oracle_price=plain(funding.oracle_price),
        bid_impact_price=plain(funding.bid_impact_price),
        ask_impact_price=plain(funding.ask_impact_price),
        funding_rate=plain(funding.funding_rate),
        next_funding_rate=plain(funding.next_funding_rate),
        created_at=funding.created_at,
    )


_encoder = json.JSONEncoder(separators=(",", ":"), check_circular=False)
_NULLS: dict[type[Any], dict[str, None]] = {
    model: dict.fromkeys(field.name for field in attrs.fields(model))
    for model in (
        trading_sdk.Order,
        trading_sdk.Trade,
        trading_sdk.SpotBalanceEvent,
        trading_sdk.SpotWithdrawal,
        trading_sdk.FundingRecord,
    )
}


def _sent(model: attrs.AttrsInstance) -> dict[str, Any]:
    """Return the fields of a model; a field without a value is null, not absent."""
    return {**_NULLS[type(model)], **unstructure(model)}


def _uuid(text: str | None) -> UUID | None:
    return None if text is None else UUID(text)
