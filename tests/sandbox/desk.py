"""Short ways to trade on an exchange without HTTP, and what its histories would hold."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from trading_sandbox.engine.commands import (
    Cancel,
    CancelStop,
    Command,
    Edit,
    PlaceLimit,
    PlaceMarket,
    PlaceStop,
    SetPositionTpsl,
    StopLeg,
)
from trading_sandbox.engine.control_commands import OpenAccount, SetMarkPrice
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.money import exact_arithmetic
from trading_sandbox.engine.records import Order, Reply, Trade
from trading_sandbox.engine.state import Account, State


class Desk:
    """An exchange with the accounts alice, bob and carol, and a clock that ticks once a command."""

    def __init__(self, usdc: str = "10000", *, maker_on: bool = False) -> None:
        self.now = 1_800_000_000_000
        self.exchange = Exchange.opened(seed=7, now=self.now, maker_on=maker_on)
        self.orders: dict[int, Order] = {}
        self.trades: list[Trade] = []
        for name in ("alice", "bob", "carol"):
            self.run(OpenAccount(account=name, usdc=Decimal(usdc)))

    def run(self, command: Command, after: int = 1) -> Reply:
        """Carry out a command `after` ms later than the one before."""
        self.now += after
        outcome = self.exchange.execute(command, self.now)
        self.orders.update(outcome.changes.orders)
        self.trades += outcome.changes.trades
        return outcome.reply

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

    def stop(
        self, account: str, side: Any, price: str, amount: str | None = None, **more: Any
    ) -> Order:
        fields = {"symbol": "BTC", "reduce_only": False, **more}
        outer = {name: fields.pop(name) for name in ("symbol", "reduce_only")}
        stop = leg(price, amount=amount, **fields)
        return self.order(self.run(PlaceStop(account=account, side=side, stop=stop, **outer)))

    def tpsl(self, account: str, side: Any, **legs: Any) -> list[Order]:
        """Set the take-profit and stop-loss of a position; return their orders."""
        first = self.exchange.state.next_order_id
        self.run(SetPositionTpsl(**{"account": account, "symbol": "BTC", "side": side, **legs}))
        return [self.order(number) for number in range(first, self.exchange.state.next_order_id)]

    def cancel_stop(self, account: str, **more: Any) -> None:
        self.run(CancelStop(**{"account": account, "symbol": "BTC", **more}))

    def legs(self, parent: Order) -> list[Order]:
        """Return the take-profit and stop-loss of an order."""
        return [o for o in self.orders.values() if o.stop and o.stop.parent == parent.order_id]

    def mark(self, price: str, symbol: str = "BTC") -> None:
        self.run(SetMarkPrice(symbol=symbol, price=Decimal(price)))

    def order(self, order_id: Reply) -> Order:
        assert isinstance(order_id, int)
        return self.orders[order_id]

    def orders_of(self, name: str) -> list[Order]:
        return [order for order in self.orders.values() if order.account == name]

    def trades_of(self, name: str) -> list[Trade]:
        return [trade for trade in self.trades if trade.account == name]

    def account(self, name: str) -> Account:
        return self.exchange.state.accounts[name]

    def size(self, name: str, symbol: str = "BTC") -> Decimal:
        return self.account(name).position(symbol).size


def leg(stop_price: str, limit_price: str | None = None, **more: Any) -> StopLeg:
    """Return a stop configuration whose numbers are given as text."""
    amount = more.pop("amount", None)
    return StopLeg(
        stop_price=Decimal(stop_price),
        limit_price=None if limit_price is None else Decimal(limit_price),
        amount=None if amount is None else Decimal(amount),
        **more,
    )


def money_of(state: State) -> Decimal:
    """Return all money there is: it must be what was deposited, to the last digit."""
    with exact_arithmetic():
        accounts = state.accounts.values()
        costs = sum(position.cost for a in accounts for position in a.positions.values())
        vaults = sum(vault.balance for vault in state.vaults.values())
        return sum((a.balance for a in accounts), state.fees) - costs + vaults
