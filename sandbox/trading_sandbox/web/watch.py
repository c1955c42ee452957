"""What the page shows of a running sandbox: one picture of everything, read and never kept.

A picture is whole, so a page that missed some is up to date with the next one. It has bounds, however much
there is and however long a text from the wire is. No key and no signature is in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import islice
from typing import Any

from trading_sandbox.controls.schema import to_json_value
from trading_sandbox.engine import views
from trading_sandbox.engine.commands import SIDES
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.records import Order
from trading_sandbox.engine.state import Account
from trading_sandbox.engine.venue import Venue
from trading_sandbox.faults import Fault, Faults, as_json
from trading_sandbox.log import LoggedRequest
from trading_sandbox.rate_limits import ADDRESS, CREDIT, RateLimits
from trading_sandbox.service import Service
from trading_sandbox.web.json_body import to_json
from trading_sandbox.web.lists import Records

LEVELS = 12
"""Levels of each side of a book."""
MOST = 50
"""The most rows of each list: accounts, orders of an account, trades of a market, requests, faults."""
POINTS = 120
"""Points of the price path before the page was opened, over `PAST_MS` at most."""
PAST_MS = 3_600_000
LONGEST = 2_000
"""The most characters of a text from the wire."""

_API_KEY = re.compile(r'(api_keys?":)(?:"[^"]*"?|\[[^\]]*\]?)')
_HIDDEN = {"body", "value", "headers"}
"""The options of a fault that can be long."""

Picture = dict[str, Any]


def pictures(
    service: Service,
    rates: RateLimits,
    faults: Faults,
    websocket: Callable[[], Picture] | None,
    **constant: Any,
) -> tuple[Callable[[], bytes], Callable[[], bytes]]:
    """Return two functions: the price path so far, and the picture of now, as JSON.

    Args:
        service: The exchange.
        rates: Its rate limits.
        faults: The injected faults.
        websocket: Returns who is connected to the websocket, and the latest frames; None: there is none.
        **constant: What does not change while the sandbox runs.
    """

    def past() -> bytes:
        return to_json(to_json_value(service.turns.take(paths)))

    def paths() -> Picture:
        with service.reading() as exchange:
            venue = exchange.venue
            start = venue.now - PAST_MS
            return {name: views.mark_path(venue, name, start, POINTS) for name in MARKETS}

    def exchange_now() -> tuple[Picture, dict[str, Records]]:
        trades = {name: service.page("market_trades", name, limit=MOST)[0] for name in MARKETS}
        with service.reading() as exchange:
            connected = None if websocket is None else websocket()
            return {**_exchange(exchange), "websocket": connected}, trades

    def now() -> bytes:
        told, trades = service.turns.take(exchange_now)
        for name, records in trades.items():
            told["markets"][name]["trades"] = [
                {"id": number, **json.loads(text)} for number, text in records
            ]
        for sent in (told["websocket"] or {}).get("latest", ()):
            sent["frame"] = _cut(_without_key(sent["frame"]))
        told["sandbox"] |= constant
        told["budgets"] = _budgets(rates)
        told["faults"] = [_fault(each) for each in faults.pending()[:MOST]]
        count, latest = service.log.latest(MOST)
        told["requests"] = {"count": count, "latest": [_request(each) for each in latest]}
        return to_json(to_json_value(told))

    return past, now


def _exchange(exchange: Exchange) -> Picture:
    venue, state = exchange.venue, exchange.state
    customers = [each for each in state.accounts.values() if not each.is_house_account]
    forced = state.forced_outcomes.values()
    return {
        "clock": {"offset": state.clock_offset, "frozen_at": state.frozen_at},
        "sandbox": {"seed": state.seed, "maker": state.maker_on, "vaults": len(state.vaults)},
        "markets": {name: _market(venue, name) for name in MARKETS},
        "accounts": {
            "count": len(customers),
            "latest": [_account(venue, each) for each in customers[-MOST:]],
        },
        "insurance_fund": views.insurance_fund_view(venue),
        "forced": [
            {"id": each.client_order_id, "status": each.status, "reason": _cut(each.reason)}
            for each in islice(forced, MOST)
        ],
    }


def _market(venue: Venue, name: str) -> Picture:
    market = venue.market(name)
    return {
        **to_json_value(views.market_view(venue, name)),
        "pinned": market.pinned,
        "tick": MARKETS[name].tick,
        "lot": MARKETS[name].lot,
        "funding_rate": views.predicted_rate(venue, name),
        "open_interest": views.open_interest(venue, name),
        "book": {side: views.levels(venue, name, side, 1, LEVELS) for side in SIDES},
    }


def _account(venue: Venue, account: Account) -> Picture:
    view = views.account_view(venue, account.address)
    orders = account.open_orders
    return {
        "address": account.address,
        **to_json_value(view),
        "orders": [_order(each) for each in islice(reversed(orders.values()), MOST)],
    }


def _order(order: Order) -> Picture:
    names = ("order_id", "symbol", "side", "order_type", "tif", "price", "amount", "filled")
    told = {name: getattr(order, name) for name in (*names, "stop_price", "reduce_only")}
    return {**told, "waits": order.in_trigger_book}


def _budgets(rates: RateLimits) -> list[Picture]:
    # A class is named by its API key, which the page does not show.
    numbered = enumerate(islice(rates.budgets().items(), MOST))
    return [
        {
            "of": "no API key" if class_ == ADDRESS else f"API key {number}",
            "left": budget.left / CREDIT,
            "quota": budget.quota / CREDIT,
            "window_s": budget.window_s,
        }
        for number, (class_, budget) in numbered
    ]


def _fault(fault: Fault) -> Picture:
    told = ((name, each) for name, each in as_json(fault).items() if name not in _HIDDEN)
    return {name: _cut(each) if isinstance(each, str) else each for name, each in told}


def _request(entry: LoggedRequest) -> Picture:
    return {
        "operation": entry.operation,
        "method": entry.method,
        "path": _cut(entry.path),
        "account": _cut(entry.account),
        "status": entry.status,
        "error": _cut(entry.error),
        "answer": _cut(_without_key(entry.answer or "")),
        "fault": entry.fault,
        "milliseconds": entry.milliseconds,
        "canonical": _cut("\n".join(map(_without_key, entry.canonical))),
        "verified": entry.verified,
    }


def _without_key(text: str) -> str:
    return _API_KEY.sub(r'\1"(not shown)"', text)


def _cut(text: str | None) -> str | None:
    if text is None or len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}... ({len(text)} characters)"
