"""A stream of events over a websocket, for programs without asyncio.

One thread reads, and never waits for the program: what happens is queued, of pictures only the newest is kept, and a
program that is too slow gets a `Lagging` in place of what it missed. A connection that ends is made again, with all
subscriptions, and `Reconnected` says since when something may be missing. No gap is silent.

A frame is `{"channel": NAME, "data": ...}`; which channels there are, and what their events hold, is generated.
"""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from random import random
from threading import Condition, Lock, Thread
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, get_type_hints

import attrs
import msgspec
from attrs import frozen

from trading_runtime.call.caller import Caller
from trading_runtime.checks import integer
from trading_runtime.codec.decoder import reader
from trading_runtime.errors import CLOSED, NotSentError, RequestError, one_line
from trading_runtime.http.fault import cause
from trading_runtime.http.transport import HTTPTransport
from trading_runtime.http.urls import check_base_url
from trading_runtime.log import note

if TYPE_CHECKING:
    from websockets.sync.connection import Connection

MAX_QUEUE = 10_000
"""Events that wait for the program. With one more all of them are dropped, and `Lagging` says so."""
PING_S = 20.0
"""Seconds between two messages of the client, at most: a service may close a connection that says nothing."""
LONGEST_S = 23 * 3_600.0
"""A connection is made anew after so many seconds, before a service ends it after a day."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 30.0
_MAX_FRAME = 16 * 1024 * 1024
_NEEDS = "streams need websockets: pip install 'trading-service-sdk[streams]'"


# -- events ------------------------------------------------------------------------------------


class StreamRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A record in an event. Unknown members of a frame are ignored."""


class StreamEvent(msgspec.Struct, frozen=True, kw_only=True):
    """The base of everything that a stream yields."""


class Reconnected(StreamEvent, frozen=True, kw_only=True):
    """The connection had ended and was made again: ask by REST for what was missed. Pictures follow by themselves."""

    missed_since: int
    """When the latest frame before the gap came, or the connection before it was made. Unit: ms."""


class Disconnected(StreamEvent, frozen=True, kw_only=True):
    """The connection has ended. `Reconnected` follows once it is made again."""

    reason: str
    """Why."""


class Lagging(StreamEvent, frozen=True, kw_only=True):
    """The program was too slow: so many events were dropped. Nothing after this is missing."""

    dropped: int
    """How many."""


class Unreadable(StreamEvent, frozen=True, kw_only=True):
    """A frame that is not as the spec says. The stream goes on."""

    channel: str
    """Its channel; empty if even that cannot be read."""

    reason: str
    """What is wrong, and where."""


class SubscriptionRefused(StreamEvent, frozen=True, kw_only=True):
    """The service refused a message, like a subscription to a market that it does not have."""

    code: int | None
    """The code of the service."""

    error: str
    """Its text."""


# -- subscriptions -------------------------------------------------------------------------------


@frozen(kw_only=True)
class Subscription:
    """What a stream is asked for. The generated classes have the parameters of a channel as fields."""

    channel: ClassVar[str]
    """Its name on the wire."""
    event: ClassVar[type[StreamEvent]]
    """What it yields."""
    items: ClassVar[str | None] = None
    """The field of the event with the list, if its data are a list."""
    is_picture: ClassVar[bool] = False
    """Whether its events are whole, so that only the newest counts."""
    keys: ClassVar[tuple[str, ...]] = ()
    """The parameters that each event names."""
    choices: ClassVar[tuple[tuple[str, tuple[object, ...]], ...]] = ()
    """Parameters of which only some values may be given, with these."""


def _checked(given: Subscription, account: str | None) -> Subscription:
    """A subscription whose account is known.

    Raises:
        TypeError: it is no subscription.
        RequestError: a parameter is wrong or missing.
    """
    if not isinstance(given, Subscription):
        raise TypeError(f"subscribe takes objects like Book(symbol='BTC'), not {given!r}")
    name = type(given).__name__
    if getattr(given, "account", "") is None:
        changed: dict[str, Any] = {"account": account}
        given = attrs.evolve(given, **changed)
    for parameter, value in attrs.asdict(given).items():
        if value is None:
            raise RequestError(f"{name}.{parameter} is missing: give it, or give the client one")
        allowed = dict(given.choices).get(parameter, (value,))
        if value not in allowed:
            words = ", ".join(map(str, allowed))
            raise RequestError(f"{name}.{parameter} must be one of {words}, not {value!r}")
    return given


