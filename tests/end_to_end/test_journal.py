"""The intent journal of a client: on disk before anything is sent. tests/soak kills clients that have one."""

from __future__ import annotations

import json
import stat
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.trading import Connect, place
from trading_runtime.http.transport import HTTPTransport, Request, Response
from trading_sandbox import Sandbox
from trading_sdk import Keypair


class Watching(HTTPTransport):
    """Does something before it sends a request."""

    def __init__(self, before: Callable[[], None]) -> None:
        super().__init__()
        self._before = before

    def send(self, request: Request, *, timeout: float) -> Response:
        self._before()
        return super().send(request, timeout=timeout)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def key(sandbox: Sandbox) -> Keypair:
    return sandbox.create_account("1000000", spot={"SOL": "5"})


def entries(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_what_is_sent_is_on_disk_before_and_closed_after(
    sandbox: Sandbox, connect: Connect, path: Path, key: Keypair
) -> None:
    on_disk: list[list[dict[str, Any]]] = []
    transport = Watching(lambda: on_disk.append(entries(path)))
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


def test_a_call_under_way_is_not_listed(connect: Connect, path: Path, key: Keypair) -> None:
    seen: list[Any] = []

    def look() -> None:
        thread = threading.Thread(target=lambda: seen.append(client.unsettled()))
        thread.start()
        thread.join()
        seen.append(len(entries(path)))

    client = connect(key, journal=path, transport=Watching(look))
    place(client)
    assert seen == [[], 1]
    assert client.unsettled() == []
