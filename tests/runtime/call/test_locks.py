"""A lock that a child process can take, whoever held it when the parent forked."""

from __future__ import annotations

import os
import threading

import pytest

from tests.doubles.server import in_child
from trading_runtime.call.file_lock import ForkSafeLock

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def free(lock: ForkSafeLock) -> bool:
    """Whether another thread gets the lock within a moment."""
    got = threading.Event()

    def take() -> None:
        with lock.held():
            got.set()

    threading.Thread(target=take, daemon=True).start()
    return got.wait(0.2)


def test_one_thread_at_a_time_holds_it_as_often_as_it_takes_it() -> None:
    lock = ForkSafeLock()
    lock.held()
    assert free(lock), "to ask for it does not take it"
    with lock.held():
        with lock.held():
            assert not free(lock)
        assert not free(lock)
    with pytest.raises(ZeroDivisionError), lock.held():
        raise ZeroDivisionError
    assert free(lock)


@needs_fork
def test_a_child_forked_while_it_was_held_can_take_it() -> None:
    lock, held, forked = ForkSafeLock(), threading.Event(), threading.Event()

    def hold() -> None:
        with lock.held():
            held.set()
            forked.wait(10)

    thread = threading.Thread(target=hold)
    thread.start()
    try:
        assert held.wait(10)
        assert in_child(lambda: free(lock))
        assert not free(lock)
    finally:
        forked.set()
        thread.join()
    with lock.held():
        assert in_child(lambda: free(lock))
        assert not free(lock)


def test_a_process_of_another_id_gets_a_lock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    lock = ForkSafeLock()
    lock.held().__enter__()
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert free(lock)
    assert lock.held() is lock.held()
