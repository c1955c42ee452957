"""The charts of a report: as SVG that takes its colours from a page, or with all else in one PNG.

A loss is hatched and below zero, so that no chart needs its colours. Floats are for drawing alone.
"""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from typing import Any

import matplotlib
from markupsafe import escape
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FuncFormatter, MaxNLocator

from trading_toolkit.portfolio import ZERO, Pnl, total
from trading_toolkit.report import Report

COLOURS = {
    "ink": "#1b2430",
    "muted": "#566270",
    "rule": "#d5dbe1",
    "gain": "#1f5fa9",
    "loss": "#b3480f",
}
"""What is drawn -> its colour on white paper. A page may have others."""

_STYLE = {
    "axes.axisbelow": True,
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.spines.bottom": False,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlepad": 8,
    "figure.facecolor": "none",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 9.5,
    "grid.color": COLOURS["rule"],
    "grid.linewidth": 0.7,
    "hatch.linewidth": 1.1,
    "text.color": COLOURS["ink"],
    "text.parse_math": False,
    "xtick.color": COLOURS["muted"],
    "xtick.major.size": 0,
    "ytick.color": COLOURS["muted"],
    "ytick.major.size": 0,
    "svg.fonttype": "none",
}
_GAIN = {"facecolor": COLOURS["gain"], "edgecolor": COLOURS["gain"], "linewidth": 0.5}
_LOSS = {"facecolor": "none", "edgecolor": COLOURS["loss"], "hatch": "/////", "linewidth": 0.8}
_SHOWN_MARKETS = 12
_LEFT = 0.03
_CENT = Decimal("0.01")


def svg(name: str, report: Report, *, is_narrow: bool) -> str:
    """The chart `days` or `markets`, for a wide page or for a narrow one."""
    key = f"{name}-{'narrow' if is_narrow else 'wide'}"
    draw, height, title, text = _CHARTS[name](report)
    with _styled(key):
        figure = Figure(figsize=(4.9 if is_narrow else 9.8, height), layout="constrained")
        draw(figure, report)
        file = io.StringIO()
        figure.savefig(
            file, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type"))
        )
    # What stands before the first `</defs>` names other hosts, and would style the whole page.
    body = re.sub("<[^>]*>", _tag, file.getvalue().partition("</defs>")[2])
    box = "0 0 {:g} {:g}".format(*figure.get_size_inches() * 72)
    return (
        f'<svg viewBox="{box}" role="img" aria-labelledby="{key}-title {key}-text">'
        f'<title id="{key}-title">{escape(title)}</title><desc id="{key}-text">{escape(text)}</desc>{body}'
    )


def png(report: Report) -> bytes:
    """The whole report as one picture on white paper."""
    charts = [chart(report) for chart in _CHARTS.values() if report.days]
    notes = [
        ("Open positions", "monospace", list(_positions(report))),
        ("What was assumed", "sans-serif", [textwrap.fill(e, 120) for e in report.assumptions]),
    ]
    texts = ["\n".join(lines) for _, _, lines in notes]
    below = [0.6 + 0.18 * (text.count("\n") + 1) for text in texts]
    heights = [1.7, *(height for _, height, _, _ in charts), *below]
    with _styled("png"):
        # In inches.
        size, layout = (10.4, sum(heights)), ConstrainedLayoutEngine(w_pad=0.3, h_pad=0.12)
        figure = Figure(figsize=size, layout=layout, facecolor="white")
        parts = iter(figure.subfigures(len(heights), height_ratios=heights))
        _draw_head(next(parts), report)
        for draw, *_ in charts:
            draw(next(parts), report)
        for (title, font, _), text, height in zip(notes, texts, below, strict=True):
            part = next(parts)
            part.text(_LEFT, 1 - 0.15 / height, title, va="top", fontsize=10, fontweight="bold")
            at = 1 - 0.4 / height
            part.text(_LEFT, at, text, va="top", fontsize=8.5, fontfamily=font, linespacing=1.5)
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=140, metadata={"Software": None})
    return file.getvalue()


