"""The base class of the controls, with access to the running exchange."""

from __future__ import annotations

from threading import Lock

from trading_sandbox.engine.commands import Command
from trading_sandbox.service import Service


class Running:
    """Holds the service of the running exchange, and the seed of its accounts' keys."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._running: Service | None = None
        # Held from the choice of a key until its account is open, and during restore and reset.
        self._key_lock = Lock()

    @property
    def _service(self) -> Service:
        if self._running is None:
            raise RuntimeError("the sandbox runs inside a with block only")
        return self._running

    def _execute(self, command: Command) -> None:
        self._service.execute(command)
