"""The dialect of programs written for the live service: what the field notes saw, and no promise.

Its operations are those of the spec and of the overlay of observed endpoints.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs

import trading_sdk_observed as sdk
from trading_runtime import Operation
from trading_sandbox.engine import commands
from trading_sandbox.engine.api_keys import MOST_KEYS
from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.control_commands import BindAgent
from trading_sandbox.engine.records import OffStep, Reply
from trading_sandbox.service import Service
from trading_sandbox.web.commands import BUILDERS, Builder
from trading_sandbox.web.dialects import live_accounts, live_markets
from trading_sandbox.web.dialects.dialect import Dialect, Document, Fields, Listing, Read, Response
from trading_sandbox.web.dialects.documented import DIALECT as DOCUMENTED
from trading_sandbox.web.lists import LISTS
from trading_sandbox.web.reads import READS, api_keys_of
from trading_sandbox.web.refusals import STATUSES, Refusal, answer_of, bad_request
from trading_sandbox.web.responses import RESPONSES, enveloped
from trading_sdk_observed import models
from trading_sdk_observed.operations import API

# -- commands ------------------------------------------------------------------------------------


def _cancel_all(account: str, model: sdk.CancelAllOrders) -> Command:
    if not model.all_symbols and model.symbol is None:
        raise bad_request("symbol: required field missing; it is needed if all_symbols is false")
    return commands.CancelAll(
        account=account,
        symbol=None if model.all_symbols else model.symbol,
        exclude_reduce_only=model.exclude_reduce_only,
    )


def _update_leverage(account: str, model: sdk.UpdateLeverage) -> Command:
    return commands.SetLeverage(account=account, symbol=model.symbol, leverage=model.leverage)


def _update_margin_mode(account: str, model: sdk.UpdateMarginMode) -> Command:
    return commands.SetMarginMode(account=account, symbol=model.symbol, isolated=model.is_isolated)


def _bind_agent(account: str, model: sdk.BindAgentWallet) -> Command:
    return BindAgent(account=account, agent=model.agent_wallet, again=True)


_BUILDERS: dict[str, Builder] = {
    **BUILDERS,
    "orders.cancel_all": _cancel_all,
    "account.update_leverage": _update_leverage,
    "account.update_margin_mode": _update_margin_mode,
    "agents.bind": _bind_agent,
}

# -- answers -------------------------------------------------------------------------------------


def _order(command: Command | None, reply: Reply) -> Document:
    """Answer with both envelopes: the bare one, and the one that clients read (field note 30)."""
    return {"order_id": reply, **enveloped({"order_id": reply})}


def _empty(command: Command | None, reply: Reply) -> Document:
    return enveloped({})


def _null(command: Command | None, reply: Reply) -> Document:
    return enveloped(None)


def _cancelled(command: Command | None, reply: Reply) -> Document:
    return enveloped({"cancelled_count": reply})


def _whole(response: Response) -> Response:
    """Return the response with every member of the common envelope."""

    def answer(command: Command | None, reply: Reply) -> Document:
        return {**enveloped(None), **response(command, reply)}

    return answer


_RESPONSES: dict[str, Response] = {
    **RESPONSES,
    **dict.fromkeys(
        ("orders.create", "orders.create_market", "orders.create_stop", "orders.edit"), _order
    ),
    # What says no more than success is an empty object or null (field note 28): null where the
    # interface document shows no data.
    **dict.fromkeys(
        (
            *("orders.cancel", "orders.set_position_tpsl", "agents.bind"),
            *("account.update_leverage", "account.update_margin_mode"),
            *("subaccounts.transfer", "api_keys.revoke", "vaults.remove_blacklist"),
            *("vaults.add_max_leverage", "vaults.remove_max_leverage"),
        ),
        _empty,
    ),
    **dict.fromkeys(
        (
            *("orders.cancel_stop", "account.update_spot_settings"),
            "account.set_auto_lend_disabled",
        ),
        _null,
    ),
    "orders.cancel_all": _cancelled,
    "spot.withdraw": _whole(RESPONSES["spot.withdraw"]),
    "api_keys.create": _whole(RESPONSES["api_keys.create"]),
}

# -- reads and lists -----------------------------------------------------------------------------


def _api_keys(service: Service, fields: Fields) -> Document:
    """Return the API config keys of an account (field note 32)."""
    keys = api_keys_of(service, fields)
    return enveloped({"active_api_keys": keys, "api_key_limit": MOST_KEYS})


_READS: dict[str, Read] = {
    **READS,
    **live_accounts.READS,
    **live_markets.READS,
    "api_keys.list": _api_keys,
}
_LISTS: dict[str, Listing] = {
    **LISTS,
    # `entry_price` is the average entry price of the position (field note 26), as stored.
    "trades.history": attrs.evolve(LISTS["trades.history"], rewritten=None),
    # Neighbouring endpoints call it a withdraw (field note 33).
    "spot.balance_history": attrs.evolve(
        LISTS["spot.balance_history"],
        rewritten=('"event_type":"withdrawal"', '"event_type":"withdraw"'),
    ),
    "funding.payments": Listing("payments", filters=frozenset({"account", "symbol"})),
}

# -- refusals ------------------------------------------------------------------------------------


def _refuse(refusal: Refusal, operation: Operation[Any] | None) -> tuple[int, Document]:
    """Refuse in the common envelope; a bad signature is a bad request (field note 31)."""
    status = 400 if refusal.status == 401 else refusal.status
    _, body = answer_of(Refusal(status, refusal.error, refusal.code), operation)
    return status, {"success": False, "data": None, "error": refusal.error, "code": body["code"]}


DIALECT = Dialect(
    api=API,
    spec=Path(models.__file__).with_name("openapi.json"),
    builders=_BUILDERS,
    responses=_RESPONSES,
    reads=_READS,
    lists=_LISTS,
    # One client signs a null window, and leaves it out of the body (field note 29).
    omitted_windows=(*DOCUMENTED.omitted_windows, {"expiry_window": None}),
    refuse=_refuse,
    # A wrong tick or lot was seen to be answered with 500 (field note 17).
    statuses={**STATUSES, OffStep: 500},
)
