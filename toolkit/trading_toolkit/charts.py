"""The charts of a report: as SVG that takes its colours from a page, or with its other figures in one PNG.

A loss is hatched and below zero, so that no chart needs its colours. Floats are for drawing alone.
"""

from __future__ import annotations

import io
import re
import textwrap
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import matplotlib
from matplotlib.dates import AutoDateLocator, DateFormatter, date2num
from matplotlib.figure import Figure
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
    "axes.edgecolor": COLOURS["rule"],
    "axes.facecolor": "none",
    "axes.grid": True,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "figure.constrained_layout.h_pad": 0.1,
    "figure.facecolor": "none",
    "font.size": 9.5,
    "grid.color": COLOURS["rule"],
    "hatch.linewidth": 1.1,
    "text.color": COLOURS["ink"],
    "text.parse_math": False,
    "xtick.color": COLOURS["muted"],
    "ytick.color": COLOURS["muted"],
    "svg.fonttype": "none",
}
_GAIN = {"facecolor": COLOURS["gain"], "edgecolor": COLOURS["gain"], "linewidth": 0.5}
_LOSS = {"facecolor": "none", "edgecolor": COLOURS["loss"], "hatch": "/////", "linewidth": 0.8}
_SHOWN = 12
"""More markets or positions than these are left out of a picture; the tables have all."""


def svg(name: str, report: Report, *, is_narrow: bool) -> tuple[str, str]:
    """The box and the content of the chart `days` or `markets`, for a wide or a narrow page."""
    with _styled(f"{name}{is_narrow}"):
        height = 5.6 if name == "days" else _height(report)
        figure = Figure(figsize=(4.9 if is_narrow else 9.8, height), layout="constrained")
        if name == "days":
            _draw_days(figure.subplots(3, height_ratios=(3, 2, 2)), report)
        else:
            _draw_markets(figure.subplots(), report)
        file = io.StringIO()
        metadata = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        figure.savefig(file, format="svg", metadata=metadata)
    # What stands before the first `</defs>` names other hosts, and would style the whole page.
    body = re.sub("<[^>]*>", _tag, file.getvalue().partition("</defs>")[2])
    return "0 0 {:g} {:g}".format(*figure.get_size_inches() * 72), body


def png(report: Report) -> bytes:
    """The whole report as one picture on white paper."""
    text = "\n".join(_lines(report))
    with _styled("png"):
        heights = (2.4, 1.6, 1.6, _height(report)) if report.days else ()
        size = (10.4, sum(heights) + 1 + 0.17 * text.count("\n"))
        figure = Figure(figsize=size, dpi=140, layout="constrained", facecolor="white")
        title = f"{shown(report.title, 40)}: net {_rounded(report.total.net)} USDC"
        figure.suptitle(title, x=0.01, ha="left", fontsize=17, fontweight="bold")
        figure.supxlabel(text, x=0.01, ha="left", fontsize=8.5, fontfamily="monospace")
        if report.days:
            *days, markets = figure.subplots(4, height_ratios=heights)
            _draw_days(days, report)
            _draw_markets(markets, report)
        file = io.BytesIO()
        metadata = {"Software": None}
        figure.savefig(file, format="png", metadata=metadata, bbox_inches="tight", pad_inches=0.4)
    return file.getvalue()


def shown(text: str, length: int = 60) -> str:
    """A text from the data on one line, without what moves or hides other text."""
    plain = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in text)
    return plain if len(plain) <= length else f"{plain[: length - 1]}…"


def summary(report: Report) -> dict[str, str]:
    """The figures that a reader looks for first. Money is rounded, in USDC."""
    found, worst = report.total, report.worst
    return {
        "Net": _rounded(found.net),
        "Realised": _rounded(found.realised),
        "Fees": _rounded(found.fees),
        "Funding": _rounded(found.funding) if report.is_funding_known else "not known",
        "Drawdown": _rounded(worst.drawdown if worst else ZERO),
        "Volume": _rounded(found.volume),
        "Fills": f"{found.trades:,}",
    }


