"""Short ways to trade on an exchange without HTTP, and what its histories would hold."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from decimal import Decimal
from typing import Any

import pytest

from trading_sandbox.engine.commands import (
    Advance,
    Cancel,
    CancelStop,
    Command,
    Deposit,
    Edit,
    OpenAccount,
    PlaceLimit,
    PlaceMarket,
    PlaceStop,
    SetMargin,
    SetMarkPrice,
    SetPositionTpsl,
    StopLeg,
)
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.money import exact_arithmetic, shortest
from trading_sandbox.engine.records import (
    Changes,
    DuplicateKey,
    InsufficientBalance,
    NotTheCreator,
    OffStep,
    Order,
    Refused,
    Reply,
    Trade,
)
from trading_sandbox.engine.state import Account, State

ID = "3f2b0c1e-8d5a-4e6f-9b7a-0c1d2e3f4a5b"
OTHER_ID = "00000000-0000-4000-8000-000000000002"
STRANGERS = [
    ("nobody", "Account not found: nobody"),
    *((name, f"Account {name} belongs to the exchange") for name in ("maker", "backstop")),
]
"""Accounts for which nothing is done, and what is said of them."""


class Desk:
    """An exchange with the accounts alice, bob and carol, and a clock that ticks once a command."""

    def __init__(self, usdc: str = "10000", *, maker_on: bool = False) -> None:
        self.now = 1_800_000_000_000
        self.exchange = Exchange.opened(seed=7, now=self.now, maker_on=maker_on)
        self.orders: dict[int, Order] = {}
        self.trades: list[Trade] = []
        self.latest = Changes()
        """What the latest command that was not refused has changed."""
        for name in ("alice", "bob", "carol"):
            self.open(name, usdc)

    def run(self, command: Command, after: int = 1) -> Reply:
        """Carry out a command `after` ms later than the one before."""
        self.now += after
        reply = self.exchange.execute(command, self.now)
        self.latest = self.exchange.venue.changes
        self.orders.update(self.latest.orders)
        self.trades += self.latest.trades
        return reply

    def refuses(self, attempt: Command | Callable[[], object], *words: str) -> str:
        """Let something be refused with these words, the error that goes with them, and no trace.

        Returns:
            The whole text of the error.
        """
        before = deepcopy(self.exchange.state)
        with pytest.raises(Refused) as caught:
            attempt() if callable(attempt) else self.run(attempt)
        text = str(caught.value)
        assert self.exchange.state == before
        assert self.exchange.venue.changes == Changes()
        # The web tells what was refused by its class, people by its text.
        assert type(caught.value) is error_of(text)
        assert [word for word in words if word not in text] == [], text
        return text

    # -- orders ----------------------------------------------------------------------------------

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

    def trade(self, buyer: str, seller: str, price: str, amount: str, symbol: str = "BTC") -> None:
        """Let a buyer take what a seller offers."""
        self.limit(seller, "ask", price, amount, symbol=symbol)
        self.limit(buyer, "bid", price, amount, symbol=symbol, tif="IOC")

    # -- controls --------------------------------------------------------------------------------

    def open(self, account: str, usdc: str = "0", main: str | None = None, **spot: str) -> None:
        self.run(opening(account, usdc, main, **spot))

    def deposit(self, account: str, usdc: str = "0", **spot: str) -> None:
        self.run(Deposit(account=account, usdc=Decimal(usdc), spot=tokens(spot)))

    def margin(
        self,
        leverage: int | None,
        isolated: bool = False,
        symbol: str = "BTC",
        account: str = "alice",
    ) -> None:
        self.run(SetMargin(account=account, symbol=symbol, isolated=isolated, leverage=leverage))

    def mark(self, price: str, symbol: str = "BTC") -> None:
        self.run(SetMarkPrice(symbol=symbol, price=Decimal(price)))

    def advance(self, after: int) -> Changes:
        """Let time pass; return what happened."""
        self.run(Advance(), after)
        return self.latest

    # -- what there is ---------------------------------------------------------------------------

    def order(self, order_id: Reply) -> Order:
        assert isinstance(order_id, int)
        return self.orders[order_id]

    def legs(self, parent: Order) -> list[Order]:
        """Return the take-profit and stop-loss of an order."""
        return [o for o in self.orders.values() if o.stop and o.stop.parent == parent.order_id]

    def orders_of(self, name: str) -> list[Order]:
        return [order for order in self.orders.values() if order.account == name]

    def trades_of(self, name: str) -> list[Trade]:
        return [trade for trade in self.trades if trade.account == name]

    def account(self, name: str) -> Account:
        return self.exchange.state.accounts[name]

    def balance(self, name: str) -> Decimal:
        return self.account(name).balance

    def size(self, name: str, symbol: str = "BTC") -> Decimal:
        return self.account(name).position(symbol).size

    def best(self, side: Any, symbol: str = "BTC") -> Order | None:
        return self.exchange.venue.books[symbol].best(side)


def error_of(text: str) -> type[Refused]:
    """The class of a refusal with this text."""
    if "is not a multiple of the tick size" in text or "is not a multiple of the lot size" in text:
        return OffStep
    own: dict[str, type[Refused]] = {
        "Insufficient balance": InsufficientBalance,
        "Duplicate idempotency_key": DuplicateKey,
        "Not the creator": NotTheCreator,
    }
    return own.get(text.partition(":")[0], Refused)


def tokens(spot: dict[str, str]) -> dict[str, Decimal]:
    """Amounts of spot assets that are given as text."""
    return {symbol: Decimal(amount) for symbol, amount in spot.items()}


def opening(account: str, usdc: str = "0", main: str | None = None, **spot: str) -> OpenAccount:
    return OpenAccount(account=account, usdc=Decimal(usdc), spot=tokens(spot), main=main)


def leg(stop_price: str, limit_price: str | None = None, **more: Any) -> StopLeg:
    """Return a stop configuration whose numbers are given as text."""
    amount = more.pop("amount", None)
    return StopLeg(
        stop_price=Decimal(stop_price),
        limit_price=None if limit_price is None else Decimal(limit_price),
        amount=None if amount is None else Decimal(amount),
        **more,
    )


def shown(order: Order) -> str:
    """Status, reason and filled amount of an order, as in `cancelled expired 0.1`."""
    return " ".join(filter(None, (order.status, order.reason, shortest(order.filled))))


def fields(record: object, names: str) -> str:
    """Some fields of a record as one text, as in `filled 100000 None`."""
    values = [getattr(record, name) for name in names.split()]
    return " ".join(shortest(v) if isinstance(v, Decimal) else str(v) for v in values)


def money_of(state: State) -> Decimal:
    """Return all money there is: it must be what was deposited, to the last digit."""
    with exact_arithmetic():
        accounts = state.accounts.values()
        costs = sum(position.cost for a in accounts for position in a.positions.values())
        vaults = sum(vault.balance for vault in state.vaults.values())
        return sum((a.balance for a in accounts), state.fees) - costs + vaults
