"""docs/benchmarks.md, all of it, and the same in short for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median

from attrs import frozen

from tests.benchmarks.measure import (
    MET,
    Comparison,
    Outcome,
    Row,
    Samples,
    outcome,
    spread,
    verdict,
)

INTRODUCTION = """\
# Benchmarks

What this package costs beside what a user would pick instead. `python -m nox -s bench` measures all
of it and writes this page; the reasons for what is not met are texts of `tests/benchmarks`, whose
shares are of the run that they were written after. `python -m nox -s bench -- --check` measures the same, and
fails where a ratio is beyond its budget, or beyond the bound that is named under "Not met" in place
of it, by more than its spread. The peers are installed into the environment of these sessions alone.

Each row but those of memory and of the iterator is a ratio of two figures of the same round. A round measures every way
once, back to back, and the next one in the opposite order; the first rounds do not count, except in
the row that takes longest. The ratio is the median over the rounds, and its spread the distance
between the quartiles: how far the rounds of this run agree, not how far another run would.
Processor time is compared, except that rows 6, 9, 11, 12 and 14 are rates by the clock on the wall. Import and
generation run in new processes, and each server is a process of its own, on this machine, over plain
http. requests is used as it comes. Garbage is collected before each measurement, and from there on as
Python has it.

`python -m nox -s bench -- --rows 4,5` measures some rows, `-- --rounds 99` in other numbers of rounds;
only a run of all rows without these writes this page.
"""
HEADINGS = ("row", "what", "ratio", "budget", "median", "spread", "")


@frozen
class Result:
    """A row with what was measured."""

    row: Row
    samples: Samples

    def outcomes(self) -> Iterator[tuple[Comparison, Outcome]]:
        """Each comparison with its ratios in short."""
        for comparison in self.row.comparisons:
            yield comparison, outcome(comparison, self.samples)


def page(results: Sequence[Result], machine: Mapping[str, str], versions: Mapping[str, str]) -> str:
    """The page, whole."""
    parts = [
        INTRODUCTION,
        _section("The table", table(results)),
        _section(
            "Not met, or only within the spread",
            "\n\n".join(reasons(results)) or "Every budget is met.",
        ),
        _section("Details", "\n\n".join(map(_detail, results))),
        _section("The machine", _table(("", ""), machine.items())),
        _section("Versions", _table(("package", "version"), versions.items())),
    ]
    return "\n".join(parts)


def table(results: Sequence[Result]) -> str:
    """One line a comparison."""
    found = (each for result in results for each in result.outcomes())
    identity = (each for result in results for each in identities(result.row))
    lines = [(*cells, *_judged(*each)) for cells, each in zip(identity, found, strict=True)]
    return _table(HEADINGS, lines)


def identities(row: Row) -> Iterator[tuple[str, ...]]:
    """The cells of each comparison of a row that do not depend on a measurement."""
    number, what = str(row.number), row.what
    for comparison in row.comparisons:
        yield number, what, name(comparison), budget(comparison)
        number = what = ""


def name(comparison: Comparison) -> str:
    """What is divided by what."""
    if comparison.reference is None:
        return comparison.ours
    return f"{comparison.ours} / {comparison.reference}"


def budget(comparison: Comparison) -> str:
    """A budget as it stands in the table."""
    sign = "≤" if comparison.at_least is None else "≥"
    unit = "x" if comparison.reference is not None else comparison.unit
    return f"{sign} {comparison.budget:g} {unit}"


def reasons(results: Sequence[Result]) -> Iterator[str]:
    """What is not met, and why."""
    for result in results:
        for comparison, found in result.outcomes():
            if verdict(comparison, found) != MET:
                yield _reason(result.row, comparison, found)


def line(row: Row, comparison: Comparison, found: Outcome) -> str:
    """A comparison in a line, for the terminal."""
    middle, apart, met = _judged(comparison, found)
    what = f"{name(comparison)}, budget {budget(comparison)}"
    return f"{row.number:>2}  {middle:>9} ± {apart:<9} {what}: {met}"


def _reason(row: Row, comparison: Comparison, found: Outcome) -> str:
    words = [
        f"**Row {row.number}**, {name(comparison)}: {_amount(found.median, found.unit)} where "
        f"the budget is {budget(comparison)}."
    ]
    if comparison.reached is not None:
        words.append(f"`--check` holds it to {comparison.reached:g} instead.")
    return " ".join((*words, comparison.why)).strip()


def _judged(comparison: Comparison, found: Outcome) -> tuple[str, str, str]:
    return (
        _amount(found.median, found.unit),
        _amount(found.spread, found.unit),
        verdict(comparison, found),
    )


def _detail(result: Result) -> str:
    row, rounds = result.row, max(map(len, result.samples.values()))
    figures = _table((f"{rounds} rounds", "median", "spread"), _figures(result.samples))
    return "\n\n".join(filter(None, (f"### Row {row.number}: {row.what}", row.note, figures)))


def _figures(samples: Samples) -> Iterator[tuple[str, str, str]]:
    for figure, found in samples.items():
        values = [each.value for each in found]
        middle = median(values)
        apart = f"{100 * spread(values) / middle:.0f} %" if middle else ""
        yield figure, _amount(middle, found[0].unit), apart


def _amount(value: float, unit: str) -> str:
    """A figure as people read it: seconds in the unit that fits, large numbers whole."""
    if unit == "s":
        for name, size in (("s", 1.0), ("ms", 1e-3)):
            if value >= size:
                return f"{value / size:.3g} {name}"
        return f"{value / 1e-6:.3g} µs"
    return f"{value:,.0f} {unit}" if value >= 1_000 else f"{value:.2f} {unit}"


def _section(title: str, text: str) -> str:
    return f"## {title}\n\n{text}\n"


def _table(headings: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    cells = [headings, ["---"] * len(headings), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)
