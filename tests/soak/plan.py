"""What the soak of the client does: every call, its fault, and every kill, as a seed decides.

Nothing here depends on what became of earlier calls or on time: the nth call of a thread is a
function of the seed, the thread and n. Each message can be told from all others: by its id, by the
price an order is edited to, by the amount withdrawn, by the digit of the amount transferred.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from random import Random
from typing import Any, TypeAlias
from uuid import UUID

from attrs import field, frozen

from tests.interface import METHODS
from tests.soak.trouble import FAULT_SHARE, Trouble, trouble_of

THREADS_PER_ACCOUNT = 3
CALLS_PER_ACCOUNT = 80
"""Calls of each thread, after which its group goes on with another account: to reconcile reads a
whole history, so it should not grow for ever."""

TRANSFERS = 6
"""Transfers of one thread to one subaccount, at most: each has a digit of the balance."""

_EDITED_FROM = {"bid": 97_000, "ask": 102_001}
_RESTING_FROM = {"bid": 98_000, "ask": 100_600}
_BATCH_SHARE = 0.1
_LARGEST_BATCH = 6


@frozen(kw_only=True)
class Move:
    """One message: a call's own, or one action of a batch."""

    key: str
    """Thread, call, and place in the call."""

    name: str
    """Operation or action, like `orders.create`."""

    id: str
    """Its own id, or that of the order it changes; the amount of a transfer."""

    account: int
    arguments: Mapping[str, Any] = field(repr=False)

    @property
    def mark(self) -> str:
        """What it is known by in a journal."""
        return mark_of(self.account, self.name, self.id, {})


@frozen(kw_only=True)
class Call:
    """One call of the client: a single move, or a batch."""

    key: str
    account: int
    moves: tuple[Move, ...]
    batch: bool
    troubles: tuple[Trouble, ...]
    """Faults that wait for it, or for whoever comes first."""


def mark_of(account: int, name: str, client_id: str | None, fields: Mapping[str, Any]) -> str:
    """What a message of a journal is known by."""
    return f"{account} {name} {client_id or fields.get('client_order_id') or fields['amount']}"


