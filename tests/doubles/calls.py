"""Calls of a client, of each retry class; each takes the client alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from tests.doubles.orders import ID, order
from tests.doubles.signer import KEY
from trading_sdk import CancelOrder, Client, CreateOrder

Call: TypeAlias = Callable[[Client], object]

SETTINGS = {"success": True, "data": {"auto_lend_disabled": None}}
"""What `account.settings` is answered with."""


def settings(client: Client) -> object:
    """Read what is no list."""
    return client.account.settings()


def history(client: Client) -> object:
    """Read all pages of a list."""
    return list(client.orders.history())


def subaccounts(client: Client) -> object:
    """Read by a signed POST."""
    return client.subaccounts.list()


def create(client: Client) -> object:
    """Place an order with an id that is given."""
    return client.orders.create(**order(client_order_id=ID))


def cancel(client: Client) -> object:
    """Cancel an order."""
    return client.orders.cancel(symbol="BTC", order_id=1)


def batch(client: Client) -> object:
    """Place an order and cancel another one."""
    return client.orders.batch([CreateOrder(**order()), CancelOrder(symbol="BTC", order_id=1)])


def lend(client: Client) -> None:
    """Change a setting."""
    client.account.set_auto_lend_disabled(disabled=True)


def transfer(client: Client) -> None:
    """Move money, without an idempotency key."""
    client.subaccounts.transfer(to_account=KEY.address, amount="1")


def withdraw(client: Client) -> object:
    """Move money, with an idempotency key."""
    return client.spot.withdraw(symbol="SOL", amount="1", idempotency_key=ID)


BY_CLASS: Mapping[str, tuple[Call, ...]] = {
    "safe": (settings, history, subaccounts),
    "idempotent": (cancel, lend),
    "by-key": (create, withdraw),
    "never": (batch, transfer),
}
"""The calls by the retry class of their operation."""
CHANGES: tuple[Call, ...] = (create, cancel, batch, lend, transfer, withdraw)
"""The calls whose failure may leave it open what became of them."""
