"""The page of a sandbox in a real browser, by the session `page`: all there is to see and to do, and axe."""

# The page has signs that look like letters.
# ruff: noqa: RUF001
# The session `page` alone installs these.
# mypy: disable-error-code="import-not-found, import-untyped, no-any-return, misc, untyped-decorator"
# pyright: reportMissingImports=false

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from websockets.sync.client import connect

from tests.doubles.server import Server
from tests.doubles.transport import response
from tests.sandbox.raw import CREATE, RawClient, limit_order, market_order, stop_order
from trading_sandbox import RemoteSandbox, Sandbox
from trading_sandbox.controls.declared import CONTROLS, Controls
from trading_sandbox.controls.definition import Control
from trading_sdk import Client, Keypair

pytestmark = pytest.mark.page

ORDER_ID = "8c3f7b1e-0000-4000-8000-000000000001"
ACCOUNT, AGENT = "(the account)", Keypair(b"agent" + bytes(27)).address
BTC, FAULT = {"symbol": "BTC"}, {"operation": "orders.create", "kind": "status"}
TYPED: Mapping[str, dict[str, str]] = {
    "create_account": {"usdc": "500", "spot": '{"SOL": "5"}'},
    "create_subaccount": {"main": ACCOUNT, "use_ltp_for_stop_orders": "true"},
    "create_vault": {"creator": ACCOUNT, "blacklist": "BTC, ETH"},
    "bind_agent": {"account": ACCOUNT, "agent": AGENT},
    "has_account": {"account": ACCOUNT},
    "account": {"account": ACCOUNT},
    "orders": {"account": ACCOUNT},
    "insurance_fund": {},
    "deposit": {"account": ACCOUNT, "usdc": "12.5"},
    "add_history": {"account": ACCOUNT, "symbol": "BTC", "round_trips": "2"},
    "set_margin": {"account": ACCOUNT, "symbol": "ETH", "isolated": "true", "leverage": "5"},
    "place_order": {"account": ACCOUNT, **BTC, "side": "bid", "amount": "0.01", "price": "9000"},
    "cancel_order": {"account": ACCOUNT, **BTC, "order_id": "1000003"},
    "market": {"symbol": "ETH"},
    "set_mark_price": {"symbol": "BTC", "price": ""},
    "set_maker": {"on": "false"},
    "force_outcome": {"client_order_id": ORDER_ID, "status": "refused", "reason": 'it\'s "no"'},
    "liquidate": {"account": ACCOUNT},
    "advance": {"ms": "1000"},
    "freeze": {},
    "unfreeze": {},
    "set_rate_limit": {"credits": "125.5", "window_s": "60"},
    "snapshot": {},
    "restore": {"snapshot": "1"},
    "reset": {},
    "digest": {},
    "requests": {"limit": "5"},
    "faults.inject": {**FAULT, "times": "2", "status": "503", "headers": '{"Retry-After": "7"}'},
    "faults.pending": {},
    "faults.clear": {},
}
"""What is typed into the form of each control; what is left out has its default."""


class Recorder(Controls):
    """A sandbox that writes down which control was called, and with what."""

    called: tuple[str, Mapping[str, Any]]

    def _invoke(self, control: Control, arguments: Mapping[str, Any]) -> Any:
        self.called = (control.name, arguments)
        return []


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser of this machine."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        options: Any = {"args": ["--no-sandbox"], "chromium_sandbox": False}
        path = os.environ["TRADING_BROWSER"]
        with playwright.chromium.launch(executable_path=path, **options) as browser:
            yield browser


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    """A sandbox in which nobody trades by himself."""
    with Sandbox(maker=False, taker_delay=0.01) as running:
        yield running


@contextmanager
def tab(chromium: Any, url: str, **options: Any) -> Iterator[Any]:
    """A page that is live, and says nothing wrong on its console."""
    said: list[str] = []
    with chromium.new_context(**options) as context:
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: said.append(dialog.message))
        page.on("console", lambda told: said.append(told.text) if told.type == "error" else None)
        page.goto(url)
        live(page)
        yield page
    # A control that is refused and a sandbox that has stopped are the test's own.
    own = ("Failed to load resource", "net::")
    assert [each for each in said if not any(words in each for words in own)] == []


@pytest.fixture
def page(chromium: Any, sandbox: Sandbox) -> Iterator[Any]:
    with tab(chromium, sandbox.url) as opened:
        yield opened