def shown(text: str, length: int = 60) -> str:
    """A text from the data on one line, without what moves or hides other text."""
    plain = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
    return plain if len(plain) <= length else f"{plain[: length - 1]}…"


def rounded(value: Decimal) -> str:
    """To the cent; less than a cent to three digits."""
    return f"{value:,.2f}" if not value or value.copy_abs() >= _CENT else f"{value:.3g}"


def period(report: Report) -> str:
    """From when to when a report reaches, in words."""
    if not report.days:
        return "No fills"
    first, last = report.days[0].day, report.days[-1].day
    days = "1 day" if len(report.days) == 1 else f"{len(report.days)} days"
    markets = "1 market" if len(report.markets) == 1 else f"{len(report.markets)} markets"
    return f"{first} to {last} (UTC): {days} with fills or funding, {markets}"


def summary(report: Report) -> list[tuple[str, str]]:
    """The figures that a reader looks for first. Money is rounded, in USDC."""
    found, worst = report.total, report.worst
    return [
        ("Net", rounded(found.net)),
        ("Realised", rounded(found.realised)),
        ("Fees", rounded(found.fees)),
        ("Funding", rounded(found.funding) if report.is_funding_known else "not known"),
        ("Largest drawdown", rounded(worst.drawdown if worst else ZERO)),
        ("Volume", rounded(found.volume)),
        ("Fills", f"{found.trades:,}"),
    ]


def _draw_head(part: Any, report: Report) -> None:
    part.text(_LEFT, 0.85, shown(report.title), va="top", fontsize=17, fontweight="bold")
    part.text(_LEFT, 0.56, period(report), va="top", color=COLOURS["muted"])
    figures = summary(report)
    for number, (label, value) in enumerate(figures):
        at = _LEFT + (1 - _LEFT) * number / len(figures)
        part.text(at, 0.28, label, va="top", color=COLOURS["muted"], fontsize=9)
        part.text(at, 0.15, value, va="top", fontsize=11, fontweight="bold")


def _positions(report: Report) -> Iterator[str]:
    """The open positions as lines of text."""
    for each in report.positions[:_SHOWN_MARKETS]:
        name, price = shown(each.symbol, 16), rounded(each.entry_price)
        found = report.unrealised.get(each.symbol)
        more = "" if found is None else f"   unrealised {rounded(found):>12} USDC"
        yield f"{name:16} {each.size:>24,f} at {price:>14}{more}"
    rest = len(report.positions) - _SHOWN_MARKETS
    yield f"and {rest} more" if rest > 0 else "" if report.positions else "None"


def _tag(tag: re.Match[str]) -> str:
    """A tag of a chart in a page. Groups need no name, and the page has the colours."""
    text = re.sub(r'^<g id="[^"]*"', "<g", tag[0].replace("\n", ""))
    for name, colour in COLOURS.items():
        text = text.replace(colour, f"var(--{name})")
    return text


@contextmanager
def _styled(salt: str) -> Iterator[None]:
    """Draw in our style, whatever the program or its user has set."""
    with matplotlib.rc_context(), warnings.catch_warnings():
        # The font lacks some letters, which the browser has.
        warnings.simplefilter("ignore", UserWarning)
        matplotlib.rcdefaults()
        matplotlib.rcParams.update({**_STYLE, "svg.hashsalt": salt})
        yield


_Chart = tuple[Callable[[Any, Report], None], float, str, str]
"""What draws it, its height in inches, its title, and what it shows in words."""


def _days_chart(report: Report) -> _Chart:
    last, worst = report.days[-1], report.worst
    text = f"The net ends at {rounded(last.so_far)} USDC on {last.day}."
    if worst:
        text += f" The largest drawdown is {rounded(worst.drawdown)} USDC, on {worst.day}."
    return _draw_days, 5.6, "Net so far, net of each day, and drawdown", text