def _message(method: str, subscription: Subscription) -> str:
    params = {"source": subscription.channel, **attrs.asdict(subscription)}
    return json.dumps({"method": method, "params": params})


# -- frames --------------------------------------------------------------------------------------


class _Frame(msgspec.Struct):
    channel: str = ""
    data: msgspec.Raw = msgspec.Raw(b"null")
    li: int | None = None
    code: int | None = None
    err: str | None = None


_frame = msgspec.json.Decoder(_Frame).decode
_ACKS = frozenset({"pong", "subscribe", "unsubscribe"})
_PING = '{"method": "ping"}'
_Kind: TypeAlias = type[Subscription]


@cache
def _content(event: Any, items: str | None) -> Any:
    """What reads the data of the frames of a channel."""
    type_ = event if items is None else get_type_hints(event)[items]
    return reader(type_)


def _event(frame: _Frame, kinds: Mapping[str, _Kind]) -> StreamEvent | None:
    """The event of a frame; None of one that tells nothing, like an answer to a ping."""
    if frame.err is not None or (frame.code is not None and not frame.channel):
        return SubscriptionRefused(code=frame.code, error=one_line(frame.err or ""))
    kind = kinds.get(frame.channel)
    if kind is None:
        return None
    try:
        found = _content(kind.event, kind.items)(frame.data, "$.data")
    except ValueError as error:
        return Unreadable(channel=frame.channel, reason=one_line(str(error)))
    if kind.items is None:
        event: StreamEvent = found
    else:
        make: Any = kind.event
        event = make(**{kind.items: found, "number": frame.li})
    return event


# -- the queue -----------------------------------------------------------------------------------

_Key: TypeAlias = tuple[object, ...]
_GAPS = (Disconnected, Reconnected)
"""What is never dropped: a program that is too slow is told of a gap, too."""


