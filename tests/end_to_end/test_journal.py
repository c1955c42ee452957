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
    Client,
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
    sandbox: Sandbox, path: Path, key: Keypair
) -> None:
    on_disk: list[list[dict[str, Any]]] = []
    transport = Watching(before=lambda: on_disk.append(entries(path)))
    with Client(sandbox.url, signer=key, journal=path, transport=transport) as client:
        place(client)

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


def test_it_holds_no_secret(sandbox: Sandbox, connect: Connect, path: Path, key: Keypair) -> None:
    secret = connect(key).api_keys.create().api_key
    client = connect(key, journal=path, api_key=secret)
    place(client)
    client.spot.withdraw(symbol="SOL", amount="1")
    client.api_keys.revoke(api_key=secret)

    written = path.read_text()

    assert [entry["began"]["operation"] for entry in entries(path)[::2]] == [
        "orders.create",
        "spot.withdraw",
        "api_keys.revoke",
    ]
    signatures = [each.body["signature"] for each in sandbox.requests if each.method == "POST"]
    for told in (*signatures, secret, key.export_base58(), "signature", 'api_key"'):
        assert told not in written


# What stays open


def test_a_call_that_another_thread_is_making_is_not_listed(
    sandbox: Sandbox, path: Path, key: Keypair
) -> None:
    sending, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        sending.set()
        assert go_on.wait(5)

    with Client(sandbox.url, signer=key, journal=path, transport=Watching(before=wait)) as client:
        thread = threading.Thread(target=place, args=[client])
        thread.start()
        assert sending.wait(5)

        assert len(entries(path)) == 1
        assert client.unsettled() == []

        go_on.set()
        thread.join()
        assert client.unsettled() == []


# A process that was killed


@pytest.mark.parametrize(("moment", "state"), [("before", "not executed"), ("after", "executed")])
def test_after_a_kill_a_new_client_lists_that_very_call_and_settles_it(
    sandbox: Sandbox, connect: Connect, path: Path, key: Keypair, moment: str, state: str
) -> None:
    def die() -> bool:
        dying = Watching(**{moment: lambda: os.kill(os.getpid(), signal.SIGKILL)})
        window = 300 if moment == "before" else 30_000
        with Client(
            sandbox.url, signer=key, journal=path, transport=dying, expiry_window=window
        ) as client:
            return place(client) > 0

    assert not in_child(die)
    client = connect(key, journal=path)

    (lost,) = client.unsettled()
    (settled,) = client.reconcile(lost)

    assert settled.state == state
    orders = [str(each.client_order_id) for each in client.orders.history()]
    assert orders == ([settled.client_id] if state == "executed" else [])
    assert client.unsettled() == []


# A journal that cannot be used


@pytest.mark.parametrize(
    "how",
    [
        "the folder is removed",
        "it becomes a folder",
        "it is something else",
        "another client has it",
        "the disk is full",
        "the disk is broken",
    ],
)
def test_without_its_journal_a_client_sends_nothing(
    sandbox: Sandbox,
    connect: Connect,
    path: Path,
    key: Keypair,
    monkeypatch: pytest.MonkeyPatch,
    how: str,
) -> None:
    folder = path.with_name("folder")
    folder.mkdir()
    if how == "the folder is removed":
        path = folder / "journal"
    if how == "it is something else":
        path.write_text("Dear diary,\n")
    client = connect(key, journal=path)
    folder.rmdir()
    if how == "it becomes a folder":
        path.mkdir()
    if how == "another client has it":
        connect(key, journal=path).unsettled()

    def fail(*arguments: Any) -> int:
        raise OSError(errno.EIO, how)

    if how == "the disk is full":
        monkeypatch.setattr(os, "write", fail)
    if how == "the disk is broken":
        monkeypatch.setattr(os, "fsync", fail)

    with pytest.raises(JournalError):
        place(client)

    monkeypatch.undo()
    assert sandbox.requests == []
    # It still reads.
    assert list(client.orders.history()) == []
