"""Positions, and profit and loss, from the trades of an account. Every amount is exact.

The fill price of a trade is its `price`: on the live service `entry_price` is the average entry price of the
position (field note 26), and where both are documented as in section 2.2 they are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timezone
from decimal import Context, Decimal
from typing import Any

import attrs
from attrs import define, field, frozen

from trading_toolkit.checks import check_flag
from trading_toolkit.errors import ToolkitError

ZERO = Decimal(0)
_MONEY = ("amount", "price", "entry_price", "fee", "pnl")
_EXACT = Context(prec=100)
"""Amounts have at most 18 decimals and 20 digits before them, so that no sum or product is rounded."""
_QUOTIENT = Context(prec=28)
_SIDES = {
    "open_long": (1, True),
    "close_long": (1, False),
    "open_short": (-1, True),
    "close_short": (-1, False),
}
"""The direction of the position that a trade is of, and whether it opens."""


def _plain(value: Decimal) -> Decimal:
    """The number without zeros at its end, which rows of a folder have."""
    return Decimal(f"{value.normalize(_EXACT):f}")


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
        return _EXACT.subtract(_EXACT.multiply(self.size, mark_price), self.cost)


@frozen(kw_only=True)
class DayPnl:
    """What one market brought on one day (UTC). All in USDC, but `trades`."""

    day: date
    symbol: str
    realised: Decimal = field(converter=_plain)
    """Profit and loss of closing positions, before fees."""

    fees: Decimal = field(converter=_plain)
    funding: Decimal = field(converter=_plain)
    """Funding payments received, less those paid."""

    volume: Decimal = field(converter=_plain)
    """Amount times price of all fills."""

    trades: int

    @property
    def net(self) -> Decimal:
        """What the account gained: realised, less fees, plus funding."""
        return _EXACT.add(_EXACT.subtract(self.realised, self.fees), self.funding)


def positions(trades: Iterable[Any], *, pnl_includes_fees: bool = False) -> dict[str, Position]:
    """The position in each market that was traded, by symbol; its size is 0 where it was closed.

    Args:
        trades: Records of `client.trades.history()`, or rows of `history.read(...)` as mappings, in any order,
            each once or more often.
        pnl_includes_fees: Whether `pnl` of a trade is net of its fee. One opening trade of the live service
            shows its fee as a loss (field note 27, assumed); the sandbox's do not. It matters for the cost.

    A list may not reach back to the first trade. Two things show it: the first trade closes, or its `entry_price`
    is not its `price`; or more is closed than was opened. The size is then certain from the moment on at which
    the position turned from long to short or back.
    """
    check_flag("pnl_includes_fees", pnl_includes_fees)
    books: dict[str, _Book] = {}
    for trade in _in_order(trades, *_MONEY):
        symbol = trade["symbol"]
        books.setdefault(symbol, _Book(symbol)).add(trade, net=pnl_includes_fees)
    return {symbol: book.position() for symbol, book in sorted(books.items())}


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
    check_flag("pnl_includes_fees", pnl_includes_fees)
    sums: dict[tuple[date, str], _Sum] = {}
    for trade in _in_order(trades, *_MONEY):
        total = sums.setdefault((_day(trade), trade["symbol"]), _Sum())
        total.realised = _EXACT.add(total.realised, _gross(trade, net=pnl_includes_fees))
        total.fees = _EXACT.add(total.fees, trade["fee"])
        total.volume = _EXACT.add(total.volume, _EXACT.multiply(trade["amount"], trade["price"]))
        total.trades += 1
    for payment in _in_order(funding, "payout"):
        total = sums.setdefault((_day(payment), payment["symbol"]), _Sum())
        total.funding = _EXACT.add(total.funding, payment["payout"])
    return tuple(
        DayPnl(day=day, symbol=symbol, **attrs.asdict(total))
        for (day, symbol), total in sorted(sums.items())
    )


@define
class _Sum:
    realised: Decimal = ZERO
    fees: Decimal = ZERO
    funding: Decimal = ZERO
    volume: Decimal = ZERO
    trades: int = 0


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

    def add(self, trade: Mapping[str, Any], *, net: bool) -> None:
        side, at = trade["side"], _ms(trade)
        if side not in _SIDES:
            raise ToolkitError(
                f"trade {trade['history_id']}: what a {side!r} does to a position is not known"
            )
        direction, is_opening = _SIDES[side]
        if self._direction == -direction:
            # Nothing was left of the position in the other direction.
            self._restart(at)
        elif not self._direction and is_opening and trade["entry_price"] == trade["price"]:
            self.sure_since = at
        self._direction, self.updated_at = direction, at
        if is_opening:
            self._open(trade, at)
        elif trade["amount"] > self.size.copy_abs():
            # The opening of what is closed here is not in the list.
            self._restart(None)
        else:
            self._close(trade, net=net)

    def position(self) -> Position:
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

    def _open(self, trade: Mapping[str, Any], at: int) -> None:
        if not self.size:
            self.opened_at = at
        signed = _EXACT.multiply(trade["amount"], self._direction)
        self.size = _EXACT.add(self.size, signed)
        self.cost = _EXACT.add(self.cost, _EXACT.multiply(signed, trade["price"]))

    def _close(self, trade: Mapping[str, Any], *, net: bool) -> None:
        signed = _EXACT.multiply(trade["amount"], self._direction)
        # What the closed part had cost: what it brought, less the profit that the service states.
        brought = _EXACT.multiply(signed, trade["price"])
        self.size = _EXACT.subtract(self.size, signed)
        self.cost = _EXACT.subtract(self.cost, _EXACT.subtract(brought, _gross(trade, net=net)))


def _in_order(records: Iterable[Any], *money: str) -> list[Mapping[str, Any]]:
    """The records as mappings, oldest first, each once.

    Raises:
        ToolkitError: one has no id, or not this money.
    """
    found: dict[int, Mapping[str, Any]] = {}
    for each in records:
        row = _row(each, money)
        found[row["history_id"]] = row
    return sorted(found.values(), key=lambda row: (_ms(row), row["history_id"]))


def _row(record: Any, money: Sequence[str]) -> Mapping[str, Any]:
    if attrs.has(type(record)):
        record = attrs.asdict(record, recurse=False)
    if not isinstance(record, Mapping) or not {"history_id", "symbol", *money} <= record.keys():
        wanted = "a trade" if "pnl" in money else "a funding payment"
        raise ToolkitError(f"{str(record)[:80]} is not {wanted}: it needs {', '.join(money)}")
    if inexact := [each for each in money if not isinstance(record[each], Decimal)]:
        raise ToolkitError(f"{inexact[0]} {record[inexact[0]]!r} is no Decimal, and so not exact")
    return record


def _gross(trade: Mapping[str, Any], *, net: bool) -> Decimal:
    """The profit of a trade before its fee."""
    return _EXACT.add(trade["pnl"], trade["fee"]) if net else trade["pnl"]


def _ms(record: Mapping[str, Any]) -> int:
    at = record["created_at"]
    return round(at.timestamp() * 1000) if isinstance(at, datetime) else at


def _day(record: Mapping[str, Any]) -> date:
    return datetime.fromtimestamp(_ms(record) / 1000, timezone.utc).date()
