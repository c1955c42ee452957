"""One call of every operation, with arguments that any sandbox would refuse."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from trading_sdk import CancelOrder, Client

NOBODY = "11111111111111111111111111111111"
"""An address that nobody has a key of."""

Call = Callable[[Client], Any]

WRONG: Mapping[str, Call] = {
    "orders.create": lambda client: client.orders.create(
        symbol="DOGE", price="1", amount="1", side="bid", tif="ALO", reduce_only=False
    ),
    "orders.create_stop": lambda client: client.orders.create_stop(
        symbol="DOGE", side="bid", reduce_only=False, stop_order={"stop_price": "1"}
    ),
    "orders.edit": lambda client: client.orders.edit(
        symbol="BTC", order_id=1, price="1", amount="1"
    ),
    "orders.cancel_stop": lambda client: client.orders.cancel_stop(symbol="BTC", order_id=1),
    "orders.batch": lambda client: client.orders.batch([CancelOrder(symbol="BTC", order_id=1)]),
    "orders.history": lambda client: list(client.orders.history(cursor="wrong")),
    "trades.history": lambda client: list(client.trades.history(cursor="wrong")),
    "spot.withdraw": lambda client: client.spot.withdraw(symbol="DOGE", amount="1"),
    "spot.balance_history": lambda client: list(client.spot.balance_history(cursor="wrong")),
    "spot.withdrawal_history": lambda client: list(client.spot.withdrawal_history(cursor="wrong")),
    "account.settings": lambda client: client.account.settings(),
    "account.update_spot_settings": lambda client: client.account.update_spot_settings(
        symbol="DOGE", unified_margin_excluded=True
    ),
    "account.set_auto_lend_disabled": lambda client: client.account.set_auto_lend_disabled(
        disabled=True
    ),
    "subaccounts.list": lambda client: client.subaccounts.list(),
    "subaccounts.transfer": lambda client: client.subaccounts.transfer(
        to_account=NOBODY, amount="1"
    ),
    "vaults.add_max_leverage": lambda client: client.vaults.add_max_leverage(
        lake=NOBODY, symbols=["BTC"], max_leverage="1"
    ),
    "vaults.remove_max_leverage": lambda client: client.vaults.remove_max_leverage(
        lake=NOBODY, symbols=["BTC"]
    ),
    "vaults.remove_blacklist": lambda client: client.vaults.remove_blacklist(
        lake=NOBODY, symbols=["BTC"]
    ),
    "vaults.claim_manager": lambda client: client.vaults.claim_manager(
        lake=NOBODY, deposit_amount="1"
    ),
    "funding.history": lambda client: list(client.funding.history(symbol="DOGE")),
    "api_keys.create": lambda client: client.api_keys.create(),
    "api_keys.revoke": lambda client: client.api_keys.revoke(api_key="wrong"),
    "api_keys.list": lambda client: client.api_keys.list(),
}
"""By the name of the operation."""

ALWAYS_TAKEN = frozenset({"account.settings"})
"""There are no arguments that the SDK would send and the service refuse."""
