"""A transport shared by threads and forked processes, closed, or interrupted."""

from __future__ import annotations

import gc
import os
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from tests.doubles.server import Peer, Server, answer, answers, in_child, silent
from tests.runtime.transports import call
from trading_runtime.errors import RequestError
from trading_runtime.http.fault import TransportError
from trading_runtime.http.transport import RequestsTransport


@contextmanager
def on_signal(handler: Callable[..., object]) -> Iterator[None]:
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGUSR1, before)


def in_thread(job: Callable[[], object]) -> None:
    thread = threading.Thread(target=job)
    thread.start()
    thread.join(5)


def test_each_thread_has_connections_of_its_own(transport: RequestsTransport) -> None:
    bodies: list[bytes] = []
    with Server(answers(answer(b"1")), answers(answer(b"2"))) as server:
        call(transport, server.url)
        in_thread(lambda: bodies.append(call(transport, server.url).body))
    assert bodies == [b"2"]
    assert server.connections == 2


def test_a_thread_that_ended_leaves_no_connection_behind(transport: RequestsTransport) -> None:
    with Server(answers(answer())) as server:
        in_thread(lambda: call(transport, server.url))
        gc.collect()
        assert server.hung_up.wait(20)


def test_close_closes_the_connections_of_every_thread(transport: RequestsTransport) -> None:
    done, leave = threading.Event(), threading.Event()

    def job() -> None:
        call(transport, server.url)
        done.set()
        leave.wait(5)

    with Server(answers(answer())) as server:
        thread = threading.Thread(target=job)
        thread.start()
        assert done.wait(5)
        assert not server.hung_up.is_set()
        transport.close()
        assert server.hung_up.wait(20)
        leave.set()
        thread.join(5)


def test_a_call_after_close_is_refused_and_close_may_be_repeated(
    transport: RequestsTransport,
) -> None:
    transport.close()
    transport.close()
    with pytest.raises(RequestError, match=r"^the client is closed: make another one, as in `with"):
        call(transport, "http://127.0.0.1:1")


def test_a_forked_child_has_connections_of_its_own(transport: RequestsTransport) -> None:
    two = answers(answer(b"parent"), answer(b"parent"))
    with Server(two, answers(answer(b"child"))) as server:
        assert call(transport, server.url).body == b"parent"
        assert in_child(lambda: call(transport, server.url).body == b"child")
        assert call(transport, server.url).body == b"parent"
    assert server.connections == 2


def test_a_child_that_closes_leaves_the_connections_and_the_lock_of_its_parent_alone(
    transport: RequestsTransport,
) -> None:
    def close() -> bool:
        transport.close()
        with pytest.raises(RequestError, match="closed"):
            call(transport, "http://127.0.0.1:1")
        return True

    with Server(answers(answer(b"1"), answer(b"2"))) as server:
        assert call(transport, server.url).body == b"1"
        with transport._lock:
            assert in_child(close)
        assert call(transport, server.url).body == b"2"
    assert server.connections == 1
    transport.close()
    assert in_child(close)


class Stopped(BaseException):
    """Such as KeyboardInterrupt, which would end the test run."""


@pytest.mark.parametrize("where", ["connect", "sendall"])
def test_what_is_no_failure_of_the_call_passes_unchanged(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    stopped = Stopped()

    def stop(*_: object) -> None:
        raise stopped

    with Server(answers(answer(b"mine"))) as server:
        with monkeypatch.context() as patch, pytest.raises(Stopped) as caught:
            patch.setattr(socket.socket, where, stop)
            call(transport, server.url)
        assert caught.value is stopped
        assert call(transport, server.url).body == b"mine"


@pytest.mark.parametrize(
    "start", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"]
)
def test_an_interrupted_call_leaves_no_answer_for_the_next_one(
    transport: RequestsTransport, start: bytes
) -> None:
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


def test_a_call_of_a_signal_handler_leaves_the_deadline_of_the_interrupted_call_as_it_was(
    transport: RequestsTransport,
) -> None:
    def nested(*_: object) -> None:
        with pytest.raises(TransportError):
            call(transport, other.url, timeout=0.05)

    def interrupted(peer: Peer) -> None:
        peer.read_request()
        signal.raise_signal(signal.SIGUSR1)
        peer.server.leave.wait(0.3)
        peer.send(answer(b"mine"))
        peer.wait_for_close()

    with on_signal(nested), Server(silent) as other, Server(interrupted) as server:
        assert call(transport, server.url, timeout=20).body == b"mine"


def test_a_call_leaves_nothing_to_the_garbage_collector(transport: RequestsTransport) -> None:
    def left_behind() -> int:
        kinds = ("_Timed", "_Buffered", "TimedResponse", "SocketIO")
        return sum(type(each).__name__ in kinds for each in gc.get_objects())

    with Server(answers(*[answer(b"{}")] * 6)) as server:
        call(transport, server.url)
        gc.collect()
        gc.disable()
        try:
            before = left_behind()
            for _ in range(5):
                call(transport, server.url)
            assert left_behind() <= before
        finally:
            gc.enable()


def test_a_process_of_another_id_does_not_use_inherited_connections(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Server(answers(answer(b"1")), answers(answer(b"2"))) as server:
        call(transport, server.url)
        monkeypatch.setattr(os, "getpid", lambda: -1)
        assert call(transport, server.url).body == b"2"


def test_an_interruption_before_there_are_connections_stays_what_it_is(
    transport: RequestsTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("trading_runtime.http.transport.Connections", interrupted)
    with pytest.raises(KeyboardInterrupt):
        call(transport, "http://127.0.0.1:9")


def test_services_that_one_thread_speaks_to_in_turns_get_their_own_calls(
    transport: RequestsTransport,
) -> None:
    here, there = answers(*[answer(b"here")] * 3), answers(*[answer(b"there")] * 3)
    with Server(here) as first, Server(there) as second:
        bodies = [call(transport, url).body for url in (first.url, second.url) * 3]
    assert bodies == [b"here", b"there"] * 3
    assert (first.connections, second.connections) == (1, 1)
