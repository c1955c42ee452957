"""A lock that a child process can take, whoever held it when the parent forked."""

from __future__ import annotations

import os
import threading

import pytest

from tests.doubles.server import in_child
from trading_runtime.call.file_lock import ForkSafeLock


def free(lock: ForkSafeLock) -> bool:
    """Whether another thread gets the lock within a moment."""
    got = threading.Event()

    def take() -> None:
        with lock.held():
            got.set()

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    return got.wait(0.2)


def test_one_thread_at_a_time_holds_it() -> None:
    lock = ForkSafeLock()
    with lock.held():
        assert not free(lock)
    assert free(lock)


def test_it_is_let_go_of_when_what_it_guards_fails() -> None:
    lock = ForkSafeLock()
    with pytest.raises(ZeroDivisionError), lock.held():
        raise ZeroDivisionError
    assert free(lock)


def test_to_ask_for_it_does_not_take_it() -> None:
    lock = ForkSafeLock()
    lock.held()
    assert free(lock)


def test_the_thread_that_holds_it_can_take_it_again() -> None:
    lock, found = ForkSafeLock(), list[bool]()

    def nest() -> None:
        with lock.held():
            with lock.held():
                found.append(free(lock))
            found.append(free(lock))

    thread = threading.Thread(target=nest, daemon=True)
    thread.start()
    thread.join(5)
    assert found == [False, False]
    assert free(lock)


def test_it_is_the_lock_of_the_interpreter_that_a_with_block_takes() -> None:
    # Code of our own around it would be a place at which Ctrl-C leaves it held.
    lock = ForkSafeLock()
    assert type(lock.held()) is type(threading.RLock())
    assert not hasattr(lock, "__enter__")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_forked_while_it_was_held_can_take_it() -> None:
    lock = ForkSafeLock()
    with lock.held():
        assert in_child(lambda: free(lock))
        assert not free(lock)
    assert free(lock)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_child_forked_while_another_thread_held_it_can_take_it() -> None:
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
    finally:
        forked.set()
        thread.join()
    assert free(lock)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_what_the_child_holds_the_parent_can_take() -> None:
    lock = ForkSafeLock()

    def hold() -> bool:
        lock.held().__enter__()
        return not free(lock)

    assert in_child(hold)
    assert free(lock)


def test_a_process_of_another_id_gets_a_lock_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    lock = ForkSafeLock()
    lock.held().__enter__()
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert free(lock)
    assert lock.held() is lock.held()
