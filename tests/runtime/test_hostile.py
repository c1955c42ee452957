"""No answer, however hostile, takes more than a fixed number of steps for each of its bytes."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="it has no limit of processor time")
def test_what_is_read_takes_time_that_grows_with_its_length_alone() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.runtime.hostile", "16"],
        capture_output=True,
        text=True,
        check=False,
    )
    last = done.stdout.splitlines()[-1:]
    assert (done.returncode, last) == (0, ["a history of one record"]), done.stderr[-2_000:]
