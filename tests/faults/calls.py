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
from tests.end_to_end.trading import place
from tests.interface import PAGINATED, Operation
from trading_sandbox import Sandbox
from trading_sdk import CancelOrder, Client, CreateOrder, Keypair

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
Arguments: TypeAlias = dict[str, Any]


def _pages(operation: Operation) -> Pages:
    return lambda client, **more: attrgetter(operation.name)(client)(
        limit=1, **operation.least, **more
    )


PAGES: Mapping[str, Pages] = {name: _pages(each) for name, each in PAGINATED.items()}


_TRIGGER = {"stop_price": "110000"}
STOP = stop_order(stop_order={**_TRIGGER, "amount": "0.1"})


def _after(act: Callable[[], object], times: int = 1, **arguments: Any) -> Arguments:
    """Do something so often; these are the arguments of the call then."""
    for _ in range(times):
        act()
    return arguments


def _order(scene: Scene) -> Arguments:
    return {"symbol": "BTC", "order_id": place(scene.hand)}


def _stop(scene: Scene) -> Arguments:
    return {"symbol": "BTC", "order_id": scene.hand.orders.create_stop(**STOP).order_id}


MARK = "100000"
"""The price of BTC when the exchange opens."""


def _offered(scene: Scene, **changes: Any) -> int:
    return place(scene.other, side="ask", price=MARK, **changes)


def _trades(scene: Scene, times: int = 3) -> Arguments:
    _after(lambda: _offered(scene), times)
    return _after(lambda: place(scene.hand, price=MARK, amount=f"0.{times}", tif="IOC"))


def _vault(scene: Scene) -> Arguments:
    return {"lake": scene.sandbox.create_vault(scene.trader), "symbols": ["BTC"]}


def _limited_vault(scene: Scene) -> Arguments:
    vault = _vault(scene)
    return _after(lambda: scene.hand.vaults.add_max_leverage(**vault, max_leverage="10"), **vault)


def _blacklisting_vault(scene: Scene) -> Arguments:
    vault = scene.sandbox.create_vault(scene.trader, blacklist=("SOL",))
    return {"lake": vault, "symbols": ["SOL"]}


def _open_vault(scene: Scene) -> Arguments:
    vault = scene.sandbox.create_vault(scene.sandbox.create_account(), managed=False)
    return {"lake": vault, "deposit_amount": "100"}


PREPARE: Mapping[str, Callable[[Scene], Arguments]] = {
    "orders.create": lambda scene: resting(),
    "orders.create_stop": lambda scene: STOP,
    "orders.edit": lambda scene: {**_order(scene), "price": "89000", "amount": "0.2"},
    "orders.cancel": _order,
    "orders.cancel_stop": _stop,
    "orders.batch": lambda scene: {
        "actions": [CreateOrder(**resting()), CancelOrder(**_order(scene))]
    },
    "orders.create_market": lambda scene: _after(
        lambda: _offered(scene, amount="1"), **market_order(amount="0.1")
    ),
    "orders.set_position_tpsl": lambda scene: _after(
        lambda: _trades(scene, 1), symbol="BTC", side="ask", take_profit=_TRIGGER
    ),
    "orders.history": lambda scene: _after(lambda: place(scene.hand), 3),
    "trades.history": _trades,
    "spot.balance_history": lambda scene: _after(
        lambda: scene.sandbox.deposit(scene.trader, spot={"SOL": "1"}), 3
    ),
    "spot.withdrawal_history": lambda scene: _after(
        lambda: scene.hand.spot.withdraw(symbol="SOL", amount="1"), 3
    ),
    "account.settings": lambda scene: _after(
        lambda: scene.sandbox.set_margin(scene.trader, "BTC", isolated=True, leverage=5)
    ),
    "account.set_auto_lend_disabled": lambda scene: {"disabled": True},
    "subaccounts.list": lambda scene: _after(
        lambda: scene.sandbox.create_subaccount(scene.trader, usdc="50")
    ),
    "subaccounts.transfer": lambda scene: {
        "to_account": scene.sandbox.create_subaccount(scene.trader).address,
        "amount": "10",
    },
    "vaults.add_max_leverage": lambda scene: {**_vault(scene), "max_leverage": "10"},
    "vaults.remove_max_leverage": _limited_vault,
    "vaults.remove_blacklist": _blacklisting_vault,
    "vaults.claim_manager": _open_vault,
    "api_keys.revoke": lambda scene: {"api_key": scene.hand.api_keys.create().api_key},
}
"""The arguments of a call, for which something may be done before, by the name of the operation or action."""


def prepared(operation: Operation) -> Prepare:
    """The preparation of a call; of most there is none."""
    arguments_of = PREPARE.get(operation.name, lambda _: operation.least)

    def prepare(scene: Scene) -> Call:
        arguments = arguments_of(scene)
        if operation.is_paginated:
            return lambda client: next(PAGES[operation.name](client).pages()).items
        return lambda client: attrgetter(operation.name)(client)(**arguments)

    return prepare