def expect(locator: Any) -> Any:
    from playwright.sync_api import expect as expected

    expected.set_options(timeout=15_000)
    return expected(locator)


def live(page: Any) -> None:
    expect(page.locator("#state")).to_have_text("Live")
    expect(page.locator("#list details")).to_have_count(len(CONTROLS))


def rows(page: Any, name: str) -> Any:
    return page.locator(f"#{name}-rows > tr")


def open_form(page: Any, name: str) -> Any:
    page.locator(f"xpath=//summary[text()='{name}']").click()
    return page.get_by_role("form", name=name, exact=True)


def fill(form: Any, name: str, typed: Mapping[str, str], account: str) -> None:
    for argument, value in typed.items():
        field = form.locator(f"#{name.replace('.', '-')}-{argument}")
        text = account if value == ACCOUNT else value
        if field.evaluate("each => each.tagName") == "SELECT":
            field.select_option(text)
        else:
            field.fill(text)


# -- what there is to do ----------------------------------------------------------------------------


def test_every_control_is_tried() -> None:
    assert TYPED.keys() == CONTROLS.keys()


@pytest.mark.parametrize("name", CONTROLS)
def test_the_form_the_python_and_the_curl_do_the_same(
    name: str, page: Any, sandbox: Sandbox
) -> None:
    key = sandbox.create_account()
    account = key.address
    with Client(sandbox.url, signer=key) as client:
        sandbox.force_outcome(ORDER_ID, "filled")
        client.orders.create(**limit_order(client_order_id=ORDER_ID))
    assert sandbox.place_order(key, "BTC", "bid", "0.01", "9000") == 1000003
    assert sandbox.snapshot() == 1
    again = partial(sandbox.restore, 1) if name in ("liquidate", "cancel_order") else bool
    form = open_form(page, name)
    fill(form, name, TYPED[name], account)
    suffix = name.replace(".", "-")
    python, curl = (page.locator(f"#{suffix}-{each}").inner_text() for each in ("python", "curl"))

    with page.expect_request(f"**/sandbox/v1/{name}") as sent:
        form.get_by_role("button", name="Run").click()
    expect(page.locator(f"#{suffix}-result pre")).to_have_text(re.compile("."))
    assert page.locator(f"#{suffix}-result").get_attribute("class") in (None, "")

    body = json.loads(sent.value.post_data)
    program, url, *options = shlex.split(curl)
    assert (program, url) == ("curl", f"{sandbox.url}/sandbox/v1/{name}")
    assert options == ["-H", "Content-Type: application/json", "-d", options[-1]]
    assert json.loads(options[-1]) == body
    recorder = Recorder()
    eval(python, {"sandbox": recorder})
    if name == "requests":  # in Python it is an attribute, with all of them
        assert python == "sandbox.requests[-5:]"
    else:
        assert recorder.called == (name, CONTROLS[name].checked(**body))
    again()
    eval(python, {"sandbox": RemoteSandbox(sandbox.url)})
    again()
    assert requests.post(url, data=options[-1], headers=JSON, timeout=10).status_code == 200


JSON = {"Content-Type": "application/json"}


def test_a_fault_has_the_options_of_its_kind_and_a_refused_control_says_why(page: Any) -> None:
    form = open_form(page, "faults.inject")
    expect(form.locator("#faults-inject-seconds")).to_have_count(0)
    fill(form, "faults.inject", {"operation": "*", "kind": "delay_answer"}, "")
    expect(form.locator("#faults-inject-seconds")).to_have_count(1)
    expect(form.locator("#faults-inject-operation")).to_have_value("*")
    expect(form.locator("#faults-inject-status")).to_have_count(0)
    fill(form, "faults.inject", {"seconds": "soon"}, "")
    form.get_by_role("button", name="Run").click()
    expect(form.locator("output.failed")).to_contain_text("must be a number of seconds")


def test_a_line_is_copied_and_a_control_is_found_by_its_words(page: Any) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("#find").fill("funding paid")
    expect(page.locator("#found")).to_have_text(f"1 of {len(CONTROLS)}")
    expect(page.locator("#list details:visible")).to_have_count(1)
    page.locator("#find").fill("money")
    expect(page.locator("#list details:visible summary").first).to_contain_text("create_account")
    page.locator("#find").fill("funding paid")
    open_form(page, "advance")
    copy = page.get_by_role("button", name="Copy the Python line of advance")
    copy.click()
    expect(copy).to_have_text("Copied")
    assert page.evaluate("() => navigator.clipboard.readText()") == "sandbox.advance()"


