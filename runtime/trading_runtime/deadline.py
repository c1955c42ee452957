"""The one deadline of an exchange, which its connection asks for before every step.

It belongs to the thread, as its connections do: the timeout of urllib3 bounds each single read, which
an answer that drips in byte by byte never exceeds.
"""

from __future__ import annotations

import threading
from time import monotonic


class _Running(threading.local):
    ends = 0.0


_running = _Running()


def begin(seconds: float) -> float:
    """Let this thread's exchange take so long, from now on; return what `go_back` takes."""
    before, _running.ends = _running.ends, monotonic() + seconds
    return before


def go_back(before: float) -> None:
    """Let the deadline count again of the exchange that this one, in a signal handler, came into."""
    _running.ends = before


def left() -> float:
    """Seconds that are left of this thread's exchange; a TimeoutError if there are none."""
    seconds = _running.ends - monotonic()
    if seconds <= 0:
        raise TimeoutError("the deadline has passed")
    return seconds
