"""Kill a guarded maker with SIGKILL, again and again, while it quotes: nothing is open afterwards."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from random import Random
from threading import Thread
from unittest.mock import patch

from trading_sandbox import Sandbox
from trading_sdk_observed import Client
from trading_toolkit import guard

MAKER = """
import os, sys
from itertools import count
from trading_sdk_observed import Client
from trading_toolkit import guard, ladder
from trading_toolkit.ladder import Quote

with Client.from_env(history_lag=0) as client, open(sys.argv[1], "w") as pipe:
    pipe.write(str(os.getpid()))
    pipe.close()
    found = None
    for n in count():
        mid = 60_000 + 7 * (n % 50)
        quotes = [Quote("BTC", "bid", mid - 10 * step, "0.1") for step in range(1, 4 + n % 10)]
        quotes += [Quote("BTC", "ask", mid + 10 * step, "0.1") for step in range(1, 4 + n % 7)]
        found = ladder.replace(client, quotes, before=found)
        guard.beat()
"""
"""Tells its process id, and moves a ladder of quotes until it is killed."""
_LONGEST = 0.3
"""Seconds that it quotes at most."""


def soak(times: int, seed: int, folder: Path) -> str:
    """Kill it so many times; raise if an order is open afterwards that the guard did not name."""
    random, cancelled, pipe = Random(seed), 0, folder / "pid"
    os.mkfifo(pipe)
    with Sandbox(maker=False, dialect="live", taker_delay=0) as sandbox:
        for number in range(times):
            key = sandbox.create_account(usdc="10000000")
            path = folder / f"key-{number}.json"
            key.write_file(path)
            settings = {"TRADING_BASE_URL": sandbox.url, "TRADING_KEY_FILE": str(path)}
            pause = random.uniform(0, _LONGEST)
            thread = Thread(target=_kill, args=(pipe, pause))
            thread.start()
            with (
                patch.dict(os.environ, settings),
                Client(sandbox.url, signer=key, history_lag=0) as client,
            ):
                found = guard.run(
                    client, [sys.executable, "-c", MAKER, str(pipe)], expiry_window=0.2
                )
                thread.join()
                left = {each.order_id for each in client.orders.list()}
            named = {*found.orders.still_open, *found.orders.unknown}
            if not left <= named or (left and found.is_done):
                raise AssertionError(f"kill {number} after {pause:.3f} s: {left} are open: {found}")
            if found.status != -signal.SIGKILL:
                raise AssertionError(f"kill {number}: the maker ended by itself: {found}")
            cancelled += len(found.orders.cancelled)
    return f"{times} kills, {cancelled} orders cancelled, none open afterwards"


def _kill(pipe: Path, pause: float) -> None:
    pid = int(pipe.read_text())
    time.sleep(pause)
    os.kill(pid, signal.SIGKILL)
