"""From a verified and decoded request to a command of the exchange."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import trading_sdk
from trading_sandbox.engine.commands import (
    Cancel,
    Command,
    Edit,
    PlaceLimit,
    PlaceMarket,
    Side,
    TimeInForce,
)
from trading_sandbox.web.auth import Signed
from trading_sandbox.web.refusals import not_modelled

_SIDES: dict[trading_sdk.Side, Side] = {trading_sdk.Side.BID: "bid", trading_sdk.Side.ASK: "ask"}
_TIFS: dict[trading_sdk.TimeInForce, TimeInForce] = {
    trading_sdk.TimeInForce.GTC: "GTC",
    trading_sdk.TimeInForce.IOC: "IOC",
    trading_sdk.TimeInForce.ALO: "ALO",
    trading_sdk.TimeInForce.TOB: "TOB",
}
_TAKING: frozenset[TimeInForce] = frozenset(("GTC", "IOC"))


def command_of(name: str, signed: Signed, model: Any) -> Command:
    """Return the command that an operation or batch action asks for."""
    if name not in BUILDERS:
        raise not_modelled(name)
    return BUILDERS[name](signed, model)


def is_delayed(command: Command) -> bool:
    """Whether the taker delay applies: to GTC, IOC and market orders (interface section 8)."""
    return isinstance(command, PlaceMarket) or (
        isinstance(command, PlaceLimit) and command.tif in _TAKING
    )


def _create(signed: Signed, model: trading_sdk.CreateOrder) -> Command:
    _refuse_stops(model)
    return PlaceLimit(
        account=signed.account,
        symbol=model.symbol,
        side=_SIDES[model.side],
        price=model.price,
        amount=model.amount,
        tif=_TIFS[model.tif],
        reduce_only=model.reduce_only,
        client_order_id=_client_order_id(signed.data),
    )


def _create_market(signed: Signed, model: trading_sdk.CreateMarketOrder) -> Command:
    _refuse_stops(model)
    return PlaceMarket(
        account=signed.account,
        symbol=model.symbol,
        side=_SIDES[model.side],
        amount=model.amount,
        slippage_percent=model.slippage_percent,
        reduce_only=model.reduce_only,
        client_order_id=_client_order_id(signed.data),
    )


def _edit(signed: Signed, model: trading_sdk.EditOrder) -> Command:
    return Edit(
        account=signed.account,
        symbol=model.symbol,
        price=model.price,
        amount=model.amount,
        order_id=model.order_id,
        client_order_id=_client_order_id(signed.data),
    )


def _cancel(signed: Signed, model: trading_sdk.CancelOrder) -> Command:
    return Cancel(
        account=signed.account,
        symbol=model.symbol,
        order_id=model.order_id,
        client_order_id=_client_order_id(signed.data),
    )


def _refuse_stops(model: trading_sdk.CreateOrder | trading_sdk.CreateMarketOrder) -> None:
    for name in ("take_profit", "stop_loss"):
        if getattr(model, name) is not None:
            raise not_modelled(name)


def _client_order_id(data: Mapping[str, Any]) -> str | None:
    # From the body, because the model would mint one where there is none.
    text = data.get("client_order_id")
    return None if text is None else str(text).lower()


BUILDERS: dict[str, Callable[[Signed, Any], Command]] = {
    "orders.create": _create,
    "orders.create_market": _create_market,
    "orders.edit": _edit,
    "orders.cancel": _cancel,
}
"""What can be done to orders, by the name of the operation or batch action."""
