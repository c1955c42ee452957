"""Nothing of a guarded program stays open, however it ends; and what may be open is said."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from attrs import define

from tests.doubles.orders import resting
from tests.toolkit.market import exchange
from trading_runtime import ApiError
from trading_sandbox import Sandbox
from trading_sdk import Client
from trading_toolkit import ToolkitError, guard, orders

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no signals, no named pipes")
MAKER = """
import os, signal, sys
from trading_sdk import Client
from trading_toolkit import guard

pipe, ends = sys.argv[1:]

def end(*_):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # a second one would end Python while it ends
    sys.exit(7)

if ends == "after a signal":
    signal.signal(signal.SIGTERM, end)
else:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
with Client.from_env() as client:
    for price in range(500, 505):
        client.orders.create(
            symbol="BTC", side="bid", price=price, amount="0.1", tif="GTC", reduce_only=False
        )
    guard.beat()
    with open(pipe, "w") as file:
        file.write(str(os.getpid()))
    if ends == "at once":
        sys.exit(5)
    while True:
        signal.pause()
"""
"""Places five quotes, tells its process id, and rests."""


@define
class Maker:
    """A program that quotes, and the client of its guard."""

    sandbox: Sandbox
    client: Client
    folder: Path

    def command(self, ends: str = "never") -> list[str]:
        return [sys.executable, "-c", MAKER, str(self.folder / "pid"), ends]

    def pid(self) -> int:
        """The process id of the program, once it has placed its quotes."""
        return int((self.folder / "pid").read_text())

    def open_orders(self) -> int:
        return len(orders.open_orders(self.client))

    def guarded(
        self, act: Callable[[int], object], ends: str = "never", **options: Any
    ) -> guard.Guarded:
        """Guard the program, and do something with its process id once its quotes are placed."""
        thread = Thread(target=lambda: act(self.pid()))
        thread.start()
        given: dict[str, Any] = {"expiry_window": 0, **options}
        found = guard.run(self.client, self.command(ends), **given)
        thread.join()
        return found


@pytest.fixture
def maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Maker]:
    """Of one dialect: how orders are found and cancelled in either stands in test_cancelling.py."""
    os.mkfifo(tmp_path / "pid")
    with exchange() as sandbox:
        key = sandbox.create_account(usdc="100000")
        key.write_file(tmp_path / "key.json")
        monkeypatch.setenv("TRADING_BASE_URL", sandbox.url)
        monkeypatch.setenv("TRADING_KEY_FILE", str(tmp_path / "key.json"))
        with Client(sandbox.url, signer=key, history_lag=0) as client:
            yield Maker(sandbox, client, tmp_path)


def test_a_killed_program_leaves_no_order(maker: Maker) -> None:
    seen: list[int] = []

    def kill(pid: int) -> None:
        seen.append(maker.open_orders())
        os.kill(pid, signal.SIGKILL)

    found = maker.guarded(kill)
    assert seen == [5]
    assert (found.why, found.status, found.is_done) == ("ended", -signal.SIGKILL, True)
    assert len(found.orders.cancelled) == 5
    assert maker.open_orders() == 0


def test_a_program_that_ends_leaves_no_order_and_what_it_sent_last_is_waited_for(
    maker: Maker,
) -> None:
    """An order that a slow hop delivers after all was cancelled is cancelled, too."""
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 1:
            maker.client.orders.create(**resting(price="499", tif="GTC"))

    clocks: dict[str, Any] = {"wait": wait, "clock": lambda: sum(waits)}
    found = maker.guarded(int, "at once", expiry_window=30, **clocks)
    assert waits[0] == 30
    assert (found.why, found.status, found.is_done) == ("ended", 5, True)
    assert len(found.orders.cancelled) == 6
    assert maker.open_orders() == 0


def test_a_program_that_hangs_is_killed(maker: Maker) -> None:
    """The clock stands still until its quotes are placed, and then it is much later."""
    now, pids = [0.0], list[int]()

    def hang(pid: int) -> None:
        pids.append(pid)
        now[0] = 10.0
        # Its last heartbeat is seen at this time or before.
        while now[0] < 1_000_000 and process_lives(pid):
            now[0] += 1.0

    clocks: dict[str, Any] = {"clock": lambda: now[0], "wait": lambda seconds: None}
    found = maker.guarded(hang, after=30, timeout=1e9, **clocks)
    assert (found.why, found.status) == ("hung", -signal.SIGKILL)
    assert found.is_done
    assert not process_lives(pids[0])
    assert maker.open_orders() == 0


def process_lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize(("timeout", "text"), [(5.0, "may be accepted for 30 s more"), (0, "")])
def test_without_time_to_wait_for_it_that_is_said(maker: Maker, timeout: float, text: str) -> None:
    options: dict[str, Any] = {"expiry_window": 30, "clock": lambda: 0.0}
    found = maker.guarded(int, "at once", timeout=timeout, **options)
    assert text in found.problem
    assert not found.is_done


def test_orders_that_cannot_be_read_are_said_to_live(maker: Maker) -> None:
    def fail(pid: int) -> None:
        maker.sandbox.faults.inject("*", "status", status=403, times=1_000)
        os.kill(pid, signal.SIGKILL)

    found = maker.guarded(fail, timeout=1, clock=lambda: 0.0)
    assert found.problem.startswith("the orders could not be read: ")
    assert not found.is_done
    maker.sandbox.faults.clear()
    assert maker.open_orders() == 5


def test_what_could_not_be_cancelled_is_not_started(maker: Maker) -> None:
    maker.sandbox.faults.inject("*", "status", status=403, times=9)
    with pytest.raises(ApiError):
        guard.run(maker.client, maker.command())
    maker.sandbox.faults.clear()
    assert maker.open_orders() == 0
    wrong: tuple[tuple[Any, dict[str, Any], str], ...] = (
        ("python maker.py", {}, "command must be a list"),
        ([], {}, "command must be a list"),
        (["/no/such/program"], {}, "cannot start '/no/such/program': No such file"),
        (maker.command(), {"after": -1}, "after must be a number of seconds"),
    )
    for command, options, text in wrong:
        with pytest.raises(ToolkitError, match=text):
            guard.run(maker.client, command, **options)


def test_the_command_survives_signals_and_hands_them_on(maker: Maker) -> None:
    options = ["guard", "--expiry-window", "0", "--history-lag", "0", "--after", "3000", "--"]
    guarding = subprocess.Popen(
        [sys.executable, "-m", "trading_toolkit", *options, *maker.command("after a signal")],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    maker.pid()
    assert maker.open_orders() == 5
    guarding.send_signal(signal.SIGTERM)
    guarding.send_signal(signal.SIGTERM)
    out, err = guarding.communicate()
    assert guarding.returncode == 7, err
    assert f"{sys.executable} stopped, with status 7" in err
    assert out.startswith("cancelled ")
    assert maker.open_orders() == 0


def test_a_change_of_a_file_is_a_beat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, path = [0.0], tmp_path / "journal"
    monkeypatch.setenv(guard.VARIABLE, str(path))
    heart = guard.Heartbeat(path, 30, lambda: now[0])

    def grow() -> None:
        path.write_text("a line of a journal")

    steps: tuple[tuple[float, Callable[[], object], bool], ...] = (
        (30, bool, False),
        (31, bool, True),
        (31, guard.beat, False),
        (61, grow, False),
        (92, bool, True),
    )
    for at, act, is_late in steps:
        now[0] = at
        act()
        assert heart.is_late == is_late
    assert not guard.Heartbeat(path, None, lambda: 1e9).is_late
    monkeypatch.delenv(guard.VARIABLE)
    guard.beat()
