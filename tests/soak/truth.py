"""What the sandbox shows of the moves of an account: how often each was carried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias

from attrs import field, frozen

from tests.soak.plan import Move, is_edited
from trading_sdk import Client, Order, SpotWithdrawal

_PAGE = 1_000
_USDC_UNIT = Decimal("0.000001")


def _by_id(orders: Sequence[Order]) -> Mapping[str, list[Order]]:
    found: dict[str, list[Order]] = {}
    for order in sorted(orders, key=lambda order: order.order_id):
        found.setdefault(str(order.client_order_id), []).append(order)
    return found


def _amounts(withdrawals: Sequence[SpotWithdrawal]) -> Counter[Decimal]:
    return Counter(withdrawal.amount for withdrawal in withdrawals)


@frozen(kw_only=True)
class Shown:
    """The histories of an account."""

    orders: Mapping[str, list[Order]] = field(converter=_by_id)
    """By client id; of one id the oldest first."""

    withdrawals: Counter[Decimal] = field(converter=_amounts)
    """How many there are of each amount."""

    sub_balance: Decimal
    """USDC of the subaccount that it transfers to."""


def shown(client: Client) -> Shown:
    """Read the histories of the client's account."""
    (sub,) = client.subaccounts.list()
    return Shown(
        orders=list(client.orders.history(limit=_PAGE)),
        withdrawals=list(client.spot.withdrawal_history(limit=_PAGE)),
        sub_balance=sub.balance,
    )


def times(move: Move, found: Shown) -> int:
    """How often a move was carried out."""
    return _TIMES[move.name](move, found)


def _created(move: Move, found: Shown) -> int:
    orders = found.orders.get(move.id, [])
    return sum(not (_is_limit(move) and is_edited(order.initial_price)) for order in orders)


def _edited(move: Move, found: Shown) -> int:
    price = Decimal(move.arguments["price"])
    return sum(order.initial_price == price for order in found.orders.get(move.id, []))


def _cancelled(move: Move, found: Shown) -> int:
    # An edit leaves the order that it replaces cancelled as well.
    latest = found.orders.get(move.id, [])[-1:]
    return sum((o.order_status, o.reason) == ("cancelled", "cancel") for o in latest)


def _withdrawn(move: Move, found: Shown) -> int:
    return found.withdrawals[Decimal(move.arguments["amount"])]


def _transferred(move: Move, found: Shown) -> int:
    return int(found.sub_balance / _USDC_UNIT) // int(Decimal(move.id) / _USDC_UNIT) % 4


def _is_limit(move: Move) -> bool:
    return move.name == "orders.create"


_Count: TypeAlias = Callable[[Move, Shown], int]
_TIMES: Mapping[str, _Count] = {
    "orders.create": _created,
    "orders.create_market": _created,
    "orders.create_stop": _created,
    "orders.edit": _edited,
    "orders.cancel": _cancelled,
    "orders.cancel_stop": _cancelled,
    "spot.withdraw": _withdrawn,
    "subaccounts.transfer": _transferred,
}
