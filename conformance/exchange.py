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
        self._delayed = False

    @property
    def url(self) -> str:
        """Where it listens; it is started when this is first asked for."""
        if self._sandbox is None:
            sandbox = Sandbox(seed=7, maker=False, taker_delay=0.0)
            self._sandbox = self._stack.enter_context(sandbox)
        return self._sandbox.url

    def start_over(self) -> None:
        """Reset it. After a request was delayed, stop it: the request would come after the reset.

        A reset hands out the same keys again, so it would be carried out in the next scenario.
        """
        if self._delayed:
            self.close()
        else:
            self.control("faults.clear", {})
            self.control("reset", {})

    def control(self, name: str, arguments: dict[str, Any]) -> Any:
        """The result of a control.

        Raises:
            ValueError: the sandbox refuses it, so the scenario is wrong.
        """
        self._delayed |= arguments.get("kind") == "delay_request"
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
        """Stop it. Another one starts when it is needed again."""
        self._stack.close()
        self._sandbox, self._delayed = None, False
