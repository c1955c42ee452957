"""Positions, and profit and loss, from the trades of an account. Every amount is exact.

The fill price of a trade is its `price`: on the live service `entry_price` is the average entry price of the
position (field note 26), and where both are documented as in section 2.2 they are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from decimal import (
    Context,
    Decimal,
    DecimalException,
    Inexact,
    InvalidOperation,
    Overflow,
    Subnormal,
)
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeVar

import attrs
from attrs import define, field, frozen

from trading_toolkit.errors import ToolkitError, check_flag, checked_time

ZERO = Decimal(0)
EXACT = Context(prec=300, traps=[Inexact, InvalidOperation])
"""Rounds no sum and no product of amounts."""
_AMOUNT = Context(prec=38, Emin=-38, Emax=38, traps=[Inexact, Overflow, Subnormal])
"""What an amount or a price of a record fits in."""
_QUOTIENT = Context(prec=28)
_SIDES = {
    "open_long": (1, True),
    "close_long": (1, False),
    "open_short": (-1, True),
    "close_short": (-1, False),
}
"""The direction of the position that a trade is of, and whether it opens."""
_DAY_MS = 86_400_000
_EPOCH = date(1970, 1, 1).toordinal()


def _plain(value: Decimal) -> Decimal:
    """The number without zeros at its end, which rows of a folder have."""
    return Decimal(f"{value.normalize(EXACT):f}")


@frozen(kw_only=True)
class Position:
    """The position of an account in one market, after the last of its trades."""

    symbol: str
    size: Decimal = field(converter=_plain)
    """Positive when long, negative when short. Unit: token."""

    cost: Decimal = field(converter=_plain)
    """Size times average entry price, with the sign of the size. Unit: USDC."""

    opened_at: int | None
    """When it was opened, in ms; None without a position."""

    updated_at: int
    """When it last changed. Unit: ms."""

    sure_since: int | None
    """From when on the size is certain, in ms. None: the trades do not reach back to the opening of the
    position, and the size is only what they add up to."""

    @property
    def entry_price(self) -> Decimal:
        """Average entry price, to 28 digits; 0 without a position. Unit: quote per token."""
        return _QUOTIENT.divide(self.cost, self.size) if self.size else ZERO

    def unrealised(self, mark_price: Decimal) -> Decimal:
        """Profit or loss of closing the position at a price. Unit: USDC."""
        return EXACT.subtract(EXACT.multiply(self.size, mark_price), self.cost)


@frozen(kw_only=True)
class Pnl:
    """Profit and loss, and what it came from. All in USDC, but `trades`."""

    realised: Decimal = field(default=ZERO, converter=_plain)
    """Profit and loss of closing positions, before fees."""

    fees: Decimal = field(default=ZERO, converter=_plain)
    funding: Decimal = field(default=ZERO, converter=_plain)
    """Funding payments received, less those paid."""

    volume: Decimal = field(default=ZERO, converter=_plain)
    """Amount times price of all fills."""

    trades: int = 0

    @property
    def net(self) -> Decimal:
        """What the account gained: realised, less fees, plus funding."""
        return _plain(EXACT.add(EXACT.subtract(self.realised, self.fees), self.funding))


@frozen(kw_only=True)
class DayPnl(Pnl):
    """What one market brought on one day (UTC)."""

    day: date
    symbol: str


def positions(trades: Iterable[Any], *, pnl_includes_fees: bool = False) -> dict[str, Position]:
    """The position in each market that was traded, by symbol.

    A market whose position was closed stays, with size 0: `sure_since` says whether that is certain.

    Args:
        trades: Records of `client.trades.history()`, a dataset of `history.read`, or its rows as mappings, in any
            order, each once or more often.
        pnl_includes_fees: Whether `pnl` of a trade is net of its fee. One opening trade of the live service
            shows its fee as a loss (field note 27, assumed); the sandbox's do not. It matters for the cost.

    A list may not reach back to the first trade. Two things show it: a trade of its first ms closes, or none of them has
    its `price` as its `entry_price`; or more is closed than was opened. The size is then certain from the moment on at which
    the position turned from long to short or back.
    """
    return Ledger.of(trades, pnl_includes_fees=pnl_includes_fees).positions()


def pnl(
    trades: Iterable[Any],
    funding: Iterable[Any] = (),
    *,
    pnl_includes_fees: bool = False,
) -> tuple[DayPnl, ...]:
    """Profit and loss by day and market, oldest first.

    It adds up what the service states in `pnl` and `fee` of each trade, so it needs no earlier trades.

    Args:
        trades: As in `positions`.
        funding: Records of `client.funding.payments()` of `trading_sdk_observed`. The interface document has
            no list of them; without them `funding` is 0.
        pnl_includes_fees: As in `positions`.
    """
    sums = _Sums(is_net=pnl_includes_fees)
    for fill in _in_order(trades, _Fill):
        sums.add(fill)
    for payment in _in_order(funding, _Payment):
        sums.add_funding(payment)
    return sums.by_day()


def total(rows: Iterable[Pnl]) -> Pnl:
    """The exact sum of rows, like those of `pnl` of one day or of one market."""
    found = _Sum()
    for row in rows:
        found.add(row.realised, row.fees, row.funding, row.volume, row.trades)
    return Pnl(**attrs.asdict(found))


class Ledger:
    """Positions, and profit and loss, kept up to date trade by trade.

    `positions` and `pnl` compute the same from a whole list. A program that wants to know them after each trade
    gives them to a ledger: each once, oldest first, as `trades.follow` yields them. Those of one ms may come in any
    order.
    """

    def __init__(self, *, pnl_includes_fees: bool = False) -> None:
        """Begin without trades; `pnl_includes_fees` is as in `positions`."""
        self._sums = _Sums(is_net=pnl_includes_fees)
        self._books: dict[str, _Book] = {}

    @classmethod
    def of(
        cls, trades: Iterable[Any], funding: Iterable[Any] = (), *, pnl_includes_fees: bool = False
    ) -> Ledger:
        """The ledger of whole lists, in any order."""
        ledger = cls(pnl_includes_fees=pnl_includes_fees)
        for fill in _in_order(trades, _Fill):
            ledger.add(fill)
        for payment in _in_order(funding, _Payment):
            ledger.add_funding(payment)
        return ledger

    def add(self, trade: Any) -> None:
        """Add the next trade: a record, or a row."""
        fill = trade if isinstance(trade, _Fill) else _read(trade, _Fill)
        book = self._books.get(fill.symbol)
        if book is None:
            book = self._books[fill.symbol] = _Book(fill.symbol)
        book.add(self._sums.add(fill))

    def add_funding(self, payment: Any) -> None:
        """Add a funding payment: a record, or a row."""
        paid = payment if isinstance(payment, _Payment) else _read(payment, _Payment)
        self._sums.add_funding(paid)

    def positions(self) -> dict[str, Position]:
        """The position in each market, as of the last trade.

        Raises:
            ToolkitError: What a trade does to a position is not known, or a trade came after a later one.
        """
        return {symbol: book.position() for symbol, book in sorted(self._books.items())}

    def pnl(self) -> tuple[DayPnl, ...]:
        """Profit and loss by day and market, oldest first."""
        return self._sums.by_day()


@define
class _Sum:
    realised: Decimal = ZERO
    fees: Decimal = ZERO
    funding: Decimal = ZERO
    volume: Decimal = ZERO
    trades: int = 0

    def add(
        self,
        realised: Decimal = ZERO,
        fees: Decimal = ZERO,
        funding: Decimal = ZERO,
        volume: Decimal = ZERO,
        trades: int = 0,
    ) -> None:
        self.realised = EXACT.add(self.realised, realised)
        self.fees = EXACT.add(self.fees, fees)
        self.funding = EXACT.add(self.funding, funding)
        self.volume = EXACT.add(self.volume, volume)
        self.trades += trades


class _Sums:
    """The sums of each market on each day."""

    def __init__(self, *, is_net: bool) -> None:
        check_flag("pnl_includes_fees", is_net)
        self._is_net = is_net
        self._sums: dict[tuple[int, str], _Sum] = {}

    def add(self, fill: _Fill) -> _Fill:
        """Add a fill; return it with its profit before its fee."""
        if self._is_net:
            fill = fill._replace(pnl=EXACT.add(fill.pnl, fill.fee))
        volume = EXACT.multiply(fill.amount, fill.price)
        self._of(fill).add(fill.pnl, fill.fee, volume=volume, trades=1)
        return fill

    def add_funding(self, payment: _Payment) -> None:
        """Add a funding payment."""
        self._of(payment).add(funding=payment.payout)

    def by_day(self) -> tuple[DayPnl, ...]:
        """The sums, oldest first."""
        return tuple(
            DayPnl(day=date.fromordinal(_EPOCH + day), symbol=symbol, **attrs.asdict(found))
            for (day, symbol), found in sorted(self._sums.items())
        )

    def _of(self, record: _Fill | _Payment) -> _Sum:
        key = (record.at // _DAY_MS, record.symbol)
        found = self._sums.get(key)
        if found is None:
            found = self._sums[key] = _Sum()
        return found


class _Side(NamedTuple):
    """What is held of a market on one side, long or short."""

    amount: Decimal = ZERO
    """At least this, and exactly this if it is sure."""

    cost: Decimal = ZERO
    opened_at: int | None = None
    is_sure: bool = True

    def after(self, direction: int, fills: Sequence[_Fill]) -> _Side:
        """With what the fills opened and closed of it; the amount is below 0 where they closed more."""
        amount, cost = self.amount, self.cost
        for fill in fills:
            of, is_opening = _SIDES[fill.side]
            if of != direction:
                continue
            value = EXACT.multiply(fill.amount, fill.price)
            if is_opening:
                amount, cost = EXACT.add(amount, fill.amount), EXACT.add(cost, value)
            else:
                # What the closed part had cost: what it brought, less the profit that the service states.
                gained = fill.pnl if direction > 0 else EXACT.minus(fill.pnl)
                amount = EXACT.subtract(amount, fill.amount)
                cost = EXACT.subtract(cost, EXACT.subtract(value, gained))
        if not amount:
            return _NONE if self.is_sure else _UNKNOWN
        return _Side(amount, cost, self.opened_at if self.amount else fills[0].at, self.is_sure)


_NONE = _Side()
_UNKNOWN = _Side(is_sure=False)


class _Held(NamedTuple):
    """What is held of a market, which is long or short, and never both."""

    long: _Side
    short: _Side
    sure_since: int | None = None
    """None: one side is not sure, or both are not."""

    def after(self, fills: Sequence[_Fill]) -> _Held | None:
        """What is held after the fills of one ms, in whatever order they were made; None if one must be missing."""
        long, short = self.long.after(1, fills), self.short.after(-1, fills)
        touched = {_SIDES[fill.side][0] for fill in fills}
        if self.sure_since is None:
            return self._learned(long, short, touched, fills[0].at)
        if long.amount < 0 or short.amount < 0 or (long.amount and short.amount):
            return None
        if (self.long.amount and touched == {-1}) or (self.short.amount and touched == {1}):
            return None
        return _Held(long, short, self.sure_since)

    def _learned(self, long: _Side, short: _Side, touched: set[int], at: int) -> _Held | None:
        """As `after`, with what the fills tell of a side that was not sure."""
        before, sides = {1: self.long, -1: self.short}, {1: long, -1: short}
        was_held = {each for each in sides if before[each].amount or sides[each].amount < 0}
        for each in sides:
            if was_held == {-each}:
                # There was nothing on this side before.
                sides[each] = sides[each]._replace(is_sure=True)
        if any(side.is_sure and side.amount < 0 for side in sides.values()):
            return None
        for each in sides:
            other = sides[-each]
            if touched == {-each} or (other.is_sure and other.amount > 0):
                # While the other side changes, or is held, there is nothing on this one.
                sides[each] = _NONE
        long, short = (side if side.amount >= 0 else _UNKNOWN for side in sides.values())
        return _Held(long, short, at if long.is_sure and short.is_sure else None)

    def weakened(self) -> _Held:
        """What is left to know where a trade is missing: while one side was held, there was nothing on the other one."""
        if self.sure_since is not None and self.long.amount:
            return _Held(_UNKNOWN, _NONE)
        if self.sure_since is not None and self.short.amount:
            return _Held(_NONE, _UNKNOWN)
        return _Held(_UNKNOWN, _UNKNOWN)


def _settled(held: _Held | None, fills: Sequence[_Fill]) -> _Held:
    """What is held after the fills of one ms, whose ids need not be in order."""
    if held is None:
        is_beginning = all(_SIDES[fill.side][1] for fill in fills) and any(
            fill.entry_price == fill.price for fill in fills
        )
        held = _Held(_NONE, _NONE, fills[0].at) if is_beginning else _Held(_UNKNOWN, _UNKNOWN)
    found = held.after(fills)
    while found is None:
        held = held.weakened()
        found = held.after(fills)
    return found


@define
class _Book:
    """The position in one market while its trades are added, oldest first."""

    symbol: str
    _held: _Held | None = None
    """What was held before the last ms; None before the first trade."""

    _last: list[_Fill] = field(factory=list)
    """The fills of the last ms."""

    _unclear: str | None = None
    """Why the position is not known."""

    def add(self, fill: _Fill) -> None:
        """Add the next fill, whose profit is before its fee."""
        if fill.side not in _SIDES:
            self._unclear = f"trade {fill.history_id}: what a {str(fill.side)!r} does to a position is not known"
        if self._last and fill.at < self._last[0].at:
            self._unclear = f"trade {fill.history_id} came after a later one: make the ledger anew, of the whole list"
        if self._unclear:
            return
        if self._last and fill.at > self._last[0].at:
            self._held, self._last = _settled(self._held, self._last), []
        self._last.append(fill)

    def position(self) -> Position:
        if self._unclear:
            raise ToolkitError(self._unclear)
        held = _settled(self._held, self._last)
        return Position(
            symbol=self.symbol,
            size=EXACT.subtract(held.long.amount, held.short.amount),
            cost=EXACT.subtract(held.long.cost, held.short.cost),
            opened_at=held.long.opened_at or held.short.opened_at,
            updated_at=self._last[0].at,
            sure_since=held.sure_since,
        )


class _Fill(NamedTuple):
    """What is read of a trade. Fills sort by their time."""

    at: int
    history_id: int
    symbol: str
    amount: Decimal
    price: Decimal
    entry_price: Decimal
    fee: Decimal
    pnl: Decimal
    side: str


class _Payment(NamedTuple):
    """What is read of a funding payment. Payments sort by their time."""

    at: int
    history_id: int
    symbol: str
    payout: Decimal


_Read = TypeVar("_Read", _Fill, _Payment)
_AMOUNTS = slice(3, 8)
"""The amounts and prices of either."""
_NOUNS = {_Fill: "trade", _Payment: "funding payment"}


def _in_order(records: Any, kind: type[_Read]) -> list[_Read]:
    """What the records say, oldest first, each once.

    Raises:
        ToolkitError: one is of another kind, or two have one id and are not equal.
    """
    found: dict[int, _Read] = {}
    for record in _read_all(records, kind):
        known = found.setdefault(record.history_id, record)
        if known is not record and known != record:
            raise ToolkitError(
                f"two {_NOUNS[kind]}s have the id {record.history_id}: {_text(known)}; and {_text(record)}"
            )
    return sorted(found.values())


def _text(record: _Fill | _Payment) -> str:
    return ", ".join(f"{name} {value}" for name, value in record._asdict().items())


def _read_all(records: Any, kind: type[_Read]) -> Iterator[_Read]:
    """What the records say; of a dataset or table of pyarrow no other columns are read, and a batch at a time."""
    if not hasattr(records, "to_batches"):
        yield from (_read(record, kind) for record in records)
        return
    names = _names(kind)
    if not set(names) <= set(records.schema.names):
        raise _unlike(f"a row of {', '.join(records.schema.names)}", kind)
    is_dataset = hasattr(records, "scanner")
    for batch in records.to_batches(columns=names) if is_dataset else records.to_batches():
        columns = [_values(batch.column(name)) for name in names]
        yield from (_checked(kind._make(row), kind) for row in zip(*columns, strict=True))


def _values(column: Any) -> list[Any]:
    """The values of a column; its ms stay integers, which need no datetimes."""
    is_ms = str(column.type) == "timestamp[ms, tz=UTC]"
    values: list[Any] = (column.cast("int64") if is_ms else column).to_pylist()
    return values


def _read(record: Any, kind: type[_Read]) -> _Read:
    getter: Any = itemgetter if isinstance(record, Mapping) else attrgetter
    try:
        return _checked(kind._make(getter(*_names(kind))(record)), kind)
    except (AttributeError, KeyError):
        raise _unlike(record, kind) from None


def _names(kind: type[_Fill | _Payment]) -> list[str]:
    return ["created_at", *kind._fields[1:]]


def _unlike(record: Any, kind: type[_Fill | _Payment]) -> ToolkitError:
    wanted = ", ".join(_names(kind)[3:])
    return ToolkitError(f"{str(record)[:80]} is not a {_NOUNS[kind]}: it needs {wanted}")


def _checked(record: _Read, kind: type[_Fill | _Payment]) -> _Read:
    """The record, with its time in ms.

    Raises:
        ToolkitError: it has no id, no time, or an amount that is not exact.
    """
    name = f"{_NOUNS[kind]} {record.history_id}"
    if not isinstance(record.history_id, int):
        raise ToolkitError(f"a {name} has no integer as its history_id")
    values: tuple[Any, ...] = record
    for wrong, value in zip(kind._fields[_AMOUNTS], values[_AMOUNTS], strict=True):
        if not isinstance(value, Decimal) or not _is_exact(value):
            why = "no number of at most 38 digits" if isinstance(value, Decimal) else "no Decimal"
            raise ToolkitError(f"{name}: {wrong} {str(value)[:60]} is {why}, and so not exact")
    at = checked_time(f"{name}: created_at", record.at)
    return record if at is record.at else record._replace(at=at)


def _is_exact(value: Decimal) -> bool:
    try:
        return _AMOUNT.plus(value).is_finite()
    except DecimalException:
        return False
