"""`python -m tests.benchmarks.walk ours|requests URL PAGES`: walks the trades and prints how it went.

A process of its own, because the memory of another measurement would hide what this one needs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import monotonic

import requests

from tests.benchmarks.records import PAGE_OF_TRADES
from trading_sdk import Client

WARM_UP = 5
"""Pages before memory and time are looked at."""
ACCOUNT = "4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM"


def ours(url: str, pages: int) -> int:
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


WALKS = {"ours": ours, "requests": bare}


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


def main() -> None:
    """Walk, and print the trades a second and the growth of the peak in MiB, as JSON."""
    name, url, pages = sys.argv[1], sys.argv[2], int(sys.argv[3])
    walk = WALKS[name]
    walk(url, WARM_UP)
    forget_peak()
    memory_before, began = memory("VmRSS"), monotonic()
    count = walk(url, pages)
    rate = count / (monotonic() - began)
    assert count == pages * PAGE_OF_TRADES, f"{count} trades instead of all"
    print(json.dumps({"rate": rate, "growth": memory("VmHWM") - memory_before}))


if __name__ == "__main__":
    main()
