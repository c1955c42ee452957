"""A report as one file: an HTML page that loads nothing, PNG, or CSV. The same records give the same bytes.

It needs matplotlib and jinja2.
"""

from __future__ import annotations

import csv
import io
import os
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timezone
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

from trading_toolkit.errors import ToolkitError
from trading_toolkit.portfolio import Pnl
from trading_toolkit.report import Report

try:
    import jinja2

    from trading_toolkit import charts
except ImportError as error:
    raise ImportError(
        "this needs matplotlib and jinja2: pip install 'trading-service-sdk[toolkit]'"
    ) from error

MAX_ROWS = 1000
"""The newest rows by day and market; older ones are left out."""
_DIGITS_12 = Context(prec=12)


def write(report: Report, path: str | os.PathLike[str]) -> Path:
    """Write a report to a file, whose suffix says as what: `.html`, `.png` or `.csv`.

    CSV has a row for each day and market: net, realised, fees, funding (above 0 received, below 0 paid; empty if it is not
    known), volume in USDC, and fills. The file is replaced in one step: whatever interrupts it, there is the old file or the new one.

    Raises:
        ToolkitError: The suffix is another one, or the file cannot be written.
    """
    target = Path(path)
    make = _FORMS.get(target.suffix)
    if make is None:
        raise ToolkitError(f"a report is written as {NAMED}, not as {target.name!r}")
    content = make(report)
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
    pictures = {"By day": charts.days, "By market": charts.markets} if report.rows else {}
    return page.render(
        report=report,
        summary=charts.summary(report),
        tables=[_texts(*each) for each in _tables(report) if each[2]],
        pictures={name: b64encode(draw(report)).decode() for name, draw in pictures.items()},
    ).encode()


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


_FORMS = {".html": html, ".png": charts.png, ".csv": _table}
SUFFIXES = (*_FORMS,)
"""Of the files that a report can be written to."""
NAMED = ".html, .png or .csv"
"""The same, as errors name them."""


def _tables(report: Report) -> Iterator[tuple[str, str, Sequence[dict[str, Any]]]]:
    """The title, the note and the rows of each table."""
    yield (
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
    )
    every = [*report.markets.items(), ("All markets", report.total)] if report.markets else []
    yield (
        "By market",
        "All in USDC, the largest gain first.",
        [{"Market": symbol, **_money(found, report)} for symbol, found in every],
    )
    yield (
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
    yield (
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


def _texts(title: str, note: str, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A table of texts, and of which columns are numbers; these have the same number of decimals in all rows."""
    places = {name: max(_places(row[name]) for row in rows) for name in rows[0]}
    return {
        "title": title,
        "note": note,
        "columns": [(name, count >= 0) for name, count in places.items()],
        "rows": [[_text(row[name], count) for name, count in places.items()] for row in rows],
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
