"""What an account gained and lost: figures, and a page, a picture or a table of them.

`build` computes the figures, all exact; it needs no package beside the SDK. `write` makes one file of them: HTML that
loads nothing, PNG, or CSV by day and market. The same records give the same bytes.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import date
from decimal import Decimal
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen

from trading_runtime import to_datetime
from trading_toolkit.errors import ToolkitError, check_text
from trading_toolkit.portfolio import EXACT, ZERO, DayPnl, Ledger, Pnl, Position, total

SUFFIXES = (".html", ".png", ".csv")
"""As what a report is written."""
_NAMED = ".html, .png or .csv"
_ASSUMPTIONS = (
    "All fills are of one account, and the list of them is complete. All money is in USDC.",
    "Times are UTC. A day begins at 00:00 UTC.",
    "Net is realised profit, less fees, plus funding. It holds no profit or loss of open positions.",
    "A fill counts at its price. The entry price is the average over the fills that opened the position.",
    "Drawdown is how far the net so far is below its highest value, or below 0, at the end of a day. What happens"
    " within a day is not seen. It is no percentage, because deposits and withdrawals are not known.",
)
_FEES_BEFORE = "The profit that the service states for a fill is taken as before its fee."
_FEES_AFTER = (
    "The profit that the service states for a fill is taken as after its fee, which is added again."
)
_FUNDING_KNOWN = "Funding is what the list of funding payments says."
_FUNDING_UNKNOWN = "Funding payments are not known. They are missing in all sums."


@frozen(kw_only=True)
class Day(Pnl):
    """What all markets brought on one day (UTC)."""

    day: date
    so_far: Decimal
    """Net of this day and all days before it. Unit: USDC."""

    drawdown: Decimal
    """How far `so_far` is below its highest value up to this day, or below 0. Unit: USDC."""


@frozen(kw_only=True)
class Report:
    """The figures of a report. Money is exact, in USDC."""

    title: str
    rows: tuple[DayPnl, ...]
    """By day and market, oldest first."""

    days: tuple[Day, ...]
    """Days with a fill or a funding payment, oldest first."""

    markets: Mapping[str, Pnl]
    """By symbol; the largest gain first, the largest loss last."""

    total: Pnl
    worst: Day | None
    """The first day of the largest drawdown; None without one."""

    positions: tuple[Position, ...]
    """Open positions, by symbol."""

    unrealised: Mapping[str, Decimal]
    """Profit or loss of closing a position at the price that was given for its market, by symbol."""

    is_funding_known: bool
    assumptions: tuple[str, ...]
    """What the figures rest on, a sentence or two each."""

    @property
    def period(self) -> str:
        """From when to when it reaches, in words."""
        if not self.days:
            return "No fills"
        return f"{self.days[0].day} to {self.days[-1].day} (UTC)"


def build(
    trades: Iterable[Any],
    funding: Iterable[Any] | None = None,
    *,
    mark_prices: Mapping[str, Decimal] | None = None,
    pnl_includes_fees: bool = False,
    title: str = "Trading report",
) -> Report:
    """Compute the figures of a report.

    Args:
        trades: Records of `client.trades.history()`, or a dataset of `history.read`, in any order.
        funding: Records of `client.funding.payments()` of `trading_sdk_observed`; None where they are not known.
        mark_prices: The present price of markets, by symbol: for the unrealised profit of open positions.
        pnl_includes_fees: Whether `pnl` of a trade is net of its fee; see `portfolio.positions`.
        title: The heading, like the name of an account.

    Raises:
        ToolkitError: A record is no trade or no funding payment, or an amount or a price is no Decimal.
    """
    check_text("title", title)
    prices = dict(mark_prices or {})
    if inexact := [symbol for symbol, price in prices.items() if not isinstance(price, Decimal)]:
        raise ToolkitError(f"the mark price of {inexact[0]} is no Decimal, and so not exact")
    paid = () if funding is None else funding  # a paginator has no truth value
    folders = [found for each in (trades, paid) if (found := _folder(each))]
    if len({(each["account"], each["service"]) for each in folders}) > 1:
        raise ToolkitError("the folders are not of one account: " + " ".join(map(_kept, folders)))
    ledger = Ledger.of(trades, paid, pnl_includes_fees=pnl_includes_fees)
    rows, held, unclear = ledger.pnl(), {}, []
    try:
        held = ledger.positions()
    except ToolkitError as error:
        unclear = [f"Open positions are not known: {error}."]
    if unsure := ", ".join(each.symbol for each in held.values() if each.sure_since is None):
        unclear = [f"The fills do not reach back to the opening, so sizes may be wrong: {unsure}."]
    days = tuple(_days(rows))
    positions = tuple(each for each in held.values() if each.size)
    return Report(
        title=title,
        rows=rows,
        days=days,
        markets=_markets(rows),
        total=total(rows),
        worst=max(
            (each for each in days if each.drawdown), key=attrgetter("drawdown"), default=None
        ),
        positions=positions,
        unrealised={
            each.symbol: each.unrealised(prices[each.symbol])
            for each in positions
            if each.symbol in prices
        },
        is_funding_known=funding is not None,
        assumptions=(
            *map(_kept, folders),
            *_ASSUMPTIONS,
            _FEES_AFTER if pnl_includes_fees else _FEES_BEFORE,
            _FUNDING_UNKNOWN if funding is None else _FUNDING_KNOWN,
            *unclear,
        ),
    )


def write(report: Report, path: str | os.PathLike[str]) -> Path:
    """Write a report to a file, whose suffix says as what: `.html`, `.png` or `.csv`.

    CSV has a row for each day and market: net, realised, fees, funding (above 0 received, below 0 paid; empty if it is not
    known), volume in USDC, and fills. The file is replaced in one step: whatever interrupts it, there is the old file or the new one.

    Raises:
        ImportError: What draws it is not installed.
        ToolkitError: The suffix is another one, or the file cannot be written.
    """
    target = Path(path)
    if target.suffix not in SUFFIXES:
        raise ToolkitError(f"a report is written as {_NAMED}, not as {target.name!r}")
    content = _table(report) if target.suffix == ".csv" else _drawn(report, target.suffix)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        os.replace(part, target)
    except OSError as error:
        raise ToolkitError(f"cannot write {target}: {error.strerror}") from None
    finally:
        with suppress(OSError):
            part.unlink()
    return target


def _drawn(report: Report, suffix: str) -> bytes:
    """The page or the picture of a report."""
    try:
        from trading_toolkit import charts, page
    except ImportError as error:
        raise ImportError(
            "this needs matplotlib and jinja2: pip install 'trading-service-sdk[toolkit]'"
        ) from error
    return page.html(report) if suffix == ".html" else charts.png(report)


def _table(report: Report) -> bytes:
    """The rows by day and market, as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = ("net", "realised", "fees", "funding", "volume")
    writer.writerow(["day", "symbol", *names, "fills"])
    for each in report.rows:
        money = {name: f"{getattr(each, name):f}" for name in names}
        if not report.is_funding_known:
            money["funding"] = ""
        writer.writerow([each.day, each.symbol, *money.values(), each.trades])
    return text.getvalue().encode()


