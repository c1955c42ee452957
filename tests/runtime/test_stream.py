"""A stream: what it yields, what it drops, and what it says of gaps."""

from __future__ import annotations

import logging
import ssl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from threading import Thread
from typing import Any

import pytest
import requests
from attrs import frozen

from tests.doubles.server import Server, answer, answers
from tests.doubles.signer import KEY
from tests.doubles.transport import ScriptedTransport
from tests.doubles.websocket import WAIT, WebsocketService, frame, websocket_service
from trading_runtime import NotSentError, OpenEnum, RequestError, stream as module
from trading_runtime.stream import (
    Disconnected,
    Lagging,
    Reconnected,
    Stream,
    StreamEvent,
    StreamRecord,
    Subscription,
    SubscriptionRefused,
    Unreadable,
)
from trading_sdk import Client


class Side(OpenEnum):
    BID = "bid"


class Level(StreamRecord, frozen=True, kw_only=True, rename={"price": "p"}):
    price: Decimal


class BookSeen(StreamEvent, frozen=True, kw_only=True, rename={"symbol": "s", "sides": "l"}):
    symbol: str
    sides: tuple[tuple[Level, ...], tuple[Level, ...]]


class Fill(StreamRecord, frozen=True, kw_only=True, rename={"amount": "a", "side": "d"}):
    amount: Decimal
    side: Side | None = None


class FillsSeen(StreamEvent, frozen=True, kw_only=True):
    fills: tuple[Fill, ...]
    number: int | None = None


@frozen(kw_only=True)
class Book(Subscription):
    channel = "book"
    event = BookSeen
    is_picture = True
    keys = ("symbol",)
    choices = (("width", (1, 10)),)

    symbol: str
    width: int = 1


@frozen(kw_only=True)
class Fills(Subscription):
    channel = "fills"
    event = FillsSeen
    items = "fills"

    account: str | None = None


def book(symbol: str, price: str = "1") -> str:
    return frame("book", {"s": symbol, "l": [[{"p": price}], []], "more": 1})


def fills(amount: object, **beside: Any) -> str:
    return frame("fills", [{"a": amount, "d": "bid"}], **beside)


@contextmanager
def streaming(service: WebsocketService, max_queue: int = 100, **options: Any) -> Iterator[Stream]:
    url = f"http://127.0.0.1:{service.port}"
    with (
        Client(url, signer=KEY, **options) as client,
        Stream(client._caller, (Book, Fills), max_queue=max_queue) as stream,
    ):
        yield stream


@pytest.fixture
def service() -> Iterator[WebsocketService]:
    with websocket_service() as service:
        yield service


@pytest.fixture(autouse=True)
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FIRST_PAUSE", 0.001)


def taken(stream: Stream) -> StreamEvent:
    event = stream.next(timeout=WAIT)
    assert event is not None
    return event


# -- what it yields ------------------------------------------------------------------------------


def test_events_are_typed_and_exact_and_the_unknown_survives(service: WebsocketService) -> None:
    with streaming(service) as stream:
        stream.subscribe(Book(symbol="BTC"), Fills(), Fills())
        socket = service.connection()
        assert [service.message(), service.message()] == [
            {"method": "subscribe", "params": {"source": "book", "symbol": "BTC", "width": 1}},
            {"method": "subscribe", "params": {"source": "fills", "account": KEY.address}},
        ]
        for text in (
            frame("subscribe", {"source": "book"}),
            '{"channel": "pong"}',
            frame("news", {}),
            book("BTC", "0.100000000000000000000001"),
            frame("fills", [{"a": "2", "d": "both"}], li=7),
        ):
            socket.send(text)
        level = Level(price=Decimal("0.100000000000000000000001"))
        assert taken(stream) == BookSeen(symbol="BTC", sides=((level,), ()))
        seen = taken(stream)
        assert isinstance(seen, FillsSeen)
        assert (seen.number, seen.fills[0].amount) == (7, Decimal(2))
        assert seen.fills[0].side == "both"
        assert stream.next(timeout=0) is None


@pytest.mark.parametrize(
    ("text", "channel", "why"),
    [
        ("{", "", "truncated"),
        (frame("fills", [{"a": "NaN"}]), "fills", "'NaN' is not a decimal @ $.data[0].a"),
        (fills(True), "fills", "Expected decimal, got bool @ $.data[0].a"),
        (frame("fills", {}), "fills", "Expected array, got object @ $.data"),
        (frame("book", {"s": "BTC"}), "book", "missing required field l @ $.data"),
    ],
)
def test_a_frame_that_cannot_be_read_is_an_event_and_ends_nothing(
    text: str, channel: str, why: str, service: WebsocketService
) -> None:
    with streaming(service) as stream:
        socket = service.connection()
        socket.send(text)
        socket.send(fills("1"))
        unreadable = taken(stream)
        assert isinstance(unreadable, Unreadable)
        assert unreadable.channel == channel
        assert why in unreadable.reason
        assert isinstance(taken(stream), FillsSeen)


