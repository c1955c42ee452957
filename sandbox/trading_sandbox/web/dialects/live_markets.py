"""What the live dialect tells of the markets: their limits, prices, books, candles and trades."""

from __future__ import annotations

import json
from decimal import Decimal

import trading_sdk_observed as sdk
from trading_runtime import unstructure
from trading_sandbox.engine import market_views
from trading_sandbox.engine.checks import market_of
from trading_sandbox.engine.commands import SIDES
from trading_sandbox.engine.market_views import INTERVALS, Candle, MarketTrade
from trading_sandbox.engine.markets import MARKETS, MINIMUM_ORDER, Market
from trading_sandbox.engine.money import LARGEST_NUMBER_DIGITS, ZERO, floor_to, plain
from trading_sandbox.service import Service
from trading_sandbox.web.dialects.dialect import Document, Fields, Read
from trading_sandbox.web.lists import DEFAULT_LIMIT, LARGEST_PAGE, funding_records
from trading_sandbox.web.refusals import bad_request
from trading_sandbox.web.responses import enveloped

_DAY_MS = INTERVALS["1d"]
_LIMIT = Decimal(10) ** LARGEST_NUMBER_DIGITS
"""All numbers in requests are below this."""
_MOST_TRADES = 2**62


def _markets(service: Service, fields: Fields) -> Document:
    settled = {symbol: _settled_rate(service, symbol) for symbol in MARKETS}
    with service.reading() as exchange:
        found = [
            sdk.Market(
                symbol=market.symbol,
                tick_size=market.tick,
                min_tick=market.tick,
                max_tick=plain(_largest(market)),
                lot_size=market.lot,
                max_leverage=market.leverage,
                isolated_only=False,
                min_order_size=MINIMUM_ORDER,
                max_order_size=plain(_LIMIT - 1),
                funding_rate=settled[market.symbol],
                next_funding_rate=plain(market_views.predicted_rate(exchange.venue, market.symbol)),
                created_at=exchange.state.started_at,
            )
            for market in MARKETS.values()
        ]
    return enveloped([unstructure(each) for each in found])


def _largest(market: Market) -> Decimal:
    """Return the highest price that an order may have."""
    return floor_to(_LIMIT - market.tick, market.tick)


def _settled_rate(service: Service, symbol: str) -> Decimal:
    """Return the funding rate of the last settlement, or of the history before the opening."""
    [(_, record)], _ = funding_records(service, symbol, None, 1)
    return Decimal(json.loads(record)["funding_rate"])


def _prices(service: Service, fields: Fields) -> Document:
    return enveloped([unstructure(_price(service, symbol)) for symbol in MARKETS])


def _price(service: Service, symbol: str) -> sdk.Price:
    settled, now = _settled_rate(service, symbol), service.now()
    with service.reading() as exchange:
        venue = exchange.venue
        mark = plain(venue.market(symbol).mark_price)
        mid = plain(venue.current_price(symbol))
        predicted = plain(market_views.predicted_rate(venue, symbol))
        interest = plain(market_views.open_interest(venue, symbol))
    latest = _trades_of(service, symbol, now - _DAY_MS, now)
    before = _price_before(service, symbol, now - _DAY_MS)
    return sdk.Price(
        symbol=symbol,
        mark=mark,
        mid=mid,
        oracle=mark,
        funding=settled,
        next_funding=predicted,
        open_interest=interest,
        volume_24h=plain(sum((each.price * each.amount for each in latest), ZERO)),
        yesterday_price=MARKETS[symbol].first_mark_price if before is None else before,
        timestamp=now,
    )


def _trades_of(service: Service, symbol: str, start: int, end: int) -> list[MarketTrade]:
    """Return the trades of a market, oldest first; both ends are included."""
    found, _ = service.page("market_trades", symbol, start=start, end=end, limit=_MOST_TRADES)
    return [_trade(record) for _, record in reversed(found)]


def _price_before(service: Service, symbol: str, moment: int) -> Decimal | None:
    """Return the price of the latest trade before a moment; None without any."""
    found, _ = service.page("market_trades", symbol, end=moment - 1, limit=1)
    return _trade(found[0][1]).price if found else None


def _trade(record: str) -> MarketTrade:
    told = json.loads(record)
    return MarketTrade(Decimal(told["price"]), Decimal(told["amount"]), told["created_at"])


def _book(service: Service, fields: Fields) -> Document:
    symbol = market_of(fields["symbol"]).symbol
    ticks, depth = fields.get("agg_level", 1), fields.get("depth", LARGEST_PAGE)
    now = service.now()
    with service.reading() as exchange:
        venue = exchange.venue
        found = [market_views.levels(venue, symbol, side, ticks, depth) for side in SIDES]
    bids, asks = (
        [sdk.BookLevel(p=plain(each.price), a=plain(each.amount), n=each.orders) for each in levels]
        for levels in found
    )
    return enveloped(unstructure(sdk.Book(s=symbol, l=(bids, asks), t=now)))


def _candles(service: Service, fields: Fields) -> Document:
    symbol, interval = market_of(fields["symbol"]).symbol, fields["interval"]
    if interval not in INTERVALS:
        raise bad_request(f"interval: must be one of {', '.join(INTERVALS)}")
    width = INTERVALS[interval]
    now = service.now()
    first = -(-fields["start_time"] // width) * width
    last = min(fields.get("end_time", now), now)
    most = min(fields.get("limit", LARGEST_PAGE), LARGEST_PAGE)
    beginnings = range(first, last + 1, width)[:most]
    if not beginnings:
        return enveloped([])
    trades = _trades_of(service, symbol, first, beginnings[-1] + width - 1)
    before = _price_before(service, symbol, first)
    made = market_views.candles(trades, before, beginnings)
    return enveloped([unstructure(_candle(symbol, interval, each)) for each in made])


def _candle(symbol: str, interval: str, candle: Candle) -> sdk.Candle:
    return sdk.Candle(
        t=candle.begins_at,
        T=candle.begins_at + INTERVALS[interval],
        s=symbol,
        i=interval,
        o=candle.open,
        c=candle.close,
        h=candle.high,
        l=candle.low,
        v=plain(candle.volume),
        n=candle.trades,
    )


def _trades(service: Service, fields: Fields) -> Document:
    """Return the latest trades of a market, newest first."""
    symbol = market_of(fields["symbol"]).symbol
    most = min(fields.get("limit", DEFAULT_LIMIT), LARGEST_PAGE)
    found, _ = service.page("market_trades", symbol, limit=most)
    return enveloped([json.loads(record) for _, record in found])


READS: dict[str, Read] = {
    "markets.info": _markets,
    "markets.prices": _prices,
    "markets.candles": _candles,
    "markets.book": _book,
    "markets.trades": _trades,
}
