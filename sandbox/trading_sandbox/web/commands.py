"""Turn a verified and decoded request into a command of the exchange.

The spec may grow: a new operation, a new field, parameter or header, and a new value of an enum are
refused with 501. To ignore them would execute something else than what was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from types import FunctionType
from typing import Any, TypeAlias, TypeVar, get_args, get_type_hints
from uuid import UUID

import attrs

import trading_sdk as sdk
from trading_runtime import Action, Operation, Unset
from trading_sandbox.engine import commands
from trading_sandbox.engine.commands import Command, Side, StopLeg, TimeInForce, TriggerPriceType
from trading_sandbox.web.refusals import not_modelled

K = TypeVar("K")
V = TypeVar("V")
Builder: TypeAlias = Callable[[str, Any], Command | None]
"""Makes the command of an account and a decoded request; None if it is to change nothing."""


class _Modelled(dict[K, V]):
    """The values of an enum that the exchange knows; any other is refused."""

    def __missing__(self, value: K) -> V:
        raise not_modelled(f"{type(value).__name__} {value}")


_SIDES: dict[sdk.Side, Side] = _Modelled({sdk.Side(text): text for text in get_args(Side)})
_TIFS: dict[sdk.TimeInForce, TimeInForce] = _Modelled(
    {sdk.TimeInForce(text): text for text in get_args(TimeInForce)}
)
_TRIGGERS: dict[sdk.TriggerPriceType | None, TriggerPriceType | None] = _Modelled()
_TRIGGERS[None] = None
_TRIGGERS.update({sdk.TriggerPriceType(text): text for text in get_args(TriggerPriceType)})
_TAKING: frozenset[TimeInForce] = frozenset(("GTC", "IOC"))
_IGNORED = frozenset({"builder_code"})
"""Fields that are checked and otherwise ignored (docs/sandbox.md)."""


def check_fields(
    method: Operation[Any] | Action, answer: Callable[..., Any], data: Mapping[str, Any]
) -> None:
    """Refuse a request with a field of the spec that the function which answers it would ignore."""
    for path in unread(method, answer):
        found: Any = data
        for part in path:
            found = found.get(part) if isinstance(found, Mapping) else None
        if found is not None:
            raise not_modelled(f"The field {'.'.join(path)} of {method.name}")


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
        take_profit=_leg_of_order(model.take_profit),
        stop_loss=_leg_of_order(model.stop_loss),
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
        take_profit=_leg_of_order(model.take_profit),
        stop_loss=_leg_of_order(model.stop_loss),
    )


def _create_stop(account: str, model: sdk.CreateStopOrder) -> Command:
    return commands.PlaceStop(
        account=account,
        symbol=model.symbol,
        side=_SIDES[model.side],
        stop=_leg(model.stop_order, model.stop_order.amount),
        reduce_only=model.reduce_only,
    )


def _set_position_tpsl(account: str, model: sdk.SetPositionTpsl) -> Command:
    return commands.SetPositionTpsl(
        account=account,
        symbol=model.symbol,
        side=_SIDES[model.side],
        take_profit=_leg_of_position(model.take_profit),
        stop_loss=_leg_of_position(model.stop_loss),
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


def _leg(
    model: sdk.TpslConfig | sdk.StopOrderConfig | sdk.PositionTpslConfig, amount: Decimal | None
) -> StopLeg:
    return StopLeg(
        stop_price=model.stop_price,
        limit_price=model.limit_price,
        client_order_id=_id(model.client_order_id),
        trigger_price_type=_TRIGGERS[model.trigger_price_type],
        amount=amount,
    )


def _leg_of_order(model: sdk.TpslConfig | None) -> StopLeg | None:
    return None if model is None else _leg(model, None)


def _leg_of_position(model: sdk.PositionTpslConfig | None) -> StopLeg | None:
    return None if model is None else _leg(model, model.amount)


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


BUILDERS: dict[str, Builder] = {
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
"""Builds the command of each documented operation and batch action that changes something, by name."""


# -- fields that no answer is made of ------------------------------------------------------------


@lru_cache
def unread(
    method: Operation[Any] | Action, answer: Callable[..., Any]
) -> tuple[tuple[str, ...], ...]:
    """Return the paths of the fields of a request that its builder, or its `Read`, does not use."""
    if method.params is None:
        return ()
    read = _names_in(answer) | _IGNORED
    return tuple(path for path in _paths(method.params) if not read.issuperset(path))


def _paths(model: type[Any]) -> Iterator[tuple[str, ...]]:
    for name, type_ in get_type_hints(model).items():
        yield (name,)
        for inner in filter(attrs.has, (type_, *get_args(type_))):
            yield from ((name, *path) for path in _paths(inner))


def _names_in(function: Any) -> frozenset[str]:
    """Return the names and texts that a function uses, and those that the helpers in its module use."""
    code = function.__code__
    names = frozenset((*code.co_names, *(each for each in code.co_consts if isinstance(each, str))))
    helpers = (function.__globals__.get(name) for name in names)
    inner = (_names_in(each) for each in helpers if isinstance(each, FunctionType))
    return names.union(*inner)
