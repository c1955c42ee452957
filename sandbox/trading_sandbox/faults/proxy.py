"""The fault proxy of a connection, between its socket and uvicorn's HTTP protocol.

It passes one whole request at a time to the protocol inside. If a fault waits for the request, the
proxy holds back what the protocol writes and sends a spoiled answer. If it is not clear where a
request ends, the request and all that follows on its connection are passed through without faults.

A connection whose request does not become whole in time is closed. Of a websocket the proxy sees the handshake alone.
"""

from __future__ import annotations

import asyncio
from typing import Any, Literal, cast

from uvicorn.config import Config
from uvicorn.server import ServerState

from trading_sandbox.faults.answers import Answer, AnswerReader
from trading_sandbox.faults.fault import Fault
from trading_sandbox.faults.injection import KINDS, NEXT_FAULTS, Faults, make_script, untouched
from trading_sandbox.faults.playback import HeldTransport, Player, Script, reset
from trading_sandbox.faults.requests import (
    MOST_WAITING,
    PASSING_TIMEOUT,
    WEBSOCKET,
    Head,
    RequestReader,
    RequestTimer,
)


class FaultProxy(asyncio.Protocol):
    """The fault proxy of one connection.

    Args:
        loop: The loop of the server.
        config: The configuration of uvicorn, which names the HTTP protocol inside.
        server_state: The state that the connections of a server share.
        faults: The injected faults.
        connections: The open connections, to which it belongs while it is open.
        request_timeout: How long a request may take to become whole, in seconds.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        config: Config,
        server_state: ServerState,
        faults: Faults,
        connections: set[FaultProxy],
        request_timeout: float,
    ) -> None:
        self._loop = loop
        self._server_state = server_state
        self._faults = faults
        self._connections = connections
        self._request_timeout = request_timeout
        # The protocol inside copies this into the scope of every request, and the fault with it. An answer
        # without an end aborts its connection if nobody reads it.
        self._scope_state: dict[str, Any] = {"abort": self.abort}
        make: Any = config.http_protocol_class
        self._inner: asyncio.Protocol = make(
            config=config, server_state=server_state, app_state=self._scope_state, _loop=loop
        )
        self._transport: asyncio.Transport
        self._requests = RequestReader(WEBSOCKET if config.ws_protocol_class else None)
        self._is_websocket = False
        self._request_timer = RequestTimer(self._loop, self._requests)
        self._busy = False
        """Whether a request is being answered."""
        self._fault: Fault | None = None
        """The fault of the latest request."""
        self._next_fault: Fault | None = None
        self._reader: AnswerReader | None = None
        self._player: Player | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._lost = False
        self._closing: Literal["no", "after", "now"] = "no"
        """Whether to close the connection after the answer, or instead of the next one."""

    # Called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._connections.add(self)
        self._scope_state["transport"] = self._transport
        self._inner.connection_made(HeldTransport(self._transport, self))
        self._request_timer.start(self._transport, self._request_timeout)

    def data_received(self, data: bytes) -> None:
        if self._is_websocket:
            self._inner.data_received(data)
            return
        if self._requests.passing:
            self._pass_through(data)
            return
        self._requests.feed(data)
        if not self._busy:
            self._advance()
        elif len(self._requests.unread) > MOST_WAITING:
            self._transport.pause_reading()

    def eof_received(self) -> bool | None:
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        if self._player is not None:
            self._player.pause()
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()
        if self._player is not None:
            self._player.resume()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        self._request_timer.stop()
        if self._player is not None:
            self._player.stop()
            self._player = None
        # The exchange executes a request even if its client has hung up. The protocol inside is
        # therefore told only after it has answered.
        elif self._fault is not None and (self._timer is not None or self._reader is not None):
            return
        self._release()

    # Requests

    def _advance(self) -> None:
        requests = self._requests
        if self._busy or self._lost or requests.passing or not requests.unread:
            return
        head = requests.read_head()
        if head is not None:
            self._begin(head)
        if self._busy:
            return
        if requests.passing:
            self._pass_through(requests.take())
        elif requests.is_whole:
            self._forward()
        elif not self._request_timer.runs:
            self._request_timer.start(self._transport, self._request_timeout)

    def _pass_through(self, data: bytes) -> None:
        self._request_timer.start(self._transport, PASSING_TIMEOUT)
        self._inner.data_received(data)

    def _begin(self, head: Head) -> None:
        fault = self._next_fault
        if fault is not None and self._faults.operation_of(head.method, head.target):
            self._next_fault = None
        else:
            fault = self._faults.take(head.method, head.target)
        self._fault = fault
        if fault is not None and KINDS[fault.kind].on_head:
            self._start_answering()
            self._play(make_script(fault, self._untouched(head)))

    def _start_answering(self) -> None:
        self._busy = True
        self._request_timer.stop()

    def _forward(self) -> None:
        head = self._requests.head
        assert head is not None
        request = self._requests.take()
        self._start_answering()
        fault = self._fault
        if fault is None:
            self._reader = self._read_answer(head, collect=False)
            self._inner.data_received(request)
            return
        kind = KINDS[fault.kind]
        if not (fault.executed or kind.about_next):
            self._play(make_script(fault, self._untouched(head)))
        elif kind.waits_first:
            self._timer = self._loop.call_later(
                fault.seconds, self._carry_out, fault, head, request
            )
        else:
            self._carry_out(fault, head, request)

    def _carry_out(self, fault: Fault, head: Head, request: bytes) -> None:
        self._timer = None
        self._reader = self._read_answer(head, collect=True)
        self._scope_state["fault"] = fault
        self._inner.data_received(request)
        del self._scope_state["fault"]

    def _read_answer(self, head: Head, collect: bool) -> AnswerReader:
        return AnswerReader(head.target, without_body=head.method == "HEAD", collect=collect)

    # Called by the protocol inside

    def write(self, data: bytes) -> None:
        """Send a part of an answer, or hold it back if a fault is to spoil it."""
        reader = self._reader
        if reader is None:
            self._transport.write(data)
            if self._requests.passing:
                self._request_timer.start(self._transport, PASSING_TIMEOUT)
        elif self._fault is None:
            self._transport.write(data)
            if reader.feed(data):
                self._reader = None
                self._answered()
        elif not reader.complete and reader.feed(data):
            # Let the protocol inside finish the request first.
            self._loop.call_soon(self._spoil, reader, self._fault)

    def close(self) -> None:
        """Close the connection; if the answer is spoiled, after the spoiled answer is sent."""
        if self._fault is None:
            self._transport.close()
        elif self._reader is None or self._reader.complete:
            self._closing = "after"
        else:
            # The protocol gave up in the middle of an answer, so there is no whole answer to spoil.
            self._reader = self._fault = None
            self._transport.close()
            if self._lost:
                self._loop.call_soon(self._release)

    def is_closing(self) -> bool:
        """Whether the protocol inside has closed the connection, or the client has."""
        return self._lost or self._closing != "no" or self._transport.is_closing()

    # Faults

    def _spoil(self, reader: AnswerReader, fault: Fault) -> None:
        self._reader = None
        if self._lost:
            self._release()
        else:
            self._play(make_script(fault, reader.answer()))

    def _untouched(self, head: Head) -> Answer:
        return untouched(self._server_state.default_headers, head.target)

    def _play(self, script: Script) -> None:
        if self._closing == "now":
            self._transport.abort()
            return
        self._player = Player(self._loop, self._transport, script, self._played)
        self._player.play()

    def _played(self, script: Script) -> None:
        self._player = self._fault = None
        self._next_fault = NEXT_FAULTS.get(script.resets_next)
        if script.end == "reset":
            reset(self._transport)
        elif script.end == "close" or self._closing != "no":
            self._transport.close()
        else:
            self._answered()

    # End of an answer and of the connection

    def upgraded(self, protocol: asyncio.BaseProtocol) -> None:
        """Hand the connection to the protocol of a websocket: it brings no more requests."""
        self._inner = cast(asyncio.Protocol, protocol)
        self._is_websocket, self._reader = True, None

    def _answered(self) -> None:
        self._busy = False
        if self._requests.unread:
            if len(self._requests.unread) > MOST_WAITING:
                self._transport.resume_reading()
            self._loop.call_soon(self._advance)

    def hang_up(self) -> None:
        """Stop the fault on this connection, because the server stops."""
        self._closing = "now"
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            if self._lost:
                self._release()
        if self._fault is not None and self._reader is None:
            self._transport.abort()

    def abort(self) -> None:
        """Close the connection at once, even in the middle of a request."""
        self._transport.abort()

    def close_if_idle(self) -> None:
        """Close the connection unless a request is being read or answered."""
        if not (self._busy or self._requests.passing or self._requests.unread):
            self._transport.close()

    def _release(self) -> None:
        self._connections.discard(self)
        # Never an error: with one, the protocol inside would leave its timer running.
        self._inner.connection_lost(None)