def test_a_private_key_is_shown_when_it_is_asked_for_alone(page: Any, sandbox: Sandbox) -> None:
    form = open_form(page, "create_account")
    form.get_by_role("button", name="Run").click()
    key = re.compile('"private_key": "[1-9A-HJ-NP-Za-km-z]{80,}"')
    expect(form.locator("pre")).to_contain_text('"private_key": "(not shown)"')
    form.get_by_role("button", name="Show the private key").click()
    expect(form.locator("pre")).to_have_text(key)
    user = RawClient.of(sandbox)
    user.headers = {"PF-API-KEY": "canaryApiKey"}
    signed = user.body("create_order", limit_order())
    user.post(CREATE, signed)
    form = open_form(page, "requests")
    form.get_by_role("button", name="Run").click()
    expect(form.locator("pre")).to_contain_text("orders.create")
    shown = page.content()
    assert "canaryApiKey" not in shown and signed["signature"] not in shown


# -- what there is to see ---------------------------------------------------------------------------


def busy(sandbox: Sandbox) -> tuple[Client, Client]:
    """Put something into every list."""
    sandbox.set_mark_price("BTC", "60000")
    made = [sandbox.create_account(spot={"SOL": "2"}), sandbox.create_account()]
    first, second = (Client(sandbox.url, signer=key) for key in made)
    with first, second:
        first.orders.create(**limit_order(side="ask", price="60010", amount="0.02"))
        second.orders.create_market(**market_order(amount="0.01", side="bid"))
        first.orders.create(**limit_order(side="bid", price="59000", amount="0.03"))
        first.orders.create_stop(**stop_order())
    RawClient(sandbox.url).create()
    sandbox.faults.inject("orders.edit", "status", times=3, status=503)
    sandbox.force_outcome(ORDER_ID, "refused", reason="no more today")
    sandbox.set_rate_limit("125")
    requests.get(f"{sandbox.url}/nowhere", timeout=10)
    return first, second


def lists(page: Any) -> dict[str, list[str]]:
    names = ("trades", "accounts", "positions", "orders", "waiting", "requests")
    told = {name: rows(page, name).all_inner_texts() for name in names}
    told |= {side: page.locator(f"#{side} tr").all_inner_texts() for side in ("bids", "asks")}
    return {name: [text.replace("\t", " | ") for text in texts] for name, texts in told.items()}


def test_every_list_is_shown_and_again_after_a_reload(page: Any, sandbox: Sandbox) -> None:
    first, _ = busy(sandbox)
    expect(rows(page, "requests")).to_have_count(6)
    expect(page.locator("#figures")).to_contain_text("60,000 (set by hand)")
    shown = lists(page)
    [trade] = shown["trades"]
    assert re.fullmatch(r"60,010 \| 0\.01000 \| buys \| [\d:]+", trade)
    assert shown["asks"] == ["60,010 | 0.01000 | 0.01000"]
    assert shown["bids"] == ["59,000 | 0.03000 | 0.03000"]
    address = first.account_address or ""
    assert shown["accounts"][0].startswith(f"1 · {address[:5]}…{address[-4:]} | ")
    assert [text.split(" | ", 1)[1].split(" | ")[:3] for text in shown["positions"]] == [
        ["BTC", "50× cross", "-0.01"],
        ["SOL", "spot", "2"],
        ["BTC", "50× cross", "0.01"],
    ]
    assert "buys | stop market, waits | – | 120,000" in shown["orders"][0]
    assert "buys | limit | 59,000 | – | 0 / 0.03" in shown["orders"][1]
    assert "sells | limit | 60,010 | – | 0.01 / 0.02" in shown["orders"][2]
    assert shown["waiting"][0].startswith("fault | status, orders.edit | 3 more; ")
    assert shown["waiting"][1] == f"outcome | {ORDER_ID} | refused: no more today"
    lost, unknown, stop, *_ = shown["requests"]
    assert lost.startswith("6 | GET /nowhere | – | 404 |")
    assert "| verified, refused: Account not found" in unknown
    assert " | orders.create_stop | " in stop and stop.endswith("| verified")
    assert page.locator("#chart .price").count() == 1
    assert "Mark price of BTC: 60,000" in page.locator("#chart").get_attribute("aria-label")

    page.reload()
    live(page)
    expect(rows(page, "requests")).to_have_count(6)
    assert lists(page) == shown


