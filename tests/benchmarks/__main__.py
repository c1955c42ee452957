"""`python -m tests.benchmarks`: what this package costs beside what a user would pick instead.

A run of all rows writes docs/benchmarks.md; with --check nothing is written, and the exit status is
1 if a ratio is beyond its bound by more than its spread.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.benchmarks.machine import machine, versions
from tests.benchmarks.measure import Row, samples, worse
from tests.benchmarks.report import Result, line, page, reasons
from tests.benchmarks.rows import ROWS

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and write the page or check; return the exit status."""
    options = _parser().parse_args(arguments)
    rows = [row for row in ROWS if not options.rows or row.number in options.rows]
    results = [measured(row, options.rounds or row.rounds) for row in rows]
    print("\n\n".join(("", *reasons(results))))
    if options.check:
        return check(results)
    if len(rows) == len(ROWS) and options.rounds is None:
        PAGE.write_text(page(results, machine(), versions()), "utf-8", newline="\n")
        print(f"\n{PAGE} is written anew")
    return 0


def measured(row: Row, rounds: int) -> Result:
    """Measure a row, and print its comparisons."""
    result = Result(row, samples(row, rounds))
    for comparison, found in result.outcomes():
        print(line(row, comparison, found), flush=True)
    return result


def check(results: Sequence[Result]) -> int:
    """Print what is beyond its bound by more than its spread; 1 if there is any."""
    failed = [
        line(result.row, comparison, found)
        for result in results
        for comparison, found in result.outcomes()
        if worse(comparison, found)
    ]
    print("\n".join(("\nbeyond its bound by more than its spread:", *failed)) if failed else "")
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--rows", type=_numbers, default=(), help="some rows, like 4,5")
    parser.add_argument("--rounds", type=int, help="of every row")
    parser.add_argument("--check", action="store_true", help="fail if a bound does not hold")
    return parser


def _numbers(text: str) -> tuple[int, ...]:
    numbers = tuple(int(part) for part in text.split(","))
    if unknown := set(numbers) - {row.number for row in ROWS}:
        raise argparse.ArgumentTypeError(f"there is no row {min(unknown)}")
    return numbers


if __name__ == "__main__":
    sys.exit(main())
