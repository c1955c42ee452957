"""The class `Sandbox`, which tests and programs use."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any

from trading_sandbox.controls.declared import Controls
from trading_sandbox.controls.definition import Control
from trading_sandbox.controls.local import LocalControls
from trading_sandbox.faults.requests import REQUEST_TIMEOUT
from trading_sandbox.log import LoggedRequest
from trading_sandbox.options import (
    DOCUMENTED,
    DialectName,
    to_delay,
    to_dialect,
    to_opening,
    to_path,
    to_port,
    to_request_timeout,
    to_seed,
    to_switch,
    to_synchronous,
)
from trading_sandbox.server import Server
from trading_sandbox.service import open_service
from trading_sandbox.store.files import Synchronous
from trading_sandbox.web.app import make_app
from trading_sandbox.web.controls import control_routes
from trading_sandbox.web.dialects import dialect_of
from trading_sandbox.web.pages import page_routes


class Sandbox(Controls):
    """A local exchange that speaks the interface, on 127.0.0.1 while its `with` block runs.

    Args:
        seed: An integer from which the keys of the accounts, the price paths and the funding
            history are derived.
        maker: Whether a background maker quotes every market around a mark price that follows a
            seeded path. Without it only your accounts trade, and mark prices stand still.
        taker_delay: How long GTC, IOC and market orders wait before they take effect, in seconds,
            from 0 to 60.
        state: File that stores everything. Another sandbox on the same file continues where this
            one ended, even if this one was killed. None stores nothing.
        port: Port on 127.0.0.1, up to 65535; 0 takes a free port.
        frozen_at: Market time, in ms, at which the exchange opens and stands still until it is
            advanced or unfrozen, so that a run repeats exactly. From 2025 to 2099. None: the time
            of this machine, which passes.
        request_timeout: How long a request may take to become whole, in seconds, up to 3600. Then it
            is answered with 408 and its connection is closed.
        on_request: Called with each request that was answered, as the request log has it, in the
            thread of the server.
        dialect: `documented`, the interface document, or `live`, what was seen of the live service
            beside it: more operations, and answers of another form.
        rate_limited: Whether requests have the limits of the live service: 125 credits in 60 s without
            an API key, 300 with one.
        synchronous: `normal`: what was acknowledged survives that this process is killed, but the
            latest of it may be lost in a power cut. `full`: it survives a power cut, too; each
            command waits until it is on the disk.

    `maker` and `frozen_at` are for a new exchange. An exchange in a state file continues as it was.

    Raises:
        TypeError: an argument has the wrong type.
        ValueError: an argument is out of range. On entering the block: `state` cannot be opened,
            is not a state file, is damaged or in use, or was made with another seed.
        RuntimeError: on entering a second time; a sandbox runs only once.
        OSError: on entering, if the port is in use.
    """

    def __init__(
        self,
        seed: int = 7,
        maker: bool = True,
        taker_delay: float = 0.2,
        state: str | os.PathLike[str] | None = None,
        port: int = 0,
        frozen_at: int | None = None,
        request_timeout: float = REQUEST_TIMEOUT,
        on_request: Callable[[LoggedRequest], object] | None = None,
        dialect: DialectName = DOCUMENTED,
        synchronous: Synchronous = "normal",
        rate_limited: bool = False,
    ) -> None:
        self._seed = to_seed(seed)
        self._dialect = dialect_of(to_dialect(dialect))
        self._controls = LocalControls(
            self._seed, self._dialect.api, rate_limited=to_switch("rate_limited", rate_limited)
        )
        self._maker = to_switch("maker", maker)
        self._port = to_port(port)
        self._taker_delay = to_delay(taker_delay)
        self._state = to_path(state)
        self._frozen_at = to_opening(frozen_at)
        self._request_timeout = to_request_timeout(request_timeout)
        self._synchronous: Synchronous = to_synchronous(synchronous)
        self._on_request = on_request
        self._started = False
        self._server: Server | None = None

    def __enter__(self) -> Sandbox:
        """Open the exchange and start serving it."""
        if self._started:
            raise RuntimeError("this sandbox was started before; make another one")
        service = open_service(
            state=self._state,
            seed=self._seed,
            maker=self._maker,
            taker_delay=self._taker_delay,
            frozen_at=self._frozen_at,
            synchronous=self._synchronous,
        )
        try:
            operations = self._dialect.api.operations
            controls = control_routes(self._controls.carry_out, operations)
            app = make_app(
                service,
                dialect=self._dialect,
                rates=self._controls.rates,
                routes=[*page_routes(self._dialect), *controls],
            )
            server = Server(
                app,
                self._port,
                self._controls.faults,
                self._request_timeout,
                service.clock.wall,
            )
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
        service.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop serving, close every connection and the state file."""
        try:
            if self._server is not None:
                self._server.stop()
        finally:
            service, self._controls.running = self._controls.running, None
            self._server = None
            if service is not None:
                service.close()

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
        return f"<Sandbox with seed {self._seed}, {where}>"

    def _invoke(self, control: Control, arguments: Mapping[str, Any]) -> Any:
        return self._controls.carry_out(control.name, arguments)
