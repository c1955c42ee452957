"""Starting, stopping, the arguments, the log and the fixtures."""

from __future__ import annotations

import asyncio
import gc
import re
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from decimal import Decimal
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

import trading_sandbox.server
from trading_sandbox import LoggedRequest, Refused, Sandbox
from trading_sandbox.__main__ import demo_keys
from trading_sandbox.log import KEPT_BYTES, KEPT_REQUESTS, RequestLog
from trading_sandbox.server import listen
from trading_sdk import Client

FREE_PORT = re.compile(r"http://127\.0\.0\.1:\d+")


def test_the_seed_decides_the_keys_of_the_accounts() -> None:
    with Sandbox(seed=1) as one, Sandbox(seed=1) as same, Sandbox(seed=2) as other:
        first, second = one.create_account(), one.create_account()
        assert first != second
        assert first.export_base58() == same.create_account().export_base58()
        assert first != other.create_account()


def test_a_deposit_is_exact_money(shared: Sandbox) -> None:
    for usdc in ("0", "12.34", 5, Decimal("0.01")):
        shared.create_account(usdc)
    inexact: Any = 0.1
    with pytest.raises(TypeError, match="float"):
        shared.create_account(inexact)


@pytest.mark.parametrize(
    "usdc", ["-1", 10**12, 10**30, "0." + "1" * 21, Decimal(f"0.{'0' * 20}1")], ids=str
)
def test_a_deposit_out_of_range_is_refused(shared: Sandbox, usdc: Any) -> None:
    with pytest.raises(Refused, match=r"deposit: .* zero or more, below 10\^12 and of at most 20"):
        shared.create_account(usdc)


@pytest.mark.parametrize("usdc", ["1e5", "NaN", Decimal("NaN"), ""], ids=repr)
def test_a_deposit_that_is_no_plain_decimal_is_a_value_error(usdc: Any) -> None:
    with Sandbox() as sandbox, Sandbox() as untouched:
        with pytest.raises(ValueError):
            sandbox.create_account(usdc)
        assert sandbox.create_account() == untouched.create_account()


@pytest.mark.parametrize(
    ("symbol", "price", "error", "words"),
    [
        ("DOGE", "1", Refused, "Unknown symbol 'DOGE'"),
        ("BTC", "0", Refused, "price: it must be a number above zero"),
        ("BTC", "-1", Refused, "price: it must be a number above zero"),
        ("BTC", 10**12, Refused, r"price: .* below 10\^12"),
        ("BTC", "1.5", Refused, "tick size"),
        ("BTC", "x", ValueError, "plain decimal"),
        ("BTC", 1.5, TypeError, "float"),
        (5, "1", TypeError, "expected a string"),
    ],
)
def test_a_wrong_mark_price_is_refused(
    shared: Sandbox, symbol: Any, price: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        shared.set_mark_price(symbol, price)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"seed": None}, TypeError),
        ({"seed": "7"}, TypeError),
        ({"seed": True}, TypeError),
        ({"taker_delay": "x"}, TypeError),
        ({"taker_delay": None}, TypeError),
        ({"taker_delay": True}, TypeError),
        ({"taker_delay": -1}, ValueError),
        ({"taker_delay": 61}, ValueError),
        ({"taker_delay": float("nan")}, ValueError),
        ({"taker_delay": float("inf")}, ValueError),
        ({"maker": 1}, TypeError),
        ({"state": 5}, TypeError),
        ({"frozen_at": "now"}, TypeError),
        ({"frozen_at": 0}, ValueError),
        ({"request_timeout": "1"}, TypeError),
        ({"request_timeout": 0}, ValueError),
        ({"request_timeout": float("nan")}, ValueError),
        ({"frozen_at": 1_800_000_000}, ValueError),
        ({"port": "80"}, TypeError),
        ({"port": None}, TypeError),
        ({"port": -1}, ValueError),
        ({"port": 99_999}, ValueError),
    ],
    ids=str,
)
def test_a_wrong_argument_is_refused_by_its_name(
    arguments: dict[str, Any], error: type[Exception]
) -> None:
    [name] = arguments
    with pytest.raises(error, match=f"^{name} must"):
        Sandbox(**arguments)


def test_it_serves_on_the_loopback_address_within_the_block_only() -> None:
    sandbox = Sandbox()
    with pytest.raises(RuntimeError, match="with block"):
        _ = sandbox.url
    before = threading.active_count()
    with sandbox:
        url = sandbox.url
        assert FREE_PORT.fullmatch(url)
        assert requests.get(url, timeout=10).status_code == 200
    with pytest.raises(RuntimeError, match="with block"):
        _ = sandbox.url
    with pytest.raises(requests.ConnectionError):
        requests.get(url, timeout=10)
    assert threading.active_count() == before


def test_it_stops_while_a_connection_is_kept_alive() -> None:
    with requests.Session() as session:
        with Sandbox() as sandbox:
            url = sandbox.url
            session.get(url, timeout=10)
            session.get(url, timeout=10)
        with pytest.raises(requests.ConnectionError):
            session.get(url, timeout=10)


def test_a_port_can_be_chosen_and_used_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for _ in range(2):
        with Sandbox(port=port) as sandbox:
            assert sandbox.url == f"http://127.0.0.1:{port}"
            with pytest.raises(OSError), Sandbox(port=port):
                pass


