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


@pytest.fixture(scope="module")
def trace() -> str:
    told: list[str] = []
    with Sandbox(maker=False, taker_delay=0.01) as exchange:
        Demo(exchange, told.append).run()
    return "\n".join(told)


def test_it_ends_with_a_table_of_what_both_accounts_did(trace: str) -> None:
    rows = [line.split() for line in trace.splitlines()[-5:-2]]

    assert [row[0] for row in rows[1:]] == ["maker", "taker"]
    maker, taker = ([int(cell) for cell in row[1:5]] for row in rows[1:])
    assert maker == [7, 3, 2, 2]
    assert taker == [10, 8, 2, 0]


def test_it_shows_the_canonical_text_of_a_signature(trace: str) -> None:
    lines = trace.splitlines()
    start = next(i for i, line in enumerate(lines) if line.strip().startswith('{"data":'))
    text = "".join(line.strip() for line in lines[start : start + 3])

    assert json.loads(text)["type"] == "create_order"


def test_it_pages_three_records_at_a_time(trace: str) -> None:
    pages = [line for line in trace.splitlines() if line.strip().startswith("page")]

    assert [len(re.findall(r"#\d+", page)) for page in pages] == [3, 3, 3, 1]


def test_an_answer_that_it_does_not_expect_ends_it() -> None:
    with Sandbox(maker=False, taker_delay=0.01) as exchange:
        exchange.faults.inject("orders.history", "status", times=3, status=503)
        with pytest.raises(TradingError):
            Demo(exchange).run()


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(ROOTS)},
        timeout=60,
        check=False,
    )


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


def test_the_command_tells_it_to_the_end() -> None:
    shown = run("-m", "trading_sandbox.demo")

    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.endswith("Bye.\n")
