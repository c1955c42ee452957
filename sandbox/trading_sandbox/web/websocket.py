"""The websocket: who has subscribed to what, and what each connection is sent.

Everything happens in the thread of the loop, which uses the exchange, too. What a command has changed is handed
out once it is stored, to those who have subscribed by then. So no event follows a picture that has it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import attrs
from starlette.types import Message, Receive, Scope, Send

from trading_sandbox.engine.candles import INTERVALS
from trading_sandbox.engine.commands import AddHistory
from trading_sandbox.engine.markets import MARKETS
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Changes, Refused, Trade
from trading_sandbox.engine.tape import Print, Tape
from trading_sandbox.faults import Faults
from trading_sandbox.faults.answers import Answer
from trading_sandbox.faults.injection import make_script
from trading_sandbox.faults.playback import Player, Script, reset
from trading_sandbox.rate_limits import RateLimits
from trading_sandbox.service import Service
from trading_sandbox.store.database import Executed
from trading_sandbox.web.dialects.channels import (
    EVENTS,
    PICTURES,
    PRINTS,
    SOURCES,
    TOPS,
    Topic,
    top,
    topic_of,
)
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sandbox.web.json_body import parse_object, to_json
from trading_sandbox.web.messages import OrderMessage, answer_message, order_of
from trading_sandbox.web.refusals import Refusal, bad_request
from trading_sandbox.web.responses import Document

IDLE = 60.0
"""Seconds without a message of its client after which a connection is closed."""
LONGEST_MS = INTERVALS["1d"]
"""Market time after which a connection is closed."""
TOGETHER = 0.0004
"""Seconds for which frames are collected, to be written together, for each connection.

