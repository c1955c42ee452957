"""Row 6: iterating over trades by cursor, at a server that has its pages ready."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from tests.benchmarks.measure import Comparison, Figure, Row, Way
from tests.benchmarks.records import PAGE_OF_TRADES
from tests.benchmarks.servers import PAGING, serving
from tests.benchmarks.walk import WARM_UP

OURS, BARE = "client.trades.history", "requests.Session().get and json.loads"
GROWTH = "peak memory growth of ours"
TRADES = 1_000_000
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


@contextmanager
def ways() -> Iterator[Sequence[Way]]:
    """Both loops."""
    pages = TRADES // PAGE_OF_TRADES
    with serving(*PAGING) as url:
        yield (
            walking("ours", url, pages, OURS, GROWTH),
            walking("requests", url, pages, BARE, "that of requests"),
        )


ROW_6 = Row(
    number=6,
    what=f"Iterating {TRADES:,} trades by cursor",
    ways=ways,
    note=(
        f"Pages of {PAGE_OF_TRADES:,}, ready in a server of its own. The growth is how far the peak of "
        f"the process that walks rises above what it has after a first walk over {WARM_UP} pages."
    ),
    rounds=3,
    warm_up=0,
    comparisons=(
        Comparison(ours=OURS, reference=BARE, at_least=0.6, why=WHERE_IT_GOES),
        Comparison(ours=GROWTH, reference=None, at_most=20),
    ),
)
