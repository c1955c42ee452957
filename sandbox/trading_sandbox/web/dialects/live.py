"""The dialect of programs written for the live service: what the field notes saw, and no promise.

Its operations are those of the spec and of the overlay of observed endpoints. An answer of its own
is written here as it is sent: a dictionary for a record, and decimals as text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from decimal import Decimal
from heapq import merge
from itertools import islice
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import Any

import attrs

import trading_sdk_observed as sdk
from trading_runtime import Operation
from trading_sandbox.engine import commands, margin, views
from trading_sandbox.engine.accounts import MOST_KEYS
from trading_sandbox.engine.candles import INTERVALS, Candle, candles, interval_of
from trading_sandbox.engine.checks import market_of
from trading_sandbox.engine.commands import SIDES, Command
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.markets import MAKER_FEE, MARKETS, MINIMUM_ORDER, TAKER_FEE
from trading_sandbox.engine.minutes import MINUTE_MS, Bar
from trading_sandbox.engine.money import LARGEST_NUMBER_DIGITS, ZERO, floor_to, shortest
from trading_sandbox.engine.records import OffStep, Refused, Reply
from trading_sandbox.engine.state import Holding
from trading_sandbox.engine.tape import Print, Tape
from trading_sandbox.engine.venue import Venue
from trading_sandbox.engine.views import PositionView, account_view, rounded
from trading_sandbox.service import Service
from trading_sandbox.store.records import order_row
from trading_sandbox.turns import Slices
from trading_sandbox.web.auth import check_address
from trading_sandbox.web.commands import BUILDERS, Builder
from trading_sandbox.web.dialects.channels import AGGREGATIONS, SOURCES
from trading_sandbox.web.dialects.dialect import Dialect, Listing
from trading_sandbox.web.dialects.documented import DIALECT as DOCUMENTED
from trading_sandbox.web.lists import DEFAULT_LIMIT, LARGEST_PAGE, LISTS, funding_records
from trading_sandbox.web.reads import account_of, api_keys_of
from trading_sandbox.web.refusals import (
    STATUSES,
    PlainRefusal,
    Refusal,
    bad_request,
    refused_in_envelope,
)
from trading_sandbox.web.responses import Answer, Document, Fields, LongAnswer, always, enveloped
from trading_sdk_observed import models
from trading_sdk_observed.operations import API

_DAY_MS = INTERVALS["1d"]
_NUMBERS_BELOW = Decimal(10) ** LARGEST_NUMBER_DIGITS
"""All numbers in requests are below this."""
_ALL = 2**62
"""A limit for every record of a history."""
_CANDLES = 100
"""The most candles in a slice of an answer."""
_MINUTES = 2000
"""The most minutes in it, unless a single candle has more."""
_EVENTS = 500
"""The most events of a balance in it."""
_RANGES = {"1d": 1, "7d": 7, "14d": 14, "30d": 30, "all": 100_000}
"""The ranges of time of the portfolio, in days."""
_DEPOSITS = ("deposit", "withdrawal", "subaccount_transfer")
"""The balance events that are no profit or loss."""


def _told(**fields: Any) -> Document:
    """Return a record as it is sent: decimals as text."""
    return {name: shortest(v) if isinstance(v, Decimal) else v for name, v in fields.items()}


# -- commands ------------------------------------------------------------------------------------


def _cancel_all(account: str, model: sdk.CancelAllOrders) -> Command:
    if not model.all_symbols and model.symbol is None:
        raise bad_request("symbol: required field missing; it is needed if all_symbols is false")
    return commands.CancelAll(
        account=account,
        symbol=None if model.all_symbols else model.symbol,
        exclude_reduce_only=model.exclude_reduce_only,
    )


def _create_subaccount(account: str, signed: Fields) -> Command:
    return commands.OpenAccount(account=signed["subaccount"], main=account, usdc=ZERO)


# -- what says no more than success ---------------------------------------------------------------


def _order(service: Service, fields: Fields, reply: Reply) -> Document:
    """Answer with both envelopes: the bare one, and the one that clients read (field note 30)."""
    return {"order_id": reply, **enveloped({"order_id": reply})}


def _cancelled(service: Service, fields: Fields, reply: Reply) -> Document:
    return enveloped({"cancelled_count": reply})


def _whole(answer: Answer) -> Answer:
    """Return the answer with every member of the common envelope."""

    def whole(service: Service, fields: Fields, reply: Reply) -> Document:
        return {**enveloped(None), **answer(service, fields, reply)}

    return whole


# -- orders --------------------------------------------------------------------------------------


def _open_orders(service: Service, fields: Fields, reply: Reply) -> Document:
    """Return the open orders of an account, oldest first, with those that wait for a stop price."""
    wanted = _symbol_of(fields)
    with service.reading() as exchange:
        orders = sorted(account_of(exchange, fields).open_orders.items())
        records = [json.loads(order_row(order).record) for _, order in orders]
        found = [
            {name: record[own] for name, own in _OPEN_ORDER.items()} | {"cancelled_amount": "0"}
            for record in records
            if wanted in (None, record["symbol"])
        ]
        return _as_of(exchange, found)


_OPEN_ORDER = {
    "initial_amount": "amount",
    **{
        name: name
        for name in (
            *("order_id", "client_order_id", "symbol", "side", "price", "filled_amount"),
            *("stop_price", "order_type", "stop_parent_order_id", "reduce_only"),
            *("created_at", "updated_at"),
        )
    },
}
"""The fields of an open order, each with its name in the record that is stored."""


def _as_of(exchange: Exchange, found: list[Document]) -> Document:
    """Return records with the number of the exchange's latest event (field note 45)."""
    return {**enveloped(found), "last_order_id": exchange.state.li}


