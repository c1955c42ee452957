"""How an answer is sent: a script of writes and waits, and the player that plays it."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, Protocol

from attrs import frozen

from trading_sandbox.faults.answers import Answer

# Closing with a linger time of 0 resets the connection. On Windows the two numbers are shorts.
_LINGER = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)


@frozen
class Write:
    """Send bytes."""

    data: bytes


@frozen
class Sleep:
    """Wait without sending anything."""

    seconds: float


Step = Write | Sleep
End = Literal["keep", "close", "reset"]


@frozen(kw_only=True)
class Script:
    """How an answer is sent, and what happens to the connection afterwards."""

    steps: Iterable[Step] = ()
    end: End = "keep"
    resets_next: Literal["no", "unread", "executed"] = "no"
    """Whether the next request on the connection is reset, and whether it is executed first."""


def plainly(answer: Answer) -> Script:
    """Return the script that sends an answer as it is."""
    return Script(steps=[Write(answer.render())])


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


def reset(transport: asyncio.Transport) -> None:
    """Close a connection with a reset (RST) instead of a regular end (FIN)."""
    connection: socket.socket = transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER)
    transport.abort()


class Holder(Protocol):
    """What decides when an answer is written, and whether its connection is closed."""

    def write(self, data: bytes) -> None:
        """Take some of the answer."""
        ...

    def close(self) -> None:
        """Close the connection behind the answer."""
        ...

    def is_closing(self) -> bool:
        """Whether the connection is closed, or will be."""
        ...

    def upgraded(self, protocol: asyncio.BaseProtocol) -> None:
        """Leave the connection to another protocol, like that of a websocket."""
        ...


class HeldTransport(asyncio.Transport):
    """Passes writing and closing to a holder, and everything else to the connection."""

    def __init__(self, transport: asyncio.Transport, holder: Holder) -> None:
        super().__init__()
        self._transport = transport
        self._holder = holder

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self._holder.write(bytes(data))

    def close(self) -> None:
        self._holder.close()

    def is_closing(self) -> bool:
        return self._holder.is_closing()

    def abort(self) -> None:
        self._transport.abort()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._holder.upgraded(protocol)

    def pause_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()