def accounts_of(threads: int, calls: int) -> int:
    """How many accounts are needed by threads with so many calls each."""
    return _groups(threads) * -(-calls // CALLS_PER_ACCOUNT)


def _groups(threads: int) -> int:
    # Even, because it must not be the same group's accounts that buy and sell.
    groups = -(-threads // THREADS_PER_ACCOUNT)
    return groups + groups % 2


def calls_of(seed: int, thread: int, threads: int, calls: int) -> Iterator[Call]:
    """Return every call of a thread, in order."""
    planner = _Planner(seed, thread, threads)
    return (planner.call(number) for number in range(calls))


class _Planner:
    """Makes the calls of one thread."""

    def __init__(self, seed: int, thread: int, threads: int) -> None:
        self._random = Random(f"{seed}:{thread}")
        self._thread, self._threads = thread, threads
        self._account = -1

    def call(self, number: int) -> Call:
        """Make the next call."""
        self._begin(number)
        batch = self._random.random() < _BATCH_SHARE
        if batch:
            kinds = self._random.choices(_BATCHED, k=self._random.randint(1, _LARGEST_BATCH))
        else:
            kinds = self._random.choices(list(_SHARES), list(_SHARES.values()))
        key = f"{self._thread}.{number}"
        moves = tuple(self._move(f"{key}.{place}", kind) for place, kind in enumerate(kinds))
        troubled = self._random.random() < FAULT_SHARE
        operation = "orders.batch" if batch else METHODS[moves[0].name].sent_as
        return Call(
            key=key,
            account=self._account,
            moves=moves,
            batch=batch,
            troubles=trouble_of(self._random, operation) if troubled else (),
        )

    def _begin(self, number: int) -> None:
        epoch, first = divmod(number, CALLS_PER_ACCOUNT)
        if first == 0:
            group = self._thread // THREADS_PER_ACCOUNT
            self._account = epoch * _groups(self._threads) + group
            # An account buys or sells, never both, so that it never meets an order of its own.
            self._side = "ask" if group % 2 else "bid"
            self._edits: list[str] = []
            self._cancels: list[str] = []
            self._stops: list[str] = []
            self._withdrawn = self._transferred = 0

    def _move(self, key: str, make: _Maker) -> Move:
        name, id_, arguments = make(self)
        return Move(key=key, name=name, id=id_, account=self._account, arguments=arguments)

    def _order(self) -> dict[str, Any]:
        id_ = str(UUID(int=self._random.getrandbits(128), version=4))
        return {
            "symbol": "BTC",
            "side": self._side,
            "amount": f"0.000{self._random.randint(2, 9)}",
            "reduce_only": False,
            "client_order_id": id_,
        }

    def _limit(self) -> tuple[str, str, dict[str, Any]]:
        order, rests = self._order(), self._random.random() < 0.6
        if rests:
            price = _RESTING_FROM[self._side] + self._random.randint(0, 1_300)
            tif = self._random.choice(("GTC", "ALO", "TOB"))
            self._edits.append(order["client_order_id"])
            self._cancels.append(order["client_order_id"])
        else:
            price = self._random.randint(99_900, 100_100)
            tif = self._random.choice(("GTC", "IOC"))
        order.update(price=str(price), tif=tif)
        return "orders.create", order["client_order_id"], order

    def _market(self) -> tuple[str, str, dict[str, Any]]:
        order = {**self._order(), "slippage_percent": "1"}
        return "orders.create_market", order["client_order_id"], order

    def _stop(self) -> tuple[str, str, dict[str, Any]]:
        order = self._order()
        id_, amount = order.pop("client_order_id"), order.pop("amount")
        # Far from the mark price, which stands still.
        far = 120_000 if self._side == "bid" else 80_000
        price = str(far + self._random.randint(0, 9_999))
        order["stop_order"] = {"stop_price": price, "amount": amount, "client_order_id": id_}
        self._stops.append(id_)
        return "orders.create_stop", id_, order

    def _edit(self) -> tuple[str, str, dict[str, Any]]:
        if not self._edits:
            return self._limit()
        id_ = self._taken(self._edits)
        price = _EDITED_FROM[self._side] + self._random.randint(0, 900)
        amount = f"0.000{self._random.randint(2, 9)}"
        changed = {"client_order_id": id_, "price": str(price), "amount": amount}
        return "orders.edit", id_, {"symbol": "BTC", **changed}

    def _cancel(self) -> tuple[str, str, dict[str, Any]]:
        if not self._cancels:
            return self._limit()
        id_ = self._taken(self._cancels)
        if id_ in self._edits:
            self._edits.remove(id_)
        return "orders.cancel", id_, {"symbol": "BTC", "client_order_id": id_}

    def _cancel_stop(self) -> tuple[str, str, dict[str, Any]]:
        if not self._stops:
            return self._limit()
        id_ = self._taken(self._stops)
        return "orders.cancel_stop", id_, {"symbol": "BTC", "client_order_id": id_}

    def _withdraw(self) -> tuple[str, str, dict[str, Any]]:
        self._withdrawn += 1
        slot = self._thread % THREADS_PER_ACCOUNT
        units = 1_000_000 + slot * 10_000 + self._withdrawn
        key = str(UUID(int=self._random.getrandbits(128), version=4))
        fields = {"symbol": "SOL", "amount": _plain(units, 8), "idempotency_key": key}
        return "spot.withdraw", key, fields

    def _transfer(self) -> tuple[str, str, dict[str, Any]]:
        if self._transferred == TRANSFERS:
            return self._limit()
        digit = (self._thread % THREADS_PER_ACCOUNT) * TRANSFERS + self._transferred
        self._transferred += 1
        # In base 4 each digit of the balance says how often its transfer was carried out.
        amount = _plain(4**digit, 6)
        return "subaccounts.transfer", amount, {"amount": amount}

    def _taken(self, ids: list[str]) -> str:
        return ids.pop(self._random.randrange(len(ids)))


def _plain(units: int, decimals: int) -> str:
    return f"{Decimal(units).scaleb(-decimals).normalize():f}"


_Maker: TypeAlias = Callable[[_Planner], tuple[str, str, dict[str, Any]]]
_SHARES: Mapping[_Maker, int] = {
    _Planner._limit: 36,
    _Planner._market: 10,
    _Planner._stop: 8,
    _Planner._edit: 12,
    _Planner._cancel: 10,
    _Planner._cancel_stop: 5,
    _Planner._withdraw: 6,
    _Planner._transfer: 5,
}
_BATCHED: Sequence[_Maker] = (
    *(_Planner._limit, _Planner._limit, _Planner._limit, _Planner._market),
    *(_Planner._edit, _Planner._cancel, _Planner._cancel_stop),
)


def is_edited(price: Decimal) -> bool:
    """Whether only an edit asks for such a price."""
    return any(start <= price <= start + 900 for start in _EDITED_FROM.values())
