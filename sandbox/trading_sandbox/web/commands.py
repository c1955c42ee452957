"""Turn a verified and decoded request into a command of the exchange."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args
from uuid import UUID

import trading_sdk as sdk
from trading_runtime import Unset
from trading_sandbox.engine import commands
from trading_sandbox.engine.commands import Command, Side, StopLeg, TimeInForce, TriggerPriceType
from trading_sandbox.web.refusals import not_modelled

_SIDES: dict[sdk.Side, Side] = {sdk.Side(text): text for text in get_args(Side)}
_TIFS: dict[sdk.TimeInForce, TimeInForce] = {
    sdk.TimeInForce(text): text for text in get_args(TimeInForce)
}
_TRIGGERS: dict[sdk.TriggerPriceType | None, TriggerPriceType | None] = {
    None: None,
    **{sdk.TriggerPriceType(text): text for text in get_args(TriggerPriceType)},
}
_TAKING: frozenset[TimeInForce] = frozenset(("GTC", "IOC"))


def command_of(name: str, account: str, model: Any) -> Command | None:
    """Return the command of an operation or batch action; None if it is to change nothing."""
    if name not in BUILDERS:
        raise not_modelled(name)
    return BUILDERS[name](account, model)


def is_delayed(command: Command | None) -> bool:
    """Whether the taker delay applies: to GTC, IOC and market orders (interface section 8)."""
    return isinstance(command, commands.PlaceMarket) or (
        isinstance(command, commands.PlaceLimit) and command.tif in _TAKING
    )


# -- orders --------------------------------------------------------------------------------------


def _create(account: str, model: sdk.CreateOrder) -> Command:
    return commands.PlaceLimit(
        account=account,
        symbol=model.symbol,
        side=_SIDES[model.side],
        price=model.price,
        amount=model.amount,
        tif=_TIFS[model.tif],
        reduce_only=model.reduce_only,
        client_order_id=_id(model.client_order_id),
        take_profit=_optional_leg(model.take_profit),
        stop_loss=_optional_leg(model.stop_loss),
    )


def _create_market(account: str, model: sdk.CreateMarketOrder) -> Command:
    return commands.PlaceMarket(
        account=account,
        symbol=model.symbol,
        side=_SIDES[model.side],
        amount=model.amount,
        slippage_percent=model.slippage_percent,
        reduce_only=model.reduce_only,
        client_order_id=_id(model.client_order_id),
        take_profit=_optional_leg(model.take_profit),
        stop_loss=_optional_leg(model.stop_loss),
    )


def _create_stop(account: str, model: sdk.CreateStopOrder) -> Command:
    return commands.PlaceStop(
        account=account,
        symbol=model.symbol,
        side=_SIDES[model.side],
        stop=_leg(model.stop_order),
        reduce_only=model.reduce_only,
    )


def _set_position_tpsl(account: str, model: sdk.SetPositionTpsl) -> Command:
    return commands.SetPositionTpsl(
        account=account,
        symbol=model.symbol,
        side=_SIDES[model.side],
        take_profit=_optional_leg(model.take_profit),
        stop_loss=_optional_leg(model.stop_loss),
    )


def _edit(account: str, model: sdk.EditOrder) -> Command:
    return commands.Edit(
        account=account,
        symbol=model.symbol,
        price=model.price,
        amount=model.amount,
        order_id=model.order_id,
        client_order_id=_id(model.client_order_id),
    )


def _cancel(account: str, model: sdk.CancelOrder) -> Command:
    return commands.Cancel(
        account=account,
        symbol=model.symbol,
        order_id=model.order_id,
        client_order_id=_id(model.client_order_id),
    )


def _cancel_stop(account: str, model: sdk.CancelStopOrder) -> Command:
    return commands.CancelStop(
        account=account,
        symbol=model.symbol,
        order_id=model.order_id,
        client_order_id=_id(model.client_order_id),
    )


def _leg(model: sdk.TpslConfig | sdk.StopOrderConfig | sdk.PositionTpslConfig) -> StopLeg:
    return StopLeg(
        stop_price=model.stop_price,
        limit_price=model.limit_price,
        client_order_id=_id(model.client_order_id),
        trigger_price_type=_TRIGGERS[model.trigger_price_type],
        amount=None if isinstance(model, sdk.TpslConfig) else model.amount,
    )


def _optional_leg(model: sdk.TpslConfig | sdk.PositionTpslConfig | None) -> StopLeg | None:
    return None if model is None else _leg(model)


def _id(uuid: UUID | None) -> str | None:
    return None if uuid is None else str(uuid)


# -- accounts ------------------------------------------------------------------------------------


def _withdraw(account: str, model: sdk.WithdrawSpotAsset) -> Command:
    return commands.Withdraw(
        account=account,
        symbol=model.symbol,
        amount=model.amount,
        idempotency_key=_id(model.idempotency_key),
    )


def _update_spot_settings(account: str, model: sdk.UpdateSpotSettings) -> Command:
    return commands.SetSpotExcluded(
        account=account, symbol=model.symbol, excluded=model.unified_margin_excluded
    )


def _set_auto_lend(account: str, model: sdk.SetAutoLendDisabled) -> Command | None:
    if isinstance(model.disabled, Unset):
        return None
    return commands.SetAutoLend(account=account, disabled=model.disabled)


def _transfer(account: str, model: sdk.TransferFunds) -> Command:
    return commands.Transfer(account=account, to_account=model.to_account, amount=model.amount)


def _add_leverage_cap(account: str, model: sdk.AddLakeMaxLeverage) -> Command:
    return commands.AddLeverageCap(
        account=account,
        vault=model.lake,
        symbols=tuple(model.symbols),
        max_leverage=model.max_leverage,
    )


def _remove_leverage_cap(account: str, model: sdk.RemoveLakeMaxLeverage) -> Command:
    return commands.RemoveLeverageCap(
        account=account, vault=model.lake, symbols=tuple(model.symbols)
    )


def _remove_blacklist(account: str, model: sdk.RemoveLakeBlacklist) -> Command:
    return commands.RemoveBlacklist(account=account, vault=model.lake, symbols=tuple(model.symbols))


def _claim_manager(account: str, model: sdk.ClaimLakeManager) -> Command:
    return commands.ClaimManager(account=account, vault=model.lake, deposit=model.deposit_amount)


def _create_api_key(account: str, model: None) -> Command:
    return commands.CreateApiKey(account=account)


def _revoke_api_key(account: str, model: sdk.RevokeApiKey) -> Command:
    return commands.RevokeApiKey(account=account, api_key=model.api_key)


BUILDERS: dict[str, Callable[[str, Any], Command | None]] = {
    "orders.create": _create,
    "orders.create_market": _create_market,
    "orders.create_stop": _create_stop,
    "orders.edit": _edit,
    "orders.cancel": _cancel,
    "orders.cancel_stop": _cancel_stop,
    "orders.set_position_tpsl": _set_position_tpsl,
    "spot.withdraw": _withdraw,
    "account.update_spot_settings": _update_spot_settings,
    "account.set_auto_lend_disabled": _set_auto_lend,
    "subaccounts.transfer": _transfer,
    "vaults.add_max_leverage": _add_leverage_cap,
    "vaults.remove_max_leverage": _remove_leverage_cap,
    "vaults.remove_blacklist": _remove_blacklist,
    "vaults.claim_manager": _claim_manager,
    "api_keys.create": _create_api_key,
    "api_keys.revoke": _revoke_api_key,
}
"""Builds the command of each operation and batch action that changes something, by its name."""
