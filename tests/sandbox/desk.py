"""Short ways to trade on an exchange without HTTP."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from trading_sandbox.engine.accounts import Account
from trading_sandbox.engine.commands import (
    Cancel,
    Command,
    Edit,
    OpenAccount,
    PlaceLimit,
    PlaceMarket,
    SetMarkPrice,
)
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.records import Order


class Desk:
    """An exchange with the accounts alice, bob and carol, and a clock that ticks once a command."""

    def __init__(self, usdc: str = "10000") -> None:
        self.exchange = Exchange()
        self.now = 1_800_000_000_000
        for name in ("alice", "bob", "carol"):
            self.run(OpenAccount(account=name, usdc=Decimal(usdc)))

    def run(self, command: Command) -> int | None:
        self.now += 1
        return self.exchange.execute(command, self.now)

    def limit(self, account: str, side: Any, price: str, amount: str, **more: Any) -> Order:
        fields = {"tif": "GTC", "symbol": "BTC", **more}
        order_id = self.run(
            PlaceLimit(
                account=account, side=side, price=Decimal(price), amount=Decimal(amount), **fields
            )
        )
        return self.order(order_id)

    def market(
        self, account: str, side: Any, amount: str, slippage: str = "1", **more: Any
    ) -> Order:
        fields = {"symbol": "BTC", **more}
        order_id = self.run(
            PlaceMarket(
                account=account,
                side=side,
                amount=Decimal(amount),
                slippage_percent=Decimal(slippage),
                **fields,
            )
        )
        return self.order(order_id)

    def edit(self, account: str, price: str, amount: str, **more: Any) -> Order:
        fields = {"symbol": "BTC", **more}
        order_id = self.run(
            Edit(account=account, price=Decimal(price), amount=Decimal(amount), **fields)
        )
        return self.order(order_id)

    def cancel(self, account: str, **more: Any) -> None:
        self.run(Cancel(**{"account": account, "symbol": "BTC", **more}))

    def mark(self, price: str, symbol: str = "BTC") -> None:
        self.run(SetMarkPrice(symbol=symbol, price=Decimal(price)))

    def order(self, order_id: int | None) -> Order:
        orders = [o for a in self.exchange.accounts.values() for o in a.orders]
        return next(o for o in orders if o.order_id == order_id)

    def account(self, name: str) -> Account:
        return self.exchange.accounts[name]

    def size(self, name: str, symbol: str = "BTC") -> Decimal:
        return self.account(name).position(symbol).size
