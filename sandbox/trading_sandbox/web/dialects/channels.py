"""The channels of the websocket, and what their frames are made of (field note 48).

Events are sent as they happen. Pictures are whole, and drawn where something has changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import attrs

from trading_sandbox.engine.candles import INTERVALS, interval_of
from trading_sandbox.engine.commands import Side
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.money import ZERO, shortest
from trading_sandbox.engine.records import BalanceEvent, Changes
from trading_sandbox.engine.venue import Venue
from trading_sandbox.engine.views import levels
from trading_sandbox.service import Service
from trading_sandbox.turns import whole
from trading_sandbox.web.auth import check_address
from trading_sandbox.web.refusals import bad_request
from trading_sandbox.web.responses import Document, Fields

if TYPE_CHECKING:
    from trading_sandbox.web.dialects.dialect import Dialect

AGGREGATIONS = (1, 10, 100, 1000, 10_000)
"""The widths of the levels of a book, in ticks."""


class Topic(NamedTuple):
    """What a connection has subscribed to."""

    source: str
    """The channel."""
    subject: str = ""
    """The account or the market; empty: all markets."""
    detail: str | int = ""
    """The interval of candles, or the aggregation of a book."""


def _names(text: str) -> Mapping[str, str]:
    """Read the fields of a frame, each with the name of the exchange for it."""
    return dict(word.split(":") for word in text.split())


# -- events ----------------------------------------------------------------------------------------


@attrs.frozen
class EventChannel:
    """A channel of events."""

    records: Callable[[Changes], Iterable[Any]]
    """Chooses the events among what a command has changed."""
    names: Mapping[str, str]
    """The fields of a frame, each with the name of the exchange for it."""
    subject: str = "account"
    """What it is subscribed to by."""
    in_lists: bool = True
    """Whether a frame has a list of events of one command."""

    def told(self, record: Any) -> Document:
        """Return an event as it is sent."""
        return {short: _text(getattr(record, name)) for short, name in self.names.items()}


def _text(value: Any) -> Any:
    if value == "withdrawal":
        return "withdraw"  # field note 33
    return shortest(value) if isinstance(value, Decimal) else value


def _transfers(changes: Changes) -> Iterable[BalanceEvent]:
    return (event for event in changes.balance_events if event.event_type in _TRANSFERS)


_TRANSFERS = {"deposit", "withdrawal", "subaccount_transfer"}


EVENTS: Mapping[str, EventChannel] = {
    "account_order_updates": EventChannel(
        attrgetter("order_events"),
        _names("""i:order_id I:client_order_id u:account s:symbol d:side p:average_price
            ip:initial_price lp:last_price a:amount f:filled oe:kind os:status ot:order_type
            sp:stop_price si:attached r:reduce_only ct:placed_at ut:created_at li:li"""),
    ),
    "account_trades": EventChannel(
        attrgetter("trades"),
        _names("""h:history_id i:order_id I:client_order_id u:account s:symbol p:price o:entry_price
            a:amount te:event_type ts:side tc:cause f:fee n:pnl t:created_at li:li"""),
    ),
    "trades": EventChannel(
        lambda changes: (trade for trade in changes.trades if trade.is_public),
        _names(
            "u:account h:history_id s:symbol a:amount p:price d:side tc:cause t:created_at li:li"
        ),
        subject="symbol",
    ),
    "account_leverage": EventChannel(
        lambda changes: (each for each in changes.margins if each.leverage is not None),
        _names("u:account s:symbol l:leverage t:created_at"),
        in_lists=False,
    ),
    "account_margin": EventChannel(
        lambda changes: (each for each in changes.margins if each.isolated is not None),
        _names("u:account s:symbol i:isolated t:created_at"),
        in_lists=False,
    ),
    "account_transfers": EventChannel(
        _transfers,
        _names("u:account e:event_type a:symbol am:amount t:created_at"),
        in_lists=False,
    ),
}
PRINTS = "trades"
"""The channel that has the prints of the tapes, too."""
TOPS = "bbo"
"""The channel of the best prices: an event of each change of the top of a book."""


_SIDES: tuple[tuple[Side, str, str], ...] = (("bid", "b", "B"), ("ask", "a", "A"))


def top(venue: Venue, symbol: str) -> Document:
    """Return the best prices of a market with their amounts; 0 where a side is empty."""
    told: Document = {"s": symbol}
    for side, price, amount in _SIDES:
        best = levels(venue, symbol, side, 1, 1)
        told[price] = shortest(best[0].price if best else ZERO)
        told[amount] = shortest(best[0].amount if best else ZERO)
    return told


# -- pictures --------------------------------------------------------------------------------------


@attrs.frozen
class PictureChannel:
    """A channel of pictures: what a reading operation of the dialect answers, in shorter words."""

    operation: str
    parameters: tuple[str, ...]
    """What it is subscribed to by."""
    names: Mapping[str, str] | None = None
    """The fields of a frame, each with its name in the answer; None: those of the answer."""
    numbered: Literal["no", "inside", "beside"] = "no"
    """Whether the number of the exchange's latest event stands in the data or beside them."""

    def drawn(self, dialect: Dialect, service: Service, topic: Topic) -> list[Document]:
        """Return the frames that show how things are."""
        fields = dict(zip(self.parameters, topic[1:], strict=False))
        if self.operation in dialect.long_answers:
            return [{"data": each} for each in _latest(dialect, service, self.operation, fields)]
        with service.reading() as exchange:
            data = dialect.answers[self.operation](service, fields, None)["data"]
            li = exchange.state.li
        data = data if self.names is None else _short(data, self.names)
        if self.numbered == "inside":
            return [{"data": {**data, "li": li}}]
        return [{"data": data, "li": li} if self.numbered == "beside" else {"data": data}]


