"""The transport that the HTTP protocol behind the door is given in place of the connection's."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from typing import Any, Protocol

# Closed with nothing to wait for, a connection is reset. On Windows the two numbers are short.
_LINGER = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)


def reset(transport: asyncio.Transport) -> None:
    """Close a connection with a reset instead of an end."""
    connection: socket.socket = transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER)
    transport.abort()


class Holder(Protocol):
    """Decides what becomes of what is written."""

    def write(self, data: bytes) -> None:
        """Take a part of an answer."""

    def close(self) -> None:
        """Take note that the connection is to be closed."""

    def is_closing(self) -> bool:
        """Whether it is closed, or about to be."""
        ...


class HeldTransport(asyncio.Transport):
    """Writes to a holder; all else goes to the connection."""

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

    def pause_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()
