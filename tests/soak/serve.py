"""`python -m tests.soak.serve FILE [N]`: an exchange that reads requests from stdin, a line each.

It answers each on stdout once it is kept. Its clock stands still. With N it kills itself before
the Nth line of the store or the service is carried out; where N is odd it writes a checkpoint with
every request, else none.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from math import inf
from pathlib import Path
from types import FrameType
from typing import Any

import trading_sandbox
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.records import Refused
from trading_sandbox.service import Service
from trading_sandbox.store.codec import decode_command
from trading_sandbox.store.database import Store

_PACKAGE = str(Path(trading_sandbox.__file__).parent)
_FATAL = (f"{_PACKAGE}/store/database.py", f"{_PACKAGE}/store/files.py", f"{_PACKAGE}/service.py")
NOW = 1_800_000_000_000
SEED = 7


def opened(file: Path, checkpoint_after: float = inf) -> Service:
    """Return the exchange of a file, whose clock stands still."""
    store = Store(file, SEED, checkpoint_after=checkpoint_after)
    if store.is_new:
        store.begin(Exchange.opened(SEED, NOW, maker_on=False))
    return Service(store, taker_delay=0, clock=lambda: NOW)


def die_at(line: int) -> None:
    """Kill this process before so many lines of the store and the service were carried out."""
    left = line

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        code = frame.f_code
        if code.co_filename not in _FATAL or code.co_name == "digest":
            return None
        left -= event == "line"
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)


def main() -> None:
    """Serve until the end of the input."""
    file, last_line = Path(sys.argv[1]), sum(map(int, sys.argv[2:]))
    if last_line:
        die_at(last_line)
    service = opened(file, 0 if last_line % 2 else inf)
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(service, json.loads(line))), flush=True)
    service.close()


def _answer(service: Service, request: Any) -> Any:
    if request == "digest":
        return service.digest()
    if isinstance(request, int):
        service.advance(request)
        return None
    replies = service.execute_all([decode_command(kind, data) for kind, data in request])
    return [f"Refused: {r}" if isinstance(r, Refused) else repr(r) for r in replies]


if __name__ == "__main__":
    main()
