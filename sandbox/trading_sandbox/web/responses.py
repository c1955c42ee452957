"""Turn the reply of the exchange into the answer of each endpoint (interface section 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeAlias

from trading_sandbox.engine.commands import Command, Edit, PlaceLimit, PlaceMarket
from trading_sandbox.engine.money import shortest
from trading_sandbox.engine.records import ApiKey, Refused, Reply, Withdrawal
from trading_sandbox.service import Service
from trading_sandbox.turns import Slices
from trading_sandbox.web.refusals import Refusal

Document: TypeAlias = dict[str, Any]
Fields: TypeAlias = Mapping[str, Any]
"""The arguments of a request, the `account` of a signed one included."""
Answer: TypeAlias = Callable[[Service, Fields, Reply], Document]
"""Makes the answer of an operation: of what its command replied, or of what it reads."""
LongAnswer: TypeAlias = Callable[[Service, Fields], Slices[Document]]
"""Makes the answer of an operation that reads much, in slices."""
_WITH_ORDER_ID = (PlaceLimit, PlaceMarket, Edit)


def result_of(command: Command | Refused, outcome: Reply | Refusal) -> Document:
    """Return the result of one batch action; only limit, market and edit actions give an id."""
    if isinstance(outcome, Refusal):
        return {"success": False, "error": outcome.observed}
    placed = isinstance(command, _WITH_ORDER_ID)
    return {"success": True, "error": None, **({"order_id": outcome} if placed else {})}


def enveloped(data: Any) -> Document:
    """Wrap data in the common envelope."""
    return {"success": True, "data": data, "error": None, "code": None}


def always(document: Document) -> Answer:
    """Return what answers with the same document whatever was asked."""
    return lambda service, fields, reply: document


def _order(service: Service, fields: Fields, reply: Reply) -> Document:
    return {"order_id": reply}


def _withdrawn(service: Service, fields: Fields, reply: Reply) -> Document:
    assert isinstance(reply, Withdrawal)
    receipt = {
        "symbol": reply.symbol,
        "batch_nonce": reply.batch_nonce,
        "requested_amount": shortest(reply.amount),
        "fee_amount": shortest(reply.fee),
    }
    return {"success": True, "data": receipt}


def _shares(service: Service, fields: Fields, reply: Reply) -> Document:
    assert isinstance(reply, Decimal)
    return enveloped({"shares_minted": shortest(reply)})


def _new_key(service: Service, fields: Fields, reply: Reply) -> Document:
    assert isinstance(reply, ApiKey)
    return {"data": {"api_key": reply.api_key}}


def _revoked_key(service: Service, fields: Fields, reply: Reply) -> Document:
    return {"data": {"api_key": fields["api_key"]}}


_DONE = always({"success": True})
_DONE_INSIDE = always(enveloped({"success": True}))

RESPONSES: dict[str, Answer] = {
    "orders.create": _order,
    "orders.create_stop": _order,
    "orders.edit": _order,
    "orders.cancel_stop": _DONE,
    "spot.withdraw": _withdrawn,
    "account.update_spot_settings": _DONE,
    "account.set_auto_lend_disabled": _DONE,
    "subaccounts.transfer": always(enveloped({"success": True, "error": None})),
    "vaults.add_max_leverage": _DONE_INSIDE,
    "vaults.remove_max_leverage": _DONE_INSIDE,
    "vaults.remove_blacklist": _DONE_INSIDE,
    "vaults.claim_manager": _shares,
    "api_keys.create": _new_key,
    "api_keys.revoke": _revoked_key,
}
"""The answer of each operation that changes something, by the name of the operation."""
