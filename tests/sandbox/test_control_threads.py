"""Controls before and after a sandbox runs, and from many threads while it does."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Event

import pytest

from trading_sandbox import Sandbox
from trading_sdk import Client


@pytest.mark.parametrize(
    "use",
    [
        lambda sandbox: sandbox.create_account(),
        lambda sandbox: sandbox.advance(1),
        lambda sandbox: sandbox.snapshot(),
        lambda sandbox: sandbox.digest(),
    ],
)
def test_a_sandbox_that_does_not_run_says_so(use: Callable[[Sandbox], object]) -> None:
    with pytest.raises(RuntimeError, match="with block"):
        use(Sandbox())


def test_after_the_with_block_the_log_can_be_read_and_nothing_can_be_done() -> None:
    with Sandbox() as ended, Client(ended.url, signer=ended.create_account()) as client:
        list(client.orders.history())
    assert [entry.operation for entry in ended.requests] == ["orders.history"]
    for use in (ended.create_account, ended.digest, ended.reset, ended.snapshot):
        with pytest.raises(RuntimeError, match="with block"):
            use()
    with pytest.raises(ValueError, match="server that runs"):
        ended.faults.inject("*", "connect_refused")
    ended.faults.clear()


def test_threads_that_open_accounts_while_others_go_back_never_meet_a_used_key() -> None:
    stop = Event()

    def go_back(sandbox: Sandbox) -> None:
        while not stop.is_set():
            sandbox.reset()

    with Sandbox(maker=False) as sandbox, ThreadPoolExecutor() as pool:
        going = pool.submit(go_back, sandbox)
        try:
            for made in [pool.submit(sandbox.create_account) for _ in range(200)]:
                made.result()
        finally:
            stop.set()
        going.result()
        sandbox.reset()
        keys = {sandbox.create_account().address for _ in range(20)}
        assert len(keys) == 20


def test_controls_in_threads_while_it_stops_end_one_way_or_the_other() -> None:
    def use(sandbox: Sandbox) -> None:
        with suppress(RuntimeError, ValueError):
            for _ in range(50):
                sandbox.faults.inject("*", "connect_refused", seconds=0.001)
                sandbox.faults.clear()
                sandbox.create_account()

    with ThreadPoolExecutor() as pool:
        with Sandbox(maker=False) as sandbox:
            used = [pool.submit(use, sandbox) for _ in range(4)]
            time.sleep(0.02)
        for each in used:
            each.result(timeout=10)
