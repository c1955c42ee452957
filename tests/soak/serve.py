"""`python -m tests.soak.serve N OPTION ...`: `python -m trading_sandbox`, which kills itself at a line.

It dies before the Nth line of the store or the service is carried out, and of 0 never. Where N is odd it writes
a checkpoint with every request, else none.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from itertools import count
from math import inf
from pathlib import Path
from types import FrameType
from typing import Any

import trading_sandbox
from trading_sandbox.__main__ import main
from trading_sandbox.store.database import Store

_PACKAGE = str(Path(trading_sandbox.__file__).parent)
_FATAL = (f"{_PACKAGE}/store/database.py", f"{_PACKAGE}/store/files.py", f"{_PACKAGE}/service.py")


def die_at(line: int) -> None:
    """Kill this process before so many lines of the store and the service were carried out, in any thread."""
    lines = count(1)

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in _FATAL or code.co_name == "digest":
            return None
        if event == "line" and next(lines) == line:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    threading.settrace(trace)
    sys.settrace(trace)


if __name__ == "__main__":
    last = int(sys.argv[1])
    defaults: Any = Store.__init__
    defaults.__kwdefaults__["checkpoint_after"] = 0 if last % 2 else inf
    if last:
        die_at(last)
    sys.exit(main(sys.argv[2:]))
