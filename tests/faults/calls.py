"""A call of every operation that the sandbox carries out, and what must be there before it.

Most need nothing, and are called with the least that the table in tests/interface has for them.
What another call needs (a resting order, a vault, a key to revoke) is made before the fault is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, TypeAlias

from attrs import frozen

from tests.doubles.orders import market_order, resting, stop_order
from tests.end_to_end.trading import place, trade
from tests.interface import PAGINATED, Operation
from trading_sandbox import Sandbox
from trading_sdk import CancelOrder, Client, CreateOrder, Keypair, OrderPlaced

Call: TypeAlias = Callable[[Client], Any]
Pages: TypeAlias = Callable[..., Any]
"""Takes a client, and the `cursor` to go on from."""


@frozen
class Scene:
    """The account of a cell, and clients that no fault meets while it is set up."""

    sandbox: Sandbox
    trader: Keypair
    hand: Client
    """A client of the trader's."""
    other: Client
    """A client of somebody to trade with."""


Prepare: TypeAlias = Callable[[Scene], Call]


def _pages(operation: Operation) -> Pages:
    return lambda client, **more: attrgetter(operation.name)(client)(
        limit=1, **operation.least, **more
    )


PAGES: Mapping[str, Pages] = {name: _pages(each) for name, each in PAGINATED.items()}


def _first(pages: Pages) -> Call:
    return lambda client: next(pages(client).pages()).items


# -- orders ----------------------------------------------------------------------------------


STOP = stop_order(stop_order={"stop_price": "110000", "amount": "0.1"})


def _create(scene: Scene) -> Call:
    return lambda client: client.orders.create(**resting())


def _create_stop(scene: Scene) -> Call:
    return lambda client: client.orders.create_stop(**STOP)


def _waiting(scene: Scene) -> int:
    placed: OrderPlaced = _create_stop(scene)(scene.hand)
    return placed.order_id


def _edit(scene: Scene) -> Call:
    order = place(scene.hand)
    return lambda client: client.orders.edit(
        symbol="BTC", order_id=order, price="89000", amount="0.2"
    )


def _cancel_stop(scene: Scene) -> Call:
    waiting = _waiting(scene)
    return lambda client: client.orders.cancel_stop(symbol="BTC", order_id=waiting)


def _cancel(scene: Scene) -> Call:
    order = place(scene.hand)
    return lambda client: client.orders.cancel(symbol="BTC", order_id=order)


def _create_market(scene: Scene) -> Call:
    place(scene.other, "ask", 100_000, "1")
    return lambda client: client.orders.create_market(**market_order(amount="0.1"))


def _set_position_tpsl(scene: Scene) -> Call:
    trade(scene.hand, scene.other)
    return lambda client: client.orders.set_position_tpsl(
        symbol="BTC", side="ask", take_profit={"stop_price": "110000"}
    )


def _batch(scene: Scene) -> Call:
    cancel = CancelOrder(symbol="BTC", order_id=place(scene.hand))
    create = CreateOrder(**resting())
    return lambda client: client.orders.batch([create, cancel])


def _order_history(scene: Scene) -> Call:
    for _ in range(3):
        place(scene.hand)
    return _first(PAGES["orders.history"])


def _trade_history(scene: Scene) -> Call:
    for _ in range(3):
        place(scene.other, "ask", 100_000, "0.1")
    place(scene.hand, "bid", 100_000, "0.3", "IOC")
    return _first(PAGES["trades.history"])


# -- money -----------------------------------------------------------------------------------


def _balance_history(scene: Scene) -> Call:
    for _ in range(3):
        scene.sandbox.deposit(scene.trader, spot={"SOL": "1"})
    return _first(PAGES["spot.balance_history"])


def _withdrawal_history(scene: Scene) -> Call:
    for _ in range(3):
        scene.hand.spot.withdraw(symbol="SOL", amount="1")
    return _first(PAGES["spot.withdrawal_history"])


def _transfer(scene: Scene) -> Call:
    under = scene.sandbox.create_subaccount(scene.trader)
    return lambda client: client.subaccounts.transfer(to_account=under.address, amount="10")


def _subaccounts(scene: Scene) -> Call:
    scene.sandbox.create_subaccount(scene.trader, usdc="50")
    return lambda client: client.subaccounts.list()


# -- settings --------------------------------------------------------------------------------


def _settings(scene: Scene) -> Call:
    scene.sandbox.set_margin(scene.trader, "BTC", isolated=True, leverage=5)
    return lambda client: client.account.settings()


def _set_auto_lend_disabled(scene: Scene) -> Call:
    return lambda client: client.account.set_auto_lend_disabled(disabled=True)


def _add_max_leverage(scene: Scene) -> Call:
    vault = scene.sandbox.create_vault(scene.trader)
    return lambda client: client.vaults.add_max_leverage(
        lake=vault, symbols=["BTC"], max_leverage="10"
    )


def _remove_max_leverage(scene: Scene) -> Call:
    vault = scene.sandbox.create_vault(scene.trader)
    scene.hand.vaults.add_max_leverage(lake=vault, symbols=["BTC"], max_leverage="10")
    return lambda client: client.vaults.remove_max_leverage(lake=vault, symbols=["BTC"])


def _remove_blacklist(scene: Scene) -> Call:
    vault = scene.sandbox.create_vault(scene.trader, blacklist=("SOL",))
    return lambda client: client.vaults.remove_blacklist(lake=vault, symbols=["SOL"])


def _claim_manager(scene: Scene) -> Call:
    vault = scene.sandbox.create_vault(scene.sandbox.create_account(), managed=False)
    return lambda client: client.vaults.claim_manager(lake=vault, deposit_amount="100")


def _revoke_api_key(scene: Scene) -> Call:
    spare = scene.hand.api_keys.create().api_key
    return lambda client: client.api_keys.revoke(api_key=spare)


PREPARE: Mapping[str, Prepare] = {
    "orders.create": _create,
    "orders.create_stop": _create_stop,
    "orders.edit": _edit,
    "orders.cancel_stop": _cancel_stop,
    "orders.batch": _batch,
    "orders.history": _order_history,
    "trades.history": _trade_history,
    "spot.balance_history": _balance_history,
    "spot.withdrawal_history": _withdrawal_history,
    "account.settings": _settings,
    "account.set_auto_lend_disabled": _set_auto_lend_disabled,
    "subaccounts.list": _subaccounts,
    "subaccounts.transfer": _transfer,
    "vaults.add_max_leverage": _add_max_leverage,
    "vaults.remove_max_leverage": _remove_max_leverage,
    "vaults.remove_blacklist": _remove_blacklist,
    "vaults.claim_manager": _claim_manager,
    "api_keys.revoke": _revoke_api_key,
    "orders.cancel": _cancel,
    "orders.create_market": _create_market,
    "orders.set_position_tpsl": _set_position_tpsl,
}
"""By the name of the operation or action: all that need more than the arguments of a sample."""


def prepared(operation: Operation) -> Prepare:
    """The preparation of a call; of most there is none."""
    return PREPARE.get(operation.name) or _plain(operation)


def _plain(operation: Operation) -> Prepare:
    if operation.is_paginated:
        return lambda scene: _first(PAGES[operation.name])
    return lambda scene: lambda client: attrgetter(operation.name)(client)(**operation.least)
