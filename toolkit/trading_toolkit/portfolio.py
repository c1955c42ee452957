"""Positions, and profit and loss, from the trades of an account. Every amount is exact.

The fill price of a trade is its `price`: on the live service `entry_price` is the average entry price of the
position (field note 26), and where both are documented as in section 2.2 they are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from decimal import Context, Decimal
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeVar

import attrs
from attrs import define, field, frozen

from trading_toolkit.errors import ToolkitError, check_flag

ZERO = Decimal(0)
EXACT = Context(prec=100)
"""Amounts have at most 18 decimals and 20 digits before them, so that no sum or product is rounded."""
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

    A list may not reach back to the first trade. Two things show it: the first trade closes, or its `entry_price`
    is not its `price`; or more is closed than was opened. The size is then certain from the moment on at which
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
    return Ledger.of(trades, funding, pnl_includes_fees=pnl_includes_fees).pnl()


def total(rows: Iterable[Pnl]) -> Pnl:
    """The exact sum of rows, like those of `pnl` of one day or of one market."""
    found = _Sum()
    for row in rows:
        found.add(row.realised, row.fees, row.funding, row.volume, row.trades)
    return Pnl(**attrs.asdict(found))


class Ledger:
    """Positions, and profit and loss, kept up to date trade by trade.

    `positions` and `pnl` compute the same from a whole list. A program that wants to know them after each trade
    gives them to a ledger: each once, oldest first, as `trades.follow` yields them.
    """

    def __init__(self, *, pnl_includes_fees: bool = False) -> None:
        """Begin without trades; `pnl_includes_fees` is as in `positions`."""
        check_flag("pnl_includes_fees", pnl_includes_fees)
        self._is_net = pnl_includes_fees
        self._books: dict[str, _Book] = {}
        self._sums: dict[tuple[int, str], _Sum] = {}

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
        fill = _read(trade, _Fill)
        gross = EXACT.add(fill.pnl, fill.fee) if self._is_net else fill.pnl
        volume = EXACT.multiply(fill.amount, fill.price)
        self._sum(fill).add(gross, fill.fee, volume=volume, trades=1)
        book = self._books.get(fill.symbol)
        if book is None:
            book = self._books[fill.symbol] = _Book(fill.symbol)
        book.add(fill, gross)

    def add_funding(self, payment: Any) -> None:
        """Add a funding payment: a record, or a row."""
        paid = _read(payment, _Payment)
        self._sum(paid).add(funding=paid.payout)

    def positions(self) -> dict[str, Position]:
        """The position in each market, as of the last trade.

        Raises:
            ToolkitError: What a trade does to a position is not known.
        """
        return {symbol: book.position() for symbol, book in sorted(self._books.items())}

    def pnl(self) -> tuple[DayPnl, ...]:
        """Profit and loss by day and market, oldest first."""
        return tuple(
            DayPnl(day=date.fromordinal(_EPOCH + day), symbol=symbol, **attrs.asdict(found))
            for (day, symbol), found in sorted(self._sums.items())
        )

    def _sum(self, record: _Fill | _Payment) -> _Sum:
        key = (record.at // _DAY_MS, record.symbol)
        found = self._sums.get(key)
        if found is None:
            found = self._sums[key] = _Sum()
        return found


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


@define
class _Book:
    """The position in one market while its trades are added, oldest first."""

    symbol: str
    size: Decimal = ZERO
    cost: Decimal = ZERO
    opened_at: int | None = None
    updated_at: int = 0
    sure_since: int | None = None
    _direction: int = 0

    _unknown: str | None = None
    """Why the position is not known."""

    def add(self, fill: _Fill, gross: Decimal) -> None:
        """Add the next fill, and its profit before its fee."""
        if fill.side not in _SIDES:
            self._unknown = f"trade {fill.history_id}: what a {str(fill.side)!r} does to a position is not known"
            return
        direction, is_opening = _SIDES[fill.side]
        if self._direction == -direction:
            # Nothing was left of the position in the other direction.
            self._restart(fill.at)
        elif not self._direction and is_opening and fill.entry_price == fill.price:
            self.sure_since = fill.at
        self._direction, self.updated_at = direction, fill.at
        signed = fill.amount if direction > 0 else EXACT.minus(fill.amount)
        cost = EXACT.multiply(signed, fill.price)
        if is_opening:
            if not self.size:
                self.opened_at = fill.at
            self.size, self.cost = EXACT.add(self.size, signed), EXACT.add(self.cost, cost)
        elif fill.amount > self.size.copy_abs():
            # The opening of what is closed here is not in the list.
            self._restart(None)
        else:
            # What the closed part had cost: what it brought, less the profit that the service states.
            self.size = EXACT.subtract(self.size, signed)
            self.cost = EXACT.subtract(self.cost, EXACT.subtract(cost, gross))

    def position(self) -> Position:
        if self._unknown:
            raise ToolkitError(self._unknown)
        return Position(
            symbol=self.symbol,
            size=self.size,
            cost=self.cost,
            opened_at=self.opened_at if self.size else None,
            updated_at=self.updated_at,
            sure_since=self.sure_since,
        )

    def _restart(self, sure_since: int | None) -> None:
        self.size, self.cost, self.sure_since = ZERO, ZERO, sure_since


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


_Read = TypeVar("_Read", bound=_Fill | _Payment)


def _in_order(records: Any, kind: type[_Read]) -> list[_Read]:
    """What the records say, oldest first, each once.

    Raises:
        ToolkitError: one has no id, or not the money of its kind.
    """
    if hasattr(records, "to_batches"):
        # A dataset or table of pyarrow, which need not be in memory whole.
        records = (row for batch in records.to_batches() for row in batch.to_pylist())
    found = {each.history_id: each for each in (_read(record, kind) for record in records)}
    return sorted(found.values())


def _read(record: Any, kind: type[_Read]) -> _Read:
    if isinstance(record, kind):
        return record
    names = ("created_at", *kind._fields[1:])
    getter: Any = itemgetter if isinstance(record, Mapping) else attrgetter
    try:
        at, *values = getter(*names)(record)
    except (AttributeError, KeyError):
        wanted = "a trade" if kind is _Fill else "a funding payment"
        raise ToolkitError(
            f"{str(record)[:80]} is not {wanted}: it needs {', '.join(names[3:])}"
        ) from None
    found = kind(round(at.timestamp() * 1000) if isinstance(at, datetime) else at, *values)
    for name, value in zip(names[3:], values[2:], strict=True):
        if not isinstance(value, Decimal) and name != "side":
            raise ToolkitError(f"{name} {value!r} is no Decimal, and so not exact")
    return found
