"""A transport shared by threads and forked processes, closed, or interrupted."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count

import pytest

import trading_runtime.http
from tests.doubles.server import Peer, Server, answer, answers, in_child
from tests.runtime.lines import Interrupt
from tests.runtime.transports import call
from trading_runtime.http.transport import HTTPTransport, Request

HTTP = os.path.dirname(str(trading_runtime.http.__file__))


@contextmanager
def on_signal(handler: Callable[..., object]) -> Iterator[None]:
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_close_closes_every_connection(transport: HTTPTransport) -> None:
    with Server(answers(answer())) as server:
        call(transport, server.url)
        assert not server.hung_up.is_set()
        transport.close()
        assert server.hung_up.wait(20)


def test_a_forked_child_has_connections_of_its_own(transport: HTTPTransport) -> None:
    two = answers(answer(b"parent"), answer(b"parent"))
    with Server(two, answers(answer(b"child"))) as server:
        assert call(transport, server.url).body == b"parent"
        assert in_child(lambda: call(transport, server.url).body == b"child")
        assert call(transport, server.url).body == b"parent"
    assert server.connections == 2


class Stopped(BaseException):
    """Such as KeyboardInterrupt, which would end the test run."""


@pytest.mark.parametrize(
    "start", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"]
)
def test_an_interrupted_call_answers_no_other_one(transport: HTTPTransport, start: bytes) -> None:
    def stop(*_: object) -> None:
        raise Stopped

    def half(peer: Peer) -> None:
        peer.read_request()
        peer.send(start)
        peer.server.leave.wait(0.1)
        signal.raise_signal(signal.SIGUSR1)
        peer.server.hung_up.wait(0.2)
        peer.send(answer(b"late"))
        peer.wait_for_close()

    with on_signal(stop), Server(half, answers(answer(b"mine"))) as server:
        with pytest.raises(Stopped):
            call(transport, server.url)
        assert call(transport, server.url).body == b"mine"


# What nobody can hold between two lines is closed when its last reference goes, which Python mentions.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
@pytest.mark.parametrize("used", [False, True], ids=["new connection", "used connection"])
def test_a_call_that_is_interrupted_in_any_line_leaves_nothing_held(used: bool) -> None:
    """No lock, no answer for the next call, and no connection, whichever line it was."""

    def echo(peer: Peer) -> None:
        while True:
            peer.send(answer(peer.read_request()))

    with Server(echo) as server, ThreadPoolExecutor(1) as thread:
        # A tracer that raises in an except block leaves its exception behind, in this thread alone.
        assert thread.submit(interrupt_every_line, server, used).result() > 100


def interrupt_every_line(server: Server, used: bool) -> int:
    for number in count(1):
        transport = HTTPTransport()
        if used:
            echoed(transport, server, b"before")
        interrupt = Interrupt(number, HTTP, Stopped)
        interrupt.during(partial(echoed, transport, server, b"interrupted"))
        assert echoed(transport, server, b"mine") == b"mine", interrupt.where
        assert open_to(server.port) == 1, interrupt.where
        transport.close()
        assert open_to(server.port) == 0, interrupt.where
        if not interrupt.where:
            return number
    raise AssertionError


def echoed(transport: HTTPTransport, server: Server, body: bytes) -> bytes:
    return transport.send(Request("POST", server.url, {}, body), timeout=5).body


def open_to(port: int) -> int:
    """The connections of this process to a port."""
    found = 0
    for number in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            if os.readlink(f"/proc/self/fd/{number}").startswith("socket:"):
                with socket.socket(fileno=os.dup(int(number))) as copy:
                    if copy.family == socket.AF_INET:
                        found += copy.getpeername()[1] == port
    return found
