"""A stream of requests that a seed decides. None depends on what became of those before it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import Any
from uuid import UUID

import attrs

from trading_sandbox.engine.commands import (
    Cancel,
    CancelStop,
    Command,
    Deposit,
    Edit,
    PlaceLimit,
    PlaceMarket,
    PlaceStop,
    SetMarkPrice,
    SetPositionTpsl,
    StopLeg,
    Withdraw,
)

HOUR_MS = 3_600_000


@attrs.frozen
class Pass:
    """Let time pass."""

    ms: int


Request = tuple[Command, ...] | Pass
"""A request is one command, several orders of one account as a batch, or some time."""


class Stream:
    """The requests of a seed for some accounts."""

    def __init__(self, seed: int, accounts: tuple[str, ...]) -> None:
        self._random = Random(seed)
        self._accounts = accounts
        self._placed: deque[str] = deque(maxlen=8)
        self._stops: deque[str] = deque(maxlen=10)
        self._keys: deque[str] = deque(maxlen=5)
        self._makers: dict[Callable[[str], Command], int] = {
            self._limit: 8,
            self._market: 2,
            self._cancel: 3,
            self._edit: 2,
            self._stop: 1,
            self._tpsl: 1,
            self._cancel_stop: 1,
            self._withdraw: 1,
            self._deposit: 1,
            self._mark_price: 1,
        }

    def __iter__(self) -> Iterator[Request]:
        while True:
            yield self._request()

    def _request(self) -> Request:
        account = self._random.choice(self._accounts)
        chance = self._random.random()
        if chance < 0.02:
            return Pass(self._random.choice((1, 1000, HOUR_MS // 3)))
        if chance < 0.1:
            makers: Sequence[Callable[[str], Command]]
            makers = (self._limit, self._market, self._cancel, self._edit)
            size = self._random.randint(2, 6)
            return tuple(self._random.choice(makers)(account) for _ in range(size))
        (maker,) = self._random.choices(list(self._makers), list(self._makers.values()))
        return (maker(account),)

    def _limit(self, account: str) -> PlaceLimit:
        common: dict[str, Any] = self._common(account)
        buys = common["side"] == "bid"
        # Most rest in the book, and some trade with those.
        price = self._price() - (12 if buys else -12)
        legs: dict[str, Any] = {}
        if self._random.random() < 0.2:
            away = 20 if buys else -20
            legs["take_profit"] = StopLeg(stop_price=price + away)
            legs["stop_loss"] = StopLeg(stop_price=price - away, limit_price=price - 2 * away)
        return PlaceLimit(
            **common,
            **legs,
            price=price,
            amount=self._amount(),
            tif=self._random.choice(("GTC", "GTC", "IOC", "ALO", "TOB")),
            client_order_id=self._new_id(self._placed),
        )

    def _market(self, account: str) -> PlaceMarket:
        return PlaceMarket(
            **self._common(account),
            amount=self._amount(),
            slippage_percent=Decimal("0.5"),
            reduce_only=self._random.random() < 0.3,
            client_order_id=self._new_id(self._placed),
        )

    def _cancel(self, account: str) -> Cancel:
        return Cancel(account=account, symbol="ETH", client_order_id=self._known_id(self._placed))

    def _edit(self, account: str) -> Edit:
        return Edit(
            account=account,
            symbol="ETH",
            client_order_id=self._known_id(self._placed),
            price=self._price(),
            amount=self._amount(),
        )

    def _stop(self, account: str) -> PlaceStop:
        leg = StopLeg(
            stop_price=self._price(),
            client_order_id=self._new_id(self._stops),
            amount=self._amount(),
        )
        return PlaceStop(**self._common(account), stop=leg)

    def _tpsl(self, account: str) -> SetPositionTpsl:
        common = self._common(account)
        away = 15 if common["side"] == "ask" else -15
        leg = StopLeg(stop_price=Decimal(3500 + away), client_order_id=self._new_id(self._stops))
        return SetPositionTpsl(**common, take_profit=leg)

    def _cancel_stop(self, account: str) -> CancelStop:
        client_order_id = self._known_id(self._stops)
        return CancelStop(account=account, symbol="ETH", client_order_id=client_order_id)

    def _withdraw(self, account: str) -> Withdraw:
        again = bool(self._keys) and self._random.random() < 0.3
        key = self._known_id(self._keys) if again else self._new_id(self._keys)
        amount = Decimal(self._random.randint(1, 30)) / 10
        return Withdraw(account=account, symbol="SOL", amount=amount, idempotency_key=key)

    def _deposit(self, account: str) -> Deposit:
        return Deposit(account=account, usdc=Decimal(100), spot={"SOL": Decimal(1)})

    def _mark_price(self, account: str) -> SetMarkPrice:
        far = self._random.choice((0, 0, 0, 40, -40, 150, -150))
        return SetMarkPrice(symbol="ETH", price=self._price() + far)

    def _common(self, account: str) -> dict[str, Any]:
        side = self._random.choice(("bid", "ask"))
        return {"account": account, "symbol": "ETH", "side": side}

    def _price(self) -> Decimal:
        return Decimal(self._random.randint(34_900, 35_100)) / 10

    def _amount(self) -> Decimal:
        return Decimal(self._random.randint(40, 2000)) / 10_000

    def _new_id(self, ids: deque[str]) -> str:
        ids.append(str(UUID(int=self._random.getrandbits(128), version=4)))
        return ids[-1]

    def _known_id(self, ids: deque[str]) -> str:
        return self._random.choice(ids) if ids else self._new_id(ids)