def _symbol_of(fields: Fields) -> str | None:
    symbol: str | None = fields.get("symbol")
    if symbol is not None:
        market_of(symbol)
    return symbol


def _order_history(service: Service, fields: Fields, reply: Reply) -> Document:
    """Return what happened to an order, newest first."""
    events, _ = service.page("order_events", str(fields["order_id"]), limit=_ALL)
    if not events:
        raise Refusal(404, f"Order history not found for order ID: {fields['order_id']}")
    return enveloped([json.loads(record) for _, record in events])


# -- accounts ------------------------------------------------------------------------------------


def _positions(service: Service, fields: Fields, reply: Reply) -> Document:
    wanted = _symbol_of(fields)
    with service.reading() as exchange:
        account = account_of(exchange, fields)
        opened = account.address in exchange.state.accounts
        held = account_view(exchange.venue, account.address).positions if opened else {}
        found = [
            _position(account.position(symbol), symbol, view)
            for symbol, view in held.items()
            if wanted in (None, symbol)
        ]
        return _as_of(exchange, found)


def _position(position: Holding, symbol: str, view: PositionView) -> Document:
    return _told(
        symbol=symbol,
        side="bid" if view.size > 0 else "ask",
        amount=abs(view.size),
        entry_price=view.entry_price,
        margin=view.margin if view.isolated else ZERO,
        funding=position.funding,
        isolated=view.isolated,
        liquidation_price=view.liquidation_price,
        created_at=position.opened_at,
        updated_at=position.updated_at,
    )


def _account(service: Service, fields: Fields, reply: Reply) -> Document:
    with service.reading() as exchange:
        return enveloped(_info(exchange.venue, fields["account"]))


def _info(venue: Venue, address: str) -> Document:
    view, account = account_view(venue, address), venue.account(address)
    values = (amount * venue.market(s).mark_price for s, amount in account.spot.items())
    return _told(
        balance=view.balance,
        fee_level=0,
        account_equity=view.equity,
        available_to_spend=view.free,
        available_to_withdraw=view.withdrawable,
        pending_balance=ZERO,
        total_margin_used=view.margin,
        positions_count=len(view.positions),
        orders_count=view.orders_count,
        stop_orders_count=view.stop_orders_count,
        updated_at=venue.now,
        cross_mmr=rounded(margin.cross_maintenance(account)),
        use_ltp_for_stop_orders=account.use_ltp_for_stop_orders,
        maker_fee=MAKER_FEE,
        taker_fee=TAKER_FEE,
        pending_interest=ZERO,
        spot_collateral=margin.collateral(venue, account),
        cross_account_equity=rounded(margin.cross_equity(venue, account)),
        spot_market_value=sum(values, ZERO),
        spot_balances=[
            _told(
                symbol=symbol,
                amount=amount,
                available_to_withdraw=amount,
                pending_balance=ZERO,
                daily_withdraw_amount_usd=ZERO,
            )
            for symbol, amount in account.spot.items()
        ],
    )


def _api_keys(service: Service, fields: Fields, reply: Reply) -> Document:
    """Return the API config keys of an account (field note 32)."""
    keys = api_keys_of(service, fields)
    return enveloped({"active_api_keys": keys, "api_key_limit": MOST_KEYS})


