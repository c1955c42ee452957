"""The demo that the README promises."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from trading_sandbox import Sandbox, demo
from trading_sandbox.demo import Demo
from trading_sdk import TradingError

ROOT = Path(__file__).parents[2]
ROOTS = [str(ROOT / name) for name in ("generated", "runtime", "sandbox")]


def test_the_command_tells_what_both_accounts_did_and_signed_to_the_end() -> None:
    command = [sys.executable, "-m", "trading_sandbox.demo"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(ROOTS)}
    shown = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (shown.returncode, shown.stderr) == (0, "")
    lines = [line.strip() for line in shown.stdout.splitlines()]
    assert lines[-1].endswith("Bye.")

    start = next(number for number, line in enumerate(lines) if line.startswith('{"data":'))
    assert json.loads("".join(lines[start : start + 3]))["type"] == "create_order"
    pages = [line for line in lines if line.startswith("page")]
    assert [len(re.findall(r"#\d+", page)) for page in pages] == [3, 3, 3, 1]
    rows = [line.split()[:5] for line in lines if line.startswith(("maker ", "taker "))]
    assert rows[-2:] == [["maker", "7", "3", "2", "2"], ["taker", "10", "8", "2", "0"]]


def test_an_answer_that_it_does_not_expect_ends_it() -> None:
    with Sandbox(maker=False, taker_delay=0.01) as exchange:
        exchange.faults.inject("orders.history", "status", times=3, status=503)
        with pytest.raises(TradingError):
            Demo(exchange).run()


def test_it_is_played_slowly_on_its_page_and_stays_until_it_is_interrupted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if seconds > demo.PAUSE:
            page = requests.get(opened[0], headers={"Accept": "text/html"}, timeout=10)
            assert page.status_code == 200
            raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(demo, "sleep", sleep)
    demo.main(["--open"])
    told = capsys.readouterr().out
    assert told.endswith(f"The page stays at {opened[0]} until Ctrl-C.\n")
    assert pauses.count(demo.PAUSE) > 40
