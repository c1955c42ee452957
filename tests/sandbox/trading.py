"""Short ways to use a service without HTTP."""

from __future__ import annotations

from decimal import Decimal
from math import inf
from pathlib import Path
from typing import Any

from tests.soak.stream import Pass, Stream
from trading_sandbox.engine.commands import Cancel, OpenAccount, PlaceLimit
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.service import Service
from trading_sandbox.store.database import Store

NOW = 1_800_000_000_000


class Clock:
    """The time of a machine, which passes only when it is told to."""

    def __init__(self) -> None:
        self.ms = NOW

    def __call__(self) -> int:
        return self.ms


def opened(
    file: Path | None = None,
    *,
    seed: int = 7,
    maker: bool = False,
    clock: Clock | None = None,
    checkpoint_after: float = inf,
) -> Service:
    """Return the exchange of a file, or a new one."""
    now = clock or Clock()
    store = Store(file, seed, checkpoint_after=checkpoint_after)
    if store.is_new:
        store.begin(Exchange.opened(seed, now(), maker_on=maker))
    return Service(store, taker_delay=0, clock=now)


def trade(service: Service, seed: int, requests: int) -> None:
    """Let two accounts trade at random."""
    accounts = ("alice", "bob")
    for account in accounts:
        if account not in service.exchange.state.accounts:
            service.execute(
                OpenAccount(account=account, usdc=Decimal(10**6), spot={"SOL": Decimal(100)})
            )
    for request, _ in zip(Stream(seed, accounts), range(requests), strict=False):
        if isinstance(request, Pass):
            service.advance(request.ms)
        else:
            service.execute_all(request)


class Market:
    """A service with a rich account, which trades BTC there."""

    def __init__(self, service: Service, account: str = "alice") -> None:
        self.service = service
        self.account = account
        if account not in service.exchange.state.accounts:
            service.execute(OpenAccount(account=account, usdc=Decimal(10_000_000)))

    def order(self, side: Any, price: str, **more: Any) -> PlaceLimit:
        given = {"symbol": "BTC", "amount": Decimal("0.01"), "tif": "GTC", **more}
        return PlaceLimit(account=self.account, side=side, price=Decimal(price), **given)

    def bid(self, price: str, **more: Any) -> int:
        return self._placed(self.order("bid", price, **more))

    def ask(self, price: str, **more: Any) -> int:
        return self._placed(self.order("ask", price, **more))

    def cancel(self, order_id: int) -> None:
        self.service.execute(Cancel(account=self.account, symbol="BTC", order_id=order_id))

    def history(self, limit: int = 100) -> list[int]:
        records, _ = self.service.page("orders", self.account, limit=limit)
        return [number for number, _ in records]

    def _placed(self, command: PlaceLimit) -> int:
        order_id = self.service.execute(command)
        assert isinstance(order_id, int)
        return order_id
