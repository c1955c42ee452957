"""Sandboxes that can be killed: behind a pipe, which is fast, and behind HTTP, as users have them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from abc import ABC, abstractmethod
from decimal import Decimal
from operator import attrgetter
from pathlib import Path
from random import Random
from signal import SIGKILL
from threading import Timer
from typing import Any

import requests

from tests.soak import serve
from tests.soak.stream import Pass, Request
from trading_runtime.errors import ApiError, NotSentError, OutcomeUnknownError
from trading_sandbox.controls.local import seeded_key
from trading_sandbox.engine.commands import Command, Deposit, OpenAccount, SetMarkPrice
from trading_sandbox.store.codec import encode_command
from trading_sdk import Client

_USDC, _SOL = Decimal(1_000_000), Decimal(1000)

_MOST_LINES = 2000
_EARLY = 0.15
"""Share of the kills that come while a sandbox starts."""
_START_TAKES, _ANSWER_TAKES = 0.6, 0.004
"""About so many seconds."""
_MOST_ANSWERS = 40


class Killed(Exception):
    """The process ended before it answered."""


class Target(ABC):
    """A sandbox in a process of its own, which keeps its state in a file."""

    accounts: tuple[str, ...]
    _process: subprocess.Popen[str] | None = None

    def __init__(self, file: Path) -> None:
        self.file = file

    def start(self) -> None:
        """Start the process and wait until it serves."""
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [sys.executable, *self._command()],
            stdin=pipe,
            stdout=pipe,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        self._connect()

    def kill(self) -> None:
        """Kill the process, if there is one; from any thread."""
        if self._process is not None:
            self._process.kill()

    def reap(self) -> None:
        """Wait for the end of the process, which nothing but a kill may have brought about."""
        self._end(-SIGKILL)

    @abstractmethod
    def doom(self, random: Random) -> None:
        """Decide when the process that starts next is to die."""

    @abstractmethod
    def prepare(self) -> None:
        """Make the file: an exchange with two accounts, whose clock stands still."""

    @abstractmethod
    def send(self, request: Request) -> str:
        """Send a request; return the answer."""

    @abstractmethod
    def digest(self) -> str:
        """Return the digest of its state and histories."""

    @abstractmethod
    def stop(self) -> None:
        """Let the process end in good order."""

    @abstractmethod
    def _command(self) -> list[str]:
        """Return the arguments that start it."""

    @abstractmethod
    def _connect(self) -> None:
        """Wait until it serves."""

    def _end(self, expected: int) -> None:
        assert self._process is not None
        # It closes the pipes, too.
        self._process.communicate(timeout=30)
        status, self._process = self._process.returncode, None
        assert status == expected, f"the sandbox ended with status {status}"

    def _read(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith("\n"):
            raise Killed
        return line

    def _write(self, line: str) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Killed from None


class PipeTarget(Target):
    """An exchange behind a pipe."""

    accounts = ("alice", "bob")
    _lines: tuple[str, ...] = ()

    def doom(self, random: Random) -> None:
        self._lines = (str(random.randint(1, _MOST_LINES)),)

    def prepare(self) -> None:
        service = serve.opened(self.file)
        service.freeze()
        for account in self.accounts:
            service.execute(OpenAccount(account=account, usdc=_USDC, spot={"SOL": _SOL}))
        service.close()

    def send(self, request: Request) -> str:
        if isinstance(request, Pass):
            return self._ask(request.ms)
        return self._ask([encode_command(command) for command in request])

    def digest(self) -> str:
        digest: str = json.loads(self._ask("digest"))
        return digest

    def stop(self) -> None:
        self._end(0)

    def _command(self) -> list[str]:
        lines, self._lines = self._lines, ()
        return ["-m", "tests.soak.serve", str(self.file), *lines]

    def _connect(self) -> None:
        self._read()

    def _ask(self, question: Any) -> str:
        self._write(json.dumps(question))
        return self._read()


_CALLS: dict[str, str] = {
    "PlaceLimit": "orders.create",
    "PlaceMarket": "orders.create_market",
    "Cancel": "orders.cancel",
    "Edit": "orders.edit",
    "PlaceStop": "orders.create_stop",
    "CancelStop": "orders.cancel_stop",
    "SetPositionTpsl": "orders.set_position_tpsl",
    "Withdraw": "spot.withdraw",
}
"""The method of the client for a command."""


class HttpTarget(Target):
    """`python -m trading_sandbox`, spoken to through the SDK."""

    _keys = tuple(seeded_key(serve.SEED, number) for number in (1, 2))
    accounts = tuple(key.address for key in _keys)
    _url = ""

    def __init__(self, file: Path) -> None:
        super().__init__(file)
        self._clients: dict[str, Client] = {}
        self._answers = -1
        self._timer: Timer | None = None

    def doom(self, random: Random) -> None:
        early = random.random() < _EARLY
        self._answers = 0 if early else random.randint(1, _MOST_ANSWERS)
        self._timer = Timer(random.uniform(0, _START_TAKES if early else _ANSWER_TAKES), self.kill)
        self._timer.daemon = True

    def prepare(self) -> None:
        self.start()
        self._control("freeze")
        for account in self.accounts:
            self._control("deposit", account=account, usdc=str(_USDC), spot={"SOL": str(_SOL)})
        self.stop()

    def send(self, request: Request) -> str:
        self._count_down()
        if isinstance(request, Pass):
            return self._control("advance", ms=request.ms)
        try:
            return self._send(*request)
        except ApiError as error:
            # Without words where the answer was cut.
            if not error.error:
                raise Killed from None
            return str(error)
        except NotSentError:
            raise Killed from None
        except OutcomeUnknownError as error:
            if isinstance(error.__cause__, ApiError):
                raise
            raise Killed from None

    def digest(self) -> str:
        digest: str = json.loads(self._control("digest"))["result"]
        return digest

    def stop(self) -> None:
        assert self._process is not None
        self._process.terminate()
        self._end(0)

    def _command(self) -> list[str]:
        options = ("--port", "0", "--seed", str(serve.SEED), "--no-maker", "--taker-delay", "0")
        return ["-m", "trading_sandbox", *options, "--ready-json", "--state", str(self.file)]

    def _connect(self) -> None:
        self._count_down()
        self._url = json.loads(self._read())["url"]
        self._clients = {key.address: Client(self._url, signer=key) for key in self._keys}

    def _count_down(self) -> None:
        if self._timer is not None and not self._answers:
            self._timer.start()
        self._answers -= 1

    def _end(self, expected: int) -> None:
        for client in self._clients.values():
            client.close()
        super()._end(expected)

    def _send(self, *commands: Command) -> str:
        if isinstance(commands[0], Deposit):
            return self._control("deposit", **_arguments(commands[0]))
        if isinstance(commands[0], SetMarkPrice):
            return self._control("set_mark_price", **_arguments(commands[0]))
        calls = [(_CALLS[type(command).__name__], _arguments(command)) for command in commands]
        (account,) = {arguments.pop("account") for _, arguments in calls}
        client = self._clients[account]
        if len(calls) == 1:
            ((method, arguments),) = calls
            return repr(attrgetter(method)(client)(**arguments))
        models = Client.api.actions
        actions = [models[method].params(**arguments) for method, arguments in calls]
        return repr(client.orders.batch(actions))

    def _control(self, name: str, **arguments: Any) -> str:
        try:
            response = requests.post(f"{self._url}/sandbox/v1/{name}", json=arguments, timeout=30)
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
            raise Killed from None
        assert response.status_code in (200, 400), response.text
        return response.text


def _arguments(command: Command) -> dict[str, Any]:
    """Return the arguments of a command as the client takes them."""
    _, data = encode_command(command)
    arguments: dict[str, Any] = _given(json.loads(data))
    if "stop" in arguments:
        arguments["stop_order"] = arguments.pop("stop")
    return arguments


def _given(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that have a value, in the legs too."""
    return {
        name: _given(value) if isinstance(value, dict) else value
        for name, value in fields.items()
        if value is not None
    }
