"""The one deadline of an exchange, which its connection asks for before every step.

It belongs to the thread, as its connections do: requests and urllib3 hand on a timeout
that bounds each single read, which an answer that drips in byte by byte never exceeds.
"""

from __future__ import annotations

import threading
from time import monotonic


class _Running(threading.local):
    ends = 0.0


_running = _Running()


def begin(seconds: float) -> None:
    """Let this thread's exchange take so long, from now on."""
    _running.ends = monotonic() + seconds


def left() -> float:
    """Seconds that are left of this thread's exchange; a TimeoutError if there are none."""
    seconds = _running.ends - monotonic()
    if seconds <= 0:
        raise TimeoutError("the deadline has passed")
    return seconds
