"""Every example does what it says, against a sandbox; those that may be killed are started as a user starts them."""

from __future__ import annotations

import importlib
import os
import re
import runpy
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from decimal import Decimal
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import frozen

import trading_sdk
import trading_sdk_observed
from tests.doubles.clock import leave_the_hour_behind
from tests.doubles.orders import market_order, order
from tests.readme import ROOT
from trading_runtime.stream import Lagging
from trading_sandbox import Sandbox
from trading_sdk import Client, Keypair, Order, Side

EXAMPLES = ROOT / "examples"
DEPOSIT = Decimal(100_000)


def environment(sandbox: Sandbox, key: Keypair, **more: str) -> dict[str, str]:
    return {"TRADING_BASE_URL": sandbox.url, "TRADING_PRIVATE_KEY": key.export_base58(), **more}


def start(name: str, *arguments: str, env: dict[str, str], cwd: Path) -> subprocess.Popen[str]:
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    # What a shell starts in the background ignores Ctrl-C, and so would all that it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    pipe = subprocess.PIPE
    env = {**os.environ, **env}
    return subprocess.Popen(command, env=env, cwd=cwd, stdout=pipe, stderr=pipe, text=True)


def printed(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What a program printed when it has ended, as output and errors."""
    try:
        return process.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"it does not end:\n{out}\n{err}") from None


def ended(process: subprocess.Popen[str]) -> str:
    """What a program printed that ended well."""
    out, err = printed(process)
    assert process.returncode == 0, err
    return out


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., str]:
    """Runs an example in this process, in a folder of its own; what it prints."""
    monkeypatch.chdir(tmp_path)

    def in_this_process(name: str, *arguments: str, env: dict[str, str]) -> str:
        for variable, value in env.items():
            monkeypatch.setenv(variable, value)
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capsys.readouterr().out

    return in_this_process


def test_the_page_names_every_example() -> None:
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for file in EXAMPLES.glob("*.py"):
        assert f"[{file.name}]({file.name})" in page


@contextmanager
def meanwhile(act: Callable[[], object], seconds: float) -> Iterator[None]:
    """Do something again and again, all the time."""
    ended = threading.Event()

    def go_on() -> None:
        while not ended.wait(seconds):
            act()

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


@contextmanager
def takers(sandbox: Sandbox, package: Any = trading_sdk) -> Iterator[None]:
    """Another trader, who buys and sells from whatever is quoted, all the time."""
    random, signer = Random(7), sandbox.create_account(usdc="1000000")
    with package.Client(sandbox.url, signer=signer) as client:

        def trade() -> None:
            side, price = random.choice([(Side.BID, "110000"), (Side.ASK, "90000")])
            amount = random.choice(["0.002", "0.004", "0.01"])
            client.orders.create(**order(side=side, price=price, amount=amount, tif="IOC"))

        with meanwhile(trade, 0.05):
            yield


def wait_for_batches(sandbox: Sandbox, process: subprocess.Popen[str], count: int) -> None:
    """Wait until the exchange was sent so many batches more: then the program is in its work."""

    def sent() -> int:
        return sum(each.operation == "orders.batch" for each in sandbox.requests)

    enough = sent() + count
    while sent() < enough and process.poll() is None:
        time.sleep(0.01)


LAG = ("--history-lag", "1")


def end(process: subprocess.Popen[str], by: signal.Signals) -> tuple[str, bool]:
    """End a maker by a signal; what it printed, and whether it could still cancel its orders."""
    process.send_signal(by)
    out, err = printed(process)
    if by == signal.SIGKILL:
        return out, False
    assert "KeyboardInterrupt" in err
    # The signal may break another line off.
    assert out.endswith("no order is open\n")
    return out, True


def earned(sandbox: Sandbox, key: Keypair, journal: Path, package: Any = trading_sdk) -> Decimal:
    """What the records say that a maker earned: that of its balance, and each order was placed once."""
    with package.Client(sandbox.url, signer=key, journal=journal) as client:
        orders, trades = list(client.orders.history()), list(client.trades.history())
        assert client.unsettled() == []
    assert still_open(sandbox, key, package) == []
    assert len({each.client_order_id for each in orders}) == len(orders) > 10
    assert trades
    found = sum((trade.pnl - trade.fee for trade in trades), Decimal(0))
    assert sandbox.account(key).balance == DEPOSIT + found
    return found


def test_the_market_maker_survives_faults_and_kills_and_its_records_are_its_balance(
    tmp_path: Path,
) -> None:
    leave_the_hour_behind(60)  # no list shows funding
    random = Random(11)
    with Sandbox(maker=False, taker_delay=0) as sandbox:
        key = sandbox.create_account(usdc=str(DEPOSIT))
        env = environment(sandbox, key)
        with takers(sandbox):
            for fault, by in (
                ("reset", signal.SIGKILL),
                ("html", signal.SIGTERM),
                ("short_body", signal.SIGKILL),
                ("close", signal.SIGINT),
            ):
                for executed in (True, False):
                    sandbox.faults.inject("orders.batch", fault, executed=executed)
                process = start("market_maker.py", "1000", *LAG, env=env, cwd=tmp_path)
                wait_for_batches(sandbox, process, random.randint(3, 9))
                _, is_clear = end(process, by)
                assert not (is_clear and still_open(sandbox, key))
            out = ended(start("market_maker.py", "10", *LAG, env=env, cwd=tmp_path))
        told = f"earned {earned(sandbox, key, tmp_path / 'maker.journal')} USDC (pnl less fees)"
        assert out.splitlines()[-1].endswith(told)


def still_open(sandbox: Sandbox, key: Keypair, package: Any = trading_sdk) -> list[Order]:
    with package.Client(sandbox.url, signer=key) as client:
        return [each for each in client.orders.history() if each.order_status == "open"]


def test_the_streaming_maker_survives_cuts_and_kills_and_its_records_are_its_balance(
    tmp_path: Path,
) -> None:
    leave_the_hour_behind(60)  # no list shows funding
    random, live, prices = Random(11), trading_sdk_observed, cycle(("100000", "100050"))
    with Sandbox(dialect="live", maker=False, taker_delay=0) as sandbox:
        key = sandbox.create_account(usdc=str(DEPOSIT))
        env = environment(sandbox, key)
        moving = meanwhile(lambda: sandbox.set_mark_price("BTC", next(prices)), 0.2)
        with takers(sandbox, live), moving:
            for kind, by in (
                ("cut_off", signal.SIGKILL),
                ("half_frame", signal.SIGTERM),
                ("try_again_later", signal.SIGINT),
            ):
                process = start("streaming_maker.py", "1000", *LAG, env=env, cwd=tmp_path)
                wait_for_batches(sandbox, process, 2)
                for channel in ("account_trades", "prices"):
                    sandbox.faults.inject(channel, kind)
                    wait_for_batches(sandbox, process, random.randint(2, 4))
                out, is_clear = end(process, by)
                if is_clear:
                    assert "the stream was cut: " in out
                    assert still_open(sandbox, key, live) == []
            ended(start("streaming_maker.py", "3", *LAG, env=env, cwd=tmp_path))
        earned(sandbox, key, tmp_path / "maker.journal", live)


def test_the_streaming_maker_cancels_at_cuts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    example: Any = importlib.import_module("streaming_maker")
    live = trading_sdk_observed
    with Sandbox(dialect="live", maker=False, taker_delay=0) as sandbox:
        key = sandbox.create_account(usdc=str(DEPOSIT))
        options: Any = {"signer": key, "journal": tmp_path / "maker.journal", "history_lag": 0}
        with live.Client(sandbox.url, **options) as client, client.stream() as stream:
            maker = example.StreamingMaker(client, stream)
            steps = maker.steps(3)
            next(steps)()
            before = {each.order_id for each in still_open(sandbox, key, live)}
            maker.take(Lagging(dropped=1))
            next(steps)()
            quoted = {each.order_id for each in still_open(sandbox, key, live)}
            assert (len(before), len(quoted), quoted & before) == (2, 2, set())
            sandbox.faults.inject("prices", "cut_off")
            sandbox.set_mark_price("BTC", "100001")
            assert next(steps) == maker.clear
            maker.clear()
            assert still_open(sandbox, key, live) == []


@frozen
class Ending:
    """What goes wrong while both quotes of the first round are open, and how the maker ends."""

    cause: Callable[[Sandbox], object] = lambda _: None
    says: str = ""
    """Of what it prints; its last words, which make it exit with 1, are there, too."""
    usdc: str = "100000"
    raises: type[BaseException] | None = SystemExit
    leaves: int = 0
    """Orders that stay open."""


def fault(operation: str, kind: str, **options: Any) -> Callable[[Sandbox], object]:
    return lambda sandbox: sandbox.faults.inject(operation, kind, **options)


def recovers(operation: str, kind: str, **options: Any) -> Ending:
    return Ending(fault(operation, kind, **options), "again, because", raises=None)


def stop(error: BaseException) -> Callable[[Sandbox], object]:
    def cause(_: Sandbox) -> None:
        raise error

    return cause


class Destroyed:
    """Is interrupted while it is destroyed: Python ignores what is raised there."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGTERM)


NOTHING = '{"success": true, "data": [], "next_cursor": null, "has_more": false}'
ENDINGS = {
    "three cut answers": recovers("orders.history", "short_body", times=3),
    "the list is refused for now": recovers("trades.history", "status", times=4, status=503),
    "the batch is refused for now": Ending(
        fault("orders.batch", "status", times=2, status=429), "no order is open", raises=None
    ),
    "the list stays away": Ending(
        fault("orders.history", "short_body", times=1000), "DecodeError: orders.history", leaves=2
    ),
    "the list shows nothing for a while": Ending(
        fault("orders.history", "status", times=6, status=200, body=NOTHING),
        "ended by StuckError: the history still does not show the end of some orders",
    ),
    "the exchange is gone": Ending(
        fault("*", "connect_refused", seconds=60), "NotSentError: funding.history", leaves=2
    ),
    "no balance": Ending(
        usdc="1", says="ended by BatchError: orders.batch: 2 of 2 actions failed: [0] Insufficient"
    ),
    "no access": Ending(
        fault("trades.history", "status", times=9, status=401),
        "AuthenticationError: trades.history",
    ),
    "a mistake of its author": Ending(stop(ZeroDivisionError()), raises=ZeroDivisionError),
    "ctrl-c": Ending(stop(KeyboardInterrupt()), raises=KeyboardInterrupt),
    "a signal that python ignores": Ending(lambda _: Destroyed(), raises=KeyboardInterrupt),
}


@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
def test_the_market_maker_leaves_no_order_behind_ones_back(
    ending: Ending,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.chdir(tmp_path)
    maker: Any = importlib.import_module("market_maker")
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)  # pytest fails a test for it
    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)}
    with Sandbox(maker=False, taker_delay=0) as sandbox:
        key = sandbox.create_account(usdc=ending.usdc)
        for name, value in environment(sandbox, key).items():
            monkeypatch.setenv(name, value)
        rounds = iter([lambda _: None, ending.cause])

        def price(client: Client, read: Any = maker.fair_price) -> Any:
            next(rounds, lambda _: None)(sandbox)
            return read(client)

        monkeypatch.setattr(maker, "fair_price", price)
        monkeypatch.setattr(maker, "PAUSES", [0.01] * 3)
        with pytest.raises(ending.raises) if ending.raises else nullcontext() as ended:
            maker.main(["3", *LAG])
        for each, handler in handlers.items():
            signal.signal(each, handler)
        out = f"{capsys.readouterr().out}{ended.value if ended else ''}"
        quoted = re.findall(r"may be open: BTC (bid|ask) 0.01 at \d+, id ([-0-9a-f]{36})", out)

        assert ending.says in out
        assert ("no order is open" in out) == (not ending.leaves)
        assert len(quoted) == ending.leaves
        sandbox.faults.clear()
        ids = {str(each.client_order_id) for each in still_open(sandbox, key)}
        assert ids == {id_ for _, id_ in quoted}