def _draw_days(figure: Any, report: Report) -> None:
    days = report.days
    at = [each.day.toordinal() for each in days]
    since, so_far = [at[0] - 1, *at], [0.0, *(float(each.so_far) for each in days)]
    falls = [0.0, *(float(each.drawdown) for each in days)]
    top, middle, bottom = figure.subplots(3, sharex=True, height_ratios=(3, 2, 2))
    highs = [value + fall for value, fall in zip(so_far, falls, strict=True)]
    top.plot(since, highs, color=COLOURS["muted"], linestyle=":", linewidth=1.5)
    marker = "o" if len(days) <= 31 else None
    top.plot(since, so_far, color=COLOURS["ink"], linewidth=1.8, marker=marker, markersize=4)
    top.set_title("Net so far (line), its highest value (dots)")
    edges = [edge for each in at for edge in (each - 0.4, each + 0.4)]
    net = [float(each.net) for each in days]
    for style, bound in ((_GAIN, max), (_LOSS, min)):
        # Between two days there is nothing.
        heights = [height for each in net for height in (bound(each, 0.0), 0.0)][:-1]
        middle.stairs(heights, edges, fill=True, **style)
    middle.set_title("Net of each day (losses hatched)")
    bottom.fill_between(since, [-fall for fall in falls], **_LOSS)
    worst = report.worst
    at_most = f": at most {rounded(worst.drawdown)}, on {worst.day}" if worst else ""
    bottom.set_title(f"Drawdown{at_most}")
    for axes in (top, middle, bottom):
        axes.axhline(0, color=COLOURS["muted"], linewidth=0.8)
        axes.margins(x=0.01)
        axes.yaxis.set_major_locator(MaxNLocator(4))
        axes.yaxis.set_major_formatter(FuncFormatter(_amount))
    _date_axis(bottom.xaxis, at[0], at[-1], 3 if figure.bbox.width < 6 * figure.dpi else 7)


def _date_axis(axis: Any, first: int, last: int, ticks: int) -> None:
    """Put some dates on an axis of days: days, or first days of months."""
    months = [each for each in range(first, last + 1) if date.fromordinal(each).day == 1]
    axis.set_major_formatter(FuncFormatter(_day))
    if len(months) > 2:
        axis.set_ticks(months[:: len(months) // ticks + 1])
    else:
        axis.set_major_locator(MaxNLocator(ticks, integer=True))


def _markets_chart(report: Report) -> _Chart:
    best, *_, last = [*report.markets.items()] * 2
    text = "A bar for each market. " + ", ".join(
        f"{shown(symbol)} brought {which}: {rounded(found.net)} USDC"
        for which, (symbol, found) in (("most", best), ("least", last))
    )
    bars = min(len(report.markets), _SHOWN_MARKETS + 1)
    return _draw_markets, 0.7 + 0.3 * bars, "Net by market", f"{text}."


def _draw_markets(figure: Any, report: Report) -> None:
    net = {symbol: found.net.copy_abs() for symbol, found in report.markets.items()}
    by_size = sorted(net, key=net.__getitem__, reverse=True)
    drawn, rest = set(by_size[:_SHOWN_MARKETS]), by_size[_SHOWN_MARKETS:]
    bars: list[tuple[str, Pnl]] = [
        (shown(symbol, 16), found) for symbol, found in report.markets.items() if symbol in drawn
    ]
    if rest:
        bars.append((f"{len(rest)} others", total(report.markets[symbol] for symbol in rest)))
    axes = figure.subplots()
    for number, (_, found) in enumerate(bars):
        style = _GAIN if found.net >= 0 else _LOSS
        drawn_bar = axes.barh(number, float(found.net), height=0.62, **style)
        axes.bar_label(drawn_bar, [rounded(found.net)], padding=4)
    axes.axvline(0, color=COLOURS["muted"], linewidth=0.8)
    axes.set_yticks(range(len(bars)), [name for name, _ in bars], color=COLOURS["ink"])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.margins(x=0.2)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(FuncFormatter(_amount))
    axes.set_title("Net by market (losses hatched)")


def _amount(value: float, _: object) -> str:
    return f"{value:,.10g}"


def _day(ordinal: float, _: object) -> str:
    return date.fromordinal(round(ordinal)).isoformat()


_CHARTS = {"days": _days_chart, "markets": _markets_chart}
