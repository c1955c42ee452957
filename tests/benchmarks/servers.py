"""Running the servers that clients are measured at, each a process of its own."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SANDBOX = ("-m", "trading_sandbox", "--port", "0", "--no-maker")
ANSWERING = ("-m", "tests.benchmarks.answering")
PAGING = ("-m", "tests.benchmarks.paging")


@contextmanager
def serving(*arguments: str) -> Iterator[str]:
    """Run a server; yield its URL."""
    command = [sys.executable, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
            assert found is not None, "the server did not start"
            yield found[0]
        finally:
            process.terminate()
            process.communicate()
