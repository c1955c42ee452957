"""Starting, stopping, the arguments, the log and what it says at its root."""

from __future__ import annotations

import gc
import re
import socket
import threading
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

import trading_sandbox.server
from tests.doubles.server import in_child
from tests.sandbox.raw import RawClient
from trading_sandbox import LoggedRequest, RemoteSandbox, Sandbox
from trading_sandbox.__main__ import demo_keys
from trading_sandbox.log import KEPT_BYTES, KEPT_REQUESTS, RequestLog
from trading_sandbox.server import listen
from trading_sdk import Client

PAGE = "/api/v1/funding_rate/history?symbol=BTC&limit="


@pytest.mark.parametrize(
    ("name", "wrong", "error"),
    [
        ("seed", True, TypeError),
        ("taker_delay", None, TypeError),
        *(("taker_delay", value, ValueError) for value in (-1, 61, float("nan"))),
        ("maker", 1, TypeError),
        ("on_request", "print", TypeError),
        ("state", 5, TypeError),
        ("frozen_at", "now", TypeError),
        ("frozen_at", 1_800_000_000, ValueError),
        ("request_timeout", float("nan"), ValueError),
        ("port", 99_999, ValueError),
        ("dialect", "other", ValueError),
        ("synchronous", "off", ValueError),
    ],
)
def test_a_wrong_argument_is_refused_by_its_name(
    name: str, wrong: object, error: type[Exception]
) -> None:
    given: Any = {name: wrong}
    with pytest.raises(error, match=f"^{name}: "):
        Sandbox(**given)


# -- starting and stopping -----------------------------------------------------------------------


def test_it_serves_on_the_loopback_address_within_the_block_only() -> None:
    sandbox = Sandbox()
    with pytest.raises(RuntimeError, match="with block"):
        _ = sandbox.url
    before = threading.active_count()
    # A connection that is kept alive does not keep it from stopping.
    with requests.Session() as session:
        with sandbox:
            url = sandbox.url
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+", url)
            for path in ("", "/sandbox/v1/schema"):
                assert session.get(url + path, timeout=10).status_code == 200
        with pytest.raises(RuntimeError, match="with block"):
            _ = sandbox.url
        with pytest.raises(requests.ConnectionError):
            session.get(url, timeout=10)
    assert threading.active_count() == before
    with pytest.raises(RuntimeError, match="started before"):
        sandbox.__enter__()


def test_a_child_of_a_fork_is_told_where_the_sandbox_runs_and_leaves_it_alone(
    tmp_path: Path,
) -> None:
    with Sandbox(maker=False, state=tmp_path / "state") as sandbox:
        account = sandbox.create_account()

        def use_it() -> bool:
            uses = (partial(sandbox.advance, 1000), lambda: sandbox.requests, sandbox.faults.clear)
            for use in uses:
                with pytest.raises(RuntimeError, match=f"use RemoteSandbox.'{sandbox.url}'. here"):
                    use()
            RemoteSandbox(sandbox.url).deposit(account, "5")
            sandbox.__exit__()
            return True

        assert in_child(use_it)
        assert (tmp_path / "state-wal").exists()
        assert sandbox.account(account).balance == 10_005


def test_a_port_can_be_chosen_and_used_again() -> None:
    with socket.socket() as kept:
        # Bound and not listening, it keeps the port from all who ask for any free one.
        kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        kept.bind(("127.0.0.1", 0))
        port = kept.getsockname()[1]
        for _ in range(2):
            with Sandbox(port=port) as sandbox:
                assert sandbox.url == f"http://127.0.0.1:{port}"
                with pytest.raises(OSError), Sandbox(port=port):
                    pass


def test_answers_are_sent_at_once() -> None:
    with listen(0) as listening:
        # Of such a socket alone does asyncio set TCP_NODELAY.
        assert listening.proto == socket.IPPROTO_TCP


@pytest.mark.filterwarnings("error")
def test_a_client_that_does_not_read_its_answers_does_not_keep_the_sandbox_from_stopping(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trading_sandbox.server, "STOP_TIMEOUT", 0.05)
    with socket.socket() as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with Sandbox() as sandbox:
            stalled.connect(("127.0.0.1", urlsplit(sandbox.url).port or 0))
            stalled.settimeout(10)
            stalled.sendall(f"GET {PAGE}4000 HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 10)
            assert stalled.recv(1000).startswith(b"HTTP/1.1 200 ")
        with suppress(ConnectionResetError):
            while stalled.recv(100_000):
                pass
    gc.collect()


def test_the_demo_keys_are_of_accounts_whatever_a_state_file_holds(tmp_path: Path) -> None:
    with Sandbox(state=tmp_path / "state") as sandbox:
        sandbox.create_vault(sandbox.create_account())
    with Sandbox(state=tmp_path / "state") as sandbox:
        keys = demo_keys(sandbox, 7)
        assert len(set(keys)) == 2
        assert all(sandbox.has_account(key) for key in keys)


# -- the log -------------------------------------------------------------------------------------


def test_the_log_shows_no_api_key_and_no_body_unless_asked(
    sandbox: Sandbox, user: RawClient
) -> None:
    secret = user.data("api_keys.create")["api_key"]
    user.headers = {"PF-API-KEY": secret}
    user.post("/api/v1/orders/create", {"memo": "my body"})
    entry = sandbox.requests[-1]
    assert (entry.headers["pf-api-key"], entry.body) == (secret, {"memo": "my body"})
    user.call("api_keys.revoke", api_key=secret)
    assert secret in sandbox.requests[-1].canonical[0]
    shown = repr(sandbox.requests)
    assert secret not in shown and "my body" not in shown
    assert "orders.create" in shown


def test_the_log_keeps_what_fits_into_its_memory() -> None:
    log = RequestLog()
    given: Any = {"operation": None, "method": "GET", "path": "/", "query": {}, "headers": {}}
    entry = LoggedRequest(**given, status=404, error=None)
    for _ in range(KEPT_REQUESTS + 5):
        log.add(entry, 100)
    assert len(log.entries()) == KEPT_REQUESTS
    for _ in range(5):
        log.add(entry, KEPT_BYTES // 4)
    assert len(log.entries()) == 4
    log.clear()
    log.add(entry, KEPT_BYTES)
    assert len(log.entries()) == 1


def test_a_listener_is_told_each_request_and_may_use_controls_and_cannot_spoil_the_answer() -> None:
    told: list[LoggedRequest] = []

    def listen_and_fail(entry: LoggedRequest) -> None:
        told.append(entry)
        sandbox.deposit(entry.account or "", usdc="1")
        sandbox.advance(1)
        sandbox.faults.inject("*", "connect_refused", seconds=600)
        raise ValueError("no")

    with (
        Sandbox(on_request=listen_and_fail) as sandbox,
        Client(sandbox.url, signer=sandbox.create_account()) as client,
    ):
        list(client.orders.history())
        [entry] = told
        assert told == sandbox.requests
        assert sandbox.account(client.account_address or "").balance == 10_001
    assert (entry.operation, entry.status) == ("orders.history", 200)
    assert entry.milliseconds > 0


# -- beside the interface ------------------------------------------------------------------------


def test_health_is_answered_while_it_serves_and_not_logged(sandbox: Sandbox) -> None:
    sandbox.set_rate_limit("1")
    for _ in range(3):
        answer = requests.get(f"{sandbox.url}/health", timeout=10)
        assert answer.json() == {"status": "ok"}
        assert answer.headers["content-type"] == "application/json"
    assert sandbox.requests == []
