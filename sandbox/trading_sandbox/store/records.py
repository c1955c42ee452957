"""Records of the exchange as JSON, as they are stored and sent, with the names of the generated models."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, NamedTuple

import attrs

import trading_sdk
from trading_sandbox.engine.money import shortest
from trading_sandbox.engine.records import USDC, Changes, Order

History = Literal[
    "orders",
    "order_events",
    "trades",
    "balances",
    "spot_balances",
    "deposits",
    "withdrawals",
    "fundings",
    "payments",
    "market_trades",
]


class Row(NamedTuple):
    """A record as JSON, with the columns by which histories are filtered and sorted."""

    list: History
    owner: str
    """The account; for a funding record and a trade of a market, the market; for an event, the order."""
    id: int
    symbol: str
    created_at: int
    record: str


def _names(model: type[attrs.AttrsInstance]) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(model))


_ORDER = _names(trading_sdk.Order)
_TRADE = _names(trading_sdk.Trade)
_BALANCE_EVENT = _names(trading_sdk.SpotBalanceEvent)
_WITHDRAWAL = _names(trading_sdk.SpotWithdrawal)
_FUNDING = _names(trading_sdk.FundingRecord)
# The documented interface has no models of these.
_DEPOSIT = ("symbol", "amount", "transaction_id", "created_at")
_MARKET_TRADE = ("event_type", "price", "amount", "side", "cause", "created_at")
_PAYMENT = ("history_id", "symbol", "side", "amount", "payout", "rate", "created_at")
_ORDER_EVENT = (
    *("history_id", "event_type", "order_id", "client_order_id", "symbol", "side", "price"),
    *("initial_amount", "filled_amount", "cancelled_amount", "stop_price", "order_type"),
    *("order_status", "stop_parent_order_id", "reduce_only", "created_at"),
)
_OWN_NAMES = {
    "average_filled_price": "average_price",
    "filled_amount": "filled",
    "order_status": "status",
    "stop_parent_order_id": "attached",
}
"""What the exchange calls the fields of records that have another name on the wire."""
_NAMES_OF_EVENTS = {
    **_OWN_NAMES,
    "history_id": "li",
    "event_type": "kind",
    "initial_amount": "amount",
    "cancelled_amount": "cancelled",
}


def rows(changes: Changes) -> Iterator[Row]:
    """Return the rows of all records that a command has created or changed."""
    for order in changes.orders.values():
        yield order_row(order)
    for event in changes.order_events:
        owner = str(event.order_id)
        yield _row("order_events", owner, event.li, event, _ORDER_EVENT, _NAMES_OF_EVENTS)
    for trade in changes.trades:
        yield _row("trades", trade.account, trade.history_id, trade, _TRADE)
        if trade.is_public:
            yield _row("market_trades", trade.symbol, trade.history_id, trade, _MARKET_TRADE)
    for balance in changes.balance_events:
        history: History = "balances" if balance.symbol == USDC else "spot_balances"
        yield _row(history, balance.account, balance.event_id, balance, _BALANCE_EVENT)
        if history == "spot_balances" and balance.event_type == "deposit":
            yield _row("deposits", balance.account, balance.event_id, balance, _DEPOSIT)
    for each in changes.withdrawals:
        yield _row("withdrawals", each.account, each.batch_nonce, each, _WITHDRAWAL)
    for funding in changes.fundings:
        yield _row("fundings", funding.symbol, funding.created_at, funding, _FUNDING)
    for payment in changes.payments:
        yield _row("payments", payment.account, payment.history_id, payment, _PAYMENT)


def order_row(order: Order) -> Row:
    """Return the row of an order as it is now."""
    return _row("orders", order.account, order.order_id, order, _ORDER)


def _row(
    history: History,
    owner: str,
    record_id: int,
    record: Any,
    names: Sequence[str],
    own: Mapping[str, str] = _OWN_NAMES,
) -> Row:
    # A field that the exchange does not have is null, not absent.
    fields = {name: _sent(getattr(record, own.get(name, name), None)) for name in names}
    text = _encoder.encode(fields)
    return Row(history, owner, record_id, record.symbol, record.created_at, text)


def _sent(value: Any) -> Any:
    return shortest(value) if isinstance(value, Decimal) else value


_encoder = json.JSONEncoder(separators=(",", ":"), check_circular=False)