def test_a_request_shows_what_was_signed(page: Any, sandbox: Sandbox) -> None:
    user = RawClient.of(sandbox)
    user.create()
    user.post(CREATE, {**user.body("create_order", limit_order()), "amount": "0.002"})
    expect(rows(page, "requests")).to_have_count(2)
    page.get_by_role("button", name="2", exact=True).click()
    details = page.locator("tr.details")
    expect(details).to_contain_text("not verified: Verification failed")
    expect(details.locator("pre").first).to_contain_text('"amount":"0.002"')
    expect(details.locator("pre").last).to_contain_text("Verification failed")
    # What comes in later does not close it.
    user.create()
    expect(rows(page, "requests")).to_have_count(4)
    expect(details).to_have_count(1)
    page.get_by_role("button", name="2", exact=True).click()
    expect(details).to_have_count(0)


def test_the_first_order_is_placed_and_cancelled_by_hand(page: Any, sandbox: Sandbox) -> None:
    ticket = page.locator("#ticket")
    ticket.get_by_label("Amount").fill("0.01")
    ticket.get_by_label("Price").fill("59000")
    ticket.get_by_role("button", name="Buy").click()
    expect(ticket.get_by_role("status")).to_contain_text("is placed")
    expect(rows(page, "orders")).to_have_count(1)
    assert "buys | limit | 59,000 | – | 0 / 0.01" in lists(page)["orders"][0]
    account = ticket.get_by_label("Account").input_value()
    assert sandbox.has_account(account)
    page.get_by_role("button", name="Cancel order").click()
    expect(rows(page, "orders")).to_have_count(0)
    ticket.get_by_label("Amount").fill("0.000001")
    ticket.get_by_role("button", name="Sell").click()
    expect(ticket.get_by_role("status")).to_contain_text("place_order: ")


def test_a_request_shows_its_answer_and_the_fault_that_hit_it(page: Any, sandbox: Sandbox) -> None:
    user = RawClient.of(sandbox)
    sandbox.faults.inject("orders.create", "html", executed=True)
    user.create()
    expect(rows(page, "requests")).to_have_count(1)
    assert " | 200 | html | " in lists(page)["requests"][0]
    page.get_by_role("button", name="1", exact=True).click()
    details = page.locator("tr.details")
    expect(details).to_contain_text("The answer of the exchange, which the fault html spoiled")
    expect(details).to_contain_text('"order_id":')


def test_the_frames_of_a_websocket_are_shown_where_there_is_one(page: Any, chromium: Any) -> None:
    expect(page.locator("#websocket")).to_be_hidden()
    with (
        Sandbox(dialect="live", maker=False) as live_one,
        tab(chromium, live_one.url) as shown,
        connect(live_one.url.replace("http", "ws", 1) + "/ws") as reader,
    ):
        reader.send('{"method": "subscribe", "params": {"source": "bbo", "symbol": "BTC"}}')
        expect(shown.locator("#websocket-rows")).to_contain_text('{"channel":"subscribe"')
        expect(shown.locator("#waiting-rows")).to_contain_text("connection 1 of 1")
        expect(shown.locator("#waiting-rows")).to_contain_text("bbo BTC")


def test_a_phone_shows_prices_and_leads_to_the_controls(chromium: Any, sandbox: Sandbox) -> None:
    busy(sandbox)
    with tab(chromium, sandbox.url, viewport={"width": 390, "height": 800}) as page:
        expect(rows(page, "orders").first).to_be_visible()
        price = rows(page, "orders").nth(1).locator("td").nth(5).bounding_box()
        assert price["x"] + price["width"] <= 390
        page.get_by_role("link", name="Skip to the controls").click()
        expect(page.locator("#find")).to_be_in_viewport()


def test_changes_are_shown_and_a_market_is_chosen_for_good(page: Any, sandbox: Sandbox) -> None:
    page.get_by_role("radio", name="ETH").check()
    sandbox.set_mark_price("ETH", "4000.5")
    expect(page.locator("#figures")).to_contain_text("4,000.5 (set by hand)")
    expect(page).to_have_title(re.compile("^4,000.5 ETH"))
    sandbox.freeze()
    expect(page.locator("#clock")).to_contain_text("Frozen at")
    sandbox.advance(3_600_000)
    account = sandbox.create_account(usdc="777")
    expect(rows(page, "accounts")).to_contain_text(["777.00"])
    sandbox.deposit(account, usdc="1")
    expect(rows(page, "accounts")).to_contain_text(["778.00"])
    sandbox.reset()
    expect(rows(page, "accounts")).to_have_count(0)
    page.reload()
    live(page)
    expect(page.get_by_role("radio", name="ETH")).to_be_checked()


