"""A server at a loopback port that plays what a test says: whole answers, or anything else that bytes can say.

A play is a function of one connection. The play of a server that was given none answers every request as `respond`
says, which a test may replace at any time.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import ssl
import struct
import threading
import warnings
from collections.abc import Callable
from email.utils import formatdate
from functools import cache
from types import TracebackType
from typing import Any, NamedTuple

from trustme import CA
from urllib3 import HTTPHeaderDict

from tests.doubles.transport import response
from trading_runtime.http.transport import Response

Play = Callable[["Peer"], None]


class Received(NamedTuple):
    """One request as it arrived."""

    method: str
    path: str
    query: str
    headers: list[tuple[str, str]]
    body: bytes

    @classmethod
    def read(cls, raw: bytes) -> Received:
        """Take a request apart."""
        head, _, body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ")
        path, _, query = target.partition("?")
        pairs = [line.partition(":") for line in lines]
        return cls(method, path, query, [(name, text.strip()) for name, _, text in pairs], body)

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.body)


# -- plays -------------------------------------------------------------------------------------------


def answer(body: bytes = b"{}", *headers: str, status: str = "200 OK") -> bytes:
    """A whole answer that keeps the connection open."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def answers(*replies: bytes) -> Play:
    """Read a request and send a reply, for each reply, then wait until the client hangs up."""

    def play(peer: Peer) -> None:
        for reply in replies:
            peer.read_request()
            peer.send(reply)
        peer.wait_for_close()

    return play


def cut(reply: bytes) -> Play:
    """Read a request, send the bytes and close the connection."""

    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(reply)

    return play


def silent(peer: Peer) -> None:
    """Read a request and never answer it."""
    peer.read_request()
    peer.server.leave.wait(5)


def never_reads(peer: Peer) -> None:
    """Neither read nor answer."""
    peer.server.leave.wait(5)


def close_after_reading(peer: Peer) -> None:
    """Read a request and close the connection."""
    peer.read_request()


def reset_after_reading(peer: Peer) -> None:
    """Read a request and reset the connection."""
    peer.read_request()
    peer.reset()


def reset_before_reading(peer: Peer) -> None:
    """Reset the connection when a request arrives, and do not read it."""
    peer.wait_for_bytes()
    peer.reset()


def respond(peer: Peer) -> None:
    """Answer every request as the server's `respond` says, until the client hangs up."""
    while True:
        peer.read_request()
        found = peer.server.respond(Received.read(peer.last))
        peer.send(whole(found, peer.server.date()))
        if found.headers.get("Connection") == "close":
            return


