"""Answer the list operations: pages of the histories, newest record first.

The records are stored as JSON and are not parsed: a page joins their texts.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from typing import Any

from trading_runtime import ListOperation
from trading_sandbox.engine.checks import asset_of
from trading_sandbox.engine.funding import earlier_rates
from trading_sandbox.engine.records import Changes
from trading_sandbox.service import Service
from trading_sandbox.store.records import rows
from trading_sandbox.web.auth import check_address
from trading_sandbox.web.context import RequestContext
from trading_sandbox.web.decoding import check_query
from trading_sandbox.web.dialects.dialect import Listing
from trading_sandbox.web.json_body import to_json
from trading_sandbox.web.refusals import bad_request, not_modelled

DEFAULT_LIMIT = 100
LARGEST_PAGE = 4000
"""The most records in a page, whatever the requested limit; `has_more` tells that more follow."""

Records = list[tuple[int, str]]
"""Position and JSON of the records of a page."""


LISTS: dict[str, Listing] = {
    "orders.history": Listing("orders"),
    # `entry_price` is the price of the execution (section 2.2), which is stored as `price`.
    "trades.history": Listing(
        "trades",
        rewritten=(r'"price":("[^"]*"),"entry_price":"[^"]*"', r'"price":\1,"entry_price":\1'),
    ),
    "spot.balance_history": Listing("spot_balances", asset_of),
    "spot.withdrawal_history": Listing("withdrawals"),
    "funding.history": Listing("fundings", filters=frozenset({"symbol"})),
}
"""The documented lists, by the name of their operation."""


def answer_list(context: RequestContext, query: Mapping[str, Any]) -> bytes:
    """Return one page of a list operation in its envelope."""
    operation = context.operation
    assert isinstance(operation, ListOperation)
    assert operation.params is not None
    names, listing = operation.pagination, context.dialect.lists[operation.name]
    filters = {name: v for name, v in query.items() if name not in ("limit", names.cursor)}
    if "account" in filters:
        check_address(filters["account"])
        context.account = filters["account"]
    for name in filters.keys() - listing.filters:
        raise not_modelled(f"The parameter {name} of {operation.name}")
    before = None
    if names.cursor in query:
        filters, before = decode_cursor(query[names.cursor], operation.name, filters)
        check_query(operation.params, filters)  # the client may have made up the cursor
    if filters.get("symbol") is not None:
        listing.check_symbol(filters["symbol"])
    limit = min(query.get("limit", DEFAULT_LIMIT), LARGEST_PAGE)
    records, more = _page(context.service, listing, filters, before, limit)
    envelope = {
        "success": True,
        names.items: [],
        names.next_cursor: encode_cursor(operation.name, filters, records[-1][0]) if more else None,
        names.has_more: more,
    }
    items = ",".join([record for _, record in records])
    if listing.rewritten is not None:
        items = re.sub(*listing.rewritten, items)
    return to_json(envelope).replace(b"[]", f"[{items}]".encode(), 1)


def _page(
    service: Service,
    listing: Listing,
    filters: Mapping[str, Any],
    before: int | None,
    limit: int,
) -> tuple[Records, bool]:
    if listing.history == "fundings":
        return funding_records(service, filters["symbol"], before, limit)
    return service.page(
        listing.history,
        filters["account"],
        symbol=filters.get("symbol"),
        start=filters.get("start_time"),
        end=filters.get("end_time"),
        before=before,
        limit=limit,
    )


def funding_records(
    service: Service, symbol: str, before: int | None, limit: int
) -> tuple[Records, bool]:
    """Return settled records, then generated ones from before the exchange was opened."""
    settled, more = service.page("fundings", symbol, before=before, limit=limit)
    if more:
        return settled, True
    with service.reading() as exchange:
        seed, opened = exchange.state.seed, exchange.state.started_at
    earlier, more = earlier_rates(seed, symbol, opened, before, limit - len(settled))
    made = rows(Changes(fundings=earlier))
    return [*settled, *((row.id, row.record) for row in made)], more


# -- cursors: opaque tokens with a position and the filters of the list ---------------------------

# A page starts after a record, not at an offset, so new records do not shift it. The filters stay
# the same over all pages: a request with a cursor need not repeat them, and cannot change them.

_TOKEN = re.compile(r"[A-Za-z0-9_-]{1,1000}")


def encode_cursor(operation: str, filters: Mapping[str, Any], position: int) -> str:
    """Return the cursor of the page that follows the record at a position."""
    text = json.dumps([operation, dict(sorted(filters.items())), position], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).rstrip(b"=").decode()


def decode_cursor(
    token: str, operation: str, filters: Mapping[str, Any]
) -> tuple[dict[str, Any], int]:
    """Return the filters and the position of a cursor.

    Refuses a cursor that `encode_cursor` cannot have made, or that has another list or other filters.
    """
    found, kept, position = _parts(token)
    if found != operation or not isinstance(kept, dict) or type(position) is not int:
        raise bad_request(f"cursor: not a cursor of {operation}")
    if not 0 <= position < 2**63 or encode_cursor(operation, kept, position) != token:
        raise bad_request(f"cursor: not a cursor of {operation}")
    for name, value in filters.items():
        if kept.get(name) != value:
            raise bad_request(f"cursor: it belongs to a query with another {name}")
    return kept, position


def _parts(token: str) -> tuple[Any, Any, Any]:
    try:
        if not _TOKEN.fullmatch(token):
            raise ValueError
        padded = token + "=" * (-len(token) % 4)
        operation, filters, position = json.loads(base64.urlsafe_b64decode(padded))
    except (ValueError, TypeError, RecursionError):
        raise bad_request("cursor: pass back next_cursor unchanged") from None
    return operation, filters, position