def _folder(records: Any) -> dict[str, str]:
    """What `history.read` says of the folder that the records are from; nothing of other records."""
    found = getattr(getattr(records, "schema", None), "metadata", None) or {}
    told = {name.decode(): value.decode() for name, value in found.items()}
    return told if "synced_at" in told else {}


def _kept(folder: Mapping[str, str]) -> str:
    at = folder["synced_at"]
    when = f"{to_datetime(int(at)):%Y-%m-%d %H:%M:%S}" if at else "an unknown time"
    return f"The folder of {folder['list']} is of {folder['account']} at {folder['service']}, as of {when}."


def _days(rows: Iterable[DayPnl]) -> Iterable[Day]:
    so_far = highest = ZERO
    for day, of_day in groupby(rows, key=attrgetter("day")):
        found = total(of_day)
        so_far = EXACT.add(so_far, found.net)
        highest = max(highest, so_far)
        drawdown = EXACT.subtract(highest, so_far)
        yield Day(day=day, so_far=so_far, drawdown=drawdown, **attrs.asdict(found))


def _markets(rows: Iterable[DayPnl]) -> dict[str, Pnl]:
    by_symbol = groupby(sorted(rows, key=attrgetter("symbol")), key=attrgetter("symbol"))
    found = [(symbol, total(each)) for symbol, each in by_symbol]
    return dict(sorted(found, key=lambda each: each[1].net, reverse=True))
