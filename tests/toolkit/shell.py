"""`trading-sdk` as tests run it, in this process."""

from __future__ import annotations

import io
import json
import os
import shlex
import signal
import sys
from contextlib import redirect_stdout
from pathlib import Path
from threading import Thread
from typing import Any, TextIO

from attrs import frozen

from tests.sandbox.served import wait_until
from trading_sandbox import Sandbox
from trading_sdk import Client
from trading_toolkit.command import settings
from trading_toolkit.command.program import run

PROGRAM = [sys.executable, "-m", "trading_toolkit"]


class Typed(io.StringIO):
    """What somebody types on a terminal."""

    def isatty(self) -> bool:
        return True


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

    def __call__(self, text: str, stdout: TextIO | None = None) -> Ran:
        """Run `trading-sdk TEXT`, written as for a shell, where nobody can be asked."""
        self._capsys.readouterr()
        with redirect_stdout(stdout or sys.stdout):
            status = run(shlex.split(text))
        printed = self._capsys.readouterr()
        return Ran(status, printed.out, printed.err)

    def refused(self, text: str, status: int = 2) -> str:
        """What is said of a command that ends with this status and prints nothing."""
        ran = self(text)
        assert (text, ran.status, ran.out) == (text, status, "")
        return ran.err

    def answered(self, text: str, typed: str) -> Ran:
        """Run it on a terminal, where somebody types this when asked."""
        with self._monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", Typed(typed))
            patch.setattr(sys.stderr, "isatty", lambda: True)
            return self(text)

    def interrupted(self, text: str) -> Ran:
        """Press Ctrl-C once the service has met the fault that waits for the command."""

        def press() -> None:
            wait_until(lambda: not self.sandbox.faults.pending())
            os.kill(os.getpid(), signal.SIGINT)

        # Whoever runs the tests in the background ignores Ctrl-C.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        thread = Thread(target=press)
        thread.start()
        try:
            return self(text)
        finally:
            thread.join()
            signal.signal(signal.SIGINT, before)

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
