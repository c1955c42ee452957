"""A sandbox that can be killed, spoken to through the SDK and its controls."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from pathlib import Path
from signal import SIGKILL
from typing import Any

import attrs

from tests.soak.stream import Pass, Request
from trading_runtime.errors import ApiError, NotSentError, OutcomeUnknownError
from trading_sandbox import RemoteSandbox
from trading_sandbox.controls.local import seeded_key
from trading_sandbox.engine.commands import Command, Deposit, SetMarkPrice
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
        self._sandbox = RemoteSandbox(json.loads(line)["url"], timeout=30)
        self._clients = {key.address: Client(self._sandbox.url, signer=key) for key in _KEYS}

    def prepare(self) -> None:
        """Make the file: an exchange with two rich accounts, whose clock stands still."""
        self.start()
        self._sandbox.freeze()
        for account in ACCOUNTS:
            self._sandbox.deposit(account, "1000000", {"SOL": "1000"})
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
        return _answered(self._sandbox.digest)

    def send(self, request: Request) -> str:
        """Send a request; return the answer."""
        if isinstance(request, Pass):
            return _answered(partial(self._sandbox.advance, request.ms))
        return _answered(partial(self._sent, request))

    def _end(self, expected: int) -> None:
        for client in self._clients.values():
            client.close()
        assert self._process is not None
        # It closes the pipe, too.
        self._process.communicate(timeout=30)
        status, self._process = self._process.returncode, None
        assert status == expected, f"the sandbox ended with status {status}"

    def _sent(self, commands: tuple[Command, ...]) -> object:
        if isinstance(commands[0], Deposit):
            return self._sandbox.deposit(**_arguments(commands[0]))
        if isinstance(commands[0], SetMarkPrice):
            return self._sandbox.set_mark_price(**_arguments(commands[0]))
        calls = [(command.operation, _arguments(command)) for command in commands]
        (account,) = {arguments.pop("account") for _, arguments in calls}
        client = self._clients[account]
        if len(calls) == 1:
            ((method, arguments),) = calls
            return attrgetter(method)(client)(**arguments)
        models = Client.api.actions
        return client.orders.batch([models[name].params(**given) for name, given in calls])


def _answered(call: Callable[[], object]) -> str:
    """What a call returns, or how it is refused, as text."""
    try:
        return str(call())
    except ApiError as error:
        # Without words where the answer was cut.
        if error.error:
            return str(error)
        raise Killed from None
    except OutcomeUnknownError as error:
        if isinstance(error.__cause__, ApiError):
            raise
        raise Killed from None
    except (NotSentError, RuntimeError):
        # The latter is of a control that no sandbox answers.
        raise Killed from None


def _arguments(command: Command) -> dict[str, Any]:
    """The arguments of a command as the client takes them: those that have a value."""
    given = attrs.asdict(command, filter=lambda _, value: value is not None)
    return {"stop_order" if name == "stop" else name: each for name, each in given.items()}
