"""Carry out the controls on the exchange of this process."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from threading import Lock
from typing import Any
from uuid import UUID

from trading_runtime import Api, Keypair
from trading_sandbox.engine.control_commands import (
    BindAgent,
    Deposit,
    ForcedStatus,
    ForceOutcome,
    Liquidate,
    LiquidationCause,
    OpenAccount,
    OpenVault,
    SetMaker,
    SetMargin,
    SetMarkPrice,
)
from trading_sandbox.engine.views import (
    AccountView,
    InsuranceFundView,
    MarketView,
    account_view,
    insurance_fund_view,
    market_view,
)
from trading_sandbox.faults import Faults
from trading_sandbox.keys import seeded_key
from trading_sandbox.log import LoggedRequest, RequestLog
from trading_sandbox.rate_limits import RateLimits
from trading_sandbox.service import Service

_Amounts = Mapping[str, Decimal]


class LocalControls:
    """What each control does, by its name, with arguments that are checked.

    `faults` is apart: `Faults` carries out its own controls.
    """

    def __init__(self, seed: int, api: Api) -> None:
        self.running: Service | None = None
        """The service, while the sandbox runs."""
        self.log = RequestLog()
        self.rates = RateLimits()
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

    def create_account(self, usdc: Decimal, spot: _Amounts | None) -> Keypair:
        with self._key_lock:
            key = self._next_key()
            self._service.execute(OpenAccount(account=key.address, usdc=usdc, spot=spot or {}))
        return key

    def create_subaccount(self, main: str, usdc: Decimal, use_ltp_for_stop_orders: bool) -> Keypair:
        with self._key_lock:
            key = self._next_key()
            self._service.execute(
                OpenAccount(
                    account=key.address,
                    usdc=usdc,
                    main=main,
                    use_ltp_for_stop_orders=use_ltp_for_stop_orders,
                )
            )
        return key

    def create_vault(self, creator: str, managed: bool, blacklist: tuple[str, ...]) -> str:
        with self._key_lock:
            address = self._next_key().address
            self._service.execute(
                OpenVault(vault=address, creator=creator, managed=managed, blacklist=blacklist)
            )
        return address

    def bind_agent(self, account: str, agent: str) -> None:
        self._service.execute(BindAgent(account=account, agent=agent))

    def has_account(self, account: str) -> bool:
        with self._service.reading() as exchange:
            return account in exchange.state.accounts

    def account(self, account: str) -> AccountView:
        with self._service.reading() as exchange:
            return account_view(exchange.venue, account)

    def insurance_fund(self) -> InsuranceFundView:
        with self._service.reading() as exchange:
            return insurance_fund_view(exchange.venue)

    def deposit(self, account: str, usdc: Decimal, spot: _Amounts | None) -> None:
        self._service.execute(Deposit(account=account, usdc=usdc, spot=spot or {}))

    def set_margin(self, account: str, symbol: str, isolated: bool, leverage: int | None) -> None:
        self._service.execute(
            SetMargin(account=account, symbol=symbol, isolated=isolated, leverage=leverage)
        )

    def _next_key(self) -> Keypair:
        with self._service.reading() as exchange:
            return seeded_key(self._seed, exchange.state.next_key)

    # -- markets -------------------------------------------------------------------------------

    def market(self, symbol: str) -> MarketView:
        with self._service.reading() as exchange:
            return market_view(exchange.venue, symbol)

    def set_mark_price(self, symbol: str, price: Decimal | None) -> None:
        self._service.execute(SetMarkPrice(symbol=symbol, price=price))

    def set_maker(self, on: bool) -> None:
        self._service.execute(SetMaker(on=on))

    def force_outcome(
        self, client_order_id: UUID, status: ForcedStatus, reason: str | None
    ) -> None:
        order = str(client_order_id)
        self._service.execute(ForceOutcome(client_order_id=order, status=status, reason=reason))

    def liquidate(self, account: str, symbol: str | None, cause: LiquidationCause) -> None:
        self._service.execute(Liquidate(account=account, symbol=symbol, cause=cause))

    def advance(self, ms: int) -> None:
        self._service.advance(ms)

    def freeze(self, at: int | None) -> None:
        self._service.freeze(at)

    def unfreeze(self) -> None:
        self._service.unfreeze()

    # -- the whole exchange --------------------------------------------------------------------

    def set_rate_limit(self, credits: Decimal | None, window_s: int) -> None:
        self.rates.set_limit(credits, window_s)

    def snapshot(self) -> int:
        return self._service.snapshot()

    def restore(self, snapshot: int) -> None:
        with self._key_lock:
            self._service.restore(snapshot)

    def reset(self) -> None:
        with self._key_lock:
            self._service.reset()
        self.log.clear()
        self.faults.clear()
        self.rates.set_limit(None)

    def digest(self) -> str:
        return self._service.digest()

    def requests(self, limit: int) -> list[LoggedRequest]:
        entries = self.log.entries()
        return entries[max(0, len(entries) - limit) :]

    # -- by name ------------------------------------------------------------------------------

    def carry_out(self, name: str, arguments: Mapping[str, Any]) -> Any:
        """Carry out a control by its name, like `advance` or `faults.clear`."""
        found: Any = self
        for part in name.split("."):
            found = getattr(found, part)
        return found(**arguments)
