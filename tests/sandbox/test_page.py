"""The page of a sandbox over HTTP: what it may load, who may read it, and pictures of all there is."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

import trading_sandbox
from tests.sandbox.raw import CREATE, RawClient, limit_order, market_order, stop_order
from trading_sandbox import Sandbox
from trading_sandbox.server import STOP_TIMEOUT
from trading_sandbox.web.stream import LAST_WORDS
from trading_sandbox.web.watch import LEVELS, LONGEST, MOST
from trading_sdk import Client

LIVE = "/sandbox/v1/live"
FOLDER = Path(trading_sandbox.__file__).parent / "web" / "page"
HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@contextmanager
def watching(url: str, **headers: str) -> Iterator[Iterator[tuple[str, Any]]]:
    """The events of a page: the name and the data of each."""

    def events(lines: Iterator[bytes]) -> Iterator[tuple[str, Any]]:
        for line in lines:
            name = line.decode().removeprefix("event: ")
            data = next(lines).decode().removeprefix("data: ")
            assert next(lines) == b""
            yield name, json.loads(data)

    with requests.get(url + LIVE, stream=True, timeout=10, headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/event-stream"
        yield events(answer.iter_lines(chunk_size=1))


def picture(url: str) -> Any:
    """The first picture that a new page gets."""
    with watching(url) as events:
        assert next(events)[0] == "past"
        name, data = next(events)
        assert name == "picture"
        return data


# -- what the page may do -------------------------------------------------------------------------


def test_the_root_is_a_page_for_browsers_and_json_for_programs(shared: Sandbox) -> None:
    page = requests.get(shared.url, headers=HTML, timeout=10)
    assert page.headers["content-type"].startswith("text/html")
    assert "Sandbox of the trading service" in page.text
    for accept in ("application/json", "*/*"):
        told = requests.get(shared.url, headers={"Accept": accept}, timeout=10)
        assert "sandbox of the trading service" in told.json()["service"]
    for link in (*told.json()["see"], *re.findall(r'href="([^"]+)"', page.text)):
        with requests.get(shared.url + link, stream=True, timeout=10) as answer:
            assert answer.status_code == 200


@pytest.mark.parametrize("file", sorted(each.name for each in FOLDER.iterdir()))
def test_every_file_of_the_page_may_load_nothing_from_elsewhere_and_run_no_text(
    shared: Sandbox, file: str
) -> None:
    path = "/" if file == "index.html" else f"/page/{file}"
    answer = requests.get(shared.url + path, headers=HTML, timeout=10)
    assert answer.status_code == 200
    assert answer.text == (FOLDER / file).read_text("utf-8")
    policy = dict(
        each.strip().split(" ", 1) for each in answer.headers["content-security-policy"].split(";")
    )
    assert policy.pop("default-src") == policy.pop("frame-ancestors") == "'none'"
    assert policy.pop("base-uri") == policy.pop("form-action") == "'none'"
    assert policy.pop("require-trusted-types-for") == "'script'"
    assert policy.pop("trusted-types") == "'none'"
    assert set(policy.values()) == {"'self'"}
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["cache-control"] == "no-store"
    assert "://" not in answer.text.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("name", ["../pages.py", "..%2fpages.py", "none.js", "", "index.html/"])
def test_there_is_no_other_file(shared: Sandbox, name: str) -> None:
    with socket.create_connection(("127.0.0.1", urlsplit(shared.url).port or 0)) as connection:
        head = f"GET /page/{name} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode())
        assert connection.recv(1000).startswith(b"HTTP/1.1 404 ")


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_the_page_itself_and_who_types_the_address_read_it(sandbox: Sandbox, site: str) -> None:
    headers = {"Sec-Fetch-Site": site, "Origin": sandbox.url}
    with watching(sandbox.url, **headers) as events:
        assert next(events)[0] == "past"
    assert requests.head(sandbox.url + LIVE, timeout=10).status_code == 200


# -- what it shows ----------------------------------------------------------------------------------


def test_a_picture_has_markets_book_trades_accounts_orders_and_stops(sandbox: Sandbox) -> None:
    sandbox.set_mark_price("BTC", "60000")
    with (
        Client(sandbox.url, signer=sandbox.create_account(spot={"SOL": "2"})) as first,
        Client(sandbox.url, signer=sandbox.create_account()) as second,
    ):
        first.orders.create(**limit_order(side="ask", price="60010", amount="0.02"))
        second.orders.create_market(**market_order(amount="0.01", side="bid"))
        waiting = first.orders.create_stop(**stop_order())
        shown = picture(sandbox.url)

    btc = shown["markets"]["BTC"]
    prices = [btc[name] for name in ("mark_price", "last_price", "best_ask")]
    assert prices == ["60000", "60010", "60010"]
    assert btc["book"] == {"bid": [], "ask": [{"price": "60010", "amount": "0.01", "orders": 1}]}
    [trade] = btc["trades"]
    assert [trade[name] for name in ("price", "amount", "side")] == ["60010", "0.01", "open_long"]
    assert (btc["open_interest"], btc["pinned"]) == ("0.01", True)
    assert shown["accounts"]["count"] == 2
    maker, taker = shown["accounts"]["latest"]
    view = sandbox.account(first.account_address or "")
    told = [maker[name] for name in ("address", "equity", "free", "spot")]
    assert told == [first.account_address, f"{view.equity:f}", f"{view.free:f}", {"SOL": "2"}]
    waits = [(order["waits"], order["stop_price"]) for order in maker["orders"]]
    assert waits == [(True, "120000"), (False, None)]
    assert maker["orders"][0]["order_id"] == waiting.order_id
    assert taker["positions"]["BTC"]["size"] == "0.01"
    assert taker["positions"]["BTC"]["liquidation_price"] is None
    assert float(maker["positions"]["BTC"]["liquidation_price"]) > 60_000
    assert (maker["orders_count"], maker["stop_orders_count"]) == (1, 1)


def test_a_picture_has_the_clock_what_waits_and_the_rate_budget(sandbox: Sandbox) -> None:
    client_order_id = "8c3f7b1e-0000-4000-8000-000000000001"
    sandbox.freeze()
    sandbox.force_outcome(client_order_id, "refused", reason="no more today")
    sandbox.faults.inject("orders.create", "status", times=3, status=503)
    sandbox.set_rate_limit("125")
    with Client(sandbox.url, signer=sandbox.create_account()) as client:
        client.orders.history().to_list()
    shown = picture(sandbox.url)
    assert shown["clock"]["frozen_at"] is not None
    [forced] = shown["forced"]
    assert forced == {"id": client_order_id, "status": "refused", "reason": "no more today"}
    [fault] = shown["faults"]
    assert (fault["operation"], fault["kind"], fault["times"]) == ("orders.create", "status", 3)
    [budget] = shown["budgets"]
    assert (budget["left"], budget["quota"], budget["window_s"]) == (124.0, 125.0, 60)
    assert shown["sandbox"]["seed"] == 7 and shown["sandbox"]["dialect"] == "documented"


def test_a_picture_holds_no_key_and_no_signature(sandbox: Sandbox) -> None:
    sandbox.set_rate_limit("1000", with_key="2000")
    key = sandbox.create_account()
    user = RawClient.of(sandbox)
    signed = user.body("create_order", limit_order())
    user.post(CREATE, signed)
    with Client(sandbox.url, signer=key) as client:
        api_key = client.api_keys.create().api_key
        requests.get(
            f"{sandbox.url}/api/v1/account/settings",
            params={"account": key.address},
            headers={"PF-API-KEY": api_key},
            timeout=10,
        )
        shown = picture(sandbox.url)
        client.api_keys.revoke(api_key=api_key)
        later = picture(sandbox.url)
    assert {each["of"] for each in shown["budgets"]} == {"no API key", "API key 1"}
    revoked = later["requests"]["latest"][-1]
    assert revoked["operation"] == "api_keys.revoke" and "(not shown)" in revoked["canonical"]
    for told in (json.dumps(shown), json.dumps(later)):
        for secret in (api_key, signed["signature"], key.export_base58()):
            assert secret not in told


def test_a_picture_has_bounds_however_much_there_is(sandbox: Sandbox) -> None:
    long = "x" * 50_000
    user = RawClient.of(sandbox, "1000000")
    for _ in range(MOST + 1):
        sandbox.create_account()
        sandbox.faults.inject("orders.edit", "bad_json", body=long)
    for number in range(MOST + 1):
        assert user.create(price=str(50_000 - number % (LEVELS + 1))).status_code == 200
    user.post(CREATE, user.body("create_order", {**limit_order(), "symbol": long}))
    shown = picture(sandbox.url)
    assert len(shown["markets"]["BTC"]["book"]["bid"]) == LEVELS
    assert shown["accounts"]["count"] == MOST + 2
    assert len(shown["accounts"]["latest"]) == len(shown["faults"]) == MOST
    assert shown["requests"]["count"] == MOST + 2
    assert len(shown["requests"]["latest"]) == MOST
    last = shown["requests"]["latest"][-1]
    assert len(last["canonical"]) < LONGEST + 40 > len(last["error"])


def test_the_past_of_the_price_is_its_path_and_what_was_set_by_hand() -> None:
    with Sandbox(frozen_at=1_767_225_600_000) as running:
        running.advance(60_000)
        with watching(running.url) as events:
            _, path = next(events)
        assert path["BTC"][0] == [1_767_225_600_000, "100000"]
        times = [moment for moment, _ in path["BTC"]]
        assert times == sorted(times) and len(times) == 120
        running.set_mark_price("BTC", "90000")
        running.advance(60_000)
        with watching(running.url) as events:
            _, later = next(events)
        assert later["BTC"][:60] == path["BTC"][::2]
        assert [price for _, price in later["BTC"][60:]] == ["90000"] * 60


# -- live -------------------------------------------------------------------------------------------


def test_a_change_is_shown_and_no_change_is_not(sandbox: Sandbox) -> None:
    sandbox.freeze()
    digest = sandbox.digest()
    with watching(sandbox.url) as events:
        before = [next(events), next(events)][1][1]
        assert (sandbox.digest(), sandbox.requests) == (digest, [])
        sandbox.set_mark_price("ETH", "4000")
        after = next(events)[1]
        assert after["markets"]["ETH"]["mark_price"] == "4000"
        # It is the next one: while nothing changed, nothing was sent.
        before["markets"]["ETH"] = after["markets"]["ETH"]
        assert before == after


def test_a_sandbox_that_stops_ends_its_pages_at_once() -> None:
    with Sandbox(maker=False) as running:
        with watching(running.url) as events:
            assert [next(events)[0], next(events)[0]] == ["past", "picture"]
            began = perf_counter()
            stopping = threading.Thread(target=running.__exit__)
            stopping.start()
            assert list(events) == []
            stopping.join()
        assert perf_counter() - began < STOP_TIMEOUT - LAST_WORDS
