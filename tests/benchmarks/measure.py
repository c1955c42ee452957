"""Measuring ways to do the same thing against each other, and judging the ratios by a budget.

A round measures every way once, back to back, so that a ratio of two of its figures compares what
the machine was at that moment. The order turns round from one round to the next.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from statistics import median, quantiles
from subprocess import run
from time import monotonic, process_time
from typing import NamedTuple, TypeAlias

from attrs import frozen

MET = "met"


class Figure(NamedTuple):
    """What was measured once."""

    value: float
    unit: str = "s"


Way: TypeAlias = Callable[[], Mapping[str, Figure]]
"""Does one thing, once or often, and returns its figures by name."""

Samples: TypeAlias = Mapping[str, Sequence[Figure]]
"""Every figure by name, in the order of the rounds."""


@frozen(kw_only=True)
class Comparison:
    """A figure of ours, held against a reference of the same rounds; a budget is its bound."""

    ours: str
    """The figure, by its name."""

    reference: str | None
    """The figure that it is divided by; None if it stands for itself."""

    at_most: float | None = None
    at_least: float | None = None

    reached: float | None = None
    """What `--check` holds it to instead, where the budget is not met."""

    unit: str = "MiB"
    """Of a figure that stands for itself."""

    why: str = ""
    """Why the budget is not met: where the rest goes, and what it would take."""

    @property
    def budget(self) -> float:
        """The bound."""
        bound = self.at_most if self.at_least is None else self.at_least
        assert bound is not None
        return bound


@frozen(kw_only=True)
class Row:
    """Ways to do one thing, and what comes of comparing them."""

    number: int
    """As in the issue; one number may have several rows."""

    what: str
    comparisons: Sequence[Comparison]
    ways: Callable[[], AbstractContextManager[Sequence[Way]]]
    """Makes what the ways need, such as a server, and takes it away again."""

    rounds: int
    note: str = ""
    """What the names of its figures do not say."""

    warm_up: int = 1
    """Rounds beforehand, which do not count."""


@frozen
class Outcome:
    """The ratios of a comparison in short."""

    median: float
    spread: float
    """Between the quartiles, because a few rounds that the machine disturbed do not move those."""

    unit: str
    """The sign of a ratio, or the unit of a figure that stands for itself."""


# -- measuring --------------------------------------------------------------------------------


def samples(row: Row, rounds: int) -> Samples:
    """Measure all ways of a row in so many rounds, after its warm-up."""
    found: dict[str, list[Figure]] = {}
    with row.ways() as ways:
        for _ in range(row.warm_up):
            for way in ways:
                way()
        for turn in range(rounds):
            for way in ways if turn % 2 == 0 else reversed(ways):
                # Nobody pays for what another left behind; from here on it runs as ever.
                gc.collect()
                for name, figure in way().items():
                    found.setdefault(name, []).append(figure)
    return found


def cpu(name: str, call: Callable[[], object], times: int = 1) -> Way:
    """The processor time of a call in this process, on average of so many."""

    def way() -> Mapping[str, Figure]:
        before = process_time()
        for _ in range(times):
            call()
        return {name: Figure((process_time() - before) / times)}

    return way


def rate(name: str, unit: str, work: Callable[[], int]) -> Way:
    """How much is done a second, by the clock on the wall; `work` returns how much it did."""

    def way() -> Mapping[str, Figure]:
        began = monotonic()
        done = work()
        return {name: Figure(done / (monotonic() - began), f"{unit}/s")}

    return way


def own_environment() -> dict[str, str]:
    """That of this process, less what would keep a child from writing its byte code."""
    return {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def cpu_of_child(name: str, *command: str) -> Way:
    """The processor time of a new process and of those that it starts, from first to last."""

    def way() -> Mapping[str, Figure]:
        before = os.times()
        done = run(command, capture_output=True, text=True, env=own_environment())
        after = os.times()
        assert done.returncode == 0, done.stderr
        user = after.children_user - before.children_user
        system = after.children_system - before.children_system
        return {name: Figure(user + system)}

    return way


# -- judging ----------------------------------------------------------------------------------


def outcome(comparison: Comparison, found: Samples) -> Outcome:
    """The ratios of a comparison in short: ours by the reference, round by round."""
    ours = found[comparison.ours]
    values, unit = [figure.value for figure in ours], ours[0].unit
    if comparison.reference is not None:
        pairs = zip(values, found[comparison.reference], strict=True)
        values, unit = [mine / theirs.value for mine, theirs in pairs], "x"
    return Outcome(median(values), spread(values), unit)


def spread(values: Sequence[float]) -> float:
    """From the first quartile to the third; nothing of a single value."""
    if len(values) < 2:
        return 0.0
    first, _, third = quantiles(values, method="inclusive")
    return third - first


def verdict(comparison: Comparison, found: Outcome) -> str:
    """Whether a budget is met; what was reached otherwise does not matter here."""
    beyond = _beyond(comparison, comparison.budget, found)
    if beyond <= 0:
        return MET
    return "within its spread" if beyond <= found.spread else "not met"


def worse(comparison: Comparison, found: Outcome) -> bool:
    """Whether it is beyond its budget, or else beyond what was reached, by more than its spread."""
    bound = comparison.budget if comparison.reached is None else comparison.reached
    return _beyond(comparison, bound, found) > found.spread


def _beyond(comparison: Comparison, bound: float, found: Outcome) -> float:
    over = found.median - bound
    return over if comparison.at_least is None else -over
