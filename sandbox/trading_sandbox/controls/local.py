"""Carry out the controls on the exchange of this process."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from decimal import Decimal
from operator import attrgetter
from typing import Any, TypeVar

from trading_runtime import Api, Keypair
from trading_sandbox.controls.declared import CONTROLS
from trading_sandbox.engine.commands import (
    AddHistory,
    Command,
    OpenAccount,
    OpenVault,
    PlaceLimit,
    PlaceMarket,
    Side,
)
from trading_sandbox.engine.seeded import seeded_bytes
from trading_sandbox.engine.venue import Venue
from trading_sandbox.faults import Faults
from trading_sandbox.log import LoggedRequest, RequestLog
from trading_sandbox.rate_limits import UNLIMITED, RateLimits
from trading_sandbox.service import Service
from trading_sandbox.turns import Slices

Credits = tuple[Decimal | None, Decimal | None]
"""The credits in 60 s without an API key, and with one; None: no limit."""

_CHUNK = 100
"""Round trips of one command: a slice of a long past."""
_SLIPPAGE_PERCENT = Decimal(1)
"""Of a market order that is placed by hand."""
_T = TypeVar("_T")


class LocalControls:
    """What each control does, by its name, with arguments that are checked.

    `faults` is apart: `Faults` carries out its own controls.
    """

    def __init__(
        self,
        seed: int,
        api: Api,
        credits: Credits = UNLIMITED,
        channels: Collection[str] = (),
    ) -> None:
        self.running: Service | None = None
        """The service, while the sandbox runs."""
        self.log = RequestLog()
        self.rates = RateLimits()
        self.set_rate_limit = self.rates.set_limit
        self._credits = credits
        self.limit_rates()
        self.faults = Faults(api, channels)
        self._seed = seed

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
        service = self._service

        def opened() -> Keypair:
            with service.reading() as exchange:
                key = seeded_key(self._seed, exchange.state.next_key)
            service.execute(command(key.address))
            return key

        return service.turns.take(opened)

    def has_account(self, account: str) -> bool:
        return self._view(lambda venue: account in venue.state.accounts)

    def add_history(self, account: str, symbol: str, round_trips: int, spacing_ms: int) -> None:
        service = self._service

        def adding() -> Slices[None]:
            first = service.now() - (2 * round_trips - 1) * spacing_ms
            if first < 0:
                raise ValueError(
                    "round_trips, spacing_ms: so long a history would begin before 1970"
                )
            meant = service.resets
            for number in range(0, round_trips, _CHUNK):
                service.check_not_reset(meant)
                service.execute(
                    AddHistory(
                        account=account,
                        symbol=symbol,
                        round_trips=min(_CHUNK, round_trips - number),
                        first_at=first + 2 * number * spacing_ms,
                        spacing_ms=spacing_ms,
                    )
                )
                yield

        service.turns.take_slices(adding())

    # -- orders --------------------------------------------------------------------------------

    def place_order(
        self,
        account: str,
        symbol: str,
        side: Side,
        amount: Decimal,
        price: Decimal | None,
        reduce_only: bool,
    ) -> int:
        service = self._service
        order: PlaceLimit | PlaceMarket
        if price is None:
            order = PlaceMarket(
                account=account,
                symbol=symbol,
                side=side,
                amount=amount,
                reduce_only=reduce_only,
                slippage_percent=_SLIPPAGE_PERCENT,
            )
        else:
            order = PlaceLimit(
                account=account,
                symbol=symbol,
                side=side,
                amount=amount,
                reduce_only=reduce_only,
                price=price,
                tif="GTC",
            )
        order_id = service.turns.take(lambda: service.execute(order))
        assert isinstance(order_id, int)
        return order_id

    # -- markets -------------------------------------------------------------------------------

    def advance(self, ms: int) -> None:
        service = self._service
        service.turns.take_slices(service.advancing(ms))
        self.rates.advance(ms / 1000)

    def freeze(self, at: int | None) -> None:
        service = self._service
        service.turns.take_slices(service.freezing(at))

    def unfreeze(self) -> None:
        service = self._service
        service.turns.take(service.unfreeze)

    def limit_rates(self) -> None:
        """Set the rate limits with which the sandbox was made."""
        without, with_key = self._credits
        self.rates.set_limit(without, with_key=with_key)

    # -- the whole exchange --------------------------------------------------------------------

    def snapshot(self) -> int:
        service = self._service
        return service.turns.take(service.snapshot)

    def restore(self, snapshot: int) -> None:
        service = self._service
        service.turns.take(lambda: service.restore(snapshot))

    def reset(self) -> None:
        service = self._service
        service.turns.take(service.reset)
        self.log.clear()
        self.faults.clear()
        self.limit_rates()

    def digest(self) -> str:
        service = self._service
        return service.turns.take_slices(service.digesting())

    def requests(self, limit: int) -> list[LoggedRequest]:
        _, latest = self.log.latest(limit)
        return latest

    # -- by name ------------------------------------------------------------------------------

    def carry_out(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Carry out a control by its name, like `advance` or `faults.clear`.

        It is a command of the exchange, or a view of it, or a method of this class.
        """
        control = CONTROLS[name]
        if control.command is not None:
            service, command = self._service, control.command(**arguments)
            return service.turns.take(lambda: service.execute(command))
        if control.view is not None:
            view = control.view
            return self._view(lambda venue: view(venue, **arguments))
        return attrgetter(name)(self)(**arguments)

    def _view(self, view: Callable[[Venue], _T]) -> _T:
        """Return a view of the exchange as it is now."""
        service = self._service

        def viewed() -> _T:
            with service.reading() as exchange:
                return view(exchange.venue)

        return service.turns.take(viewed)


def seeded_key(seed: int, number: int) -> Keypair:
    """Return the key of a seed and number. Never fund it: anybody can derive the same key."""
    return Keypair(seeded_bytes(seed, "key", number)[:32])
