"""The class `Sandbox`, which tests and programs use."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any, get_args

from trading_runtime import to_integer
from trading_sandbox.controls import argument_types as types
from trading_sandbox.controls.declared import Controls
from trading_sandbox.controls.definition import Control, checked
from trading_sandbox.controls.local import LocalControls
from trading_sandbox.engine.funding import FIRST_RECORD
from trading_sandbox.faults.requests import REQUEST_TIMEOUT
from trading_sandbox.log import LoggedRequest
from trading_sandbox.rate_limits import UNLIMITED
from trading_sandbox.server import Server
from trading_sandbox.service import open_service
from trading_sandbox.store.files import Synchronous
from trading_sandbox.web.app import make_app
from trading_sandbox.web.controls import control_routes
from trading_sandbox.web.dialects import DIALECTS, DOCUMENTED, DialectName, dialect_of
from trading_sandbox.web.pages import page_routes
from trading_sandbox.web.stream import PictureStream
from trading_sandbox.web.watch import pictures
from trading_sandbox.web.websocket import Websocket

_LAST_OPENING = 4_102_444_799_999
"""The last ms of 2099, UTC."""


Seed = Annotated[int, types.ArgumentType(to_integer, {"type": "integer"})]
Delay = Annotated[float, types.seconds(0, 60)]
StateFile = Annotated[
    str | os.PathLike[str],
    types.like("a path", lambda value: isinstance(value, (str, os.PathLike))),
]
Port = Annotated[int, types.integer(0, 65_535)]
Opening = Annotated[int, types.integer(FIRST_RECORD, _LAST_OPENING)]
RequestTimeout = Annotated[float, types.seconds(0.001, 3600)]
Listener = Annotated[Callable[[LoggedRequest], object], types.like("a function", callable)]
SpokenDialect = Annotated[DialectName, types.choice(DIALECTS)]
Durability = Annotated[Synchronous, types.choice(get_args(Synchronous))]


class Sandbox(Controls):
    """A local exchange that speaks the interface, on 127.0.0.1 while its `with` block runs.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range. On entering the block: `state` cannot be opened,
            is not a state file, is damaged or in use, or was made with another seed.
        RuntimeError: on entering a second time; a sandbox runs only once.
        OSError: on entering, if the port is in use.
    """

    @checked
    def __init__(
        self,
        seed: Seed = 7,
        maker: types.Switch = True,
        taker_delay: Delay = 0.2,
        state: StateFile | None = None,
        port: Port = 0,
        frozen_at: Opening | None = None,
        request_timeout: RequestTimeout = REQUEST_TIMEOUT,
        on_request: Listener | None = None,
        dialect: SpokenDialect = DOCUMENTED,
        synchronous: Durability = "normal",
        rate_limited: types.Switch = False,
    ) -> None:
        """Choose how the exchange is opened and served; `maker` and `frozen_at` are for a new one.

        Args:
            seed: An integer from which the keys of the accounts, the price paths and the funding
                history are derived.
            maker: Whether a background maker quotes every market around a mark price that follows a
                seeded path. Without it only your accounts trade, and mark prices stand still; one that
                `set_mark_price` sets fills no order.
            taker_delay: How long GTC, IOC and market orders wait before they take effect, in seconds,
                from 0 to 60.
            state: File that keeps everything. Another sandbox on the same file continues where this
                one ended, even if this one was killed. Without a file nothing is kept.
            port: Port on 127.0.0.1, up to 65535; 0 takes a free port.
            frozen_at: Market time, in ms, at which the exchange opens and stands still until it is
                advanced or unfrozen, so that a run repeats exactly. From 2025 to 2099. Otherwise
                the exchange opens now, and time passes.
            request_timeout: How long a request may take to become whole, in seconds, up to 3600. Then
                it is answered with 408 and its connection is closed.
            on_request: Called with each request that was answered, as the request log has it, in the
                thread of the server.
            dialect: `documented`, the interface document, or `live`, what was seen of the live
                service beside it: more operations, and answers of another form.
            synchronous: `normal`: what was acknowledged survives that this process is killed, but the
                latest of it may be lost in a power cut. `full`: it survives a power cut, too; each
                command waits until it is on the disk.
            rate_limited: Whether requests are limited: to 125 credits in 60 s, those of each API key
                to as many; in the live dialect those of a key to 300.
        """
        self._name = f"Sandbox with seed {seed}"
        self._dialect_name, self._dialect = dialect, dialect_of(dialect)
        self._controls = LocalControls(
            seed,
            self._dialect.api,
            self._dialect.credits if rate_limited else UNLIMITED,
            self._dialect.channels,
        )
        file = None if state is None else Path(state)
        self._open = partial(
            open_service, file, seed, maker, taker_delay, frozen_at, synchronous=synchronous
        )
        self._listen = partial(
            Server, port=port, faults=self._controls.faults, request_timeout=request_timeout
        )
        self._on_request = on_request
        self._started = False
        self._process = os.getpid()
        """The process that runs it; after a fork, the child is another."""
        self._server: Server | None = None

    def __enter__(self) -> Sandbox:
        """Open the exchange and start serving it."""
        if self._started:
            raise RuntimeError("this sandbox was started before; make another one")
        self._process = os.getpid()
        service = self._open()
        try:
            operations = [*self._dialect.api.operations, *self._dialect.channels]
            controls = control_routes(self._controls.carry_out, operations)
            rates, faults = self._controls.rates, self._controls.faults
            websocket = None
            if self._dialect.channels:
                websocket = Websocket(service, self._dialect, rates, faults)
            self._stream = PictureStream(
                *pictures(
                    service,
                    rates,
                    faults,
                    None if websocket is None else websocket.told,
                    dialect=self._dialect_name,
                    taker_delay=service.taker_delay,
                )
            )
            app = make_app(
                service,
                dialect=self._dialect,
                rates=rates,
                websocket=websocket,
                routes=[*page_routes(self._dialect, self._stream), *controls],
            )
            server = self._listen(
                app,
                wall=service.clock.wall,
                turns=service.turns,
                websocket=websocket is not None,
            )
            # A file that was left for months catches up before there is a request that would wait.
            service.tick()
            # Before the server starts, because the controls over HTTP work as soon as it answers.
            self._controls.running, self._controls.log = service, service.log
            service.log.on_request = self._on_request
            server.start()
        except BaseException:
            self._controls.running = None
            service.close()
            raise
        self._started = True
        self._server = server
        service.ticker.start()
        return self

    def __exit__(self, *exception: object) -> None:
        """Stop serving, close every connection and the state file; nothing in a child of a fork."""
        if self._is_elsewhere:
            return
        service, server = self._controls.running, self._server
        if service is None or server is None:
            return
        with ExitStack() as closing:  # the last first, whatever becomes of the others
            closing.callback(service.close)
            closing.callback(self._left)
            closing.callback(server.stop)
            closing.callback(self._stream.close)
            closing.callback(service.ticker.stop)

    def _left(self) -> None:
        self._controls.running = self._server = None

    @property
    def url(self) -> str:
        """Base URL for a client.

        Raises:
            RuntimeError: outside the `with` block.
        """
        if self._server is None:
            raise RuntimeError("the sandbox runs inside a with block only")
        return self._server.url

    def __repr__(self) -> str:
        where = self._server.url if self._server is not None else "not running"
        return f"<{self._name}, {where}>"

    @property
    def _is_elsewhere(self) -> bool:
        """Whether this is a child of the process that serves: a copy that changes nothing there."""
        return self._server is not None and self._process != os.getpid()

    def _invoke(self, control: Control, arguments: Mapping[str, Any]) -> Any:
        if self._is_elsewhere:
            raise RuntimeError(
                f"this sandbox runs in process {self._process}, and this is its child "
                f"{os.getpid()}: use RemoteSandbox({self.url!r}) here"
            )
        return self._controls.carry_out(control.name, arguments)
