"""The charts of a report: each as a picture for its page, or all of them with the other figures in one PNG.

A loss is hatched and below zero, so that no chart needs its colours. Floats are for drawing alone. No setting of
matplotlib is changed: threads may draw at once.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from matplotlib.dates import AutoDateLocator, DateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.font_manager import findfont, get_font
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FuncFormatter, MaxNLocator

from trading_toolkit.portfolio import ZERO, Pnl, total
from trading_toolkit.report import Report

_INK, _MUTED, _RULE = "#1b2430", "#566270", "#d5dbe1"
_GAIN = {"facecolor": "#1f5fa9", "edgecolor": "#1f5fa9", "linewidth": 0.5}
_LOSS = {"facecolor": "none", "edgecolor": "#b3480f", "hatch": "/////", "linewidth": 0.8}
_SANS, _MONO = "DejaVu Sans", "DejaVu Sans Mono"
_TITLE: dict[str, Any] = {
    "loc": "left",
    "color": _INK,
    "family": _SANS,
    "fontsize": 10,
    "fontweight": "bold",
}
_TEXT: dict[str, Any] = {"x": 0.01, "ha": "left", "color": _INK, "parse_math": False}
_AMOUNT = FuncFormatter(lambda value, _: f"{value:,.10g}")
_SHOWN = 12
"""More markets or positions than these are left out of a picture; the tables have all."""


def days(report: Report) -> bytes:
    """The chart of the days, for a page of any colour."""
    figure = _figure(9.8, 5.6)
    _draw_days(figure.subplots(3, height_ratios=(3, 2, 2)), report)
    return _png(figure)


def markets(report: Report) -> bytes:
    """The chart of the markets, for a page of any colour."""
    figure = _figure(9.8, _height(report))
    _draw_markets(figure.subplots(), report)
    return _png(figure)


def png(report: Report) -> bytes:
    """The whole report as one picture on white paper."""
    text = "\n".join(_lines(report))
    heights = (2.4, 1.6, 1.6, _height(report)) if report.days else ()
    figure = _figure(10.4, sum(heights) + 1 + 0.17 * text.count("\n"), "white")
    title = _drawn(f"{shown(report.title, 40)}: net {_rounded(report.total.net)} USDC")
    figure.suptitle(title, **_TEXT, family=_SANS, fontsize=17, fontweight="bold")
    figure.supxlabel(text, **_TEXT, family=_MONO, fontsize=8.5)
    if report.days:
        *panels, last = figure.subplots(4, height_ratios=heights)
        _draw_days(panels, report)
        _draw_markets(last, report)
    return _png(figure, bbox_inches="tight", pad_inches=0.4)


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
        yield f"{_drawn(shown(each.symbol, 16)):16}{each.size:>20,f} at {price:>14}{more}"
    if len(report.positions) > _SHOWN:
        yield f"and {len(report.positions) - _SHOWN} more"
    yield from ("", "What was assumed")
    yield from (textwrap.fill(_drawn(shown(each, 2000)), 120) for each in report.assumptions)


def _rounded(value: Decimal) -> str:
    """To the cent; less than a cent to three digits."""
    is_small = ZERO < value.copy_abs() < Decimal("0.01")
    return f"{value:.3g}" if is_small else f"{value:,.2f}"


def _drawn(text: str) -> str:
    """A text in the letters that the font has."""
    letters = get_font(findfont(_MONO)).get_charmap()
    return "".join(each if ord(each) in letters else "\N{REPLACEMENT CHARACTER}" for each in text)


def _figure(width: float, height: float, paper: str = "none") -> Figure:
    layout = ConstrainedLayoutEngine(h_pad=0.1)
    return Figure(figsize=(width, height), dpi=140, layout=layout, facecolor=paper)


def _png(figure: Figure, **more: Any) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=figure.dpi, metadata={"Software": None}, **more)
    return file.getvalue()


def _draw_days(panels: Any, report: Report) -> None:
    days, worst = report.days, report.worst
    top, middle, bottom = panels
    at = [float(date2num(each.day)) for each in days]
    since, so_far = [at[0] - 1, *at], [0.0, *(float(each.so_far) for each in days)]
    falls = [0.0, *(float(each.drawdown) for each in days)]
    highs = [value + fall for value, fall in zip(so_far, falls, strict=True)]
    top.plot(since, highs, color=_MUTED, linestyle=":")
    top.plot(since, so_far, color=_INK, marker="o" if len(days) <= 31 else None)
    edges = [edge for each in at for edge in (each - 0.4, each + 0.4)]
    net = [float(each.net) for each in days]
    for style, bound in ((_GAIN, max), (_LOSS, min)):
        # Between two days there is nothing.
        heights = [height for each in net for height in (bound(each, 0.0), 0.0)][:-1]
        middle.stairs(heights, edges, fill=True, **style)
    bottom.fill_between(since, [-fall for fall in falls], **_LOSS)
    at_most = f": at most {_rounded(worst.drawdown)}, on {worst.day}" if worst else ""
    _style(top, "Net so far (line), its highest value (dots)")
    _style(middle, "Net of each day (losses hatched)")
    _style(bottom, f"Drawdown{at_most}")
    for axes in panels:
        axes.axhline(0, color=_MUTED, linewidth=0.8)
        axes.set_xlim(since[0] - 0.5, since[-1] + 0.5)
        axes.xaxis.set_major_locator(AutoDateLocator(minticks=min(3, len(at)), maxticks=7))
        axes.xaxis.set_major_formatter(DateFormatter("%Y-%m-%d"))
        axes.tick_params(labelbottom=axes is bottom)
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
        label = _rounded(found.net)
        axes.bar_label(bar, [label], padding=4, color=_INK, family=_SANS, fontsize=9.5)
    axes.axvline(0, color=_MUTED, linewidth=0.8)
    axes.set_yticks(range(len(bars)), [_drawn(name) for name, _ in bars], parse_math=False)
    axes.invert_yaxis()
    axes.margins(x=0.2)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(_AMOUNT)
    _style(axes, "Net by market (losses hatched)")
    axes.grid(visible=False, axis="y")


def _style(axes: Any, title: str) -> None:
    """What the settings of matplotlib would say else."""
    axes.set_title(title, **_TITLE)
    axes.set_facecolor("none")
    axes.set_axisbelow(True)
    axes.grid(visible=True, color=_RULE)
    axes.spines[:].set_color(_RULE)
    axes.tick_params(length=0, colors=_MUTED, labelsize=9.5, labelfontfamily=_SANS)