def _lines(report: Report) -> Iterator[str]:
    """What a picture says in text."""
    yield from ("", report.period, "")
    yield from (f"{label:16}{value:>20}" for label, value in summary(report).items())
    yield from ("", "Open positions" if report.positions else "No open positions")
    for each in report.positions[:_SHOWN]:
        found = report.unrealised.get(each.symbol)
        more = "" if found is None else f"  unrealised {_rounded(found)}"
        price = _rounded(each.entry_price)
        yield f"{shown(each.symbol, 16):16}{each.size:>20,f} at {price:>14}{more}"
    if len(report.positions) > _SHOWN:
        yield f"and {len(report.positions) - _SHOWN} more"
    yield from ("", "What was assumed")
    yield from (textwrap.fill(shown(each, 2000), 120) for each in report.assumptions)


def _rounded(value: Decimal) -> str:
    """To the cent; less than a cent to three digits."""
    is_small = ZERO < value.copy_abs() < Decimal("0.01")
    return f"{value:.3g}" if is_small else f"{value:,.2f}"


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


def _draw_days(panels: Any, report: Report) -> None:
    days, worst = report.days, report.worst
    top, middle, bottom = panels
    at = [float(date2num(each.day)) for each in days]
    since, so_far = [at[0] - 1, *at], [0.0, *(float(each.so_far) for each in days)]
    falls = [0.0, *(float(each.drawdown) for each in days)]
    highs = [value + fall for value, fall in zip(so_far, falls, strict=True)]
    top.plot(since, highs, color=COLOURS["muted"], linestyle=":")
    top.plot(since, so_far, color=COLOURS["ink"], marker="o" if len(days) <= 31 else None)
    top.set_title("Net so far (line), its highest value (dots)")
    edges = [edge for each in at for edge in (each - 0.4, each + 0.4)]
    net = [float(each.net) for each in days]
    for style, bound in ((_GAIN, max), (_LOSS, min)):
        # Between two days there is nothing.
        heights = [height for each in net for height in (bound(each, 0.0), 0.0)][:-1]
        middle.stairs(heights, edges, fill=True, **style)
    middle.set_title("Net of each day (losses hatched)")
    bottom.fill_between(since, [-fall for fall in falls], **_LOSS)
    at_most = f": at most {_rounded(worst.drawdown)}, on {worst.day}" if worst else ""
    bottom.set_title(f"Drawdown{at_most}")
    ticks = 3 if top.figure.bbox.width < 6 * top.figure.dpi else 7
    for axes in panels:
        axes.axhline(0, color=COLOURS["muted"], linewidth=0.8)
        axes.set_xlim(since[0] - 0.5, since[-1] + 0.5)
        axes.xaxis.set_major_locator(AutoDateLocator(minticks=min(3, len(at)), maxticks=ticks))
        axes.xaxis.set_major_formatter(DateFormatter("%Y-%m-%d"))
        axes.tick_params(length=0, labelbottom=axes is bottom)
        axes.yaxis.set_major_locator(MaxNLocator(4))
        axes.yaxis.set_major_formatter(_AMOUNT)


def _bars(report: Report) -> list[tuple[str, Pnl]]:
    """The markets that have bars of their own, and one for all others."""
    net = {symbol: found.net.copy_abs() for symbol, found in report.markets.items()}
    by_size = sorted(net, key=net.__getitem__, reverse=True)
    large, rest = set(by_size[:_SHOWN]), by_size[_SHOWN:]
    bars = [(shown(each, 16), found) for each, found in report.markets.items() if each in large]
    others = (f"{len(rest)} others", total(report.markets[symbol] for symbol in rest))
    return [*bars, others] if rest else bars


def _height(report: Report) -> float:
    return 0.7 + 0.3 * len(_bars(report))


def _draw_markets(axes: Any, report: Report) -> None:
    bars = _bars(report)
    for number, (_, found) in enumerate(bars):
        style = _GAIN if found.net >= 0 else _LOSS
        bar = axes.barh(number, float(found.net), height=0.62, **style)
        axes.bar_label(bar, [_rounded(found.net)], padding=4)
    axes.axvline(0, color=COLOURS["muted"], linewidth=0.8)
    axes.set_yticks(range(len(bars)), [name for name, _ in bars])
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.margins(x=0.2)
    axes.tick_params(length=0)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(_AMOUNT)
    axes.set_title("Net by market (losses hatched)")


_AMOUNT = FuncFormatter(lambda value, _: f"{value:,.10g}")