def _short(answer: Any, names: Mapping[str, str]) -> Any:
    """Return a record, or a list of them, in the short words of a channel."""
    if isinstance(answer, list):
        return [_short(record, names) for record in answer]
    told = {short: answer.get(name) for short, name in names.items()}
    if "sb" in told:
        told["sb"] = _short(told["sb"], _SPOT_BALANCE)
    return told


def _latest(dialect: Dialect, service: Service, operation: str, fields: Fields) -> list[Document]:
    """Return the candle of now, and the one before, which may have ended since the last picture."""
    interval = fields["interval"]
    begin, _ = interval_of(interval, service.now())
    start = {"start_time": interval_of(interval, begin - 1)[0]}
    data: list[Document] = whole(dialect.long_answers[operation](service, {**fields, **start}))[
        "data"
    ]
    return data[-2:]


_SPOT_BALANCE = _names("""s:symbol a:amount aw:available_to_withdraw pb:pending_balance
            dw:daily_withdraw_amount_usd""")
PICTURES: Mapping[str, PictureChannel] = {
    "prices": PictureChannel("markets.prices", ()),
    "book": PictureChannel("markets.book", ("symbol", "agg_level"), numbered="inside"),
    "candle": PictureChannel("markets.candles", ("symbol", "interval")),
    "mark_price_candle": PictureChannel("markets.mark_candles", ("symbol", "interval")),
    "account_info": PictureChannel(
        "account.info",
        ("account",),
        _names("""ae:account_equity as:available_to_spend aw:available_to_withdraw b:balance
            f:fee_level mu:total_margin_used cm:cross_mmr oc:orders_count pb:pending_balance
            pc:positions_count sc:stop_orders_count t:updated_at sb:spot_balances"""),
    ),
    "account_positions": PictureChannel(
        "positions.list",
        ("account",),
        _names("""s:symbol d:side a:amount p:entry_price m:margin f:funding i:isolated
            l:liquidation_price t:updated_at"""),
        numbered="beside",
    ),
    "account_orders": PictureChannel(
        "orders.list",
        ("account",),
        _names("""i:order_id I:client_order_id s:symbol d:side p:price a:initial_amount
            f:filled_amount c:cancelled_amount t:created_at st:stop_type ot:order_type
            sp:stop_price ro:reduce_only"""),
        numbered="beside",
    ),
}

# -- subscriptions ---------------------------------------------------------------------------------

_CHOICES: Mapping[str, Iterable[object]] = {
    "symbol": MARKETS,
    "interval": INTERVALS,
    "agg_level": AGGREGATIONS,
}
SOURCES: Mapping[str, tuple[str, ...]] = {
    **{source: (channel.subject,) for source, channel in EVENTS.items()},
    TOPS: ("symbol",),
    **{source: channel.parameters for source, channel in PICTURES.items()},
}
"""The channels, each with what it is subscribed to by."""


def topic_of(params: Fields) -> Topic:
    """Return what a message subscribes to, or refuse it."""
    source = params.get("source")
    if not isinstance(source, str) or source not in SOURCES:
        raise bad_request(f"source: must be one of {', '.join(SOURCES)}")
    given = {"agg_level": 1, **params}
    values = [_checked(name, given.get(name)) for name in SOURCES[source]]
    return Topic(source, *values)


def _checked(name: str, value: Any) -> Any:
    if name == "account":
        if not isinstance(value, str):
            raise bad_request("account: must be an address")
        check_address(value)
    elif not isinstance(value, (str, int)) or value not in _CHOICES[name]:
        raise bad_request(f"{name}: must be one of {', '.join(map(str, _CHOICES[name]))}")
    return value
