"""What every control needs: the exchange that runs."""

from __future__ import annotations

from threading import Lock

from trading_sandbox.engine.commands import Command
from trading_sandbox.service import Service


class Running:
    """Holds the exchange while it runs, and what decides the keys of its accounts."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._running: Service | None = None
        # Held from when a key is looked up until its account is open, and while states are changed.
        self._key_lock = Lock()

    @property
    def _service(self) -> Service:
        if self._running is None:
            raise RuntimeError("the sandbox runs inside a with block only")
        return self._running

    def _execute(self, command: Command) -> None:
        self._service.execute(command)
