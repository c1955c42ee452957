"""Row 6: iterating over trades by cursor, at a server that has its pages ready.

`python -m tests.benchmarks.walks ours|requests URL PAGES` walks, and prints how it went: a process of its own, because
the memory of another measurement would hide what this one needs.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import requests

from tests.benchmarks.measure import Comparison, Figure, Row, Way
from tests.benchmarks.records import PAGE_OF_TRADES
from tests.benchmarks.servers import PAGING, serving
from trading_sdk import Client

OURS, BARE = "client.trades.history", "requests.Session().get and json.loads"
GROWTH = "peak memory growth of ours"
TRADES = 1_000_000
WHERE_IT_GOES = (
    "Both are one process that waits for a server of its own, so that this is as much a measure of the machine. "
    "The pages of ours are read in a good third more time than json.loads takes, and the rest of a call is the same."
)


WARM_UP = 5
"""Pages before memory and time are looked at."""
ACCOUNT = "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"


def with_us(url: str, pages: int) -> int:
    """Walk over so many pages with the client; return the number of trades."""
    count = 0
    with Client(url, account=ACCOUNT) as client:
        for trade in client.trades.history(limit=PAGE_OF_TRADES, cursor=str(pages)):
            count += trade.history_id > 0
    return count


def bare(url: str, pages: int) -> int:
    """The same loop, over dicts, with nothing but requests and json."""
    count = 0
    cursor: str | None = str(pages)
    with requests.Session() as session:
        while cursor is not None:
            query = {"account": ACCOUNT, "limit": str(PAGE_OF_TRADES), "cursor": cursor}
            answer = session.get(f"{url}/api/v1/trades/history", params=query)
            answer.raise_for_status()
            page = json.loads(answer.content)
            for trade in page["data"]:
                count += trade["history_id"] > 0
            cursor = page["next_cursor"] if page["has_more"] else None
    return count


WALKS = {"ours": with_us, "requests": bare}


def memory(name: str) -> float:
    """MiB of this process: VmRSS is what it has, VmHWM the most that it had; 0 if nobody tells."""
    status = Path("/proc/self/status")
    lines = status.read_text("ascii").splitlines() if status.is_file() else []
    return sum(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:"))


def forget_peak() -> None:
    """Let VmHWM begin anew."""
    switch = Path("/proc/self/clear_refs")
    if switch.exists():
        switch.write_text("5", "ascii")


def walking(walk: str, url: str, pages: int, rate: str, growth: str) -> Way:
    """Walk over so many pages in a new process."""
    command = [sys.executable, "-m", "tests.benchmarks.walks", walk, url, str(pages)]

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


def main() -> None:
    """Walk, and print the trades a second and the growth of the peak in MiB, as JSON."""
    name, url, pages = sys.argv[1], sys.argv[2], int(sys.argv[3])
    walk = WALKS[name]
    walk(url, WARM_UP)
    forget_peak()
    memory_before, began = memory("VmRSS"), monotonic()
    trades = walk(url, pages)
    rate = trades / (monotonic() - began)
    assert trades == pages * PAGE_OF_TRADES, f"{trades} trades instead of all"
    print(json.dumps({"rate": rate, "growth": memory("VmHWM") - memory_before}))


if __name__ == "__main__":
    main()
