"""Connecting and reading within the deadline of the exchange."""

from __future__ import annotations

import io
import socket
import ssl
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPResponse, IncompleteRead
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

from trading_runtime.deadline import left

_PRECISION = 0.001
"""Seconds that a step may take too long, because to set its timeout anew is a system call."""
_Address: TypeAlias = tuple[Any, Any, int, str, tuple[Any, ...]]


def dial(host: str, port: int, options: Sequence[tuple[int, int, int | bytes]]) -> socket.socket:
    """Connect to the first address of a host that answers; none gets more than its share of time.

    Raises:
        OSError: none answered, or there is no such host.
    """
    addresses = _addresses(host.strip("[]"), port)
    problem: OSError = OSError(f"{host} has no address")
    for index, address in enumerate(addresses):
        try:
            return _connected(address, left() / (len(addresses) - index), options)
        except OSError as error:
            problem = error
    raise problem


def _connected(
    address: _Address, seconds: float, options: Sequence[tuple[int, int, int | bytes]]
) -> socket.socket:
    family, kind, protocol, _, target = address
    sock = socket.socket(family, kind, protocol)
    try:
        for option in options:
            sock.setsockopt(*option)
        sock.settimeout(seconds)
        sock.connect(target)
        sock.settimeout(left())
    except BaseException:
        sock.close()
        raise
    return sock


def _addresses(host: str, port: int) -> Sequence[_Address]:
    with suppress(ValueError):
        ip_address(host)
        return _look_up(host, port)
    found: SimpleQueue[Sequence[_Address] | Exception] = SimpleQueue()

    def look_up() -> None:
        try:
            found.put(_look_up(host, port))
        except Exception as error:
            found.put(error)

    # No look-up can be interrupted, so a slow one is left behind; it ends by itself.
    Thread(target=look_up, name="look-up", daemon=True).start()
    try:
        answer = found.get(timeout=left())
    except Empty:
        raise TimeoutError(f"{host} was not found in time") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _look_up(host: str, port: int) -> Sequence[_Address]:
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)


def bound(sock: socket.socket) -> None:
    """Let the next step of a socket end with the deadline."""
    seconds, waits = left(), sock.gettimeout()
    if waits is None or waits - seconds > _PRECISION:
        sock.settimeout(seconds)


class TimedTLS(ssl.SSLSocket):
    """TLS to a proxy, from which TLS within it reads as often as it takes."""

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """Read until the deadline, unless reading must not wait at all."""
        if self.gettimeout():
            self.settimeout(left())
        return super().recv(buflen, flags)


class TimedResponse(HTTPResponse):
    """An answer whose every read ends with the deadline."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        """Read from `sock`; the rest is as HTTPResponse has it."""
        source: Any = _Source(sock)
        super().__init__(source, *args, **kwargs)

    def begin(self) -> None:
        """Read the status and the headers; what follows is the body."""
        super().begin()
        source: Any = self.fp
        source.in_body = True

    def read1(self, n: int = -1) -> bytes:
        """Read once; the end of the answer needs no further read to be found, as from 3.13 on."""
        data = super().read1(n)
        if self.length == 0 and not self.chunked:
            self.close()
        return data


class _Source:
    """All that HTTPResponse wants of a socket: to make a file, which here is one that looks at the clock."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock

    def makefile(self, *_: Any, **__: Any) -> Any:
        return _Buffered(_Timed(self._sock))


class _Timed(io.RawIOBase):
    """Reads from a socket until the deadline; once finished it reads no more, which `peek` relies on."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        # A file of the socket keeps it open where HTTPResponse closes its connection early.
        self._file = sock.makefile("rb", buffering=0)
        self.finished = False

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self.finished:
            return 0
        bound(self._sock)
        return self._file.readinto(buffer)

    def has_more(self) -> bool:
        """Whether TLS holds something that was not read; a plain socket is polled before its next use."""
        if type(self._sock) is socket.socket:
            return False
        waits = self._sock.gettimeout()
        with suppress(OSError):
            self._sock.settimeout(0)
            try:
                self._sock.recv(1)
                return True
            finally:
                self._sock.settimeout(waits)
        return False

    def hang_up(self) -> None:
        # TLS within the TLS of a proxy is no socket, but holds one.
        sock: socket.socket = getattr(self._sock, "socket", self._sock)
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._file.close()
        super().close()


class _Buffered(io.BufferedReader):
    """What HTTPResponse reads from, and what came beyond its answer: here, in the socket, or in TLS."""

    def __init__(self, raw: _Timed) -> None:
        super().__init__(raw)
        self._timed = raw
        self.in_body = False

    def readline(self, size: int | None = -1, /) -> bytes:
        """A line; those of a body, which chunks have, must not be cut: a 0 may begin a 01f."""
        line = super().readline(size)
        if self.in_body and not line.endswith(b"\n"):
            raise IncompleteRead(line)
        return line

    def close(self) -> None:
        """Hang up if more came than the answer: it would answer the next call."""
        self._timed.finished = True
        if not self.closed and (self.peek() or self._timed.has_more()):
            self._timed.hang_up()
        super().close()