def test_a_page_that_was_asleep_shows_what_is_now(page: Any, sandbox: Sandbox) -> None:
    tools = page.context.new_cdp_session(page)
    tools.send("Page.setWebLifecycleState", {"state": "frozen"})
    for price in range(50_000, 50_100):
        sandbox.set_mark_price("BTC", price)
        sandbox.create_account()
    tools.send("Page.setWebLifecycleState", {"state": "active"})
    expect(page.locator("#figures")).to_contain_text("50,099")
    expect(page.locator("#accounts-count")).to_have_text("latest 50 of 100")


def test_a_page_finds_the_next_sandbox_on_its_port(chromium: Any) -> None:
    with Sandbox(maker=False) as first:
        first.create_account()
        port = urlsplit(first.url).port or 0
        context = tab(chromium, first.url)
        page = context.__enter__()
        expect(rows(page, "accounts")).to_have_count(1)
    expect(page.locator("#state")).to_have_text("Not connected: is the sandbox running?")
    with Sandbox(maker=False, port=port, seed=8):
        expect(page.locator("#state")).to_have_text("Live")
        expect(page.locator("#about")).to_contain_text("seed 8")
        expect(rows(page, "accounts")).to_have_count(0)
        context.__exit__(None, None, None)


# -- what it must not do ----------------------------------------------------------------------------


ATTACK = """async url => {
    const post = {method: "POST", body: "{}", mode: "no-cors"};
    const body = (answer) => answer.type === "opaque" || !answer.ok ? "failed" : answer.text();
    const failed = () => "failed";
    const live = new Promise((resolve) => {
        const source = new EventSource(url + "/sandbox/v1/live");
        source.onmessage = source.onopen = () => resolve("read");
        source.onerror = () => resolve("failed");
    });
    return {
        read: await fetch(url + "/sandbox/v1/").then(body, failed),
        told: await fetch(url + "/sandbox/v1/create_account", post).then(body, failed),
        live: await live,
    };
}"""


def test_another_site_can_neither_read_nor_change_nor_frame(
    chromium: Any, sandbox: Sandbox
) -> None:
    sandbox.freeze()
    before = sandbox.digest()
    html = b"<!DOCTYPE html><title>Elsewhere</title><p>Elsewhere"
    with Server() as elsewhere, chromium.new_context() as context:
        elsewhere.respond = lambda _: response(200, html, Content_Type="text/html")
        page = context.new_page()
        page.goto(elsewhere.url.replace("127.0.0.1", "localhost"))
        got = page.evaluate(ATTACK, sandbox.url)
        assert got == {"read": "failed", "told": "failed", "live": "failed"}
        frame = """url => new Promise((resolve) => {
            const frame = document.createElement("iframe");
            frame.onload = resolve;
            frame.src = url;
            document.body.append(frame);
        })"""
        page.evaluate(frame, sandbox.url)
        assert len(page.frames) == 2 and not page.frames[1].url.startswith("http")
    assert sandbox.digest() == before
    assert sandbox._stream._drawing is None


HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>\u202e${alert(3)}'\"`"


def test_hostile_texts_are_shown_as_texts(page: Any, sandbox: Sandbox) -> None:
    user = RawClient.of(sandbox)
    user.create(symbol=HOSTILE)
    user.post(CREATE, {**user.body("create_order", limit_order()), "account": HOSTILE})
    requests.get(f"{sandbox.url}/{HOSTILE}", timeout=10)
    sandbox.force_outcome(ORDER_ID, "refused", reason=HOSTILE)
    sandbox.faults.inject("orders.edit", "other_value", field=HOSTILE, value=HOSTILE)
    expect(rows(page, "requests")).to_have_count(3)
    for number in ("1", "2", "3"):
        page.get_by_role("button", name=number, exact=True).click()
    expect(page.locator("tr.details")).to_have_count(3)
    expect(page.locator("#waiting-rows")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page.locator("#requests-rows")).to_contain_text("<script>alert(2)</script>")
    form = open_form(page, "deposit")
    fill(form, "deposit", {"account": HOSTILE, "usdc": HOSTILE}, "")
    form.get_by_role("button", name="Run").click()
    expect(form.locator("output.failed")).to_contain_text("onerror")
    assert page.locator("main img, main script, aside img, aside script").count() == 0


