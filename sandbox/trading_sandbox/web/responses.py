"""Turn the reply of the exchange into the answer of each endpoint (interface section 4)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import trading_sdk as sdk
from trading_runtime import unstructure
from trading_sandbox.engine.commands import Command, Edit, PlaceLimit, PlaceMarket, RevokeApiKey
from trading_sandbox.engine.money import plain
from trading_sandbox.engine.records import ApiKey, Refused, Reply, Withdrawal

Document = dict[str, Any]
_WITH_ORDER_ID = (PlaceLimit, PlaceMarket, Edit)


def result_of(command: Command | None, outcome: Reply | Refused) -> Document:
    """Return the result of one batch action; only limit, market and edit actions give an id."""
    if isinstance(outcome, Refused):
        return {"success": False, "error": str(outcome)}
    placed = isinstance(command, _WITH_ORDER_ID)
    return {"success": True, "error": None, **({"order_id": outcome} if placed else {})}


def enveloped(data: Any) -> Document:
    """Wrap data in the common envelope."""
    return {"success": True, "data": data, "error": None, "code": None}


def _order(command: Command | None, reply: Reply) -> Document:
    assert isinstance(reply, int)
    return {"order_id": reply}


def _done(command: Command | None, reply: Reply) -> Document:
    return {"success": True}


def _done_inside(command: Command | None, reply: Reply) -> Document:
    return enveloped({"success": True})


def _transferred(command: Command | None, reply: Reply) -> Document:
    return enveloped({"success": True, "error": None})


def _withdrawn(command: Command | None, reply: Reply) -> Document:
    assert isinstance(reply, Withdrawal)
    receipt = sdk.WithdrawalReceipt(
        symbol=reply.symbol,
        batch_nonce=reply.batch_nonce,
        requested_amount=plain(reply.amount),
        fee_amount=plain(reply.fee),
    )
    return {"success": True, "data": unstructure(receipt)}


def _shares(command: Command | None, reply: Reply) -> Document:
    assert isinstance(reply, Decimal)
    return enveloped(unstructure(sdk.SharesMinted(shares_minted=plain(reply))))


def _new_key(command: Command | None, reply: Reply) -> Document:
    assert isinstance(reply, ApiKey)
    return {"data": unstructure(sdk.ApiKey(api_key=reply.api_key))}


def _revoked_key(command: Command | None, reply: Reply) -> Document:
    assert isinstance(command, RevokeApiKey)
    return {"data": unstructure(sdk.ApiKey(api_key=command.api_key))}


RESPONSES: dict[str, Callable[[Command | None, Reply], Document]] = {
    "orders.create": _order,
    "orders.create_stop": _order,
    "orders.edit": _order,
    "orders.cancel_stop": _done,
    "spot.withdraw": _withdrawn,
    "account.update_spot_settings": _done,
    "account.set_auto_lend_disabled": _done,
    "subaccounts.transfer": _transferred,
    "vaults.add_max_leverage": _done_inside,
    "vaults.remove_max_leverage": _done_inside,
    "vaults.remove_blacklist": _done_inside,
    "vaults.claim_manager": _shares,
    "api_keys.create": _new_key,
    "api_keys.revoke": _revoked_key,
}
"""The answer of each operation that changes something, by the name of the operation."""