To write to one takes less than a tenth of that, so the exchange has most of the time, however many there are.
"""
SHOWN = 50
"""The latest frames that the page shows."""
PACE = 0.1
"""The least seconds between two pictures of the same."""
SHARE = 10
"""Pictures that take long are drawn less often: for one part of the time, this many are for the exchange."""
MOST_CONNECTIONS = 300
MOST_SUBSCRIPTIONS = 20
"""The most subscriptions of a connection to one channel."""
MOST_EVENTS = 100
"""The most events in one frame."""
MOST_UNREAD = 2**23
"""Bytes that may wait for a client to read them when there is more to send; with more it is cut off."""
NORMAL, RESTARTED = 1000, 1012
"""Codes with which a connection is closed."""
_TEXT = 0x81
_logger = logging.getLogger(__name__)
_SHORT, _LONG = 126, 2**16


def framed(data: bytes) -> bytes:
    """Return a text as a frame."""
    size = len(data)
    if size < _SHORT:
        return bytes((_TEXT, size)) + data
    if size < _LONG:
        return bytes((_TEXT, 126)) + size.to_bytes(2, "big") + data
    return bytes((_TEXT, 127)) + size.to_bytes(8, "big") + data


@attrs.define(eq=False)
class Connection:
    """A client, what it has subscribed to, and the frames that are not written yet."""

    scope: Scope
    _send: Send
    opened_at: int
    """Market time, in ms."""
    topics: dict[Topic, None] = attrs.field(init=False, factory=dict)
    frames: list[bytes] = attrs.field(init=False, factory=list)
    heard: float = attrs.field(init=False, default=0.0)
    """When it sent its latest message, by the loop."""
    tasks: set[asyncio.Task[None]] = attrs.field(init=False, factory=set)
    closed: bool = attrs.field(init=False, default=False)
    """Whether its last frame was written."""

    def flush(self) -> None:
        """Write what was collected; cut off a client that does not read."""
        transport: asyncio.WriteTransport = self.scope["state"]["transport"]
        if self.frames and not (self.closed or transport.is_closing()):
            if transport.get_write_buffer_size() > MOST_UNREAD:
                transport.abort()
            else:
                transport.write(b"".join(self.frames))
        self.frames.clear()

    def play(self, script: Script) -> None:
        """Write what was collected, and then a frame that is spoiled."""
        self.flush()
        self.closed = self.closed or script.end != "keep"
        transport: asyncio.Transport = self.scope["state"]["transport"]

        def ended(script: Script) -> None:
            if script.end == "reset":
                reset(transport)
            elif script.end == "close":
                transport.close()

        Player(asyncio.get_running_loop(), transport, script, ended).play()

    def close(self, code: int) -> None:
        """Write what was collected, and close."""
        self.flush()
        self.closed = True
        self.begin(self._send({"type": "websocket.close", "code": code}))

    def begin(self, work: Any) -> None:
        """Do something beside the reading of messages."""
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)


class Websocket:
    """The ASGI application that serves the websocket.

    Args:
        service: The exchange, which tells it of changes.
        dialect: How pictures are answered.
        rates: The rate limits, which orders share with those over HTTP.
        faults: The injected faults.
    """

    def __init__(
        self, service: Service, dialect: Dialect, rates: RateLimits, faults: Faults
    ) -> None:
        self._faults = faults
        self._service = service
        self._dialect = dialect
        self._rates = rates
        self._connections: dict[Connection, None] = {}
        self._readers: dict[str, dict[Topic, dict[Connection, None]]] = {s: {} for s in SOURCES}
        """Who has subscribed, by channel and topic."""
        self._unsent: dict[Connection, None] = {}
        self._changed: dict[Topic, None] = {}
        """What is to be drawn anew."""
        self._latest: dict[Topic, list[Document]] = {}
        """What was sent last to all who read it."""
        self._drawing: asyncio.Task[None] | None = None
        self._shown: deque[tuple[int, bytes]] = deque(maxlen=SHOWN)
        """The latest frames, each with how many connections it is for."""
        self._sent = 0
        self._passed, self._li = self._reached()
        """Market time and number of events up to which all was sent."""
        service.listener = self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a client until it goes."""
        await receive()
        if len(self._connections) >= MOST_CONNECTIONS:
            await send({"type": "websocket.close"})
            return
        await send({"type": "websocket.accept"})
        loop, connection = asyncio.get_running_loop(), Connection(scope, send, self._service.now())
        self._connections[connection] = None
        connection.heard = loop.time()
        self._close_idle(connection)
        try:
            while (message := await receive())["type"] == "websocket.receive":
                connection.heard = loop.time()
                self._take(connection, message)
                connection.flush()
        finally:
            self._forget(connection)
        # An order that was received is carried out.
        await asyncio.gather(*connection.tasks)

    def _close_idle(self, connection: Connection) -> None:
        loop = asyncio.get_running_loop()
        left = connection.heard + IDLE - loop.time()
        if connection not in self._connections:
            return
        if left > 0:
            loop.call_later(left, self._close_idle, connection)
        else:
            self._leave(connection, NORMAL)

    def _leave(self, connection: Connection, code: int) -> None:
        self._forget(connection)
        connection.close(code)

    def _forget(self, connection: Connection) -> None:
        self._connections.pop(connection, None)
        self._unsent.pop(connection, None)
        for topic in connection.topics:
            self._unsubscribe(connection, topic)
        connection.topics.clear()
        if not self._connections and self._drawing is not None:
            self._drawing.cancel()

    # -- what a client sends -------------------------------------------------------------------

    def _take(self, connection: Connection, message: Message) -> None:
        text = message.get("text")
        raw = message["bytes"] if text is None else text.encode("utf-8", "surrogatepass")
        asked: Document = {}
        try:
            asked = parse_object(raw)
            method, params = asked.get("method"), asked.get("params")
            if method == "ping":
                self._reply(connection, {"channel": "pong"})
            elif method == "subscribe" and isinstance(params, dict):
                self._subscribe(connection, params)
            elif method == "unsubscribe" and isinstance(params, dict):
                topic = topic_of(params)
                connection.topics.pop(topic, None)
                self._unsubscribe(connection, topic)
                self._reply(connection, {"channel": "unsubscribe", "data": params})
            else:
                connection.begin(self._carry_out(connection, order_of(asked)))
        except Refusal as refusal:
            named = {"id": asked["id"]} if "id" in asked else {}
            told = {"code": refusal.status, "err": refusal.observed, "t": self._service.now()}
            self._reply(connection, named | told)

    async def _carry_out(self, connection: Connection, message: OrderMessage) -> None:
        """Carry out an order; no other message waits for it."""
        fault, told = self._faults.take_frame(message.operation), {}
        if fault is None or fault.executed:
            told = await answer_message(
                self._service, self._dialect, self._rates, connection.scope, message, fault
            )
        if fault is None:
            self._reply(connection, told)
            connection.flush()
        else:
            connection.play(make_script(fault, Answer(body=self._framed(told, 1))))

    def _subscribe(self, connection: Connection, params: Document) -> None:
        topic = topic_of(params)
        held = [each for each in connection.topics if each.source == topic.source]
        if topic not in held and len(held) >= MOST_SUBSCRIPTIONS:
            raise bad_request(f"source: at most {MOST_SUBSCRIPTIONS} subscriptions to a channel")
        self._reply(connection, {"channel": "subscribe", "data": params})
        # What is due happens before the subscription: its events are those after the picture.
        with self._service.reading():
            for document in self._draw(topic):
                self._reply(connection, document)
            connection.topics[topic] = None
            self._readers[topic.source].setdefault(topic, {})[connection] = None
        # Others may have been sent another picture last, so the next one is for all.
        self._latest.pop(topic, None)

    def _unsubscribe(self, connection: Connection, topic: Topic) -> None:
        topics = self._readers[topic.source]
        readers = topics.get(topic, {})
        readers.pop(connection, None)
        if not readers:
            topics.pop(topic, None)
            self._latest.pop(topic, None)

    # -- what the exchange tells ---------------------------------------------------------------

    def committed(self, batch: Sequence[Executed]) -> None:
        """Send what has happened, and note what is to be drawn anew."""
        for done in batch:
            # A past that was added has not happened.
            if self._connections and not isinstance(done.command, AddHistory):
                self._send_events(done)
            self._note(done)
            self._passed = max(self._passed, done.time)
            if done.changes.order_events:
                self._li = done.changes.order_events[-1].li
        if self._service.jumps:
            return
        for topic in self._readers[TOPS]:
            self._send_top(topic)
        if self._changed and self._drawing is None:
            self._drawing = asyncio.ensure_future(self._draw_changed())
        while self._connections and self._is_old(oldest := next(iter(self._connections))):
            self._leave(oldest, NORMAL)

    def _is_old(self, connection: Connection) -> bool:
        return self._passed >= connection.opened_at + LONGEST_MS

    def replaced(self) -> None:
        """Close all connections: what they know is of another exchange."""
        for connection in list(self._connections):
            self._leave(connection, RESTARTED)
        self._passed, self._li = self._reached()

    def _reached(self) -> tuple[int, int]:
        state = self._service.exchange.state
        return state.now, state.li

    def _send_events(self, done: Executed) -> None:
        for source, channel in EVENTS.items():
            readers, told = self._readers[source], dict[Topic, list[Document]]()
            records = channel.records(done.changes) if readers else ()
            if source == PRINTS and readers and done.time > self._passed:
                records = self._with_prints(records, done.time)
            for record in records:
                topic = Topic(source, getattr(record, channel.subject))
                if topic in readers:
                    told.setdefault(topic, []).append(channel.told(record))
            for topic, events in told.items():
                parts = range(0, len(events), MOST_EVENTS)
                lists = [events[part : part + MOST_EVENTS] for part in parts]
                for data in lists if channel.in_lists else events:
                    self._send(topic, {"channel": source, "data": data})

    def _with_prints(self, trades: Iterable[Trade], until: int) -> Iterator[Trade | Print]:
        """Yield trades, and the prints of the markets that somebody reads, in the order of their time."""
        state, li = self._service.exchange.state, self._li
        found: list[Trade | Print] = list(trades)
        for topic in self._readers[PRINTS]:
            found += Tape.of(state, MARKETS[topic.subject]).prints(until + 1, self._passed + 1)
        # Of two at one time the print is the earlier one, as in the list of trades.
        for each in sorted(found, key=lambda each: (each.created_at, isinstance(each, Trade))):
            li = each.li or li
            yield attrs.evolve(each, li=li) if isinstance(each, Print) else each

    def _send_top(self, topic: Topic) -> None:
        state = self._service.exchange.state
        told = top(self._service.exchange.venue, topic.subject)
        if self._latest.get(topic) != [told]:
            self._latest[topic] = [told]
            number = {"i": state.next_order_id - 1, "li": state.li, "t": state.now}
            self._send(topic, {"channel": TOPS, "data": told | number})

    def _send(self, topic: Topic, document: Document) -> None:
        readers = self._readers[topic.source][topic]
        frame = self._framed(document, len(readers))
        fault = self._faults.take_frame(topic.source)
        if fault is not None:
            for connection in readers:
                connection.play(make_script(fault, Answer(body=frame)))
            return
        for connection in readers:
            connection.frames.append(frame)
        if not self._unsent:
            asyncio.get_running_loop().call_later(TOGETHER * len(self._connections), self._flush)
        self._unsent.update(readers)

    def _reply(self, connection: Connection, document: Document) -> None:
        connection.frames.append(self._framed(document, 1))

    def _framed(self, document: Document, readers: int) -> bytes:
        data = to_json(document)
        self._sent += 1
        self._shown.append((readers, data))
        return framed(data)

    def told(self) -> Document:
        """Return who is connected and what was sent last, newest first, for the page."""
        frames = enumerate(reversed(self._shown))
        return {
            "connections": [
                [" ".join(map(str, filter(None, topic))) for topic in connection.topics]
                for connection in islice(self._connections, SHOWN)
            ],
            "connected": len(self._connections),
            "count": self._sent,
            "latest": [
                {"number": self._sent - age, "to": readers, "frame": data.decode()}
                for age, (readers, data) in frames
            ],
        }

    def _flush(self) -> None:
        for connection in self._unsent:
            connection.flush()
        self._unsent.clear()

    # -- pictures ------------------------------------------------------------------------------

    def _note(self, done: Executed) -> None:
        """Note which pictures a command may have changed; one of no account may have changed all."""
        account = getattr(done.command, "account", None)
        touched = {account, "", *_touched(done.changes)}
        for source in PICTURES:
            for topic in self._readers[source]:
                if account is None or topic.subject in touched:
                    self._changed[topic] = None

    def _draw(self, topic: Topic) -> list[Document]:
        """Return the frames of a picture; none of a channel of events."""
        if topic.source not in PICTURES:
            return []
        try:
            with exact_arithmetic():
                drawn = PICTURES[topic.source].drawn(self._dialect, self._service, topic)
        except Refused:  # an account that nobody has opened yet
            return []
        return [{"channel": topic.source, **each} for each in drawn]

    async def _draw_changed(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._changed and not self._service.jumps:
                changed, self._changed, spent = self._changed, {}, 0.0
                for topic in changed:
                    began = loop.time()
                    if topic in self._readers[topic.source]:
                        self._send_changed(topic)
                    spent += loop.time() - began
                    # Others have their turn between two pictures.
                    await asyncio.sleep(0)
                await asyncio.sleep(max(PACE, SHARE * spent))
        finally:
            self._drawing = None

    def _send_changed(self, topic: Topic) -> None:
        """Send the frames of a picture that differ from those that were sent last."""
        sent = self._latest.get(topic, [])
        try:
            drawn = self._draw(topic)
        except Exception:
            # A disk that is full now may have room a second later.
            _logger.exception("A picture could not be drawn")
            return
        self._latest[topic] = [_lasting(document) for document in drawn]
        for document in drawn:
            if _lasting(document) not in sent:
                self._send(topic, document)


def _lasting(document: Document) -> Any:
    """Return what a frame shows, without when it was drawn."""
    data = document["data"]
    return {**data, "t": 0, "li": 0} if isinstance(data, dict) else data


def _touched(changes: Changes) -> Iterable[str]:
    for event in changes.order_events:
        yield from (event.account, event.symbol)
    for balance in changes.balance_events:
        yield balance.account
