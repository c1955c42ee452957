"""Connecting, and reading an answer, within a deadline.

The timeout of a socket bounds a single step, and an answer that drips in byte by byte never exceeds
it. So every step asks one `Deadline` how much time is left.

The lines of an answer are held to RFC 9112. http.client takes more: int() reads `1_4`, and a bare CR ends a
header. A proxy may read such an answer otherwise, so that nobody knows where it ends and the next one begins.
"""

from __future__ import annotations

import io
import re
import socket
import ssl
import sys
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPException, HTTPResponse, IncompleteRead
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeAlias, cast

_PRECISION = 0.001
"""Seconds by which a step may outlast the deadline: setting a timeout is a system call."""
MAX_INTERIM = 100
"""Interim answers (1xx) before an answer; as many as the headers that an answer may have."""
MAX_TRAILERS = 100
"""Headers behind a chunked body; http.client reads as many before it."""
_TEXT = rb"[\t -~\x80-\xff]*"
_STATUS = re.compile(rb"HTTP/1\.[01] [1-9][0-9]{2}( %b)?\r\n" % _TEXT)
_FIELD = re.compile(rb"([!#-'*+.^-z|~0-9A-Z-]+:%b)?\r\n" % _TEXT)
_CHUNK = re.compile(rb"[0-9A-Fa-f]{1,16}(;%b)?\r\n" % _TEXT)
_LAST_CHUNK = re.compile(rb"0+[;\r]")
_Address: TypeAlias = tuple[Any, Any, int, str, tuple[Any, ...]]
_Options: TypeAlias = Sequence[tuple[int, int, int | bytes]]


class Deadline:
    """When the exchange of one thread must be over; shared by all its connections."""

    def __init__(self) -> None:
        """No exchange is under way."""
        self.at = 0.0
        """The end, on the clock of `time.monotonic`."""

    def left(self) -> float:
        """Seconds that are left; a TimeoutError if there are none."""
        seconds = self.at - monotonic()
        if seconds <= 0:
            raise TimeoutError("the deadline has passed")
        return seconds

    def bound(self, sock: socket.socket) -> None:
        """Let the next step of a socket end with the deadline."""
        seconds, waits = self.left(), sock.gettimeout()
        if waits is None or waits - seconds > _PRECISION:
            sock.settimeout(seconds)


def dial(host: str, port: int, options: _Options, deadline: Deadline) -> socket.socket:
    """Connect to the first address of a host that answers; none gets more than its share of time.

    Raises:
        OSError: none answered, or there is no such host.
    """
    addresses = _addresses(host.strip("[]"), port, deadline)
    problem: OSError = OSError(f"{host} has no address")
    for index, address in enumerate(addresses):
        try:
            share = deadline.left() / (len(addresses) - index)
            return _connected(address, share, options, deadline)
        except OSError as error:
            problem = error
    raise problem


def _connected(
    address: _Address, seconds: float, options: _Options, deadline: Deadline
) -> socket.socket:
    family, kind, protocol, _, target = address
    sock = socket.socket(family, kind, protocol)
    try:
        for option in options:
            sock.setsockopt(*option)
        sock.settimeout(seconds)
        sock.connect(target)
        sock.settimeout(deadline.left())
    except BaseException:
        sock.close()
        raise
    return sock


def _addresses(host: str, port: int, deadline: Deadline) -> Sequence[_Address]:
    with suppress(ValueError):
        ip_address(host)
        return _look_up(host, port)
    found: SimpleQueue[Sequence[_Address] | Exception] = SimpleQueue()

    def look_up() -> None:
        try:
            found.put(_look_up(host, port))
        except Exception as error:
            found.put(error)

    # A look-up cannot be interrupted: a slow one is left behind, and ends by itself.
    Thread(target=look_up, name="look-up", daemon=True).start()
    try:
        answer = found.get(timeout=deadline.left())
    except Empty:
        raise TimeoutError(f"{host} was not found in time") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _look_up(host: str, port: int) -> Sequence[_Address]:
    return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)


class TimedTLS(ssl.SSLSocket):
    """A TLS socket. Where another TLS runs through it, to a proxy, every read asks the deadline."""

    deadline: Deadline | None = None
    """Set where another TLS runs through this one."""

    def recv(self, buflen: int = 1024, flags: int = 0) -> bytes:
        """Read until the deadline, unless reading must not wait at all."""
        if self.deadline is not None and self.gettimeout():
            self.settimeout(self.deadline.left())
        return super().recv(buflen, flags)