def test_a_refusal_is_an_event(service: WebsocketService) -> None:
    with streaming(service) as stream:
        socket = service.connection()
        socket.send('{"code": 400, "err": "symbol: must be one of BTC"}')
        socket.send('{"code": 429}')
        assert taken(stream) == SubscriptionRefused(code=400, error="symbol: must be one of BTC")
        assert taken(stream) == SubscriptionRefused(code=429, error="")


# -- connections -----------------------------------------------------------------------------------


def test_a_gap_is_told_and_all_is_subscribed_to_again(service: WebsocketService) -> None:
    with streaming(service) as stream:
        stream.subscribe(Book(symbol="BTC"), Fills())
        socket = service.connection()
        asked = [service.message(), service.message()]
        stream.unsubscribe(Fills())
        assert service.message()["method"] == "unsubscribe"
        socket.send(fills("1"))
        assert isinstance(taken(stream), FillsSeen)
        socket.close(1012)
        ended, again = taken(stream), taken(stream)
        assert ended == Disconnected(reason="closed by the service, code 1012")
        assert isinstance(again, Reconnected)
        assert again.missed_since > 1_700_000_000_000
        assert service.message() == asked[0]
        service.connection().send(book("BTC"))
        assert isinstance(taken(stream), BookSeen)


def test_it_tries_again_until_there_is_a_service(caplog: pytest.LogCaptureFixture) -> None:
    with websocket_service() as first:
        context = streaming(first)
        stream = context.__enter__()
        connection = first.connection()
    connection.close(1012)
    assert isinstance(taken(stream), Disconnected)
    while not [each for each in caplog.messages if "cannot connect to the stream" in each]:
        assert stream.next(timeout=0.01) is None
    # What is asked for meanwhile is sent later.
    stream.subscribe(Book(symbol="BTC"))
    with websocket_service(port=first.port) as second:
        assert isinstance(taken(stream), Reconnected)
        assert second.message()["params"]["source"] == "book"
        context.__exit__(None, None, None)


def test_closing_ends_a_connection_that_is_being_made(
    service: WebsocketService, monkeypatch: pytest.MonkeyPatch
) -> None:
    with streaming(service) as stream:
        connect = stream._connect

        def closed_meanwhile() -> None:
            stream._queue.close()
            connect()

        monkeypatch.setattr(stream, "_connect", closed_meanwhile)
        first = service.connection()
        first.close()
        second = service.connection()
        assert isinstance(taken(stream), Disconnected)
        assert {service.ended.get(timeout=WAIT) for _ in range(2)} == {first, second}


def test_closing_ends_the_waiting_for_a_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_FIRST_PAUSE", 1e6)
    with websocket_service() as service, streaming(service) as stream:
        service.connection().close()
        assert isinstance(taken(stream), Disconnected)
        thread = stream._thread
        stream.close()
        assert thread is not None and not thread.is_alive()


