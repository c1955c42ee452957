"""The websocket of the live dialect: what is sent, in which order, and how it ends (field note 48)."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest
import requests
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.sandbox.raw import RawClient, limit_order, market_order, row
from tests.sandbox.served import wait_until
from tests.sandbox.test_page import picture
from tests.sandbox.test_service import left_by
from trading_sandbox import Sandbox, server
from trading_sandbox.web import websocket
from trading_sandbox.web.dialects.channels import PictureChannel

OPENED = 1_750_000_000_000
CLOID = "0b7c1d3e-1c58-4f0e-9d4b-6a4f6f0c2a11"
EVERYTHING = {"all_symbols": True, "exclude_reduce_only": False}
HISTORY, CANCEL_ALL = "/api/v1/orders/history_by_id", "/api/v1/orders/cancel_all"
Frame = dict[str, Any]


class Reader:
    """A connection that takes one frame after another, and waits for each."""

    def __init__(self, url: str, host: str = "127.0.0.1", **headers: str) -> None:
        port = int(url.rpartition(":")[2])
        sock = socket.socket()
        # So small that a client that does not read is noticed soon.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.connect(("127.0.0.1", port))
        self.ws = connect(
            f"ws://{host}:{port}/ws",
            sock=sock,
            compression=None,
            additional_headers=headers,
            ping_interval=None,
        )

    def close(self) -> None:
        self.ws.close()

    def send(self, **message: Any) -> None:
        self.ws.send(json.dumps(message))

    def next(self) -> Frame:
        frame: Frame = json.loads(self.ws.recv(timeout=20))
        return frame

    def next_of(self, channel: str) -> Any:
        """The data of the next frame of a channel; others are passed over."""
        while (frame := self.next()).get("channel") != channel:
            pass
        return frame["data"]

    def subscribe(self, source: str, **params: Any) -> None:
        given = {"source": source, **params}
        self.send(method="subscribe", params=given)
        assert self.next_of("subscribe") == given

    def ask(self, **message: Any) -> Frame:
        """What a message is answered; events are passed over."""
        self.send(**message)
        while "channel" in (frame := self.next()):
            pass
        return frame

    def order(self, word: str, body: Any) -> Frame:
        return self.ask(id="1", params={word: body})

    def silent(self) -> list[Frame]:
        """What has come by the time that a ping is answered."""
        self.send(method="ping")
        frames = []
        while (frame := self.next()) != {"channel": "pong"}:
            frames.append(frame)
        return frames

    def closed(self) -> int:
        """The code with which the connection is closed."""
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                self.ws.recv(timeout=20)
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(dialect="live", maker=False, taker_delay=0, frozen_at=OPENED) as sandbox:
        yield sandbox


@pytest.fixture
def alice(sandbox: Sandbox) -> RawClient:
    return RawClient.of(sandbox)


@pytest.fixture
def bob(sandbox: Sandbox) -> RawClient:
    return RawClient.of(sandbox)


@pytest.fixture
def reader(sandbox: Sandbox) -> Iterator[Reader]:
    with closing(Reader(sandbox.url)) as reader:
        yield reader


def place(client: RawClient, **changes: Any) -> int:
    number: int = client.create(**{"tif": "GTC", **changes}).json()["order_id"]
    return number


def test_each_event_of_an_order_is_sent_as_it_was_and_the_trade_with_its_number(
    alice: RawClient, bob: RawClient, reader: Reader
) -> None:
    for source in ("account_order_updates", "account_trades"):
        reader.subscribe(source, account=alice.address)
    reader.subscribe("trades", symbol="BTC")
    reader.subscribe("bbo", symbol="BTC")
    resting = place(bob, side="ask", price="100000", amount="0.01")
    best = reader.next_of("bbo")
    assert row(best) == f"s=BTC b=0 B=0 a=100000 A=0.01 i={resting} li=1 t={OPENED}"
    taken = place(alice, side="bid", price="100500", amount="0.03")

    made, filled = reader.next_of("account_order_updates")
    whose = f"i={taken} I={made['I']} u={alice.address} s=BTC"
    of_both = "ot=limit sp=None si=None r=False"
    assert row(made) == (
        f"{whose} d=bid p=0 ip=100500 lp=None a=0.03 f=0 oe=make os=open {of_both} "
        f"ct={OPENED} ut={OPENED} li=2"
    )
    assert row(filled) == (
        f"{whose} d=bid p=100000 ip=100500 lp=100000 a=0.03 f=0.01 oe=fulfill_limit "
        f"os=partially_filled {of_both} ct={OPENED} ut={OPENED} li=3"
    )
    [own] = reader.next_of("account_trades")
    assert row(own) == (
        f"h={own['h']} {whose} p=100000 o=100000 a=0.01 te=fulfill_taker ts=open_long "
        f"tc=normal f=0.4 n=0 t={OPENED} li=3"
    )
    [public] = reader.next_of("trades")
    assert row(public) == (
        f"u={alice.address} h={own['h']} s=BTC a=0.01 p=100000 d=open_long tc=normal "
        f"t={OPENED} li=3"
    )
    # The rest of it is the best bid now.
    assert row(reader.next_of("bbo")).startswith("s=BTC b=100500 B=0.02 a=0 A=0")


def test_a_picture_comes_with_its_subscription_and_whole_after_each_change(
    alice: RawClient, bob: RawClient, reader: Reader, sandbox: Sandbox
) -> None:
    order = place(alice, side="bid", price="100000", amount="0.02")
    reader.subscribe("account_orders", account=alice.address)
    [listed] = reader.next_of("account_orders")
    assert row(listed) == (
        f"i={order} I={listed['I']} s=BTC d=bid p=100000 a=0.02 f=0 c=0 t={OPENED} st=None "
        "ot=limit sp=None ro=False"
    )
    reader.subscribe("account_positions", account=alice.address)
    assert reader.next() == {"channel": "account_positions", "data": [], "li": 1}
    reader.subscribe("book", symbol="BTC", agg_level=1000)
    level = {"p": "100000", "a": "0.02", "n": 1}
    assert reader.next_of("book") == {"s": "BTC", "l": [[level], []], "t": OPENED, "li": 1}
    reader.subscribe("account_info", account=alice.address)
    assert reader.next_of("account_info")["oc"] == 1
    reader.subscribe("candle", symbol="BTC", interval="1m")
    reader.subscribe("prices")
    assert [market["symbol"] for market in reader.next_of("prices")][:2] == ["BTC", "ETH"]

    place(bob, side="ask", price="100000", amount="0.02")
    frames: dict[str, Frame] = {}
    while len(frames) < 6:
        frame = reader.next()
        frames[frame["channel"]] = frame
    assert frames["account_orders"] == {"channel": "account_orders", "data": [], "li": 4}
    [position] = frames["account_positions"]["data"]
    assert [position[name] for name in "sdap"] == ["BTC", "bid", "0.02", "100000"]
    assert frames["book"]["data"]["l"] == [[], []]
    assert [frames["account_info"]["data"][name] for name in ("oc", "pc")] == [0, 1]
    candle = frames["candle"]["data"]
    assert [candle[name] for name in "sicvn"] == ["BTC", "1m", "100000", "0.02", 1]
    assert frames["prices"]["data"][0]["open_interest"] == "0.02"
    # Once more only where something has changed.
    sandbox.deposit(alice.address, usdc="5")
    assert reader.next_of("account_info")["b"] == "10004.7"
    channels = {frame["channel"] for frame in reader.silent()}
    assert channels <= {"prices"}


def test_a_picture_and_the_events_that_follow_it_are_all_there_is(
    alice: RawClient, reader: Reader
) -> None:
    """Whenever a reader comes: no event that follows is older than the picture, and none is missing."""

    def trade() -> None:
        for number in range(60):
            placed = place(alice)
            if number % 3:
                cancel = {"symbol": "BTC", "order_id": placed - number % 2}
                alice.batch(alice.action("Cancel", cancel))

    reader.subscribe("account_order_updates", account=alice.address)
    with ThreadPoolExecutor() as threads:
        trading = threads.submit(trade)
        reader.next_of("account_order_updates")
        params = {"source": "account_orders", "account": alice.address}
        reader.send(method="subscribe", params=params)
        while (frame := reader.next())["channel"] != "account_orders":
            pass
        reader.send(method="unsubscribe", params=params)
        trading.result()
    alive, latest = {order["i"] for order in frame["data"]}, frame["li"]
    for told in reader.silent():
        if told["channel"] == "account_order_updates":
            for event in told["data"]:
                assert event["li"] > latest
                latest = event["li"]
                alive = alive | {event["i"]} if event["os"] == "open" else alive - {event["i"]}
    listed = alice.get("/api/v1/orders", account=alice.address).json()
    assert alive == {order["order_id"] for order in listed["data"]}
    assert latest == listed["last_order_id"]


def test_money_and_settings_are_told_as_they_change(
    alice: RawClient, reader: Reader, sandbox: Sandbox
) -> None:
    for source in ("account_transfers", "account_leverage", "account_margin"):
        reader.subscribe(source, account=alice.address)
    sandbox.deposit(alice.address, usdc="5")
    sandbox.set_margin(alice.address, "ETH", isolated=True, leverage=12)
    whose = {"u": alice.address, "t": OPENED}
    assert reader.next_of("account_transfers") == {**whose, "e": "deposit", "a": "USDC", "am": "5"}
    assert reader.next_of("account_leverage") == {**whose, "s": "ETH", "l": "12"}
    assert reader.next_of("account_margin") == {**whose, "s": "ETH", "i": True}
    body = alice.body("update_leverage", {"symbol": "ETH", "leverage": 11})
    assert alice.post("/api/v1/account/leverage", body).status_code == 200
    assert reader.next() == {
        "channel": "account_leverage",
        "data": {**whose, "s": "ETH", "l": "11"},
    }
    assert reader.silent() == []


def test_a_topic_that_is_unsubscribed_is_silent(alice: RawClient, reader: Reader) -> None:
    params = {"source": "account_order_updates", "account": alice.address}
    for _ in range(2):
        reader.subscribe(**params)
    place(alice)
    assert len(reader.next_of("account_order_updates")) == 1
    reader.send(method="unsubscribe", params=params)
    assert reader.next() == {"channel": "unsubscribe", "data": params}
    place(alice)
    assert reader.silent() == []


def test_a_past_that_is_added_has_not_happened(
    alice: RawClient, reader: Reader, sandbox: Sandbox
) -> None:
    reader.subscribe("account_order_updates", account=alice.address)
    reader.subscribe("account_trades", account=alice.address)
    sandbox.add_history(alice.address, "BTC", 1)
    assert reader.silent() == []


def test_prints_of_the_tape_are_sent_between_the_trades_and_are_in_the_candle() -> None:
    with Sandbox(dialect="live", taker_delay=0, frozen_at=OPENED) as sandbox:
        alice = RawClient.of(sandbox)
        with closing(Reader(sandbox.url)) as reader:
            place(alice, price="99999", side="bid")
            reader.subscribe("trades", symbol="BTC")
            reader.subscribe("candle", symbol="BTC", interval="1m")
            sandbox.advance(600_000)
            frames = reader.silent()
        asked = requests.get(f"{sandbox.url}/api/v1/trades?symbol=BTC&limit=32", timeout=10)
        *listed, before = asked.json()["data"]
        minutes = f"symbol=BTC&interval=1m&start_time={OPENED}"
        asked = requests.get(f"{sandbox.url}/api/v1/kline?{minutes}", timeout=10)
        *_, candle = asked.json()["data"]

    sent = [event for f in frames if f["channel"] == "trades" for event in f["data"]]
    # One print every 20 s, none from before the subscription, and the order that was filled.
    assert len(sent) == 31 and before["created_at"] == OPENED
    assert [(e["p"], e["a"], e["d"], e["tc"], e["t"]) for e in sent] == [
        (e["price"], e["amount"], e["side"], e["cause"], e["created_at"]) for e in reversed(listed)
    ]
    assert [event["li"] for event in sent] == sorted(event["li"] for event in sent)
    assert len({event["h"] for event in sent}) == len({event["u"] for event in sent}) == 31
    assert [f["data"] for f in frames if f["channel"] == "candle"][-1] == candle


def test_a_connection_ends_after_a_day_of_market_time() -> None:
    with ExitStack() as opened:
        sandbox = opened.enter_context(Sandbox(dialect="live", frozen_at=OPENED))
        early = opened.enter_context(closing(Reader(sandbox.url)))
        early.subscribe("prices")
        sandbox.advance(86_399_999)
        late = opened.enter_context(closing(Reader(sandbox.url)))
        late.subscribe("prices")
        early.subscribe("bbo", symbol="BTC")
        sandbox.advance(1)
        with pytest.raises(ConnectionClosed) as ended:
            while early.next():
                pass
        late.subscribe("bbo", symbol="BTC")
    assert ended.value.rcvd is not None and ended.value.rcvd.code == 1000


@pytest.mark.parametrize(
    ("method", "params", "words"),
    [
        (None, {"create": {}}, "method: must be ping, subscribe or unsubscribe"),
        ("subscribe", {"source": "all"}, "source: must be one of "),
        ("subscribe", {"source": "bbo"}, "symbol: must be one of BTC, "),
        ("subscribe", {"source": "bbo", "symbol": []}, "symbol: must "),
        (
            "subscribe",
            {"source": "book", "symbol": "BTC", "agg_level": 2},
            "agg_level: must be one",
        ),
        ("subscribe", {"source": "candle", "symbol": "BTC", "interval": "2m"}, "interval: must be"),
        ("unsubscribe", {"source": "account_info", "account": "0"}, "Invalid public key: "),
        ("subscribe", {"source": "account_info"}, "account: must be an address"),
    ],
)
def test_a_message_that_cannot_be_read_is_refused(
    reader: Reader, method: str | None, params: Frame, words: str
) -> None:
    reader.ws.send("{")
    assert reader.next()["err"].startswith("The body is not JSON: ")
    reader.send(method=method, params=params)
    refused = reader.next()
    assert refused["code"] == 400
    assert refused["err"].startswith(words)
    assert refused.keys() == {"code", "err", "t"}
    assert reader.silent() == []
    assert reader.ask(id="7", params={"actions": []})["id"] == "7"


def test_a_channel_has_at_most_twenty_subscriptions_of_a_connection(
    reader: Reader, sandbox: Sandbox
) -> None:
    accounts = [sandbox.create_account().address for _ in range(21)]
    for account in accounts[:20]:
        reader.subscribe("account_trades", account=account)
    params = {"source": "account_trades", "account": accounts[20]}
    assert "at most 20" in reader.ask(method="subscribe", params=params)["err"]
    reader.subscribe("account_info", account=accounts[20])
    reader.subscribe("account_trades", account=accounts[0])


def test_pings_of_the_protocol_are_answered(reader: Reader) -> None:
    assert reader.ws.ping().wait(20)


def test_what_was_sent_outlives_a_kill_and_the_numbers_go_on(tmp_path: Path) -> None:
    with Sandbox(dialect="live", state=tmp_path / "state", taker_delay=0) as sandbox:
        alice = RawClient.of(sandbox)
        with closing(Reader(sandbox.url)) as reader:
            reader.subscribe("account_order_updates", account=alice.address)
            first, _ = place(alice), place(alice)
            alice.post(CANCEL_ALL, alice.body("cancel_all_orders", EVERYTHING))
            frames = [reader.next_of("account_order_updates") for _ in range(3)]
            sent = {event["li"]: (event["i"], event["oe"]) for data in frames for event in data}
        left = left_by(tmp_path)
    with Sandbox(dialect="live", state=left) as again:
        alice.url = again.url
        for number in (first, first + 1):
            stored = alice.get(HISTORY, order_id=number).json()["data"]
            assert {each["history_id"]: (number, each["event_type"]) for each in stored} == {
                li: event for li, event in sent.items() if event[0] == number
            }
        [made] = alice.get(HISTORY, order_id=place(alice)).json()["data"]
        assert made["history_id"] > max(sent)


def test_a_picture_that_could_not_be_drawn_is_drawn_with_the_next_change(
    alice: RawClient,
    reader: Reader,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    reader.subscribe("account_orders", account=alice.address)
    assert reader.next_of("account_orders") == []
    with monkeypatch.context() as full_disk:
        full_disk.setattr(PictureChannel, "drawn", lambda *_: 1 // 0)
        place(alice)
        wait_until(lambda: "A picture could not be drawn" in caplog.text)
    place(alice)
    assert len(reader.next_of("account_orders")) == 2


# -- orders ----------------------------------------------------------------------------------------


def test_orders_are_placed_edited_and_cancelled(alice: RawClient, reader: Reader) -> None:
    def order(word: str, **data: Any) -> Frame:
        told = reader.order(word, alice.body(word, data))
        assert (told.pop("id"), told.pop("type"), told.pop("code")) == ("1", word, 200)
        assert told.pop("t") == OPENED
        return told

    placed = order("create_order", **limit_order(client_order_id=CLOID))["data"]
    assert placed == {"I": CLOID, "i": placed["i"], "s": "BTC"}
    change = {"symbol": "BTC", "price": "50001", "amount": "0.002"}
    edited = order("edit_order", **change, order_id=placed["i"])["data"]
    assert edited == {"I": None, "i": placed["i"] + 1, "s": "BTC"}
    cancelled = order("cancel_order", symbol="BTC", client_order_id=CLOID)["data"]
    assert cancelled == {"I": CLOID, "i": None, "s": "BTC"}
    second = order("create_market_order", **market_order())["data"]
    assert second == {"I": None, "i": placed["i"] + 2, "s": "BTC"}
    order("create_order", **limit_order())
    assert order("cancel_all_orders", **EVERYTHING) == {"data": {"cancelled_count": 1}}
    assert [each["order_status"] for each in alice.orders()] == ["cancelled"] * 4


def test_a_batch_tells_the_result_of_each_action(alice: RawClient, reader: Reader) -> None:
    actions = [
        alice.action("Create", limit_order(client_order_id=CLOID)),
        alice.action("Cancel", {"symbol": "BTC", "order_id": 1}),
    ]
    told = reader.order("batch_orders", {"actions": actions})
    placed, refused = told["data"]["results"]
    named = {"symbol": "BTC", "client_order_id": CLOID}
    assert placed == {"success": True, "error": None, "order_id": placed["order_id"], **named}
    assert refused == {"success": False, "error": "Order not found for BTC: 1", "symbol": "BTC"}


def test_what_is_refused_has_the_code_of_its_cause(
    alice: RawClient, bob: RawClient, reader: Reader, sandbox: Sandbox
) -> None:
    def refused(word: str, body: Any) -> tuple[int, str]:
        told = reader.order(word, body)
        assert (told["id"], told["type"]) == ("1", word)
        return told["code"], told["err"]

    good = alice.body("create_order", limit_order())
    assert refused("create_order", {**good, "price": "50001"}) == (
        401,
        "Verification failed: signature does not match signer and canonical payload.",
    )
    stranger = RawClient(alice.url)
    stranger.account = alice.address
    assert refused("create_order", stranger.body("create_order", limit_order())) == (
        402,
        "Agent not authorized for account",
    )
    assert refused("create_order", {})[0] == 400
    placed = alice.create().json()["order_id"]
    cancel = {"symbol": "BTC", "order_id": placed}
    assert reader.order("cancel_order", alice.body("cancel_order", cancel))["code"] == 200
    gone = refused("cancel_order", alice.body("cancel_order", cancel))
    assert gone == (420, "Failed to cancel order")
    assert refused("create_order", alice.body("create_order", limit_order(price="0.1")))[0] == 500
    last = sandbox.requests[-1]
    assert (last.operation, last.path, last.status) == ("orders.create", "/ws", 500)


def test_the_budget_is_that_of_http_and_told_with_an_api_key(
    alice: RawClient, sandbox: Sandbox
) -> None:
    key = alice.data("api_keys.create")["api_key"]
    sandbox.set_rate_limit("125", with_key="300")
    cancel = alice.body("cancel_all_orders", EVERYTHING)
    with closing(Reader(sandbox.url, **{"PF-API-KEY": key})) as reader:
        reader.subscribe("prices")
        left = reader.order("cancel_all_orders", cancel)["rl"]
        assert (left["r"], left["q"]) == (2995, 3000)
        alice.headers["PF-API-KEY"] = key
        assert alice.create().headers["ratelimit"].startswith('"credits";r=2985;')
        sandbox.set_rate_limit("0.5")
        assert reader.order("cancel_all_orders", cancel)["rl"]["r"] == 0
        refused = reader.order("cancel_all_orders", cancel)
        assert (refused["code"], refused["rl"]["r"]) == (429, 0)
    with closing(Reader(sandbox.url)) as reader:
        assert "rl" not in reader.order("cancel_all_orders", cancel)


def test_a_cancel_does_not_wait_behind_the_delay_of_a_taker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "STOP_TIMEOUT", 0.01)
    with Sandbox(dialect="live", maker=False, taker_delay=60) as sandbox:
        alice = RawClient.of(sandbox)
        with closing(Reader(sandbox.url)) as reader:
            market = alice.body("create_market_order", market_order())
            reader.send(id="slow", params={"create_market_order": market})
            told = reader.order("cancel_all_orders", alice.body("cancel_all_orders", EVERYTHING))
            assert (told["id"], told["data"]) == ("1", {"cancelled_count": 0})


# -- faults ----------------------------------------------------------------------------------------


def test_an_event_is_lost_late_or_comes_twice(
    alice: RawClient, reader: Reader, sandbox: Sandbox
) -> None:
    reader.subscribe("account_order_updates", account=alice.address)
    faults: list[tuple[str, dict[str, Any]]] = [
        ("frame_lost", {}),
        ("frame_late", {"seconds": 60}),
        ("frame_late", {"seconds": 0.01}),
        ("frame_twice", {}),
    ]
    for kind, options in faults:
        sandbox.faults.inject("account_order_updates", kind, **options)
    _, _, late, twice, last = (place(alice) for _ in range(5))
    seen = [reader.next_of("account_order_updates")[0]["i"] for _ in range(4)]
    assert sorted(seen) == [late, twice, twice, last]
    assert sandbox.faults.pending() == []


@pytest.mark.parametrize(
    ("kind", "code"), [("half_frame", 1006), ("cut_off", 1006), ("try_again_later", 1013)]
)
def test_a_connection_ends_instead_of_an_event_and_the_next_one_is_good(
    alice: RawClient, sandbox: Sandbox, kind: str, code: int
) -> None:
    sandbox.faults.inject("account_order_updates", kind)
    params = {"source": "account_order_updates", "account": alice.address}
    reader = Reader(sandbox.url)
    reader.subscribe(**params)
    place(alice)
    with pytest.raises(ConnectionClosed) as closed:
        reader.ws.recv(timeout=20)
    assert (1006 if closed.value.rcvd is None else closed.value.rcvd.code) == code
    with closing(Reader(sandbox.url)) as again:
        again.subscribe(**params)
        number = place(alice)
        assert again.next_of("account_order_updates")[0]["i"] == number


@pytest.mark.parametrize("kind", ["frame_lost", "cut_off", "try_again_later"])
@pytest.mark.parametrize("executed", [True, False])
def test_an_order_without_an_answer_was_executed_or_not(
    alice: RawClient, sandbox: Sandbox, kind: str, executed: bool
) -> None:
    sandbox.faults.inject("orders.create", kind, executed=executed)
    reader = Reader(sandbox.url)
    body = alice.body("create_order", limit_order())
    reader.send(id="1", params={"create_order": body})
    if kind == "frame_lost":
        assert reader.silent() == []
        again = reader.order("create_order", alice.body("create_order", limit_order()))
        assert again["code"] == 200
    else:
        with pytest.raises(ConnectionClosed):
            reader.ws.recv(timeout=20)
    assert len(alice.orders()) == int(executed) + (kind == "frame_lost")
    logged = [each.fault for each in sandbox.requests if each.path == "/ws"]
    assert (kind in logged) is executed


def test_a_fault_of_frames_has_a_place_of_the_websocket(sandbox: Sandbox) -> None:
    with pytest.raises(ValueError, match=r"there is no channel 'account_trade' .did you mean acco"):
        sandbox.faults.inject("account_trade", "frame_lost")
    with pytest.raises(ValueError, match="there is no operation 'bbo'"):
        sandbox.faults.inject("bbo", "reset")
    sandbox.faults.inject("*", "frame_lost")
    with Sandbox() as documented, pytest.raises(ValueError, match="which the live dialect has"):
        documented.faults.inject("*", "frame_lost")


def test_a_fault_of_frames_does_not_meet_a_request(alice: RawClient, sandbox: Sandbox) -> None:
    sandbox.faults.inject("orders.create", "cut_off")
    assert alice.create().status_code == 200
    assert len(sandbox.faults.pending()) == 1


# -- on the page -----------------------------------------------------------------------------------


def test_the_page_shows_who_is_connected_and_the_frames_as_they_go_out(
    alice: RawClient, reader: Reader, sandbox: Sandbox
) -> None:
    with closing(Reader(sandbox.url)) as other:
        for each in (reader, other):
            each.subscribe("account_order_updates", account=alice.address)
        number = place(alice)
        told = [each.next_of("account_order_updates") for each in (reader, other)]
        shown = picture(sandbox.url)["websocket"]
    assert (shown["connected"], shown["count"]) == (2, 3)
    assert shown["connections"] == [[f"account_order_updates {alice.address}"]] * 2
    latest = shown["latest"][0]
    assert (latest["number"], latest["to"], told[0][0]["i"]) == (3, 2, number)
    assert json.loads(latest["frame"]) == {"channel": "account_order_updates", "data": told[0]}


# -- how it ends -----------------------------------------------------------------------------------


def test_another_exchange_and_the_end_close_every_connection() -> None:
    with Sandbox(dialect="live") as sandbox:
        before = Reader(sandbox.url)
        sandbox.reset()
        assert before.closed() == 1012
        snapshot, before = sandbox.snapshot(), Reader(sandbox.url)
        sandbox.restore(snapshot)
        assert before.closed() == 1012
        last = Reader(sandbox.url)
        last.subscribe("prices")
    assert last.closed() == 1012


def test_a_connection_without_a_message_is_closed(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "IDLE", 0.05)
    reader = Reader(sandbox.url)
    assert reader.closed() == 1000


def test_a_client_that_does_not_read_is_cut_off(
    sandbox: Sandbox, alice: RawClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "MOST_UNREAD", 1000)
    reader = Reader(sandbox.url)
    with pytest.raises(ConnectionClosed):
        while True:
            reader.send(id="0" * 100_000, params={"actions": []})
    # The others go on.
    with closing(Reader(sandbox.url)) as other:
        other.subscribe("prices")


def test_a_connection_too_many_and_a_foreign_host_are_refused(
    sandbox: Sandbox, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reader.silent() == []
    monkeypatch.setattr(websocket, "MOST_CONNECTIONS", 1)
    with pytest.raises(InvalidStatus, match="403"):
        Reader(sandbox.url)
    monkeypatch.undo()
    with pytest.raises(InvalidStatus, match="403"):
        Reader(sandbox.url, host="example.org")


def test_the_documented_dialect_has_no_websocket() -> None:
    with Sandbox() as sandbox, pytest.raises(InvalidStatus, match="404"):
        Reader(sandbox.url)
