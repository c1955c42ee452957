"""Carry out the controls on the exchange of this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from threading import Lock
from typing import Any

from trading_runtime import Api, Keypair
from trading_sandbox.controls.declared import CONTROLS
from trading_sandbox.engine.commands import (
    AddHistory,
    Command,
    OpenAccount,
    OpenVault,
)
from trading_sandbox.engine.seeded import seeded_bytes
from trading_sandbox.faults import Faults
from trading_sandbox.log import LoggedRequest, RequestLog
from trading_sandbox.rate_limits import UNLIMITED, RateLimits
from trading_sandbox.service import Service

Credits = tuple[Decimal | None, Decimal | None]
"""The credits in 60 s without an API key, and with one; None: no limit."""

_CHUNK = 5_000
"""Round trips of one command, whose records are in memory until they are stored."""


class LocalControls:
    """What each control does, by its name, with arguments that are checked.

    `faults` is apart: `Faults` carries out its own controls.
    """

    def __init__(self, seed: int, api: Api, credits: Credits = UNLIMITED) -> None:
        self.running: Service | None = None
        """The service, while the sandbox runs."""
        self.log = RequestLog()
        self.rates = RateLimits()
        self.set_rate_limit = self.rates.set_limit
        self._credits = credits
        self.limit_rates()
        self.faults = Faults(api)
        self._seed = seed
        # Held from the choice of a key until its account is open, and during restore and reset.
        self._key_lock = Lock()

    @property
    def _service(self) -> Service:
        if self.running is None:
            raise RuntimeError("the sandbox runs inside a with block only")
        return self.running

    # -- accounts ------------------------------------------------------------------------------

    def create_account(self, usdc: Decimal, spot: Mapping[str, Decimal] | None) -> Keypair:
        return self._opened(lambda new: OpenAccount(account=new, usdc=usdc, spot=spot or {}))

    def create_subaccount(self, main: str, usdc: Decimal, use_ltp_for_stop_orders: bool) -> Keypair:
        return self._opened(
            lambda new: OpenAccount(
                account=new, usdc=usdc, main=main, use_ltp_for_stop_orders=use_ltp_for_stop_orders
            )
        )

    def create_vault(self, creator: str, managed: bool, blacklist: tuple[str, ...]) -> str:
        return self._opened(
            lambda new: OpenVault(vault=new, creator=creator, managed=managed, blacklist=blacklist)
        ).address

    def _opened(self, command: Callable[[str], Command]) -> Keypair:
        """Execute the command that opens something with the address of the next key; return the key."""
        with self._key_lock:
            with self._service.reading() as exchange:
                key = seeded_key(self._seed, exchange.state.next_key)
            self._service.execute(command(key.address))
        return key

    def has_account(self, account: str) -> bool:
        with self._service.reading() as exchange:
            return account in exchange.state.accounts

    def add_history(self, account: str, symbol: str, round_trips: int, spacing_ms: int) -> None:
        first = self._service.now() - (2 * round_trips - 1) * spacing_ms
        if first < 0:
            raise ValueError("round_trips, spacing_ms: so long a history would begin before 1970")
        for number in range(0, round_trips, _CHUNK):
            self._service.execute(
                AddHistory(
                    account=account,
                    symbol=symbol,
                    round_trips=min(_CHUNK, round_trips - number),
                    first_at=first + 2 * number * spacing_ms,
                    spacing_ms=spacing_ms,
                )
            )

    # -- markets -------------------------------------------------------------------------------

    def advance(self, ms: int) -> None:
        self._service.advance(ms)
        self.rates.advance(ms / 1000)

    def limit_rates(self) -> None:
        """Set the rate limits with which the sandbox was made."""
        without, with_key = self._credits
        self.rates.set_limit(without, with_key=with_key)

    # -- the whole exchange --------------------------------------------------------------------

    def restore(self, snapshot: int) -> None:
        with self._key_lock:
            self._service.restore(snapshot)

    def reset(self) -> None:
        with self._key_lock:
            self._service.reset()
        self.log.clear()
        self.faults.clear()
        self.limit_rates()

    def requests(self, limit: int) -> list[LoggedRequest]:
        _, latest = self.log.latest(limit)
        return latest

    # -- by name ------------------------------------------------------------------------------

    def carry_out(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Carry out a control by its name, like `advance` or `faults.clear`.

        It is a command of the exchange, or a view of it, or a method of this class or else of the service.
        """
        control = CONTROLS[name]
        if control.command is not None:
            return self._service.execute(control.command(**arguments))
        if control.view is not None:
            with self._service.reading() as exchange:
                return control.view(exchange.venue, **arguments)
        owner: Any = self
        for part in name.split("."):
            owner = getattr(owner, part) if hasattr(owner, part) else getattr(self._service, part)
        return owner(**arguments)


def seeded_key(seed: int, number: int) -> Keypair:
    """Return the key of a seed and number. Never fund it: anybody can derive the same key."""
    return Keypair(seeded_bytes(seed, "key", number)[:32])
