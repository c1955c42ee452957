"""An operation that the sandbox does not know is answered in so many words, not by a failure."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from tests.generated.calls import BATCH_CASES, CASES
from tests.interface import METHODS
from tests.sandbox.raw import limit_order
from trading_runtime import BatchOperation
from trading_sandbox.engine.commands import PlaceLimit
from trading_sandbox.web import commands
from trading_sandbox.web.commands import BUILDERS
from trading_sandbox.web.lists import LISTS
from trading_sandbox.web.reads import READS
from trading_sdk import (
    ApiError,
    Client,
    CreateOrder,
    Paginator,
    Side,
    TimeInForce,
    TpslConfigDict,
    TriggerPriceType,
)
from trading_sdk.operations import API

ORDER = limit_order(price="90000")
BATCHES = {name for name, each in API.operations.items() if isinstance(each, BatchOperation)}
ARGUMENTS = {each.operation: each.arguments for each in BATCH_CASES}
ARGUMENTS |= {each.operation: each.arguments for each in CASES}
"""Of a call of every operation and action, by its name."""


@pytest.mark.parametrize("name", sorted(METHODS.keys() - BATCHES))
def test_an_operation_that_is_not_modelled_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for known in (BUILDERS, LISTS, READS):
        monkeypatch.delitem(known, name, raising=False)
    group, method = name.split(".")

    with pytest.raises(ApiError, match=rf"{name} is not modelled") as refused:
        result = getattr(getattr(client, group), method)(**ARGUMENTS[name])
        if isinstance(result, Paginator):
            list(result)

    assert refused.value.status == 501


@pytest.mark.parametrize(
    ("table", "value"),
    [
        ("_SIDES", Side.BID),
        ("_TIFS", TimeInForce.ALO),
        ("_TRIGGERS", TriggerPriceType.LAST_TRADE_PRICE),
    ],
)
def test_a_value_of_an_enum_that_is_not_modelled_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch, table: str, value: Any
) -> None:
    """As after a spec that has a new value."""
    monkeypatch.delitem(getattr(commands, table), value)
    stop: TpslConfigDict = {"stop_price": "95000", "trigger_price_type": "last_trade_price"}
    with pytest.raises(
        ApiError, match=f"{type(value).__name__} {value} is not modelled"
    ) as refused:
        client.orders.create(**ORDER, take_profit=stop)
    assert refused.value.status == 501
    assert list(client.orders.history()) == []


def _without_stops(account: str, model: Any) -> Any:
    return PlaceLimit(
        account=account,
        symbol=model.symbol,
        side=model.side.value,
        price=model.price,
        amount=model.amount,
        tif=model.tif.value,
        reduce_only=model.reduce_only,
        client_order_id=str(model.client_order_id),
    )


@pytest.mark.parametrize("batch", [False, True])
def test_a_field_that_no_command_is_made_of_is_refused_where_it_is_given(
    client: Client, monkeypatch: pytest.MonkeyPatch, batch: bool
) -> None:
    """As after a spec that has a new field, which the sandbox would ignore."""

    def place(**more: Any) -> object:
        if batch:
            return client.orders.batch([CreateOrder(**ORDER, **more)])
        return client.orders.create(**ORDER, **more)

    monkeypatch.setitem(BUILDERS, "orders.create", _without_stops)
    place()
    with pytest.raises(ApiError, match=r"The field stop_loss of orders.create is not") as refused:
        place(stop_loss={"stop_price": "80000"})
    assert refused.value.status == 501
    assert len(list(client.orders.history())) == 1


def test_a_parameter_of_a_list_that_is_not_modelled_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = attrs.evolve(LISTS["trades.history"], filters=frozenset({"account"}))
    monkeypatch.setitem(LISTS, "trades.history", without)
    assert list(client.trades.history()) == []
    with pytest.raises(ApiError, match=r"The parameter symbol of trades.history is not") as refused:
        list(client.trades.history(symbol="BTC"))
    assert refused.value.status == 501


def test_every_field_of_the_spec_is_read() -> None:
    methods = {**API.operations, **API.actions}
    unread = {name: commands.unread(methods[name], each) for name, each in BUILDERS.items()}
    assert not any(unread.values()), unread
