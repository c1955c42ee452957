"""A report as one HTML page that loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timezone
from decimal import Context, Decimal
from typing import Any

import jinja2
from attrs import evolve, frozen
from markupsafe import Markup

from trading_toolkit import charts
from trading_toolkit.portfolio import Pnl
from trading_toolkit.report import Report

_ENTRY = Context(prec=12)
MAX_ROWS = 1000
"""The newest rows by day and market; older ones are left out."""


@frozen(kw_only=True)
class Cell:
    """A figure, or another text."""

    text: str
    tail: str = ""
    """The decimals of an amount behind the second."""

    shift: int = 0
    """By how many digits the longest amount of the column is longer."""

    is_number: bool = True


@frozen(kw_only=True)
class Table:
    """A table, whose first column names the rows."""

    title: str
    columns: list[str]
    rows: list[list[Cell]]
    note: str
    charts: dict[str, Markup]
    """Size -> the chart of it for a page of this size."""


def html(report: Report) -> bytes:
    """The page of a report."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("trading_toolkit", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.get_template("page.html.jinja").render(
        title=charts.shown(report.title),
        period=charts.period(report),
        summary=charts.summary(report),
        tables=[each for each in _tables(report) if each.rows],
        assumptions=[charts.shown(each, 2000) for each in report.assumptions],
        colours=charts.COLOURS,
    )
    return page.encode()


def _tables(report: Report) -> Iterator[Table]:
    money = ["Net", "Realised", "Fees", *["Funding"] * report.is_funding_known, "Volume", "Fills"]
    yield _table(
        "By day",
        ["Day", *money, "Net so far", "Drawdown"],
        [
            [each.day, *_values(each, report), each.so_far, each.drawdown]
            for each in reversed(report.days)
        ],
        "All in USDC, the newest day first.",
        _charts("days", report),
    )
    yield _table(
        "By market",
        ["Market", *money],
        [
            [symbol, *_values(each, report)]
            for symbol, each in [*report.markets.items(), ("All markets", report.total)]
            if report.markets
        ],
        "All in USDC, the largest gain first.",
        _charts("markets", report),
    )
    yield _table(
        "Open positions",
        ["Market", "Size", "Entry price", "Unrealised", "Opened", "Certain since"],
        [
            [
                *(each.symbol, each.size, _ENTRY.plus(each.entry_price)),
                report.unrealised.get(each.symbol, "no price"),
                *(_time(each.opened_at), _time(each.sure_since)),
            ]
            for each in report.positions
        ],
        "Size in tokens, negative when short. Unrealised in USDC. The entry price is rounded to 12 digits.",
    )
    newest = report.rows[: -MAX_ROWS - 1 : -1]
    left_out = len(report.rows) - len(newest)
    yield _table(
        "By day and market",
        ["Day", "Market", *money],
        [[each.day, each.symbol, *_values(each, report)] for each in newest],
        "All in USDC, the newest day first."
        + f" {left_out:,} older rows are left out; portfolio.pnl has them." * bool(left_out),
    )


def _values(found: Pnl, report: Report) -> list[Decimal | int]:
    funding = [found.funding] * report.is_funding_known
    return [found.net, found.realised, found.fees, *funding, found.volume, found.trades]


def _charts(name: str, report: Report) -> dict[str, Markup]:
    return {
        size: Markup(charts.svg(name, report, is_narrow=size == "narrow"))
        for size in ("wide", "narrow")
        if report.days
    }


def _table(
    title: str,
    columns: list[str],
    rows: list[list[Any]],
    note: str,
    drawn: dict[str, Markup] | None = None,
) -> Table:
    cells = [[_cell(value) for value in row] for row in rows]
    columns_of = list(zip(*cells, strict=True))
    longest = [max(len(each.tail) for each in column) for column in columns_of]
    numeric = [any(each.is_number for each in column) for column in columns_of]
    placed = [
        [
            evolve(cell, shift=most - len(cell.tail) if cell.is_number else 0, is_number=is_number)
            for cell, most, is_number in zip(row, longest, numeric, strict=True)
        ]
        for row in cells
    ]
    return Table(title=title, columns=columns, rows=placed, note=note, charts=drawn or {})


def _cell(value: Decimal | int | date | str) -> Cell:
    if isinstance(value, Decimal):
        whole, _, decimals = f"{value:,f}".partition(".")
        return Cell(text=f"{whole}.{decimals[:2]:0<2}", tail=decimals[2:])
    if isinstance(value, int):
        return Cell(text=f"{value:,}")
    return Cell(text=charts.shown(str(value)), is_number=False)


def _time(at: int | None) -> str:
    if at is None:
        return "not certain"
    return f"{datetime.fromtimestamp(at // 1000, timezone.utc):%Y-%m-%d %H:%M:%S}"
