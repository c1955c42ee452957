"""`trading-sdk` as tests run it: in this process, or as a program on a terminal of its own."""

from __future__ import annotations

import json
import os
import select
import shlex
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen

from trading_sandbox import Sandbox
from trading_sdk import Client
from trading_toolkit.command import settings
from trading_toolkit.command.program import run

PROGRAM = [sys.executable, "-m", "trading_toolkit"]
_PATIENCE = 60.0


@frozen
class Ran:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)


class Shell:
    """The environment of a trader: a sandbox, a key file, and no settings but these."""

    def __init__(self, sandbox: Sandbox, home: Path, capsys: Any, monkeypatch: Any) -> None:
        self.sandbox, self.home = sandbox, home
        self._capsys, self._monkeypatch = capsys, monkeypatch
        self.key = sandbox.create_account(usdc="100000")
        self.key_file = home / "key.json"
        self.key.write_file(self.key_file)
        for name in [each for each in os.environ if each.startswith("TRADING_")]:
            monkeypatch.delenv(name)
        self.set(TRADING_BASE_URL=sandbox.url, TRADING_KEY_FILE=str(self.key_file))
        # Where the platform has its settings was found out when the module was imported.
        monkeypatch.setattr(settings, "FOLDER", home / "trading-sdk")
        monkeypatch.setattr(settings, "PROFILES", home / "trading-sdk" / "profiles.toml")
        self.set(XDG_CONFIG_HOME=str(home), HOME=str(home), COLUMNS="200")
        monkeypatch.chdir(home)

    def set(self, **variables: str) -> None:
        """Set variables of the environment."""
        for name, value in variables.items():
            self._monkeypatch.setenv(name, value)

    def __call__(self, text: str) -> Ran:
        """Run `trading-sdk TEXT`, written as for a shell, where nobody can be asked."""
        self._capsys.readouterr()
        status = run(shlex.split(text))
        printed = self._capsys.readouterr()
        return Ran(status, printed.out, printed.err)

    def refused(self, text: str, status: int = 2) -> str:
        """What is said of a command that ends with this status and prints nothing."""
        ran = self(text)
        assert (text, ran.status, ran.out) == (text, status, "")
        return ran.err

    def profile(self, text: str, mode: int = 0o600) -> Path:
        """Write the file of profiles."""
        path = settings.PROFILES
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def client(self, **options: Any) -> Client:
        """A client of the same account."""
        return Client(self.sandbox.url, signer=self.key, **options)

    def rest(self, price: str = "500", **more: Any) -> int:
        """Place an order that rests; its id."""
        with self.client() as client:
            order = {"symbol": "BTC", "side": "bid", "amount": "0.1", "tif": "GTC"}
            return client.orders.create(
                **{**order, "price": price, "reduce_only": False, **more}
            ).order_id


_ON_A_TERMINAL = """
import fcntl, os, signal, sys, termios
signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell that starts the tests in the background ignores it
os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Makes stdin the terminal of a program, so that Ctrl-C reaches it, and becomes the program."""


class Terminal:
    """A program on a terminal of its own, which stdout may leave."""

    def __init__(self, *arguments: str, stdout: Path | None = None, **environment: str) -> None:
        self._seen = b""
        self._file, other = os.openpty()
        with open(stdout or os.devnull, "wb") as file:
            self._program = subprocess.Popen(
                [sys.executable, "-c", _ON_A_TERMINAL, *arguments],
                stdin=other,
                stdout=file if stdout else other,
                stderr=other,
                env={**os.environ, "TERM": "dumb", **environment},
            )
        os.close(other)

    def type(self, keys: str) -> None:
        """Type something."""
        os.write(self._file, keys.encode())

    def until(self, text: str) -> str:
        """Read until the terminal shows a text; what it showed since the last look."""
        ends = time.monotonic() + _PATIENCE
        while text.encode() not in self._seen and time.monotonic() < ends:
            if not select.select([self._file], [], [], 1.0)[0]:
                continue
            try:
                self._seen += os.read(self._file, 65536)
            except OSError:  # the program has ended
                break
        before, found, self._seen = self._seen.partition(text.encode())
        if not found:
            self.kill()
            raise AssertionError(f"{text!r} did not come: {before.decode()!r}")
        return (before + found).decode()

    def end(self) -> tuple[int, str]:
        """The exit status, and what is left to read."""
        rest = self._seen
        with suppress(OSError):  # the program has ended, and all was read
            while select.select([self._file], [], [], _PATIENCE)[0] and (
                found := os.read(self._file, 65536)
            ):
                rest += found
        os.close(self._file)
        return self._program.wait(_PATIENCE), rest.decode()

    def kill(self) -> None:
        """End the program."""
        self._program.kill()
        self.end()
