"""The sandbox at which scenarios are played: one for each program, reset before each scenario."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from contextlib import ExitStack
from typing import Any

from trading_sandbox import Sandbox

_PATIENCE = 5.0
"""Seconds in which a sandbox listens again after the fault `connect_refused`."""


class Exchange:
    """A sandbox in this process, driven by its HTTP interface as any language drives it."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._sandbox: Sandbox | None = None
        self._stack = ExitStack()

    @property
    def url(self) -> str:
        """Where it listens; it is started when this is first asked for."""
        if self._sandbox is None:
            sandbox = Sandbox(seed=7, maker=False, taker_delay=0.0)
            self._sandbox = self._stack.enter_context(sandbox)
        return self._sandbox.url

    def control(self, name: str, arguments: dict[str, Any]) -> Any:
        """The result of a control.

        Raises:
            ValueError: the sandbox refuses it, so the scenario is wrong.
        """
        url = f"{self.url}/sandbox/v1/{name}"
        body, headers = json.dumps(arguments).encode(), {"Content-Type": "application/json"}
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
                    return json.load(answer)["result"]
            except urllib.error.HTTPError as error:
                raise ValueError(f"{name}: {error.read().decode()}") from None
            except OSError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.05)

    def close(self) -> None:
        """Stop it."""
        self._stack.close()