# -- for everyone -----------------------------------------------------------------------------------

SIZES = {"wide": {"width": 1440, "height": 900}, "narrow": {"width": 390, "height": 844}}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(chromium: Any, sandbox: Sandbox, scheme: str, size: str) -> None:
    axe = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
    options = {"color_scheme": scheme, "viewport": SIZES[size], "reduced_motion": "reduce"}
    with tab(chromium, sandbox.url, **options) as page:
        page.evaluate(f"() => {{ {axe} }}")
        assert violations(page) == []
        busy(sandbox)
        expect(rows(page, "requests")).to_have_count(6)
        page.get_by_role("button", name="5", exact=True).click()
        for name in ("create_account", "faults.inject"):
            form = open_form(page, name)
            fill(form, name, {"kind": "status"} if name == "faults.inject" else {}, "")
            assert violations(page) == []
        form = open_form(page, "create_account")
        form.get_by_role("button", name="Run").click()
        form.get_by_role("button", name="Show the private key").click()
        assert violations(page) == []


def violations(page: Any) -> list[str]:
    found = page.evaluate("() => axe.run()")
    assert len(found["passes"]) > 20
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]


@pytest.mark.parametrize("width", [320, 390, 760, 1024, 1180, 1440, 2200])
def test_nothing_is_wider_than_the_window(chromium: Any, sandbox: Sandbox, width: int) -> None:
    busy(sandbox)
    with tab(chromium, sandbox.url, viewport={"width": width, "height": 800}) as page:
        open_form(page, "set_mark_price")
        assert page.evaluate("() => document.documentElement.scrollWidth") == width


def test_the_keyboard_alone_does_everything(page: Any, sandbox: Sandbox) -> None:
    user = RawClient.of(sandbox)
    user.create()
    expect(rows(page, "requests")).to_have_count(1)

    def tab_to(reached: Callable[[], bool]) -> None:
        for _ in range(120):
            page.keyboard.press("Tab")
            if reached():
                return
        raise AssertionError("the keyboard does not get there")

    def focused(script: str) -> Callable[[], bool]:
        asked = f"() => {{ const on = document.activeElement; return {script}; }}"
        return lambda: page.evaluate(asked)

    page.keyboard.press("Tab")  # to the link that skips to the controls
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.activeElement.id") == "controls"
    page.reload()
    live(page)
    tab_to(focused('on.name === "market"'))
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="ETH")).to_be_checked()
    tab_to(focused('on.getAttribute("aria-expanded") === "false"'))
    page.keyboard.press("Enter")
    expect(page.locator("tr.details")).to_have_count(1)
    tab_to(focused('on.tagName === "SUMMARY" && on.textContent.startsWith("set_mark_price")'))
    page.keyboard.press("Enter")
    tab_to(focused('on.id === "set_mark_price-symbol"'))
    page.keyboard.press("E")
    tab_to(focused('on.id === "set_mark_price-price"'))
    page.keyboard.type("4321")
    page.keyboard.press("Enter")
    expect(page.locator("#figures")).to_contain_text("4,321.0 (set by hand)")
    assert sandbox.market("ETH").mark_price == 4321


def test_live_regions_do_not_chatter(page: Any, sandbox: Sandbox) -> None:
    page.evaluate("""() => {
        window.told = [];
        const tell = (changes) => window.told.push(...changes.map((each) => each.target.textContent));
        const live = "[role=status], [role=alert], [role=log], [aria-live], output";
        for (const each of document.querySelectorAll(live))
            new MutationObserver(tell).observe(each, {childList: true, characterData: true, subtree: true});
    }""")
    busy(sandbox)
    expect(rows(page, "requests")).to_have_count(6)
    assert page.evaluate("() => window.told") == []


def test_who_wants_no_motion_gets_none(chromium: Any, sandbox: Sandbox) -> None:
    busy(sandbox)
    motion = "() => getComputedStyle(document.querySelector('.fresh')).animationName"
    for wish, name in (("reduce", "none"), ("no-preference", "fresh")):
        with tab(chromium, sandbox.url, reduced_motion=wish) as page:
            expect(rows(page, "requests")).to_have_count(6)
            assert page.evaluate(motion) == name