def whole(found: Response, date: str) -> bytes:
    """A response on the wire, with what a service adds: its time, a cookie, the type and length of the body."""
    headers = HTTPHeaderDict({"Content-Type": "application/json", "Date": date})
    headers["Set-Cookie"] = "session=canary-cookie; Path=/"
    headers.update(found.headers)
    headers["Content-Length"] = str(len(found.body))
    lines = [
        f"HTTP/1.1 {found.status} As scripted",
        *(f"{n}: {text}" for n, text in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + found.body


def server_context(authority: CA, host: str = "127.0.0.1", **dates: Any) -> ssl.SSLContext:
    """What a server of this host speaks TLS with, its certificate issued by an authority."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(host, **dates).configure_cert(context)
    return context


def secured(context: ssl.SSLContext, then: Play) -> Play:
    """Speak TLS, and go on within it."""

    def play(peer: Peer) -> None:
        peer.start_tls(context)
        then(peer)

    return play


def tunnel(port: int) -> Play:
    """Be a proxy: take a CONNECT, and carry bytes between the client and a local port."""

    def play(peer: Peer) -> None:
        peer.read_request()
        peer.send(b"HTTP/1.1 200 Connected\r\n\r\n")
        with socket.create_connection(("127.0.0.1", port)) as target:
            back = threading.Thread(target=_carry, args=(target, peer.stream), daemon=True)
            back.start()
            _carry(peer.stream, target)
            back.join(5)

    return play


def _carry(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_RDWR)


# -- a server ------------------------------------------------------------------------------------------


class Peer:
    """The server's end of one connection."""

    def __init__(self, server: Server, raw: socket.socket) -> None:
        self.server = server
        self.raw = raw
        self.stream = raw
        self.last = b""
        """The latest request, head and body."""

    def start_tls(self, context: ssl.SSLContext) -> None:
        """Speak TLS from here on."""
        self.stream = context.wrap_socket(self.raw, server_side=True, do_handshake_on_connect=False)
        self.raw = socket.socket(fileno=socket.dup(self.stream.fileno()))
        self.stream.do_handshake()

    def read_request(self) -> bytes:
        """Read a whole request, keep it, and return its body."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._receive()
        head, _, body = data.partition(b"\r\n\r\n")
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                while len(body) < int(value):
                    body += self._receive()
        self.last = head + b"\r\n\r\n" + body
        self.server.requests.append(self.last)
        return body

    def _receive(self) -> bytes:
        data = self.stream.recv(65_536)
        if not data:
            raise ConnectionError("the client hung up")
        return data

    def send(self, data: bytes) -> None:
        """Send bytes."""
        self.stream.sendall(data)

    def wait_for_bytes(self) -> None:
        """Wait until the client has sent something, and leave it unread."""
        self.raw.recv(1, socket.MSG_PEEK)

    def reset(self) -> None:
        """Close so that the client sees a reset."""
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.stream.close()

    def wait_for_close(self) -> None:
        """Wait until the client hangs up."""
        while self.stream.recv(65_536):
            pass
        self.server.hung_up.set()

    def close(self) -> None:
        """Close this end."""
        self.stream.close()
        self.raw.close()


class Server:
    """Plays the nth function for the nth connection and the last one for all that follow.

    It serves from its `with` on, and ends with it.
    """

    def __init__(self, *plays: Play) -> None:
        self._plays = plays or (respond,)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._peers: list[Peer] = []
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.https = f"https://127.0.0.1:{self.port}"
        self.respond: Callable[[Received], Response] = lambda _: response(200, {})
        """What `respond`, the play of a server without others, answers to a request."""
        self.date: Callable[[], str] = lambda: formatdate(usegmt=True)
        """The time of the service, as `respond` tells it."""
        self.requests: list[bytes] = []
        """The requests as they arrived, head and body."""
        self.connections = 0
        self.hung_up = threading.Event()
        """The client closed a connection that was waited on."""
        self.closed = threading.Event()
        """A connection was played to its end and closed."""
        self.leave = threading.Event()
        """The test is over; a play that only waits waits for this."""

    def __enter__(self) -> Server:
        self._spawn(self._accept)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.leave.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for peer in list(self._peers):
            with contextlib.suppress(OSError):
                peer.raw.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)

    def will_answer(self, payload: Any, status: int = 200, **headers: str) -> None:
        """Answer every request so from here on."""
        answer = response(status, payload, **headers)
        self.respond = lambda _: answer

    def taken(self) -> list[Received]:
        """The requests since the last time."""
        found, self.requests = self.requests, []
        return [Received.read(each) for each in found]

    def _spawn(self, target: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                raw, _ = self._listener.accept()
                self.connections += 1
                peer = Peer(self, raw)
                self._peers.append(peer)
                play = self._plays[min(self.connections, len(self._plays)) - 1]
                self._spawn(self._play, play, peer)

    def _play(self, play: Play, peer: Peer) -> None:
        with contextlib.suppress(OSError), contextlib.closing(peer):
            play(peer)
        self.closed.set()


# -- what happens around a server ----------------------------------------------------------------------


@cache
def refused_port() -> str:
    """The URL of a port at which nobody listens, and that nobody else gets while this process lives."""
    _bound.bind(("127.0.0.1", 0))
    return f"http://127.0.0.1:{_bound.getsockname()[1]}"


_bound = socket.socket()
"""It does not listen, so the system refuses whoever connects."""


def in_child(job: Callable[[], bool], seconds: int = 5) -> bool:
    """Whether the job was true in a forked child, within some seconds."""
    with warnings.catch_warnings():
        # From 3.12 on: "use of fork() may lead to deadlocks" in a process with threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        signal.alarm(seconds)
        good = False
        try:
            good = job()
        finally:
            os._exit(0 if good else 1)
    return os.waitpid(child, 0)[1] == 0
