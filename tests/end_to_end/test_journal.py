"""The intent journal of a client: on disk before anything is sent, and after a crash."""

from __future__ import annotations

import errno
import json
import os
import signal
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.doubles.server import in_child
from tests.end_to_end.trading import Connect, place
from trading_runtime.http.transport import HTTPTransport, Request, Response
from trading_sandbox import Sandbox
from trading_sdk import (
    JournalError,
    Keypair,
)


class Watching(HTTPTransport):
    """Does something before it sends a request, or after."""

    def __init__(self, **moments: Callable[[], None]) -> None:
        super().__init__()
        self._moments = moments

    def send(self, request: Request, *, timeout: float) -> Response:
        self._moments.get("before", bool)()
        answer = super().send(request, timeout=timeout)
        self._moments.get("after", bool)()
        return answer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def key(sandbox: Sandbox) -> Keypair:
    return sandbox.create_account("1000000", spot={"SOL": "5"})


def entries(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


# Before it is sent, and afterwards


def test_what_is_sent_is_on_disk_before_and_closed_after(
    sandbox: Sandbox, connect: Connect, path: Path, key: Keypair
) -> None:
    on_disk: list[list[dict[str, Any]]] = []
    transport = Watching(before=lambda: on_disk.append(entries(path)))
    place(connect(key, journal=path, transport=transport))

    ((entry,),) = on_disk
    (message,) = entry["began"]["messages"]
    sent = sandbox.requests[-1].body
    assert message["fields"] == {name: sent[name] for name in message["fields"]}
    assert message["fields"]["price"] == "90000"
    assert entry["began"]["timestamp"] == sent["timestamp"]
    assert [each.keys() for each in entries(path)] == [{"crc", "began"}, {"crc", "ended"}]
    assert entries(path)[0] == entry
    assert entries(path)[1]["ended"] == entry["began"]["id"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


# What stays open


def test_a_call_under_way_is_not_listed(connect: Connect, path: Path, key: Keypair) -> None:
    seen: list[Any] = []

    def look() -> None:
        thread = threading.Thread(target=lambda: seen.append(client.unsettled()))
        thread.start()
        thread.join()
        seen.append(len(entries(path)))

    client = connect(key, journal=path, transport=Watching(before=look))
    place(client)
    assert seen == [[], 1]
    assert client.unsettled() == []


# A process that was killed


@pytest.mark.parametrize(("moment", "state"), [("before", "not executed"), ("after", "executed")])
def test_after_a_kill_a_new_client_lists_that_very_call_and_settles_it(
    sandbox: Sandbox, connect: Connect, path: Path, key: Keypair, moment: str, state: str
) -> None:
    window = 300 if moment == "before" else 30_000

    def die() -> bool:
        dying = Watching(**{moment: lambda: os.kill(os.getpid(), signal.SIGKILL)})
        return place(connect(key, journal=path, transport=dying, expiry_window=window)) > 0

    assert not in_child(die)
    client = connect(key, journal=path)

    (lost,) = client.unsettled()
    (settled,) = client.reconcile(lost)

    assert settled.state == state
    orders = [str(each.client_order_id) for each in client.orders.history()]
    assert orders == ([settled.client_id] if state == "executed" else [])
    assert client.unsettled() == []


# A journal that cannot be used


@pytest.mark.parametrize("how", ["something else", "another client has it", "write", "fsync"])
def test_without_its_journal_a_client_sends_nothing(
    sandbox: Sandbox,
    connect: Connect,
    path: Path,
    key: Keypair,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    if how == "something else":
        path.write_text("Dear diary,\n")
    client = connect(key, journal=path)
    if how == "another client has it":
        connect(key, journal=path).unsettled()

    def fail(*arguments: Any) -> int:
        raise OSError(errno.EIO, how)

    with monkeypatch.context() as disk, pytest.raises(JournalError):
        if hasattr(os, how):
            disk.setattr(os, how, fail)
        place(client)
    assert sandbox.requests == []
    # It still reads.
    assert list(client.orders.history()) == []
