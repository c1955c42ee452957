"""What the live dialect tells of an account: its orders, its positions, its money."""

from __future__ import annotations

import json
from collections.abc import Iterator
from decimal import Decimal
from typing import Any
from uuid import UUID

import attrs

import trading_sdk_observed as sdk
from trading_runtime import unstructure
from trading_sandbox.engine import margin
from trading_sandbox.engine.checks import market_of
from trading_sandbox.engine.markets import MAKER_FEE, TAKER_FEE
from trading_sandbox.engine.money import ROUNDING, ZERO, plain
from trading_sandbox.engine.records import Order
from trading_sandbox.engine.state import Account
from trading_sandbox.engine.venue import Venue
from trading_sandbox.engine.views import account_view
from trading_sandbox.service import Service
from trading_sandbox.web.dialects.dialect import Document, Fields, Read
from trading_sandbox.web.refusals import bad_request
from trading_sandbox.web.responses import enveloped

_EVENTS_OF_AN_ORDER = 1_000_000
"""The ids of the events of an order begin at its own id times this."""
_ENDED = ("cancelled", "rejected")


def _open_orders(service: Service, fields: Fields) -> Document:
    """Return the open orders of an account, oldest first, with those that wait for a stop price."""
    wanted = _symbol_of(fields)
    with service.reading() as exchange:
        account = exchange.state.accounts.get(fields["account"])
        orders = [] if account is None else sorted(account.open_orders.items())
        found = [_open_order(order) for _, order in orders if wanted in (None, order.symbol)]
    return enveloped([_sent(each) for each in found])


def _symbol_of(fields: Fields) -> str | None:
    symbol: str | None = fields.get("symbol")
    if symbol is not None:
        market_of(symbol)
    return symbol


def _open_order(order: Order) -> sdk.OpenOrder:
    return sdk.OpenOrder(
        order_id=order.order_id,
        client_order_id=None if order.client_order_id is None else UUID(order.client_order_id),
        symbol=order.symbol,
        side=order.side,
        price=plain(order.price),
        initial_amount=plain(order.amount),
        filled_amount=plain(order.filled),
        cancelled_amount=ZERO,
        stop_price=None if order.stop is None else plain(order.stop.price),
        order_type=order.order_type,
        stop_parent_order_id=order.attached,
        reduce_only=order.reduce_only,
        created_at=order.created_at,
        updated_at=order.updated_at,
    )


# -- what happened to an order -------------------------------------------------------------------


def _order_events(service: Service, fields: Fields) -> Document:
    """Return what happened to an order, oldest first: its creation, its fills, its end."""
    found = _record_of(service, fields["order_id"])
    if found is None:
        raise bad_request(f"Order not found: there is no order {fields['order_id']}")
    owner, record = found
    fills, _ = service.page(
        "trades",
        owner,
        symbol=record["symbol"],
        start=record["created_at"],
        end=record["updated_at"],
        limit=_EVENTS_OF_AN_ORDER,
    )
    trades = [json.loads(text) for _, text in reversed(fills)]
    mine = [trade for trade in trades if trade["order_id"] == record["order_id"]]
    return enveloped([_sent(event) for event in _events(record, mine)])


def _record_of(service: Service, order_id: int) -> tuple[str, dict[str, Any]] | None:
    """Return the account and the record of an order; None if there is no such order."""
    with service.reading() as exchange:
        owners = list(exchange.state.accounts)
    for owner in owners:
        # The newest record up to this id: the order itself, or one before it.
        records, _ = service.page("orders", owner, before=order_id + 1, limit=1)
        if records and records[0][0] == order_id:
            return owner, json.loads(records[0][1])
    return None


def _events(record: dict[str, Any], trades: list[dict[str, Any]]) -> Iterator[sdk.OrderEvent]:
    event = _event(record)
    yield event
    amount, filled = Decimal(record["amount"]), ZERO
    for trade in trades:
        filled += Decimal(trade["amount"])
        event = attrs.evolve(
            event,
            history_id=event.history_id + 1,
            event_type=trade["event_type"],
            order_status="filled" if filled == amount else "partially_filled",
            filled_amount=plain(filled),
            created_at=trade["created_at"],
        )
        yield event
    if record["order_status"] in _ENDED:
        yield attrs.evolve(
            event,
            history_id=event.history_id + 1,
            event_type=record["reason"],
            order_status=record["order_status"],
            cancelled_amount=plain(amount - filled),
            created_at=record["updated_at"],
        )


