"""Running the servers that clients are measured at, each a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SANDBOX = ("-m", "trading_sandbox", "--port", "0", "--no-maker")
ANSWERING = ("-m", "tests.benchmarks.answering")
PAGING = ("-m", "tests.benchmarks.paging")


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[str, int]]:
    """Run a server; yield its URL and the id of its process."""
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
            assert found is not None, "the server did not start"
            yield found[0], process.pid
        finally:
            process.terminate()
            process.communicate()


def processor_seconds(pid: int) -> float:
    """Return what a process has used up so far; 0 where the system does not tell."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.is_file():
        return 0.0
    fields = stat.read_text("ascii").rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return ticks / 100