class Lines:
    """Checks the lines of an answer: a status, headers, an empty line, and the sizes of chunks."""

    in_body = False
    """Whether the headers are over. If lines follow, they are those of chunks."""
    _in_headers = False
    _heads = _trailers = 0

    def check(self, line: bytes) -> None:
        """Take the next line.

        Raises:
            HTTPException: HTTP has no such line there, or there are too many interim answers.
        """
        grammar = _FIELD if self._in_headers else _CHUNK if self.in_body else _STATUS
        if grammar.fullmatch(line) is None:
            raise HTTPException("this is no line of HTTP")
        if grammar is _FIELD:
            self._in_headers = line != b"\r\n"
            self._trailers += self.in_body and self._in_headers
            if self._trailers > MAX_TRAILERS:
                raise HTTPException("too many trailers")
        elif grammar is _STATUS:
            self._in_headers = True
            self._heads += 1
            if self._heads > MAX_INTERIM + 1:
                raise HTTPException("too many interim answers")
        else:
            # Trailers follow the last chunk.
            self._in_headers = _LAST_CHUNK.match(line) is not None


class EarlyAnswerError(OSError):
    """An answer came before the other side had the whole request, so it answers another one."""


class TimedResponse(HTTPResponse):
    """An answer whose every read ends with the deadline."""

    def __init__(self, deadline: Deadline, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        """Read from `sock`; the rest is as in HTTPResponse."""
        self._socket = sock
        source: Any = _Source(sock, deadline)
        super().__init__(source, *args, **kwargs)

    def begin(self) -> None:
        """Read the status and the headers, behind those of interim answers; the body follows.

        TCP says with each segment how far the other side has received, so a 2xx that leaves bytes of
        the request unacknowledged was sent before the request was there. Linux tells how many these
        are. A refusal may come early: that a body is too large.

        Raises:
            EarlyAnswerError: it belongs to another request.
        """
        super().begin()
        # http.client itself passes over a 100 alone. Nobody asked for the other protocol of a 101.
        while self.status // 100 == 1 and self.status != 101:
            self.headers = cast(Any, None)
            super().begin()
        source: Any = self.fp
        source.lines.in_body = True
        if sys.platform != "linux" or self.status // 100 != 2:
            return
        import fcntl  # Windows has neither
        import termios

        unacknowledged = bytes(4)
        with suppress(OSError):  # then nothing is known
            # The number of SIOCOUTQ, which is what a socket understands.
            unacknowledged = fcntl.ioctl(self._socket, termios.TIOCOUTQ, unacknowledged)
        if any(unacknowledged):
            raise EarlyAnswerError("an answer came before the service had the whole request")

    def read1(self, n: int = -1) -> bytes:
        """Read once. As from Python 3.13 on, the last read closes the answer; no further one is needed."""
        data = super().read1(n)
        if self.length == 0 and not self.chunked:
            self.close()
        return data


class _Source(io.RawIOBase):
    """Reads from a socket until the deadline.

    Once `finished` it reads no more: `peek` then shows what was received beyond the answer.
    """

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self._deadline = deadline
        # A file of the socket keeps it open where HTTPResponse closes its connection early.
        self._file = sock.makefile("rb", buffering=0)
        self.finished = False

    def makefile(self, *_: Any, **__: Any) -> Any:
        """All that HTTPResponse wants of its socket."""
        return _Buffered(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if self.finished:
            return 0
        self._deadline.bound(self._sock)
        return self._file.readinto(buffer)

    def has_more(self) -> bool:
        """Whether TLS holds unread bytes; urllib3 polls a plain socket before its next use."""
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
    """What HTTPResponse reads from. It notices bytes beyond the answer: here, in the socket, or in TLS."""

    def __init__(self, source: _Source) -> None:
        super().__init__(source)
        self._source = source
        self.lines = Lines()

    def readline(self, size: int | None = -1, /) -> bytes:
        """A line. In a body, where chunk sizes are lines, a cut one is refused: a 0 may begin a 01f."""
        line = super().readline(size)
        if line.endswith(b"\n"):
            self.lines.check(line)
        elif self.lines.in_body:
            raise IncompleteRead(line)
        return line

    def read(self, size: int | None = -1, /) -> bytes:
        """The end of a chunk. HTTPResponse reads all else by lines, or with read1."""
        end = super().read(size)
        if end != b"\r\n":
            raise IncompleteRead(end)
        return end

    def close(self) -> None:
        """Hang up if more came than the answer: it would answer the next call."""
        self._source.finished = True
        if not self.closed and (self.peek() or self._source.has_more()):
            self._source.hang_up()
        super().close()
