"""The sandbox as a test or a program uses it."""

from __future__ import annotations

import hashlib
from itertools import count
from types import TracebackType

from trading_runtime.convert import DecimalLike, to_decimal, to_text
from trading_runtime.keys import Keypair
from trading_sandbox.engine.commands import OpenAccount, SetMarkPrice
from trading_sandbox.engine.funding import FundingHistory
from trading_sandbox.server import Server
from trading_sandbox.web.app import make_app
from trading_sandbox.web.log import LoggedRequest
from trading_sandbox.web.service import Service

LONGEST_DELAY = 60


class Sandbox:
    """A local exchange that speaks the interface, on 127.0.0.1 while its `with` block runs.

    Args:
        seed: An integer that decides the keys of the accounts and the funding history.
        taker_delay: How long GTC, IOC and market orders wait before they take effect, in seconds,
            from 0 to 60.
        port: Where to serve, up to 65535; 0 takes a free port.

    Raises:
        TypeError: an argument is not a number of its kind.
        ValueError: an argument is out of its range.
        OSError: on entering, when the port is in use.
    """

    def __init__(self, seed: int = 7, taker_delay: float = 0.2, port: int = 0) -> None:
        self._seed = _integer("seed", seed)
        self._port = _port(port)
        self._service = Service(funding=FundingHistory(seed), taker_delay=_delay(taker_delay))
        self._key_numbers = count(1)
        self._started = False
        self._server: Server | None = None

    def __enter__(self) -> Sandbox:
        """Start to serve."""
        if self._started:
            raise RuntimeError("this sandbox was started before; make another one")
        server = Server(make_app(self._service), self._port)
        self._started = True
        server.start()
        self._server = server
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
            self._server = None

    @property
    def url(self) -> str:
        """Base URL for a client.

        Raises:
            RuntimeError: outside the `with` block.
        """
        if self._server is None:
            raise RuntimeError("the sandbox serves inside a with block only")
        return self._server.url

    @property
    def requests(self) -> list[LoggedRequest]:
        """The latest requests that were answered, oldest first."""
        return self._service.log.entries()

    def create_account(self, usdc: DecimalLike = "10000") -> Keypair:
        """Open an account with a deposit of USDC and return its key, which the seed decides.

        Raises:
            Refused: the deposit is negative, 10^12 or more, or has more than 20 decimals.
            ValueError: it is a string that is no plain decimal, or no finite number.
            TypeError: it is a float, or nothing that money is given as.
        """
        deposit = to_decimal(usdc)
        text = f"trading_sandbox key {self._seed} {next(self._key_numbers)}"
        keypair = Keypair(hashlib.blake2b(text.encode(), digest_size=32).digest())
        self._execute(OpenAccount(account=keypair.address, usdc=deposit))
        return keypair

    def set_mark_price(self, symbol: str, price: DecimalLike) -> None:
        """Set the mark price of a market, in quote per token.

        Raises:
            Refused: there is no such market, or the price is not positive, is 10^12 or more, or is
                not a multiple of the tick size.
            ValueError: it is a string that is no plain decimal, or no finite number.
            TypeError: it is a float, or nothing that money is given as; the symbol is no string.
        """
        self._execute(SetMarkPrice(symbol=to_text(symbol), price=to_decimal(price)))

    def _execute(self, command: OpenAccount | SetMarkPrice) -> None:
        with self._service.lock:
            self._service.exchange.execute(command, self._service.clock())


def _integer(name: str, value: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    return value


def _port(value: int) -> int:
    if not 0 <= _integer("port", value) <= 65_535:
        raise ValueError(f"port must be between 0 and 65535, not {value}")
    return value


def _delay(value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"taker_delay must be a number of seconds, not {value!r}")
    if not 0 <= value <= LONGEST_DELAY:
        raise ValueError(f"taker_delay must be between 0 and {LONGEST_DELAY} s, not {value}")
    return float(value)