def test_a_silent_connection_is_pinged_and_an_old_one_made_anew(
    service: WebsocketService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PING_S", 0.01)
    with streaming(service) as stream:
        service.connection()
        assert service.message() == {"method": "ping"}
        monkeypatch.setattr(module, "LONGEST_S", 0)
        assert taken(stream) == Disconnected(reason="it was open for 23 hours")
        monkeypatch.setattr(module, "LONGEST_S", 1_000)
        service.connection()


def test_a_cut_connection_is_an_end_like_any_other(service: WebsocketService) -> None:
    with streaming(service) as stream:
        service.connection().socket.shutdown(2)
        ended = taken(stream)
        assert isinstance(ended, Disconnected)
        assert ended.reason == "ConnectionClosedError"
        assert isinstance(taken(stream), Reconnected)


def test_iterating_ends_when_another_thread_closes_it(service: WebsocketService) -> None:
    with streaming(service) as stream:
        service.connection().send(fills("1"))
        seen = []
        for event in stream:
            seen.append(event)
            Thread(target=stream.close).start()
        assert len(seen) == 1
        with pytest.raises(RequestError, match="the stream is closed"):
            stream.subscribe(Book(symbol="BTC"))
    stream.close()
    with pytest.raises(RequestError, match="a stream is used once"):
        stream.__enter__()


def test_it_goes_by_the_tls_the_key_and_the_session_of_the_client_and_logs_no_secret(
    context: ssl.SSLContext, ca_file: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with websocket_service(context) as service, requests.Session() as session:
        url = f"https://127.0.0.1:{service.port}"
        with Client(url, signer=KEY, api_key="canary", session=session) as client:
            stream = Stream(client._caller, (Book,))
            with pytest.raises(NotSentError, match="CERTIFICATE_VERIFY_FAILED"):
                stream.__enter__()
            stream.close()
            session.verify, session.trust_env = ca_file, False
            with Stream(client._caller, (Book,), f"wss://127.0.0.1:{service.port}/ws") as stream:
                stream.subscribe(Book(symbol="BTC"))
                service.connection().send(book("BTC"))
                assert isinstance(taken(stream), BookSeen)
    assert service.headers[0]["PF-API-KEY"] == "canary"
    assert "canary" not in caplog.text


def test_a_client_certificate_is_shown(
    context: ssl.SSLContext, ca_file: str, certificate: str
) -> None:
    context.load_verify_locations(ca_file)
    context.verify_mode = ssl.CERT_REQUIRED
    with websocket_service(context) as service, requests.Session() as session:
        session.verify, session.cert, session.trust_env = ca_file, certificate, False
        url = f"https://127.0.0.1:{service.port}"
        with Client(url, signer=KEY, session=session) as client, Stream(client._caller, (Book,)):
            service.connection()


def test_it_works_with_a_transport_of_the_programs_own(service: WebsocketService) -> None:
    with streaming(service, transport=ScriptedTransport()) as stream:
        service.connection().send(fills("1"))
        assert isinstance(taken(stream), FillsSeen)


# -- mistakes --------------------------------------------------------------------------------------


def test_a_mistake_is_told_with_what_would_be_right(service: WebsocketService) -> None:
    given: Any = "book"
    with streaming(service) as stream:
        with pytest.raises(TypeError, match=r"takes objects like Book\(symbol='BTC'\), not 'book'"):
            stream.subscribe(given)
        with pytest.raises(RequestError, match=r"Book.width must be one of 1, 10, not 5"):
            stream.subscribe(Book(symbol="BTC", width=5))
        stream.subscribe(Book(symbol="BTC"), Book(symbol="ETH", width=10))
        with pytest.raises(RequestError, match=r"no event tells Book\(symbol='BTC', width=10\)"):
            stream.subscribe(Book(symbol="BTC", width=10))
        with pytest.raises(RequestError, match=r"Fills\(.*\) is not subscribed to"):
            stream.unsubscribe(Fills())
    with Client(f"http://127.0.0.1:{service.port}") as client:
        missing = pytest.raises(RequestError, match=r"Fills.account is missing: give it, or give")
        with Stream(client._caller, (Fills,)) as stream, missing:
            stream.subscribe(Fills())
        with pytest.raises(RequestError, match="max_queue must be at least 1"):
            Stream(client._caller, (Fills,), max_queue=0)
        for url in ("http://127.0.0.1/ws", 7):
            with pytest.raises(RequestError, match="begins with wss://"):
                Stream(client._caller, (Fills,), url)  # type: ignore[arg-type]
        with pytest.raises(RequestError, match="would show your requests to the network"):
            Stream(client._caller, (Fills,), "ws://exchange.example/ws")


def test_what_is_no_websocket_is_told_with_its_status() -> None:
    refusing = Server(answers(answer(b"no", status="404 Not Found")))
    with refusing as server, Client(server.url, signer=KEY) as client:
        stream = Stream(client._caller, (Book,))
        with pytest.raises(NotSentError, match="InvalidStatus, the status 404") as caught:
            stream.__enter__()
    assert caught.value.__context__ is None


def test_without_its_extra_it_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "websockets.sync.client", None)
    with Client("http://127.0.0.1:9", signer=KEY) as client:
        stream = Stream(client._caller, (Book,))
        with pytest.raises(RequestError, match=r"pip install 'trading-service-sdk\[streams\]'"):
            stream.__enter__()


# -- the queue -----------------------------------------------------------------------------------

CUT, AGAIN = Disconnected(reason="cut"), Reconnected(missed_since=1)
BTC = ("book", "BTC")


def picture(symbol: str) -> BookSeen:
    return BookSeen(symbol=symbol, sides=((), ()))


def waiting(queue: module._Queue) -> list[StreamEvent]:
    """What the queue hands out."""
    return list(iter(lambda: queue.get(0), None))


def came(*frames: str, most: int = 9) -> list[StreamEvent]:
    """The events of frames that came before the program asked for one."""
    with Client("http://127.0.0.1:9", signer=KEY) as client:
        stream = Stream(client._caller, (Book, Fills), max_queue=most)
        for text in frames:
            stream._take(text.encode())
        return waiting(stream._queue)


def test_of_pictures_the_newest_waits_and_of_events_all() -> None:
    events = came(book("BTC", "1"), fills("1"), book("ETH"), book("BTC", "2"), fills("2"))
    assert events[::2] == [*came(book("BTC", "2")), *came(book("ETH"))]
    assert events[1::2] == came(fills("1"), fills("2"))


def test_a_program_that_is_too_slow_is_told_what_it_missed_and_of_every_gap() -> None:
    events = came(book("BTC"), *(fills(number) for number in "1234"), most=2)
    assert events == [Lagging(dropped=3), *came(book("BTC"), fills("4"))]
    queue = module._Queue(1)
    for event in (FillsSeen(fills=()), CUT, AGAIN, FillsSeen(fills=())):
        queue.put(event)
    assert waiting(queue) == [Lagging(dropped=2), CUT, AGAIN]


def test_no_picture_of_a_new_connection_stands_before_the_end_of_the_old_one() -> None:
    queue, old, new = module._Queue(9), *map(picture, ("old", "new"))
    for event, key in ((old, BTC), (CUT, None), (AGAIN, None), (new, BTC)):
        queue.put(event, key)
    assert waiting(queue) == [CUT, AGAIN, new]