@pytest.fixture
def traded() -> Iterator[tuple[Sandbox, Keypair]]:
    """An account that bought and sold, within a day and an hour, whatever the time is."""
    with Sandbox(taker_delay=0) as sandbox:
        sandbox.freeze()
        key = sandbox.create_account(usdc=str(DEPOSIT))
        with Client(sandbox.url, signer=key) as client:
            for side in ("bid", "ask", "bid"):
                client.orders.create_market(**market_order(side=side, amount="0.013"))
        yield sandbox, key


@pytest.mark.toolkit
def test_the_downloader_keeps_trades_once(
    traded: tuple[Sandbox, Keypair], tmp_path: Path, run: Callable[..., str]
) -> None:
    sandbox, key = traded
    env = environment(sandbox, key)

    assert "3 read, 3 new; " in run("download_history.py", env=env)
    assert "0 new; " in run("download_history.py", env=env)

    with Client(sandbox.url, signer=key) as client:
        trades = sorted(client.trades.history(), key=lambda trade: trade.history_id)
    history = importlib.import_module("trading_toolkit.history")  # needs pyarrow
    kept = history.read(tmp_path / "trades").to_table().sort_by("history_id").to_pylist()
    assert [(each["history_id"], each["price"], each["fee"]) for each in kept] == [
        (trade.history_id, trade.price, trade.fee) for trade in trades
    ]


