"""Play a script on a connection: write, wait, and report the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator

from trading_sandbox.faults.answer import Script, Step, Write


class Player:
    """Plays one script, no faster than the client reads.

    Args:
        loop: The event loop of the connection.
        transport: The transport of the connection.
        script: The script to play.
        ended: Called once when the script has ended, but not if it was stopped.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        transport: asyncio.Transport,
        script: Script,
        ended: Callable[[Script], None],
    ) -> None:
        self._loop = loop
        self._transport = transport
        self._script = script
        self._ended = ended
        self._steps: Iterator[Step] = iter(script.steps)
        self._timer: asyncio.TimerHandle | None = None
        self._paused = False
        self._stopped = False

    def play(self) -> None:
        """Play the next steps, until one has to wait."""
        self._timer = None
        while not (self._paused or self._stopped or self._transport.is_closing()):
            step = next(self._steps, None)
            if step is None:
                self._stopped = True
                self._ended(self._script)
            elif isinstance(step, Write):
                self._transport.write(step.data)
            elif step.seconds > 0:
                self._timer = self._loop.call_later(step.seconds, self.play)
                return

    def pause(self) -> None:
        """Pause, because the client does not read."""
        self._paused = True

    def resume(self) -> None:
        """Continue after a pause."""
        self._paused = False
        if self._timer is None:
            self.play()

    def stop(self) -> None:
        """Stop for good."""
        self._stopped = True
        if self._timer is not None:
            self._timer.cancel()
