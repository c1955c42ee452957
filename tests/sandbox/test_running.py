"""Starting, stopping, the command line and the fixtures."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from trading_sandbox import Refused, Sandbox
from trading_sdk import Client

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
FREE_PORT = re.compile(r"http://127\.0\.0\.1:\d+")


def test_the_seed_decides_the_keys_of_the_accounts() -> None:
    one, same, other = Sandbox(seed=1), Sandbox(seed=1), Sandbox(seed=2)
    first, second = one.create_account(), one.create_account()
    assert first != second
    assert first.export_base58() == same.create_account().export_base58()
    assert first != other.create_account()


def test_a_deposit_is_exact_money() -> None:
    sandbox = Sandbox()
    for usdc in ("0", "12.34", 5, Decimal("0.01")):
        sandbox.create_account(usdc)
    inexact: Any = 0.1
    with pytest.raises(TypeError, match="float"):
        sandbox.create_account(inexact)
    with pytest.raises(Refused, match="deposit"):
        sandbox.create_account("-1")
    with pytest.raises(Refused, match="Unknown symbol"):
        sandbox.set_mark_price("DOGE", "1")


def test_it_serves_on_the_loopback_address_within_the_block_only() -> None:
    sandbox = Sandbox()
    with pytest.raises(RuntimeError, match="with block"):
        _ = sandbox.url
    before = threading.active_count()
    with sandbox:
        url = sandbox.url
        assert FREE_PORT.fullmatch(url)
        assert requests.get(url, timeout=10).status_code == 404
    with pytest.raises(requests.ConnectionError):
        requests.get(url, timeout=10)
    assert threading.active_count() == before


def test_it_stops_while_a_connection_is_kept_alive() -> None:
    with requests.Session() as session:
        with Sandbox() as sandbox:
            session.get(sandbox.url, timeout=10)
            session.get(sandbox.url, timeout=10)
        with pytest.raises(requests.ConnectionError):
            session.get(sandbox.url, timeout=10)


def test_a_port_can_be_chosen_and_used_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for _ in range(2):
        with Sandbox(port=port) as sandbox:
            assert sandbox.url == f"http://127.0.0.1:{port}"
            with pytest.raises(OSError), Sandbox(port=port):
                pass


def test_a_sandbox_is_started_once() -> None:
    sandbox = Sandbox()
    with sandbox:
        pass
    with pytest.raises(RuntimeError, match="started before"):
        sandbox.__enter__()


def test_a_connection_serves_one_request_after_another(shared: Sandbox) -> None:
    connection = HTTPConnection(urlsplit(shared.url).netloc, timeout=10)
    sockets = set()
    for _ in range(3):
        connection.request("GET", "/api/v1/funding_rate/history?symbol=BTC&limit=1")
        assert connection.getresponse().read().startswith(b'{"success":true')
        sockets.add(connection.sock)
    assert len(sockets) == 1
    assert None not in sockets
    connection.close()


def test_the_fixtures_give_a_funded_client(sandbox: Sandbox, client: Client) -> None:
    placed = client.orders.create(
        symbol="BTC", side="bid", price="99000", amount="0.01", tif="GTC", reduce_only=False
    )
    [order] = client.orders.history()
    assert order.order_id == placed.order_id
    assert [entry.operation for entry in sandbox.requests] == ["orders.create", "orders.history"]


@contextmanager
def run(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "trading_sandbox", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
    )
    # Whatever goes wrong, no test waits for it longer than this.
    watch = threading.Timer(60, process.kill)
    watch.start()
    try:
        yield process
    finally:
        watch.cancel()
        process.kill()
        process.communicate()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_the_command_prints_an_example_that_works_and_stops_cleanly(stop: signal.Signals) -> None:
    with run("--port", "0", "--taker-delay", "0") as process:
        assert process.stdout is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith("Ctrl-C"):
            line = process.stdout.readline()
            assert line, process.communicate()
            lines.append(line)
        printed = "".join(lines)
        code = printed[printed.index("    from trading_sdk") : printed.index("Ctrl-C")]
        shown = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(code)],
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
            timeout=30,
            check=False,
        )
        assert shown.stdout.split()[1:] == ["bid", "0.01", "99000", "open"], shown.stderr
        process.send_signal(stop)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "Stopped.\n", "")
    assert printed.count("private key") == 2


def test_a_busy_port_is_one_line_and_exit_status_1() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as busy,
        run("--port", str(busy.getsockname()[1])) as process,
    ):
        out, err = process.communicate(timeout=30)
    assert process.returncode == 1
    assert out == ""
    assert re.fullmatch(r"Cannot serve on 127\.0\.0\.1:\d+: Address already in use\n", err)


@pytest.mark.parametrize(
    "arguments", [["--port", "x"], ["--port", "99999"], ["--taker-delay", "-1"], ["--maker"]]
)
def test_a_wrong_option_is_refused(arguments: list[str]) -> None:
    with run(*arguments) as process:
        assert process.wait(30) == 2
