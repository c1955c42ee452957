"""Download the trades of an account to a file, and only what is new the next time.

Usage: python examples/download_history.py trades.jsonl     (the environment: see examples/README.md)

The file has one trade a line, as JSON, oldest first. A run that is killed leaves whole lines behind, and the
next one goes on after them. Money stays text, so that nothing is rounded.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from trading_sdk import Client, to_dict


def download(client: Client, file: Path) -> int:
    """Append the trades that a file does not have; return how many there were."""
    known = read(file)
    seen = {trade["history_id"] for trade in known}
    since = max((trade["created_at"] for trade in known), default=None)
    # A list may have any order, and two trades may share a millisecond: so it starts at the latest one again.
    trades = client.trades.history(start_time=since)
    new = [to_dict(trade) for trade in trades if trade.history_id not in seen]
    new.sort(key=lambda trade: (trade["created_at"], trade["history_id"]))
    with file.open("a", encoding="utf-8") as out:
        out.writelines(json.dumps(trade) + "\n" for trade in new)
        out.flush()
        os.fsync(out.fileno())
    return len(new)


def read(file: Path) -> list[dict[str, Any]]:
    """The trades of a file. A last line that was cut by a crash is removed from it."""
    if not file.exists():
        return []
    text = file.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        file.write_text(whole, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


if __name__ == "__main__":
    with Client.from_env() as reader:
        target = Path(sys.argv[1] if sys.argv[1:] else "trades.jsonl")
        print(download(reader, target), "new trades in", target)