def test_answers_are_sent_at_once() -> None:
    async def accepted_without_delay() -> bool:
        found: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            found.set_result(bool(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)))
            writer.close()

        listening = listen(0)
        async with await asyncio.start_server(accept, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            without_delay = await asyncio.wait_for(found, 10)
            writer.close()
            return without_delay

    assert asyncio.run(accepted_without_delay())


def test_the_log_shows_no_api_key_and_no_body_unless_asked(
    sandbox: Sandbox, client: Client
) -> None:
    secret = client.api_keys.create().api_key
    requests.post(
        f"{sandbox.url}/api/v1/orders/create",
        json={"memo": "my body"},
        headers={"PF-API-KEY": secret},
        timeout=10,
    )
    entry = sandbox.requests[-1]
    assert secret not in repr(entry)
    assert "my body" not in repr(entry)
    assert "orders.create" in repr(entry)
    assert (entry.headers["pf-api-key"], entry.body) == (secret, {"memo": "my body"})


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
    [account] = {entry.account for entry in sandbox.requests}
    assert account == client.account_address
    assert [entry.operation for entry in sandbox.requests] == ["orders.create", "orders.history"]


def test_a_sandbox_stops_at_once_where_nothing_is_being_answered() -> None:
    took = []
    for _ in range(3):
        sandbox = Sandbox()
        with sandbox, Client(sandbox.url, signer=sandbox.create_account()) as client:
            list(client.orders.history())
            ends = time.monotonic()
        took.append(time.monotonic() - ends)
    assert min(took) < 0.05


def test_what_waits_for_the_taker_delay_is_answered_before_the_sandbox_stops() -> None:
    with ThreadPoolExecutor() as pool:
        with Sandbox(taker_delay=0.3) as sandbox:
            client = Client(sandbox.url, signer=sandbox.create_account())
            placed = pool.submit(
                client.orders.create,
                symbol="BTC",
                side="bid",
                price="90000",
                amount="0.01",
                tif="GTC",
                reduce_only=False,
            )
            time.sleep(0.1)
        assert placed.result().order_id


@pytest.mark.filterwarnings("error")
def test_a_client_that_does_not_read_its_answers_does_not_keep_the_sandbox_from_stopping(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trading_sandbox.server, "STOP_TIMEOUT", 0.05)
    page = b"GET /api/v1/funding_rate/history?symbol=BTC&limit=4000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with socket.socket() as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with Sandbox() as sandbox:
            stalled.connect(("127.0.0.1", urlsplit(sandbox.url).port or 0))
            stalled.settimeout(10)
            stalled.sendall(page * 10)
            assert stalled.recv(1000).startswith(b"HTTP/1.1 200 ")
        with suppress(ConnectionResetError):
            while stalled.recv(100_000):
                pass
    gc.collect()


def test_the_log_keeps_what_fits_into_its_memory() -> None:
    log = RequestLog()
    entry = LoggedRequest(
        operation=None,
        method="GET",
        path="/",
        query={},
        headers={},
        body=None,
        canonical=(),
        account=None,
        status=404,
        error=None,
    )
    for _ in range(KEPT_REQUESTS + 5):
        log.add(entry, 100)
    assert len(log.entries()) == KEPT_REQUESTS
    for _ in range(5):
        log.add(entry, KEPT_BYTES // 4)
    assert len(log.entries()) == 4
    log.clear()
    log.add(entry, KEPT_BYTES)
    assert len(log.entries()) == 1


def test_the_demo_keys_are_of_accounts_whatever_a_state_file_holds(tmp_path: Path) -> None:
    with Sandbox(state=tmp_path / "state") as sandbox:
        sandbox.create_vault(sandbox.create_account())
    with Sandbox(state=tmp_path / "state") as sandbox:
        keys = demo_keys(sandbox, 7)
        assert len(set(keys)) == 2
        assert all(sandbox.has_account(key) for key in keys)


def test_a_run_in_frozen_time_repeats_to_the_last_digit() -> None:
    def run() -> tuple[str, str]:
        with Sandbox(taker_delay=0, frozen_at=1_800_000_000_000) as sandbox:
            key = sandbox.create_account()
            with Client(sandbox.url, signer=key) as client:
                for _ in range(2):
                    client.orders.create(
                        symbol="BTC",
                        side="bid",
                        price="110000",
                        amount="0.01",
                        tif="IOC",
                        reduce_only=False,
                        client_order_id=None,
                    )
                    sandbox.advance(3_600_000)
                first = sandbox.digest()
                sandbox.reset()
            return first, sandbox.digest()

    assert run() == run()


def test_the_root_says_what_it_is_to_browsers_and_to_programs(shared: Sandbox) -> None:
    page = requests.get(shared.url, headers={"Accept": "text/html,*/*;q=0.8"}, timeout=10)
    told = requests.get(shared.url, timeout=10)
    assert page.headers["content-type"].startswith("text/html")
    assert "set_mark_price(symbol, price)" in page.text
    assert "sandbox of the trading service" in told.json()["service"]
    for link in (*told.json()["see"], *re.findall(r'href="([^"]+)"', page.text)):
        assert requests.get(shared.url + link, timeout=10).status_code == 200


def test_health_is_answered_while_it_serves_and_not_logged(sandbox: Sandbox) -> None:
    sandbox.set_rate_limit("1")
    for _ in range(3):
        assert requests.get(f"{sandbox.url}/health", timeout=10).json() == {"status": "ok"}
    assert sandbox.requests == []


def test_a_listener_is_told_each_request_and_cannot_spoil_the_answer() -> None:
    told: list[LoggedRequest] = []

    def listen_and_fail(entry: LoggedRequest) -> None:
        told.append(entry)
        raise ValueError("no")

    with (
        Sandbox(on_request=listen_and_fail) as sandbox,
        Client(sandbox.url, signer=sandbox.create_account()) as client,
    ):
        list(client.orders.history())
        [entry] = told
        assert told == sandbox.requests
    assert (entry.operation, entry.status) == ("orders.history", 200)
    assert 0 < entry.milliseconds < 10_000
