"""The sandbox as a test or a program uses it."""

from __future__ import annotations

import hashlib
from itertools import count
from types import TracebackType

from trading_runtime.convert import DecimalLike, to_decimal
from trading_runtime.keys import Keypair
from trading_sandbox.engine.commands import OpenAccount, SetMarkPrice
from trading_sandbox.engine.funding import FundingHistory
from trading_sandbox.server import Server
from trading_sandbox.web.app import make_app
from trading_sandbox.web.log import LoggedRequest
from trading_sandbox.web.service import Service


class Sandbox:
    """A local exchange that speaks the interface, on 127.0.0.1 while its `with` block runs.

    Args:
        seed: Decides the keys of the accounts and the funding history.
        taker_delay: How long GTC, IOC and market orders wait before they take effect, in seconds.
        port: Where to serve; 0 takes a free port.

    Raises:
        OSError: on entering, when the port is in use.
    """

    def __init__(self, seed: int = 7, taker_delay: float = 0.2, port: int = 0) -> None:
        self._seed = seed
        self._port = port
        self._service = Service(funding=FundingHistory(seed), taker_delay=taker_delay)
        self._key_numbers = count(1)
        self._server: Server | None = None

    def __enter__(self) -> Sandbox:
        """Start to serve."""
        if self._server is not None:
            raise RuntimeError("this sandbox was started before; make another one")
        self._server = Server(make_app(self._service), self._port)
        self._server.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Stop serving and close every connection."""
        if self._server is not None:
            self._server.stop()

    @property
    def url(self) -> str:
        """Base URL for a client."""
        if self._server is None:
            raise RuntimeError("the sandbox serves inside a with block only")
        return self._server.url

    @property
    def requests(self) -> list[LoggedRequest]:
        """The latest requests that were answered, oldest first."""
        return self._service.log.entries()

    def create_account(self, usdc: DecimalLike = "10000") -> Keypair:
        """Open an account with a deposit of USDC and return its key, which the seed decides."""
        text = f"trading_sandbox key {self._seed} {next(self._key_numbers)}"
        keypair = Keypair(hashlib.blake2b(text.encode(), digest_size=32).digest())
        self._execute(OpenAccount(account=keypair.address, usdc=to_decimal(usdc)))
        return keypair

    def set_mark_price(self, symbol: str, price: DecimalLike) -> None:
        """Set the mark price of a market, in quote per token."""
        self._execute(SetMarkPrice(symbol=symbol, price=to_decimal(price)))

    def _execute(self, command: OpenAccount | SetMarkPrice) -> None:
        with self._service.lock:
            self._service.exchange.execute(command, self._service.clock())
