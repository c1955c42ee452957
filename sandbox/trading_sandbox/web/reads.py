"""Answer the operations that read the state: settings, subaccounts and API keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, TypeAlias

import trading_sdk as sdk
from trading_runtime import unstructure
from trading_sandbox.engine.money import plain
from trading_sandbox.engine.state import Account, State
from trading_sandbox.service import Service
from trading_sandbox.web.responses import enveloped

Fields: TypeAlias = Mapping[str, Any]
"""What the request gives, the `account` of a signed one included."""


def answer_read(service: Service, name: str, fields: Fields) -> dict[str, Any]:
    """Return the answer of an operation that reads the state."""
    with service.reading() as exchange:
        return READS[name](exchange.state, fields)


def _settings(state: State, fields: Fields) -> dict[str, Any]:
    """Return the settings (interface sections 2.7 and 4.16); the defaults of a new account."""
    address = fields["account"]
    account = state.accounts.get(address) or Account(address=address, created_at=state.now)
    settings = sdk.AccountSettings(
        auto_lend_disabled=account.auto_lend_disabled,
        margin_settings=[
            sdk.MarginSetting(
                symbol=symbol,
                isolated=setting.isolated,
                leverage=setting.leverage,
                created_at=setting.created_at,
                updated_at=setting.updated_at,
            )
            for symbol, setting in sorted(account.margin_settings.items())
        ],
        spot_settings=[
            sdk.SpotSetting(symbol=symbol, unified_margin_excluded=excluded)
            for symbol, excluded in sorted(account.spot_excluded.items())
        ],
    )
    # Null is a value of this setting, but the model would leave it out.
    return enveloped({"auto_lend_disabled": None, **unstructure(settings)})


def _subaccounts(state: State, fields: Fields) -> dict[str, Any]:
    """Return the subaccounts of a main account (interface sections 2.6 and 4.12)."""
    return enveloped(
        {
            "subaccounts": [
                unstructure(_subaccount(account))
                for account in state.accounts.values()
                if account.main == fields["account"]
            ]
        }
    )


def _subaccount(account: Account) -> sdk.Subaccount:
    return sdk.Subaccount(
        address=account.address,
        balance=plain(account.balance),
        pending_balance=Decimal(0),
        fee_level=1,
        fee_mode="auto",
        use_ltp_for_stop_orders=account.use_ltp_for_stop_orders,
        created_at=account.created_at,
    )


def _api_keys(state: State, fields: Fields) -> dict[str, Any]:
    """Return the API config keys of an account (interface sections 2.9 and 4.18)."""
    keys = state.accounts[fields["account"]].api_keys
    return {"data": {"api_keys": [key.api_key for key in keys]}}


READS: dict[str, Callable[[State, Fields], dict[str, Any]]] = {
    "account.settings": _settings,
    "subaccounts.list": _subaccounts,
    "api_keys.list": _api_keys,
}
"""The operations that read the state, by their name."""
