"""What a state file does about a power cut: with `synchronous="full"` it waits for the disk."""

from __future__ import annotations

import signal
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from trading_sandbox import Sandbox
from trading_sandbox.__main__ import main


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The statements that SQLite is given from now on."""
    given: list[str] = []
    connect = sqlite3.connect

    def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_trace_callback(given.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", traced)
    return given


def waits(statements: list[str]) -> bool:
    """Whether the commits after these statements wait for the disk."""
    [*_, last] = [each for each in statements if each.startswith("PRAGMA synchronous")]
    assert "PRAGMA journal_mode = WAL" in statements
    return last.endswith("full")


def test_a_state_file_waits_for_the_disk_if_asked_when_new_and_when_opened_again(
    tmp_path: Path, statements: list[str]
) -> None:
    full: dict[str, Any] = {"synchronous": "full"}
    for given, expected in ((full, True), (full, True), ({}, False)):
        statements.clear()
        with Sandbox(state=tmp_path / "state", maker=False, **given) as sandbox:
            sandbox.create_account()
            assert waits(statements) is expected


def test_the_command_takes_it_too(
    tmp_path: Path, statements: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    # The command opens the state file, and ends because the port is in use.
    with Sandbox() as other:
        port = other.url.rpartition(":")[2]
        statements.clear()
        file = str(tmp_path / "state")
        assert main(["--port", port, "--state", file, "--synchronous", "full"]) == 1
    assert waits(statements)
