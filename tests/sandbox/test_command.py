"""The command `python -m trading_sandbox`."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from trading_sandbox.web.modelled import modelled_operations

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
ENVIRONMENT.pop("PYTHONSTARTUP", None)


@contextmanager
def run(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "trading_sandbox", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    # Whatever goes wrong, no test waits for it longer than this.
    watch = threading.Timer(60, process.kill)
    watch.start()
    try:
        yield process
    finally:
        watch.cancel()
        process.kill()
        process.communicate()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_the_command_prints_an_example_that_works_and_stops_cleanly(stop: signal.Signals) -> None:
    with run("--port", "0", "--taker-delay", "0") as process:
        assert process.stdout is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith("Ctrl-C"):
            line = process.stdout.readline()
            assert line, process.communicate()
            lines.append(line)
        printed = "".join(lines)
        pasted = printed[printed.index("from trading_sdk") : printed.index("Ctrl-C")]
        shown = subprocess.run(
            [sys.executable, "-i"],
            input=pasted,
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
            timeout=30,
            check=False,
        )
        assert shown.stdout.split()[1:] == ["bid", "0.01", "99000", "open"], shown.stderr
        assert "Error" not in shown.stderr
        process.send_signal(stop)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "Stopped.\n", "")
    assert printed.count("private key") == 2
    assert ", ".join(modelled_operations()) in " ".join(printed.split())


def test_the_help_lists_what_is_modelled() -> None:
    with run("--help") as process:
        out, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert ", ".join(modelled_operations()) in " ".join(out.split())


def test_a_busy_port_is_one_line_and_exit_status_1() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as busy,
        run("--port", str(busy.getsockname()[1])) as process,
    ):
        out, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert out == ""
    assert re.fullmatch(r"Cannot serve on 127\.0\.0\.1:\d+: Address already in use\n", err)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--port", "x"],
        ["--port", "99999"],
        ["--taker-delay", "-1"],
        ["--taker-delay", "nan"],
        ["--maker"],
    ],
)
def test_a_wrong_option_is_refused(arguments: list[str]) -> None:
    with run(*arguments) as process:
        assert process.wait(30) == 2
