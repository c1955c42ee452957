"""Faults that are made on this side of the connection: look-up, connecting and TLS."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, TypeAlias

import trustme
from attrs import define, field

from tests.doubles.server import (
    Peer,
    Play,
    Server,
    answer,
    answers,
    close_after_reading,
    never_reads,
    reset_before_reading,
    secured as over_tls,
    server_context,
)

HOST = "localhost"

Found: TypeAlias = list[tuple[Any, ...]]


@define
class Place:
    """Where a client is sent to."""

    url: str
    met: Callable[[], int] | None = None
    """How often it met what is wrong there, if there is something."""
    ca_file: Path | None = None


class BlackHole:
    """A port that accepts no connection and refuses none: its queue is full.

    It takes one connection that nobody accepts; the kernel then drops what asks for another.
    """

    def __init__(self) -> None:
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(0)
        self.port: int = self._listener.getsockname()[1]
        self._waiting = []
        for _ in range(2):
            self._waiting.append(filler := socket.socket())
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", self.port))

    def close(self) -> None:
        for sock in (*self._waiting, self._listener):
            sock.close()


# -- look-up and connecting ------------------------------------------------------------------


@define
class _Resolver:
    """Stands in for the system's, which is the one thing that no socket of ours can be."""

    plan: Sequence[str]
    ports: Mapping[str, int]
    real: Callable[..., Found]
    met: int = 0
    asked: int = 0
    leave: threading.Event = field(factory=threading.Event)

    def __call__(self, host: Any, port: Any, *args: Any, **more: Any) -> Found:
        if host != HOST or port != self.ports["service"]:
            return self.real(host, port, *args, **more)
        found = self.plan[min(self.asked, len(self.plan) - 1)]
        self.asked += 1
        self.met += found != "service"
        if found == "hangs":
            self.leave.wait(10)
        if found in ("unknown", "hangs"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        stream = (socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
        return [(*stream, ("127.0.0.1", self.ports[name])) for name in found.split()]


@contextmanager
def dialled(plan: str, service: int, black_hole: int) -> Iterator[Place]:
    """Let clients of the service look its host up as planned.

    Args:
        plan: What is found time after time, with commas in between; the last one stays. Of `service`, `refused` and
            `silent`, which are addresses, there may be several, in their order; else `unknown` or `hangs`.
    """
    with socket.socket() as closed:
        # Bound and not listening: nobody else gets the port, and it refuses.
        closed.bind(("127.0.0.1", 0))
        ports = {"service": service, "silent": black_hole, "refused": closed.getsockname()[1]}
        resolver = _Resolver(plan.split(", "), ports, socket.getaddrinfo)
        socket.getaddrinfo = resolver
        try:
            yield Place(f"http://{HOST}:{service}", lambda: resolver.met)
        finally:
            socket.getaddrinfo = resolver.real
            resolver.leave.set()


# -- TLS -------------------------------------------------------------------------------------


class Authorities:
    """The one that clients trust, another one, and certificates of both."""

    def __init__(self, folder: Path) -> None:
        self.ca_file = folder / "trusted.pem"
        trusted, other = trustme.CA(), trustme.CA()
        trusted.cert_pem.write_to_path(str(self.ca_file))
        past = datetime.now(timezone.utc) - timedelta(days=1)
        self.contexts = {
            "unknown authority": server_context(other),
            "another host": server_context(trusted, "elsewhere.invalid"),
            "expired certificate": server_context(trusted, not_after=past),
        }


@contextmanager
def secured(play: str, authorities: Authorities) -> Iterator[Place]:
    """A TLS server that is not what it should be."""
    with Server(_play(play, authorities)) as server:
        url = f"https://127.0.0.1:{server.port}"
        yield Place(url, lambda: server.connections, authorities.ca_file)
    assert server.requests == []


def _play(name: str, authorities: Authorities) -> Play:
    others: Mapping[str, Play] = {
        "silent": never_reads,
        "no TLS at all": _plain,
        "closed in the handshake": reset_before_reading,
    }
    return others.get(name) or over_tls(authorities.contexts[name], close_after_reading)


def _plain(peer: Peer) -> None:
    peer.wait_for_bytes()
    peer.send(answer(status="400 This is plain HTTP"))


def trap() -> Server:
    """A server that answers whoever comes; nobody should."""
    return Server(answers(answer(b'{"order_id":666,"success":true}')))
