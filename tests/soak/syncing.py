"""Kills `history.sync` at random moments; nothing may be lost or stand there twice.

A process keeps a list in a folder, in small pages and segments, and is killed again and again. Whenever one comes
to its end, the folder must have what the list has, record by record; then the list grows, and the next one goes on.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from tests.soak.world import serving
from trading_sandbox import RemoteSandbox
from trading_sdk import Client
from trading_toolkit import columns, history, passes

LISTS: Mapping[str, Mapping[str, Any]] = {
    "trades.history": {},  # with a key, and read from a time on
    "orders.history": {},  # with a key, and read whole
    "funding.history": {"symbol": "BTC"},  # without a key
}
HOUR = 3_600_000
LONGEST = 2.0
"""Seconds after which a sync is killed at the latest; one of them takes as long."""


def soak(kills: int, seed: int, folder: Path, round_trips: int = 1_000) -> str:
    """Kill syncs so many times; return a report."""
    processes, random = multiprocessing.get_context("forkserver"), Random(seed)
    processes.set_forkserver_preload([__name__])
    told = []
    with serving(seed) as url:
        sandbox = RemoteSandbox(url)
        account = sandbox.create_account().address
        sandbox.add_history(account, "BTC", round_trips, spacing_ms=HOUR // 20)
        for name, arguments in LISTS.items():
            killed = ended = 0
            is_last = False
            while not is_last:
                is_last = killed * len(LISTS) >= kills
                process = processes.Process(
                    target=_sync, args=(url, account, name, folder / name, arguments)
                )
                process.start()
                process.join(None if is_last else random.uniform(0, LONGEST))
                process.kill()
                process.join()
                assert process.exitcode in (0, -9), f"a sync ended with {process.exitcode}"
                killed += process.exitcode == -9
                if process.exitcode == 0:
                    ended += 1
                    _compare(url, account, name, folder / name, arguments)
                    sandbox.advance(HOUR)
                    sandbox.add_history(account, "BTC", round_trips // 10, spacing_ms=1)
            told.append(f"{name}: {killed} kills, {ended} syncs ended, nothing lost or doubled")
    return "\n".join(told)


def _sync(url: str, account: str, name: str, folder: Path, arguments: Mapping[str, Any]) -> None:
    with (
        patch.object(passes, "_SEGMENT_ROWS", 300),
        Client(url, account=account, timeout=60) as client,
    ):
        history.sync(client, name, folder, page_size=100, **arguments)


def _compare(url: str, account: str, name: str, folder: Path, arguments: Mapping[str, Any]) -> None:
    with Client(url, account=account, timeout=60) as client:
        records = attrgetter(name)(client)(limit=4000, **arguments).to_list()
    listed = _rows(columns.table(type(records[0]), records))
    kept = _rows(history.read(folder).to_table().drop_columns("day"))
    assert kept == listed, f"lost: {listed - kept}, too much: {kept - listed}"
    assert not history.verify(folder).problems


def _rows(table: Any) -> Counter[tuple[Any, ...]]:
    return Counter(zip(*(each.to_pylist() for each in table.columns), strict=True))
