"""A sandbox that can be killed, spoken to through the SDK."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from operator import attrgetter
from pathlib import Path
from signal import SIGKILL
from typing import Any

import requests

from tests.soak.stream import Pass, Request
from trading_runtime.errors import ApiError, NotSentError, OutcomeUnknownError
from trading_sandbox.controls.local import seeded_key
from trading_sandbox.engine.commands import Command, Deposit, SetMarkPrice
from trading_sandbox.store.codec import encode_command
from trading_sdk import Client

SEED = 7
_KEYS = tuple(seeded_key(SEED, number) for number in (1, 2))
ACCOUNTS = tuple(key.address for key in _KEYS)


class Killed(Exception):
    """The process ended before it answered."""


class Target:
    """A sandbox in a process of its own, which keeps its state in a file."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._process: subprocess.Popen[str] | None = None
        self._url = ""
        self._clients: dict[str, Client] = {}

    def start(self, last_line: int = 0) -> None:
        """Start the process, which dies at a line if it is not 0, and wait until it serves."""
        options = ("--port", "0", "--seed", str(SEED), "--no-maker", "--taker-delay", "0")
        command = ("-m", "tests.soak.serve", str(last_line), *options, "--ready-json", "--state")
        self._process = subprocess.Popen(
            [sys.executable, *command, str(self.file)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line.endswith("\n"):
            raise Killed
        self._url = json.loads(line)["url"]
        self._clients = {key.address: Client(self._url, signer=key) for key in _KEYS}

    def prepare(self) -> None:
        """Make the file: an exchange with two rich accounts, whose clock stands still."""
        self.start()
        self._control("freeze")
        for account in ACCOUNTS:
            self._control("deposit", account=account, usdc="1000000", spot={"SOL": "1000"})
        self.stop()

    def kill(self) -> None:
        """Kill the process, if there is one."""
        if self._process is not None:
            self._process.kill()

    def reap(self) -> None:
        """Wait for the end of the process, which nothing but a kill may have brought about."""
        self._end(-SIGKILL)

    def stop(self) -> None:
        """Let the process end in good order."""
        assert self._process is not None
        self._process.terminate()
        self._end(0)

    def digest(self) -> str:
        """Return the digest of its state and histories."""
        digest: str = json.loads(self._control("digest"))["result"]
        return digest

    def send(self, request: Request) -> str:
        """Send a request; return the answer."""
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

    def _end(self, expected: int) -> None:
        for client in self._clients.values():
            client.close()
        assert self._process is not None
        # It closes the pipe, too.
        self._process.communicate(timeout=30)
        status, self._process = self._process.returncode, None
        assert status == expected, f"the sandbox ended with status {status}"

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