def _agents(service: Service, fields: Fields, reply: Reply) -> Document:
    with service.reading() as exchange:
        return enveloped({"agent_wallets": list(account_of(exchange, fields).agents)})


def _approvals(service: Service, fields: Fields, reply: Reply) -> Document:
    """Return the builder codes that an account has approved."""
    with service.reading() as exchange:
        approved = account_of(exchange, fields).builder_codes.items()
        return enveloped([_told(builder_code=code, max_fee_rate=rate) for code, rate in approved])


def _pending_withdrawals(service: Service, fields: Fields, reply: Reply) -> Document:
    """Return the withdrawals of an account that wait: none, for each is carried out at once."""
    check_address(fields["account"])
    return enveloped([])


def _portfolio(service: Service, fields: Fields) -> Slices[Document]:
    """Return the balance after each of its events, and the equity now, oldest first."""
    if fields["time_range"] not in _RANGES:
        raise bad_request(f"time_range: must be one of {', '.join(_RANGES)}")
    now, days, address = service.now(), _RANGES[fields["time_range"]], fields["account"]
    first = max(fields.get("start_time", 0), now - days * _DAY_MS)
    last = fields.get("end_time", now)
    records, _ = service.page("balances", address, limit=_ALL)
    with service.reading() as exchange:
        opened = address in exchange.state.accounts
        view = account_view(exchange.venue, address) if opened else None
    points, pnl = [], ZERO
    for number, (_, text) in enumerate(reversed(records), 1):
        event = json.loads(text)
        pnl += Decimal(event["amount"]) if event["event_type"] not in _DEPOSITS else ZERO
        points.append(
            _told(account_equity=event["balance"], pnl=pnl, timestamp=event["created_at"])
        )
        if number % _EVENTS == 0:
            yield
    if view is not None:
        gain = pnl + sum((each.unrealised for each in view.positions.values()), ZERO)
        points.append(_told(account_equity=view.equity, pnl=gain, timestamp=now))
    found = [point for point in points if first <= point["timestamp"] <= last]
    width = fields.get("granularity_in_minutes", 0) * 60_000
    if width:  # the last point of each
        found = list({point["timestamp"] // width: point for point in found}.values())
    return enveloped(found[-fields.get("limit", DEFAULT_LIMIT) :])


# -- markets -------------------------------------------------------------------------------------


def _markets(service: Service, fields: Fields, reply: Reply) -> Document:
    settled = {symbol: _settled_rate(service, symbol) for symbol in MARKETS}
    with service.reading() as exchange:
        found = [
            _told(
                symbol=market.symbol,
                instrument_type="perpetual",
                base_asset=market.symbol,
                tick_size=market.tick,
                min_tick=market.tick,
                max_tick=floor_to(_NUMBERS_BELOW - market.tick, market.tick),
                lot_size=market.lot,
                max_leverage=market.leverage,
                isolated_only=False,
                min_order_size=MINIMUM_ORDER,
                max_order_size=_NUMBERS_BELOW - 1,
                funding_rate=settled[market.symbol],
                next_funding_rate=views.predicted_rate(exchange.venue, market.symbol),
                created_at=exchange.state.started_at,
            )
            for market in MARKETS.values()
        ]
    return enveloped(found)


_fees = always(enveloped([_told(level=0, maker_fee_rate=MAKER_FEE, taker_fee_rate=TAKER_FEE)]))


def _settled_rate(service: Service, symbol: str) -> Decimal:
    """Return the funding rate of the last settlement, or of the history before the opening."""
    [(_, record)], _ = funding_records(service, symbol, None, 1)
    return Decimal(json.loads(record)["funding_rate"])


def _prices(service: Service, fields: Fields, reply: Reply) -> Document:
    return enveloped([_price(service, symbol) for symbol in MARKETS])


def _price(service: Service, symbol: str) -> Document:
    settled, now, minutes = _settled_rate(service, symbol), service.now(), service.minutes(symbol)
    since = now - _DAY_MS
    traded = sum((each.value for each in minutes.between(since, now + 1)), ZERO)
    with service.reading() as exchange:
        venue, tape = exchange.venue, Tape.of(exchange.state, MARKETS[symbol])
        earlier = [(each.created_at, each.price) for each in islice(tape.prints(since), 1)]
        if (bar := minutes.last_before(since)) is not None:
            earlier.append((bar.closed_at, bar.close))
        mark = venue.market(symbol).mark_price
        return _told(
            symbol=symbol,
            mark=mark,
            mid=venue.current_price(symbol),
            oracle=mark,
            funding=settled,
            next_funding=views.predicted_rate(venue, symbol),
            open_interest=views.open_interest(venue, symbol),
            volume_24h=traded + tape.value(since, now + 1),
            yesterday_price=max(earlier)[1] if earlier else MARKETS[symbol].first_mark_price,
            timestamp=now,
        )


def _book(service: Service, fields: Fields, reply: Reply) -> Document:
    symbol, ticks = market_of(fields["symbol"]).symbol, fields.get("agg_level", 1)
    if ticks not in AGGREGATIONS:
        raise PlainRefusal(422, "Invalid tick level")
    depth, now = fields.get("depth", LARGEST_PAGE), service.now()
    with service.reading() as exchange:
        sides = [views.levels(exchange.venue, symbol, side, ticks, depth) for side in SIDES]
    told = [[_told(p=each.price, a=each.amount, n=each.orders) for each in side] for side in sides]
    return enveloped({"s": symbol, "l": told, "t": now})


def _candles(service: Service, fields: Fields) -> Slices[Document]:
    """Return the candles of the trades; an interval without any has none (field note 43)."""
    end, symbol, start = _end_of(service, fields), fields["symbol"], fields["start_time"]
    if symbol not in MARKETS:
        return enveloped([])
    minutes = service.minutes(symbol).between(start, end)
    with service.reading() as exchange:
        printed = Tape.of(exchange.state, MARKETS[symbol]).bars(fields["interval"], start, end)
    bars = merge(printed, minutes, key=attrgetter("opened_at"))
    return (yield from _candles_of(fields, bars))


def _mark_candles(service: Service, fields: Fields) -> Slices[Document]:
    """Return the candles of the mark price."""
    end, symbol, start = _end_of(service, fields), fields["symbol"], fields["start_time"]
    if symbol not in MARKETS:
        return enveloped([])
    with service.reading() as exchange:
        bars = Tape.of(exchange.state, MARKETS[symbol]).mark_bars(fields["interval"], start, end)
    return (yield from _candles_of(fields, bars))


def _end_of(service: Service, fields: Fields) -> int:
    """Return the end of the last candle that is asked for."""
    interval, now = fields["interval"], service.now()
    if interval not in INTERVALS:
        raise bad_request(f"interval: must be one of {', '.join(INTERVALS)}")
    return interval_of(interval, min(fields.get("end_time", now), now))[1]


def _candles_of(fields: Fields, bars: Iterable[Bar]) -> Slices[Document]:
    most = min(fields.get("limit", LARGEST_PAGE), LARGEST_PAGE)
    in_slice = max(1, min(_CANDLES, _MINUTES * MINUTE_MS // INTERVALS[fields["interval"]]))
    told: list[Document] = []
    for each in islice(candles(bars, fields["interval"], fields["start_time"]), most):
        told.append(_candle(fields, each))
        if len(told) % in_slice == 0:
            yield
    return enveloped(told)


def _candle(fields: Fields, candle: Candle) -> Document:
    return _told(
        t=candle.begins_at,
        T=candle.ends_at,
        s=fields["symbol"],
        i=fields["interval"],
        o=candle.open,
        c=candle.close,
        h=candle.high,
        l=candle.low,
        v=candle.volume,
        n=candle.trades,
    )


def _trades(service: Service, fields: Fields) -> Slices[Document]:
    """Return the latest trades of a market, newest first."""
    market = market_of(fields["symbol"])
    most = min(fields.get("limit", DEFAULT_LIMIT), LARGEST_PAGE)
    records, _ = service.page("market_trades", market.symbol, limit=most)
    with service.reading() as exchange:
        prints = Tape.of(exchange.state, market).prints(exchange.state.now + 1)
    traded = [json.loads(record) for _, record in records]
    told: list[Document] = []
    both = merge(traded, map(_print, prints), key=itemgetter("created_at"), reverse=True)
    for each in islice(both, most):
        told.append(each)
        if len(told) % _CANDLES == 0:
            yield
    return enveloped(told)


def _print(each: Print) -> Document:
    return _told(
        event_type="fulfill_taker",
        price=each.price,
        amount=each.amount,
        side=each.side,
        cause=each.cause,
        created_at=each.created_at,
    )


# -- refusals ------------------------------------------------------------------------------------

_STATUSES: dict[type[Refused], int] = {**STATUSES, OffStep: 500}
"""The statuses of what the exchange refuses; 422 for the rest (field notes 17 and 36)."""


def _refusal_of(refused: Refused, operation: Operation[Any]) -> Refusal:
    status = _STATUSES.get(type(refused), 422)
    code = refused.code if status == 422 else status
    return Refusal(status, str(refused), code, refused.observed)


_ERROR_IDS = {
    "Verification failed": "signature_verification_failed",
    "Invalid amount": "invalid_amount",
}
"""The `error_id` of refusals, by the beginning of their texts (field note 36)."""


def _refuse(refusal: Refusal, operation: Operation[Any] | None) -> tuple[int, Document]:
    """Refuse in the common envelope; a bad signature is a bad request (field note 31)."""
    status = 400 if refusal.status == 401 else refusal.status
    code = status if refusal.code is None else refusal.code
    body = refused_in_envelope(status, refusal.observed, code, operation)
    error_id = _ERROR_IDS.get(refusal.observed.partition(":")[0])
    # A wrong lot, which is no business rule of the service, has none.
    return status, {**body, "error_id": error_id} if error_id and status < 500 else body


# -- the table -----------------------------------------------------------------------------------

_BUILDERS: dict[str, Builder] = {
    **BUILDERS,
    "orders.cancel_all": _cancel_all,
    "subaccounts.create": _create_subaccount,
}
_NULL = always(enveloped(None))
_ANSWERS: dict[str, Answer] = {
    **DOCUMENTED.answers,
    # What says no more than success is an empty object or null (field note 28): null where the
    # interface document shows no data. So a new command needs no answer here.
    **dict.fromkeys(_BUILDERS, always(enveloped({}))),
    "orders.create": _order,
    "orders.create_market": _order,
    "orders.create_stop": _order,
    "orders.edit": _order,
    "orders.cancel_stop": _NULL,
    "orders.cancel_all": _cancelled,
    "orders.list": _open_orders,
    "orders.history_by_id": _order_history,
    "positions.list": _positions,
    "account.info": _account,
    "account.update_spot_settings": _NULL,
    "account.set_auto_lend_disabled": _NULL,
    "agents.list": _agents,
    "builder_codes.approvals": _approvals,
    "spot.withdraw": _whole(DOCUMENTED.answers["spot.withdraw"]),
    "vaults.claim_manager": DOCUMENTED.answers["vaults.claim_manager"],
    "api_keys.create": _whole(DOCUMENTED.answers["api_keys.create"]),
    "api_keys.list": _api_keys,
    "spot.pending_withdrawals": _pending_withdrawals,
    "markets.fees": _fees,
    "markets.info": _markets,
    "markets.prices": _prices,
    "markets.book": _book,
}
_LONG_ANSWERS: dict[str, LongAnswer] = {
    "account.portfolio": _portfolio,
    "markets.candles": _candles,
    "markets.mark_candles": _mark_candles,
    "markets.trades": _trades,
}
_LISTS: dict[str, Listing] = {
    **LISTS,
    # `entry_price` is the average entry price of the position (field note 26), as stored.
    "trades.history": attrs.evolve(LISTS["trades.history"], rewritten=None),
    # Neighbouring endpoints call it a withdraw (field note 33).
    "spot.balance_history": attrs.evolve(
        LISTS["spot.balance_history"],
        rewritten=('"event_type":"withdrawal"', '"event_type":"withdraw"'),
    ),
    # Its records have the form of spot balances.
    "account.balance_history": Listing(
        "balances",
        filters=frozenset({"account"}),
        rewritten=(
            r'"symbol":"USDC","event_type":"(withdraw|)(?:al)?',
            r'"pending_balance":"0","event_type":"\1',
        ),
    ),
    "spot.deposit_history": Listing("deposits", filters=frozenset({"account"})),
    "funding.payments": Listing("payments", filters=frozenset({"account", "symbol"})),
}

DIALECT = Dialect(
    api=API,
    spec=Path(models.__file__).with_name("openapi.json"),
    builders=_BUILDERS,
    answers=_ANSWERS,
    long_answers=_LONG_ANSWERS,
    lists=_LISTS,
    channels=SOURCES,
    not_for_agents="agents.",
    open_to_pages=True,
    approves_builders=True,
    credits=(Decimal(125), Decimal(300)),  # field note 44
    # One client signs a null window, and leaves it out of the body (field note 29).
    omitted_windows=(*DOCUMENTED.omitted_windows, {"expiry_window": None}),
    refuse=_refuse,
    refusal_of=_refusal_of,
)
