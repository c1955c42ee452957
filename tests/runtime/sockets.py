"""A server on a loopback port that plays one scripted function for each connection."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import ssl
import struct
import threading
import warnings
from collections.abc import Callable
from types import TracebackType

Play = Callable[["Peer"], None]


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


class Peer:
    """The server's end of one connection."""

    def __init__(self, server: Server, raw: socket.socket) -> None:
        self.server = server
        self.raw = raw
        self.stream = raw

    def start_tls(self, context: ssl.SSLContext) -> None:
        self.stream = context.wrap_socket(self.raw, server_side=True, do_handshake_on_connect=False)
        self.raw = socket.socket(fileno=socket.dup(self.stream.fileno()))
        self.stream.do_handshake()

    def read_request(self) -> bytes:
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._receive()
        head, _, body = data.partition(b"\r\n\r\n")
        for line in head.split(b"\r\n"):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                while len(body) < int(value):
                    body += self._receive()
        self.server.requests.append(head + b"\r\n\r\n" + body)
        return body

    def _receive(self) -> bytes:
        data = self.stream.recv(65_536)
        if not data:
            raise ConnectionError("the client hung up")
        return data

    def send(self, data: bytes) -> None:
        self.stream.sendall(data)

    def wait_for_bytes(self) -> None:
        """Wait until the client has sent something, and leave it unread."""
        self.raw.recv(1, socket.MSG_PEEK)

    def reset(self) -> None:
        """Close so that the client sees a reset."""
        self.stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.stream.close()

    def wait_for_close(self) -> None:
        while self.stream.recv(65_536):
            pass
        self.server.hung_up.set()

    def close(self) -> None:
        self.stream.close()
        self.raw.close()


class Server:
    """Plays the nth function for the nth connection and the last one for all that follow."""

    def __init__(self, *plays: Play) -> None:
        self._plays = plays
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._peers: list[Peer] = []
        self.port: int = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.https = f"https://127.0.0.1:{self.port}"
        self.requests: list[bytes] = []
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


def in_child(job: Callable[[], bool]) -> bool:
    """Whether the job was true in a forked child, within five seconds."""
    with warnings.catch_warnings():
        # From 3.12 on: "use of fork() may lead to deadlocks" in a process with threads.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        signal.alarm(5)
        good = False
        try:
            good = job()
        finally:
            os._exit(0 if good else 1)
    return os.waitpid(child, 0)[1] == 0


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
