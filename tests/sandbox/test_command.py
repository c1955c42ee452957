"""The command `python -m trading_sandbox`."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from tests.sandbox.served import wait_until
from trading_sandbox import Sandbox
from trading_sandbox.__main__ import main, print_request

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
ENVIRONMENT.pop("PYTHONSTARTUP", None)


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


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """Yield the process of a running sandbox, its URL, and what it printed."""
    with run("--port", "0", *arguments) as process:
        assert process.stdout is not None
        printed = ""
        while "Ctrl-C" not in printed:
            line = process.stdout.readline()
            assert line, process.communicate()
            printed += line
        yield process, re.findall(r"http://127\.0\.0\.1:\d+", printed)[0], printed


def test_the_command_prints_an_example_that_works_and_stops_cleanly() -> None:
    with serving("--taker-delay", "0") as (process, _, printed):
        pasted = printed[printed.index("from trading_sdk") : printed.index("Control it")]
        shown = subprocess.run(
            [sys.executable, "-i"],
            input=pasted,
            capture_output=True,
            text=True,
            env=ENVIRONMENT,
            timeout=30,
            check=False,
        )
        assert shown.stdout.split()[1:] == ["bid", "0.01", "99000", "open"], shown.stderr
        assert "Error" not in shown.stderr
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (0, "Stopped.\n", "")
    assert printed.count("private key") == 2


def test_a_file_that_holds_no_state_or_a_port_in_use_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    path = tmp_path / "notes.txt"
    path.write_text("not a state file, but somebody's notes\n" * 100)
    before = path.read_bytes()
    with Sandbox() as other:
        port = other.url.rpartition(":")[2]
        wrong = (
            ("--state", str(path), "Cannot use this state: "),
            ("--port", port, "Cannot serve"),
        )
        for option, value, words in wrong:
            assert main([option, value]) == 1
            out, err = capsys.readouterr()
            assert (out, err.count("\n"), err.startswith(words)) == ("", 1, True)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "arguments", [["--port", "99999"], ["--taker-delay", "nan"], ["--quiet"], ["--state"]]
)
def test_a_wrong_option_is_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: python -m trading_sandbox" in capsys.readouterr().err


def test_open_shows_its_page_in_a_browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser, opened = tmp_path / "browser", tmp_path / "opened"
    browser.write_text(f'#!/bin/sh\necho "$1" > {opened}.part && mv {opened}.part {opened}\n')
    browser.chmod(0o700)
    monkeypatch.setitem(ENVIRONMENT, "BROWSER", str(browser))
    with run("--port", "0", "--ready-json", "--open") as process:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        wait_until(opened.exists)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == 0
    assert opened.read_text() == f"{url}\n"


def test_what_is_printed_of_a_request_is_nothing_that_a_terminal_obeys(
    sandbox: Sandbox, capsys: pytest.CaptureFixture[str]
) -> None:
    requests.get(sandbox.url + "/%1b[31m", timeout=10)
    print_request(sandbox.requests[0])
    [line] = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"GET /\?\[31m +- +404 +[0-9.]+ ms  Unknown path /\?\[31m", line)
