"""The lists: order history, trade history and funding history, newest record first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trading_runtime.operation import ListOperation
from trading_sandbox.engine.checks import market_of
from trading_sandbox.engine.histories import newest_first
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Order, Trade
from trading_sandbox.web.auth import check_address
from trading_sandbox.web.cursors import decode, encode
from trading_sandbox.web.records import funding_record, order_record, trade_record
from trading_sandbox.web.service import Call, Service

DEFAULT_LIMIT = 100
LARGEST_PAGE = 4000
"""No page holds more, whatever its limit says; `has_more` then leads on."""

Records = list[tuple[int, dict[str, Any]]]
"""Position and content of the records of a page."""
Lister = Callable[[Service, Mapping[str, Any], int | None, int], tuple[Records, bool]]


def answer_list(call: Call, query: Mapping[str, Any]) -> dict[str, Any]:
    """Return one page of a list operation in its envelope."""
    operation = call.operation
    assert isinstance(operation, ListOperation)
    names = operation.pagination
    filters = {name: v for name, v in query.items() if name not in ("limit", names.cursor)}
    if "account" in filters:
        check_address(filters["account"])
        call.account = filters["account"]
    if "symbol" in filters:
        market_of(filters["symbol"])
    before = None
    if names.cursor in query:
        filters, before = decode(query[names.cursor], operation.name, filters)
    limit = min(query.get("limit", DEFAULT_LIMIT), LARGEST_PAGE)
    with call.service.lock, exact_arithmetic():
        records, more = LISTS[operation.name](call.service, filters, before, limit)
    return {
        "success": True,
        names.items: [record for _, record in records],
        names.next_cursor: encode(operation.name, filters, records[-1][0]) if more else None,
        names.has_more: more,
    }


def _orders(
    service: Service, filters: Mapping[str, Any], before: int | None, limit: int
) -> tuple[Records, bool]:
    account = service.exchange.accounts.get(filters["account"])
    orders = [] if account is None else account.orders
    found, more = newest_first(orders, _order_id, before, limit)
    return [(order.order_id, order_record(order)) for order in found], more


def _trades(
    service: Service, filters: Mapping[str, Any], before: int | None, limit: int
) -> tuple[Records, bool]:
    symbol = filters.get("symbol")
    start, end = filters.get("start_time"), filters.get("end_time")

    def wanted(trade: Trade) -> bool:
        return (
            (symbol is None or trade.symbol == symbol)
            and (start is None or trade.created_at >= start)
            and (end is None or trade.created_at <= end)
        )

    account = service.exchange.accounts.get(filters["account"])
    trades = [] if account is None else account.trades
    found, more = newest_first(trades, _history_id, before, limit, wanted)
    return [(trade.history_id, trade_record(trade)) for trade in found], more


def _fundings(
    service: Service, filters: Mapping[str, Any], before: int | None, limit: int
) -> tuple[Records, bool]:
    found, more = service.funding.newest_first(filters["symbol"], service.clock(), before, limit)
    return [(funding.created_at, funding_record(funding)) for funding in found], more


def _order_id(order: Order) -> int:
    return order.order_id


def _history_id(trade: Trade) -> int:
    return trade.history_id


LISTS: dict[str, Lister] = {
    "orders.history": _orders,
    "trades.history": _trades,
    "funding.history": _fundings,
}
"""The lists that this sandbox serves, by the name of their operation."""
