"""The transport that uvicorn's HTTP protocol gets in place of the connection's own."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
from typing import Any, Protocol

# Closing with a linger time of 0 resets the connection. On Windows the two numbers are shorts.
_LINGER = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)


def reset(transport: asyncio.Transport) -> None:
    """Close a connection with a reset (RST) instead of a regular end (FIN)."""
    connection: socket.socket = transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER)
    transport.abort()


class Holder(Protocol):
    """Decides what happens to the bytes that the HTTP protocol writes."""

    def write(self, data: bytes) -> None:
        """Handle a part of an answer."""

    def close(self) -> None:
        """Handle the wish to close the connection."""

    def is_closing(self) -> bool:
        """Whether the connection is closed or about to be closed."""
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

    def pause_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.pause_reading()

    def resume_reading(self) -> None:
        if not self._transport.is_closing():
            self._transport.resume_reading()
