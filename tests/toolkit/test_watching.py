"""`trading-sdk watch` tells what happens to the account, from the stream alone."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from tests.doubles.orders import market_order, resting
from tests.toolkit.market import exchange
from tests.toolkit.shell import PROGRAM, Shell
from trading_sandbox import Sandbox
from trading_sdk_observed import Client
from trading_toolkit.command.watching import Row

WATCH = (*PROGRAM, "watch", "--observed")


@pytest.fixture
def shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Shell]:
    with exchange("live") as sandbox:
        yield Shell(sandbox, tmp_path, capsys, monkeypatch)


@pytest.fixture
def client(shell: Shell) -> Iterator[Client]:
    with Client(shell.sandbox.url, signer=shell.key) as made:
        yield made


def rest(sandbox: Sandbox) -> None:
    """Liquidity of another account."""
    with Client(sandbox.url, signer=sandbox.create_account(usdc="1000000")) as other:
        for side, price in (("bid", "99000"), ("ask", "100000")):
            order(other, side=side, price=price, amount="1", tif="GTC")


def order(client: Client, **changed: Any) -> int:
    given = {"price": "60000", "amount": "0.01", **changed}
    return client.orders.create(**resting(**given)).order_id


def take(client: Client, side: Any = "bid") -> None:
    client.orders.create_market(**market_order(side=side, amount="0.02"))


def test_once_shows_what_is_open(shell: Shell, client: Client) -> None:
    assert "none of " in shell("watch --observed --once").err
    rest(shell.sandbox)
    number = order(client)
    order(client, symbol="ETH", price="1000", amount="1")
    take(client)
    [of_order, of_position] = shell("watch --observed --once --symbol BTC --json").json
    wanted = {"kind": "order", "side": "bid", "amount": "0.01", "price": "60000", "state": "open"}
    assert {**wanted, "order_id": number}.items() <= of_order.items()
    assert {"kind": "position", "side": "long", "amount": "0.02"}.items() <= of_position.items()
    shown = shell("watch --observed --once").out.splitlines()
    assert len(shown) == 4  # a line of names
    assert shell("watch --observed --once --csv").out.splitlines()[0].startswith("kind,at,symbol,")


def test_a_pipe_gets_a_line_for_each_change_and_a_gap_is_told(shell: Shell, client: Client) -> None:
    rest(shell.sandbox)
    first = order(client)
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([*WATCH, "--json"], **pipes) as program:
        assert program.stdout is not None and program.stderr is not None
        patience = Timer(60, program.kill)
        patience.start()

        def until(**wanted: Any) -> dict[str, Any]:
            rows: Iterator[dict[str, Any]] = map(json.loads, program.stdout or ())
            return next(row for row in rows if wanted.items() <= row.items())

        until(kind="order", order_id=first, state="open")
        second = order(client, price="61000")
        assert until(kind="order", order_id=second)["price"] == "61000"
        client.orders.cancel(symbol="BTC", order_id=second)
        until(kind="order", order_id=second, state="cancelled")
        take(client)
        assert until(kind="fill")["side"] == "open_long"
        assert until(kind="position")["amount"] == "0.02"
        take(client, "ask")
        until(kind="position", side="flat", amount="0")
        shell.sandbox.faults.inject("account_order_updates", "cut_off")
        third = order(client, price="62000")
        # The picture after the gap has it.
        until(kind="order", order_id=third)
        assert any(text.startswith("the stream was cut: ") for text in program.stderr)
        program.terminate()
        patience.cancel()


def test_a_line_says_what_happened() -> None:
    what: dict[str, Any] = {"at": 0, "symbol": "BTC", "amount": Decimal("0.5")}
    prices: dict[str, Any] = {"price": Decimal(60_000), "filled_amount": Decimal("0.1")}
    told = str(Row(kind="order", side="bid", order_id=7, state="open", **prices, **what))
    assert told.endswith("  order     7  bid 0.5 BTC at 60000, filled 0.1  open")
    assert str(Row(kind="position", side="long", **what)).endswith("  position  long 0.5 BTC")


def test_a_terminal_shows_tables_that_are_drawn_anew(shell: Shell, client: Client) -> None:
    rest(shell.sandbox)
    numbers = [order(client, price=str(5_000 + number)) for number in range(40)]
    screen, terminal = os.openpty()
    shell.set(LINES="30", COLUMNS="120", TERM="dumb")
    # What a shell starts in the background ignores Ctrl-C, and so would what it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(WATCH, stdin=terminal, stdout=terminal, stderr=terminal) as running:
        os.close(terminal)
        patience = Timer(60, running.kill)
        patience.start()
        seen = ""

        def until(text: str) -> str:
            nonlocal seen
            while text not in seen:
                seen += os.read(screen, 65536).decode()
            shown, seen = seen.split(text, 1)
            return shown

        page = until("fills: none")
        assert "40 open orders, 20 more" in page or "more" in page
        assert str(numbers[0]) in page
        assert "\x1b[2J" in page and "  symbol  " in page
        assert "positions: none" in page
        take(client)
        until("long  0.02")
        until("open_long  0.02")
        running.send_signal(signal.SIGINT)
        assert running.wait() == 130
        patience.cancel()
    assert "Traceback" not in seen
    os.close(screen)


def test_what_it_needs_is_told(shell: Shell) -> None:
    ran = shell("watch --once")
    assert ran.status == 2
    assert "orders.list is an operation of trading_sdk_observed: add --observed" in ran.err
