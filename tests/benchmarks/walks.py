"""Row 6: iterating over trades by cursor, at a server that has its pages ready."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager

from tests.benchmarks.measure import Comparison, Figure, Row, Way
from tests.benchmarks.records import PAGE_OF_TRADES
from tests.benchmarks.servers import PAGING, serving
from tests.benchmarks.walk import WARM_UP

OURS, BARE = "client.trades.history", "requests.Session().get and json.loads"
GROWTH = "peak memory growth of ours"
WHERE_IT_GOES = (
    "Both are one process that waits for a server of its own, so that this is as much a measure of the machine. "
    "The pages of ours are read in a good third more time than json.loads takes, and the rest of a call is the same."
)


def walking(walk: str, url: str, pages: int, rate: str, growth: str) -> Way:
    """Walk over so many pages in a new process."""
    command = [sys.executable, "-m", "tests.benchmarks.walk", walk, url, str(pages)]

    def way() -> Mapping[str, Figure]:
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        found = json.loads(printed)
        return {rate: Figure(found["rate"], "trades/s"), growth: Figure(found["growth"], "MiB")}

    return way


def ways(trades: int) -> Callable[[], AbstractContextManager[Sequence[Way]]]:
    """Both loops, over so many trades."""
    pages = trades // PAGE_OF_TRADES

    @contextmanager
    def both() -> Iterator[Sequence[Way]]:
        with serving(*PAGING) as (url, _):
            yield (
                walking("ours", url, pages, OURS, GROWTH),
                walking("requests", url, pages, BARE, "that of requests"),
            )

    return both


def row(trades: int, *, rounds: int, warm_up: int, long: bool) -> Row:
    """The row of so many trades; memory must not depend on the number."""
    return Row(
        number=6,
        what=f"Iterating {trades:,} trades by cursor",
        ways=ways(trades),
        note=(
            f"Pages of {PAGE_OF_TRADES:,}, ready in a server of its own. The growth is how far the peak of "
            f"the process that walks rises above what it has after a first walk over {WARM_UP} pages."
        ),
        rounds=rounds,
        warm_up=warm_up,
        long=long,
        comparisons=(
            Comparison(ours=OURS, reference=BARE, at_least=0.6, why=WHERE_IT_GOES),
            Comparison(ours=GROWTH, reference=None, at_most=20),
        ),
    )


SHORT = row(100_000, rounds=5, warm_up=1, long=False)
WHOLE = row(1_000_000, rounds=3, warm_up=0, long=True)
