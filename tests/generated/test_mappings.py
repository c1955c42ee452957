"""The types of the mappings that may be given for models, and what a type checker says of a wrong one."""

from __future__ import annotations

from typing import Any, cast, get_type_hints

import attrs
import pytest

import trading_sdk.models
from tests.interface.samples import LIMIT
from trading_runtime.codec.fields import json_name
from trading_sdk import (
    Client,
    CreateOrderDict,
    StopOrderConfigDict,
    TpslConfigLike,
)
from trading_sdk.groups.orders import Orders

MODELS = {
    name: getattr(trading_sdk, name.removesuffix("Dict"))
    for name in trading_sdk.__all__
    if name.endswith("Dict")
}


@pytest.mark.parametrize("name", MODELS)
def test_a_mapping_has_the_keys_that_its_model_takes_and_needs(name: str) -> None:
    mapping, fields = getattr(trading_sdk, name), attrs.fields(MODELS[name])

    assert list(get_type_hints(mapping)) == [json_name(field) for field in fields]
    needed = {json_name(field) for field in fields if field.default is attrs.NOTHING}
    assert mapping.__required_keys__ == needed - {"account"}


def test_every_model_of_a_request_has_a_mapping() -> None:
    models = vars(trading_sdk.models).values()
    sent = {each for each in models if hasattr(each, "__attrs_attrs__") and _converts(each)}

    assert sent == set(MODELS.values())


def _converts(model: Any) -> bool:
    return any(field.converter for field in attrs.fields(model))


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'trading_sdk' has no attribute 'OrderDict'"):
        _ = trading_sdk.OrderDict  # type: ignore[attr-defined]


def test_a_program_can_look_up_the_types_of_arguments() -> None:
    assert get_type_hints(Orders.create)["take_profit"] == TpslConfigLike | None


def checked(client: Client, like: TpslConfigLike) -> None:
    """What type checkers say; `mypy --strict` refuses a comment that nothing needs. It is never called."""
    order = cast(CreateOrderDict, LIMIT)
    order["take_profit"] = like
    client.orders.create(**order)
    tpsl = client.orders.set_position_tpsl
    tpsl(symbol="BTC", side="ask", stop_loss={"stop_price": "1", "amount": 2})
    tpsl(symbol="BTC", side="ask", stop_loss={"stop_price": 1.5})  # type: ignore[arg-type]
    tpsl(symbol="BTC", side="ask", stop_loss={"price": "1"})  # type: ignore[arg-type]
    tpsl(symbol="BTC", side="ask", stop_loss={})  # type: ignore[arg-type]
    stop: StopOrderConfigDict = {
        "stop_price": "1",
        "trigger_price_type": "no price",  # type: ignore[typeddict-item]
    }
    client.orders.create_stop(symbol="BTC", side="bid", reduce_only=True, stop_order=stop)
    batch = client.orders.batch
    batch([{"type": "Cancel", "data": {"symbol": "BTC", "order_id": 4}}])
    batch([{"type": "cancel", "data": {"symbol": "BTC", "order_id": 4}}])  # type: ignore[list-item]
    batch([{"type": "Cancel", "data": {"symbl": "BTC", "order_id": 4}}])  # type: ignore[list-item]
