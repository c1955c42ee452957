"""Answer the operations that read the state: settings, subaccounts and API keys."""

from __future__ import annotations

from decimal import Decimal

import trading_sdk as sdk
from trading_runtime import unstructure
from trading_sandbox.engine.exchange import Exchange
from trading_sandbox.engine.money import plain
from trading_sandbox.engine.records import Reply
from trading_sandbox.engine.state import Account
from trading_sandbox.service import Service
from trading_sandbox.web.responses import Answer, Document, Fields, enveloped


def _settings(service: Service, fields: Fields, reply: Reply) -> Document:
    """Return the settings (interface sections 2.7 and 4.16)."""
    with service.reading() as exchange:
        account = account_of(exchange, fields)
    settings = sdk.AccountSettings(
        auto_lend_disabled=account.auto_lend_disabled,
        margin_settings=tuple(
            sdk.MarginSetting(
                symbol=symbol,
                isolated=setting.isolated,
                leverage=setting.leverage,
                created_at=setting.created_at,
                updated_at=setting.updated_at,
            )
            for symbol, setting in sorted(account.margin_settings.items())
        ),
        spot_settings=tuple(
            sdk.SpotSetting(symbol=symbol, unified_margin_excluded=excluded)
            for symbol, excluded in sorted(account.spot_excluded.items())
        ),
    )
    # Null is a value of this setting, but the model would leave it out.
    return enveloped({"auto_lend_disabled": None, **unstructure(settings)})


def account_of(exchange: Exchange, fields: Fields) -> Account:
    """Return the account that a request names; a new one, with its defaults, if there is none."""
    address, state = fields["account"], exchange.state
    return state.accounts.get(address) or Account(address=address, created_at=state.now)


def _subaccounts(service: Service, fields: Fields, reply: Reply) -> Document:
    """Return the subaccounts of a main account (interface sections 2.6 and 4.12)."""
    with service.reading() as exchange:
        accounts = exchange.state.accounts.values()
        found = [_subaccount(each) for each in accounts if each.main == fields["account"]]
    return enveloped({"subaccounts": [unstructure(each) for each in found]})


def _subaccount(account: Account) -> sdk.Subaccount:
    return sdk.Subaccount(
        address=account.address,
        balance=plain(account.balance),
        pending_balance=Decimal(0),
        fee_level=0,
        fee_mode="auto",
        use_ltp_for_stop_orders=account.use_ltp_for_stop_orders,
        created_at=account.created_at,
    )


def _api_keys(service: Service, fields: Fields, reply: Reply) -> Document:
    """Return the API config keys of an account (interface sections 2.9 and 4.18)."""
    return {"data": {"api_keys": api_keys_of(service, fields)}}


def api_keys_of(service: Service, fields: Fields) -> list[str]:
    """Return the API config keys of an account, oldest first."""
    with service.reading() as exchange:
        return [key.api_key for key in account_of(exchange, fields).api_keys]


READS: dict[str, Answer] = {
    "account.settings": _settings,
    "subaccounts.list": _subaccounts,
    "api_keys.list": _api_keys,
}
"""The operations that read the state, by their name."""