def test_the_report_of_the_day_is_exact(
    traded: tuple[Sandbox, Keypair], run: Callable[..., str]
) -> None:
    sandbox, key = traded
    with Client(sandbox.url, signer=key) as client:
        trades = list(client.trades.history())
    day = time.strftime("%Y-%m-%d", time.gmtime(trades[-1].created_at / 1000))

    env = environment(sandbox, key)
    out = run("end_of_day.py", day, env=env)

    symbol, count, volume, fees, profit, position = out.splitlines()[1].split()
    assert (symbol, count, position) == ("BTC", "3", "0.013")
    assert Decimal(volume) == sum(trade.price * trade.amount for trade in trades)
    assert Decimal(fees) == sum(trade.fee for trade in trades)
    assert DEPOSIT + Decimal(profit) == sandbox.account(key).balance

    net = run("end_of_day.py", day, "--pnl-includes-fees", env=env)
    assert Decimal(net.split()[-2]) == sum(trade.pnl for trade in trades)


def test_the_agent_trades_and_cannot_manage_keys(run: Callable[..., str]) -> None:
    with Sandbox() as sandbox:
        owner, agent = sandbox.create_account(), Keypair.generate()
        sandbox.bind_agent(owner, agent)
        env = environment(sandbox, owner, TRADING_AGENT_KEY=agent.export_base58())

        out = run("agent_wallet.py", env=env)

        assert "the agent placed order" in out and "the agent cannot create keys" in out
        assert out.splitlines()[-1] == "revoked the API key"
        assert owner.export_base58() not in out and agent.export_base58() not in out


def test_fifty_threads_place_and_cancel_every_order_once(run: Callable[..., str]) -> None:
    with Sandbox() as sandbox:
        key = sandbox.create_account()

        out = run("many_threads.py", env=environment(sandbox, key))

        assert out == "200 cancelled\n"
        with Client(sandbox.url, signer=key) as client:
            orders: list[Order] = list(client.orders.history())
        assert [each.order_status for each in orders] == ["cancelled"] * 200