def _event(record: dict[str, Any]) -> sdk.OrderEvent:
    """Return the creation of an order."""
    client_order_id, stop_price = record["client_order_id"], record["stop_price"]
    return sdk.OrderEvent(
        history_id=record["order_id"] * _EVENTS_OF_AN_ORDER,
        event_type="create",
        order_status="open",
        order_id=record["order_id"],
        client_order_id=None if client_order_id is None else UUID(client_order_id),
        symbol=record["symbol"],
        side=record["side"],
        price=Decimal(record["price"]),
        initial_amount=Decimal(record["amount"]),
        filled_amount=ZERO,
        cancelled_amount=ZERO,
        stop_price=None if stop_price is None else Decimal(stop_price),
        order_type=record["order_type"],
        stop_parent_order_id=record["stop_parent_order_id"],
        reduce_only=record["reduce_only"],
        created_at=record["created_at"],
    )


# -- positions and money -------------------------------------------------------------------------


def _positions(service: Service, fields: Fields) -> Document:
    wanted = _symbol_of(fields)
    with service.reading() as exchange:
        account = exchange.state.accounts.get(fields["account"])
        found = [
            _position(exchange.venue, account, symbol)
            for symbol, position in ({} if account is None else account.positions).items()
            if account is not None and position.size and wanted in (None, symbol)
        ]
    return enveloped([_sent(each) for each in found])


def _position(venue: Venue, account: Account, symbol: str) -> sdk.Position:
    position, isolated = account.position(symbol), account.is_isolated(symbol)
    liquidated_at = margin.liquidation_price(venue, account, symbol)
    return sdk.Position(
        symbol=symbol,
        side="bid" if position.size > 0 else "ask",
        amount=plain(abs(position.size)),
        entry_price=plain(position.entry_price),
        margin=_rounded(margin.position_margin(account, symbol)) if isolated else ZERO,
        funding=plain(position.funding),
        isolated=isolated,
        liquidation_price=None if liquidated_at is None else plain(liquidated_at),
        created_at=position.opened_at,
        updated_at=position.updated_at,
    )


def _account(service: Service, fields: Fields) -> Document:
    with service.reading() as exchange:
        info = _info(exchange.venue, fields["account"])
    return enveloped(_sent(info))


def _info(venue: Venue, address: str) -> sdk.AccountInfo:
    view, account = account_view(venue, address), venue.account(address)
    waiting = [order.in_trigger_book for order in account.open_orders.values()]
    values = {s: amount * venue.market(s).mark_price for s, amount in account.spot.items()}
    return sdk.AccountInfo(
        balance=view.balance,
        fee_level=1,
        account_equity=view.equity,
        available_to_spend=view.free,
        available_to_withdraw=view.withdrawable,
        pending_balance=ZERO,
        total_margin_used=_rounded(sum(margin.margins(account).values(), ZERO)),
        positions_count=len(view.positions),
        orders_count=waiting.count(False),
        stop_orders_count=waiting.count(True),
        updated_at=venue.now,
        cross_mmr=_rounded(margin.cross_maintenance(account)),
        use_ltp_for_stop_orders=account.use_ltp_for_stop_orders,
        maker_fee=MAKER_FEE,
        taker_fee=TAKER_FEE,
        pending_interest=ZERO,
        spot_collateral=plain(margin.collateral(venue, account)),
        cross_account_equity=_rounded(margin.cross_equity(venue, account)),
        spot_market_value=plain(sum(values.values(), ZERO)),
        spot_balances=[
            sdk.SpotBalance(
                symbol=symbol,
                amount=plain(amount),
                available_to_withdraw=plain(amount),
                pending_balance=ZERO,
                daily_withdraw_amount_usd=ZERO,
            )
            for symbol, amount in account.spot.items()
        ],
    )


def _rounded(value: Decimal) -> Decimal:
    return plain(value.quantize(ROUNDING))


_NULLABLE = frozenset({"client_order_id", "stop_price", "stop_parent_order_id"})
"""Fields without a value that are null and not absent."""


def _sent(model: attrs.AttrsInstance) -> dict[str, Any]:
    names = _NULLABLE & attrs.fields_dict(type(model)).keys()
    return {**dict.fromkeys(names), **unstructure(model)}


READS: dict[str, Read] = {
    "orders.list": _open_orders,
    "orders.history_by_id": _order_events,
    "positions.list": _positions,
    "account.info": _account,
}
