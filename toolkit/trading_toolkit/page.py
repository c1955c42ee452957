"""A report as one HTML page that loads nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timezone
from decimal import Context, Decimal
from typing import Any

import jinja2

from trading_toolkit import charts
from trading_toolkit.portfolio import Pnl
from trading_toolkit.report import Report

MAX_ROWS = 1000
"""The newest rows by day and market; older ones are left out."""
_DIGITS_12 = Context(prec=12)


def html(report: Report) -> bytes:
    """The page of a report."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("trading_toolkit", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = charts.shown
    page = environment.get_template("page.html.jinja")
    return page.render(report=report, charts=charts, tables=list(_tables(report))).encode()


def _tables(report: Report) -> Iterator[dict[str, Any]]:
    """What the template needs of each table."""
    yield _table(
        "By day",
        "All in USDC, the newest day first.",
        [
            {
                "Day": each.day,
                **_money(each, report),
                "Net so far": each.so_far,
                "Drawdown": each.drawdown,
            }
            for each in reversed(report.days)
        ],
        chart="days",
    )
    yield _table(
        "By market",
        "All in USDC, the largest gain first.",
        [
            {"Market": symbol, **_money(found, report)}
            for symbol, found in [*report.markets.items(), ("All markets", report.total)]
        ],
        chart="markets",
    )
    yield _table(
        "Open positions",
        "Size in tokens, negative when short. Unrealised in USDC. The entry price is rounded to 12 digits.",
        [
            {
                "Market": each.symbol,
                "Size": each.size,
                "Entry price": _DIGITS_12.plus(each.entry_price),
                "Unrealised": report.unrealised.get(each.symbol, "no price"),
                "Opened": _time(each.opened_at),
                "Certain since": _time(each.sure_since),
            }
            for each in report.positions
        ],
    )
    newest = report.rows[: -MAX_ROWS - 1 : -1]
    left_out = len(report.rows) - len(newest)
    older = f" {left_out:,} older rows are left out; portfolio.pnl has them." if left_out else ""
    yield _table(
        "By day and market",
        f"All in USDC, the newest day first.{older}",
        [{"Day": each.day, "Market": each.symbol, **_money(each, report)} for each in newest],
    )


def _money(found: Pnl, report: Report) -> dict[str, Any]:
    return {
        "Net": found.net,
        "Realised": found.realised,
        "Fees": found.fees,
        "Funding": found.funding if report.is_funding_known else "not known",
        "Volume": found.volume,
        "Fills": found.trades,
    }


def _table(
    title: str, note: str, rows: list[dict[str, Any]], chart: str | None = None
) -> dict[str, Any]:
    """A table of texts, and of which columns are numbers; these have the same number of decimals in all rows."""
    names = list(rows[0]) if rows else []
    places = {name: max(_places(row[name]) for row in rows) for name in names}
    return {
        "title": title,
        "note": note,
        "chart": chart,
        "columns": [(name, places[name] >= 0) for name in names],
        "rows": [[_text(row[name], places[name]) for name in names] for row in rows],
    }


def _places(value: object) -> int:
    """The decimals to show: of an amount all of them, and at least two; -1 for what is no number."""
    if isinstance(value, Decimal):
        return max(2, -int(value.as_tuple().exponent))
    return 0 if isinstance(value, int) else -1


def _text(value: object, places: int) -> str:
    if isinstance(value, (Decimal, int)):
        return f"{Decimal(value):,.{places}f}"
    return charts.shown(str(value))


def _time(at: int | None) -> str:
    if at is None:
        return "not certain"
    return f"{datetime.fromtimestamp(at // 1000, timezone.utc):%Y-%m-%d %H:%M:%S}"