class _Queue:
    """What waits for the program: events in their order, and of each picture the newest."""

    def __init__(self, most: int) -> None:
        self._most = integer("max_queue", most, minimum=1)
        self._order = deque[StreamEvent | _Key]()
        self._pictures: dict[_Key, StreamEvent] = {}
        self._dropped = 0
        self._changed = Condition()
        self.is_closed = False

    def put(self, event: StreamEvent, key: _Key | None = None) -> None:
        with self._changed:
            if isinstance(event, Disconnected):
                # A picture of the new connection would take the place of the old one, before the gap.
                self._order = deque[StreamEvent | _Key](
                    each for each in self._order if not isinstance(each, tuple)
                )
                self._pictures.clear()
            if key is not None:
                if key not in self._pictures:
                    self._order.append(key)
                self._pictures[key] = event
            elif len(self._order) - len(self._pictures) >= self._most and not isinstance(
                event, _GAPS
            ):
                kept = [each for each in self._order if isinstance(each, (tuple, *_GAPS))]
                self._dropped += len(self._order) - len(kept) + 1
                self._order = deque[StreamEvent | _Key](kept)
            else:
                self._order.append(event)
            self._changed.notify()

    def get(self, timeout: float | None) -> StreamEvent | None:
        """The next event; None if none comes in time, or the queue is closed."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._order or self._dropped or self.is_closed, timeout=timeout
            )
            if self._dropped:
                dropped, self._dropped = self._dropped, 0
                return Lagging(dropped=dropped)
            if not self._order:
                return None
            first = self._order.popleft()
            return self._pictures.pop(first) if isinstance(first, tuple) else first

    def close(self) -> None:
        with self._changed:
            self.is_closed = True
            self._changed.notify_all()

    def closes_within(self, seconds: float) -> bool:
        """Wait; whether the queue is closed by then."""
        with self._changed:
            return self._changed.wait_for(lambda: self.is_closed, timeout=seconds)


# -- the stream ----------------------------------------------------------------------------------

_PATH = "/ws"


def _as_http(url: str) -> str:
    if isinstance(url, str) and url.startswith(("ws:", "wss:")):
        return url.replace("ws", "http", 1)
    raise RequestError("the URL of a stream begins with wss://, or with ws:// on this machine")


class Stream:
    """The events of some subscriptions. Use it in a `with` block; any thread may subscribe, unsubscribe and close.

    Iterating yields events until it is closed. Calls of the client may be made meanwhile.
    """

    def __init__(
        self,
        caller: Caller,
        kinds: Sequence[_Kind],
        url: str | None = None,
        max_queue: int = MAX_QUEUE,
    ) -> None:
        """Make a stream that connects when its `with` block begins.

        Raises:
            RequestError: the URL is none, or would send the API key unencrypted to another machine.
        """
        self._caller = caller
        self._kinds = {each.channel: each for each in kinds}
        # Checked as a base URL is, by the same rules.
        where = f"{caller.base_url}{_PATH}" if url is None else _as_http(url)
        self._url = check_base_url(where).replace("http", "ws", 1)
        self._queue = _Queue(max_queue)
        self._wanted: dict[Subscription, None] = {}
        self._sending = Lock()
        self._socket: Connection | None = None
        self._heard_ms = 0
        self._thread: Thread | None = None

    def __enter__(self) -> Stream:
        """Connect.

        Raises:
            NotSentError: that fails.
            RequestError: it was used before, or `websockets` is not installed.
        """
        if self._thread is not None or self._queue.is_closed:
            raise RequestError("a stream is used once: call client.stream() again")
        self._connect()
        self._thread = Thread(target=self._run, name="stream", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the iteration and the connection. Closing twice does no harm."""
        self._queue.close()
        with self._sending:
            socket = self._socket
        if socket is not None:
            socket.close()
        if self._thread is not None:
            self._thread.join(timeout=self._caller.timeout)

    # -- what the program asks -------------------------------------------------------------------

    def subscribe(self, *subscriptions: Subscription) -> None:
        """Ask for events: `stream.subscribe(Book(symbol="BTC"), AccountTrades())`.

        It lasts until `unsubscribe`, through new connections, too. A refusal is an event.

        Raises:
            RequestError: a parameter is wrong, or nothing in an event would tell two subscriptions apart.
        """
        for given in subscriptions:
            wanted = _checked(given, self._caller.account)
            with self._sending:
                if self._queue.is_closed:
                    raise RequestError(CLOSED.replace("client", "stream", 1))
                self._check_told_apart(wanted)
                if wanted in self._wanted:
                    continue
                self._wanted[wanted] = None
            self._send(_message("subscribe", wanted))

    def unsubscribe(self, *subscriptions: Subscription) -> None:
        """Ask for no more events of subscriptions. What waits already is still yielded."""
        for given in subscriptions:
            wanted = _checked(given, self._caller.account)
            with self._sending:
                if self._wanted.pop(wanted, self) is self:
                    raise RequestError(f"{given!r} is not subscribed to")
            self._send(_message("unsubscribe", wanted))

    def __iter__(self) -> Iterator[StreamEvent]:
        """The events, until the stream is closed."""
        while (event := self.next()) is not None:
            yield event

    def next(self, timeout: float | None = None) -> StreamEvent | None:
        """The next event; None if none comes within `timeout` seconds, or the stream was closed."""
        return self._queue.get(timeout)

    def _check_told_apart(self, wanted: Subscription) -> None:
        def key(each: Subscription) -> list[object]:
            return [getattr(each, name) for name in each.keys]

        for other in self._wanted:
            if type(other) is type(wanted) and key(other) == key(wanted) and other != wanted:
                told = f"no event tells {wanted!r} from {other!r}"
                raise RequestError(f"{told}: unsubscribe that one, or open another stream")

    # -- the connection --------------------------------------------------------------------------

    def _connect(self) -> None:
        """Make a connection, and ask for all that is subscribed to."""
        try:
            from websockets.sync.client import connect  # late: an extra brings it
        except ModuleNotFoundError:
            raise RequestError(_NEEDS) from None
        transport, options = self._caller.transport, dict[str, Any](proxy=None)
        if isinstance(transport, HTTPTransport):
            options = transport.websocket_options(self._url.replace("ws", "http", 1))
        try:
            connecting = connect(
                self._url,
                additional_headers={**self._caller.headers},
                open_timeout=self._caller.timeout,
                ping_interval=PING_S,
                close_timeout=1,
                max_size=_MAX_FRAME,
                logger=_QUIET,
                **options,
            )
            socket = connecting.__enter__()  # websockets 17 connects here; older ones above
        except Exception as error:
            reason = cause(error) if isinstance(error, OSError) else type(error).__name__
            status = getattr(getattr(error, "response", None), "status_code", None)
            told = f"{reason}, the status {status}" if status else reason
            failure = NotSentError("stream", f"cannot connect to the stream: {told}")
        else:
            with self._sending:
                self._socket = socket
                messages = [_message("subscribe", each) for each in self._wanted]
            for message in messages:
                self._send(message)
            self._heard_ms = self._now_ms()
            if self._queue.is_closed:  # meanwhile, by another thread
                socket.close()
            return
        raise failure  # outside of the except block: the exceptions of websockets hold headers

    def _send(self, text: str) -> None:
        """Send a message, if there is a connection. A new one asks for all that is wanted by itself."""
        with self._sending:
            socket = self._socket
            if socket is not None:
                with suppress(Exception):  # the reader meets the same, and connects again
                    socket.send(text)

    def _run(self) -> None:
        """Read until the stream is closed; the thread of a stream."""
        reason = self._read()
        while not self._queue.is_closed:
            with self._sending:
                self._socket = None
            self._queue.put(Disconnected(reason=reason))
            note(logging.WARNING, "the stream ended (%s) and is made again", reason)
            self._connect_again()
            reason = self._read()

    def _connect_again(self) -> None:
        missed_since, pause = self._heard_ms, _FIRST_PAUSE
        while not self._queue.closes_within(pause * random()):
            pause = min(2 * pause, _LONGEST_PAUSE)
            try:
                self._connect()
            except NotSentError as error:
                note(logging.WARNING, "%s", error)
            else:
                self._queue.put(Reconnected(missed_since=missed_since))
                return

    def _read(self) -> str:
        """Take what comes over a connection, until it ends; why it did."""
        socket, clock = self._socket, self._caller.clock
        if socket is None:
            return "the stream is closed"
        began = pinged = clock.monotonic()
        try:
            while True:
                now = clock.monotonic()
                if now - began > LONGEST_S:
                    socket.close()
                    return "it was open for 23 hours"
                if now - pinged >= PING_S:
                    socket.send(_PING)
                    pinged = now
                try:
                    frame = socket.recv(timeout=PING_S - (now - pinged))
                except TimeoutError:
                    continue
                self._heard_ms = self._now_ms()
                self._take(frame if isinstance(frame, bytes) else frame.encode())
        except Exception as error:
            code = getattr(getattr(error, "rcvd", None), "code", None)
            return f"closed by the service, code {code}" if code else cause(error)

    def _take(self, data: bytes) -> None:
        """Queue the event of a frame."""
        try:
            frame = _frame(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            self._queue.put(Unreadable(channel="", reason=one_line(str(error))))
            return
        if frame.channel in _ACKS:
            return
        event = _event(frame, self._kinds)
        if event is None:
            return
        kind = self._kinds.get(frame.channel)
        key: _Key | None = None
        if kind is not None and kind.is_picture and isinstance(event, kind.event):
            key = (kind.channel, *(getattr(event, name) for name in kind.keys))
        self._queue.put(event, key)

    def _now_ms(self) -> int:
        service = self._caller.clock.service_ms()
        return self._caller.clock.local_ms() if service is None else service


_QUIET = logging.Logger("trading_sdk.websockets", logging.CRITICAL + 1)
"""The log of websockets would hold headers, and the API key among them."""
