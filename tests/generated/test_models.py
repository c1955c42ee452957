"""What a user meets in the generated models: arguments, defaults, limits, and results."""

from __future__ import annotations

import copy
import inspect
import pickle
import traceback
from decimal import Decimal
from enum import Enum
from typing import Any, cast
from uuid import UUID

import attrs
import pytest

import trading_sdk
from tests.interface import ENUMS
from tests.interface.samples import LIMIT, MARKET
from trading_runtime.codec.decoder import structure
from trading_runtime.codec.requests import unstructure
from trading_sdk import (
    UNSET,
    AccountSettings,
    AddLakeMaxLeverage,
    ApiKey,
    CancelOrder,
    CancelStopOrder,
    CreateMarketOrder,
    CreateOrder,
    CreateStopOrder,
    EditOrder,
    FundingHistoryQuery,
    Order,
    RequestError,
    RevokeApiKey,
    SetAutoLendDisabled,
    SetPositionTpsl,
    Side,
    TimeInForce,
    TpslConfig,
    TpslConfigDict,
    TradeHistoryQuery,
    WithdrawSpotAsset,
)

ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
NAMES = [name for name in trading_sdk.__all__ if inspect.isclass(getattr(trading_sdk, name))]
MODELS = [
    getattr(trading_sdk, name)
    for name in NAMES
    if attrs.has(getattr(trading_sdk, name)) and "models" in getattr(trading_sdk, name).__module__
]


def test_the_enums_hold_the_documented_values() -> None:
    for name, values in ENUMS.items():
        enum: type[Enum] = getattr(trading_sdk, name)
        assert tuple(member.value for member in enum) == values
        assert [member.name for member in enum] == [value.upper() for value in values]


def test_everything_a_user_imports_is_listed_and_there() -> None:
    assert sorted(set(trading_sdk.__all__)) == sorted(trading_sdk.__all__)
    assert all(hasattr(trading_sdk, name) for name in trading_sdk.__all__)
    assert len(MODELS) > 30


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_model_is_frozen_takes_keywords_and_is_explained(model: Any) -> None:
    assert model.__doc__.strip()
    assert all(field.kw_only for field in attrs.fields(model))
    assert model.__setattr__ is not object.__setattr__
    # attrs keeps a field's docstring nowhere, so each stands in the source behind its field.
    source = inspect.getsource(model)
    assert source.count('"""') >= 2 * (1 + len(attrs.fields(model)))


def test_a_model_cannot_be_changed_but_evolved() -> None:
    order: Any = CreateOrder(**LIMIT)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        order.price = Decimal(1)
    dearer = attrs.evolve(order, price="2")
    assert (dearer.price, dearer.client_order_id) == (Decimal(2), order.client_order_id)
    assert copy.deepcopy(order) == order == pickle.loads(pickle.dumps(order))


@pytest.mark.parametrize("model", [ApiKey, RevokeApiKey])
def test_a_model_that_is_printed_shows_no_api_key(model: Any) -> None:
    held = model(api_key="AbCdEfGh_2VfUX1kcVgDnUyZ7xLqNbP")

    assert repr(held) == f"{model.__name__}()"
    assert held.api_key == "AbCdEfGh_2VfUX1kcVgDnUyZ7xLqNbP"


def test_an_argument_becomes_what_it_stands_for() -> None:
    order = CreateOrder(**{**LIMIT, "price": 100000, "amount": Decimal("0.1")}, take_profit=None)
    assert (order.price, order.amount) == (Decimal(100000), Decimal("0.1"))
    assert (order.side, order.tif) == (Side.BID, TimeInForce.ALO)
    leg: TpslConfigDict = {"stop_price": "1", "trigger_price_type": "mid_price"}
    assert CreateOrder(**LIMIT, stop_loss=leg).stop_loss == TpslConfig(
        stop_price=1, trigger_price_type="mid_price"
    )


@pytest.mark.parametrize("model", [CreateOrder, CreateMarketOrder])
def test_an_order_has_an_id_of_its_own_unless_none_is_wanted(model: type[Any]) -> None:
    allowed = {field.name for field in attrs.fields(model)}
    rest = {**LIMIT, "slippage_percent": "0.5"}
    arguments: dict[str, Any] = {name: rest[name] for name in rest if name in allowed}
    first, second = model(**arguments), model(**arguments)
    assert first.client_order_id.version == 4
    assert first.client_order_id != second.client_order_id
    assert model(**arguments, client_order_id=UNSET).client_order_id.version == 4
    assert model(**arguments, client_order_id=ID).client_order_id == UUID(ID)
    assert model(**arguments, client_order_id=None).client_order_id is None


def test_an_attached_stop_order_has_no_id_unless_given() -> None:
    order = CreateOrder(**LIMIT, take_profit={"stop_price": 1})
    assert order.take_profit is not None and order.take_profit.client_order_id is None
    stop = CreateStopOrder(symbol="BTC", side="ask", reduce_only=True, stop_order={"stop_price": 1})
    assert stop.stop_order.client_order_id is not None
    assert WithdrawSpotAsset(symbol="SOL", amount=1).idempotency_key is not None


LEG: dict[str, Any] = {"stop_price": 1, "amount": 2}
EDIT: dict[str, Any] = {"symbol": "BTC", "price": 1, "amount": 1}
BTC: dict[str, Any] = {"symbol": "BTC"}
POSITION: dict[str, Any] = {**BTC, "side": "ask"}
BOTH_IDS: dict[str, Any] = {"order_id": 1, "client_order_id": ID}


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        *((CancelOrder, {**BTC, name: id_}) for name, id_ in BOTH_IDS.items()),
        *((EditOrder, {**EDIT, name: id_}) for name, id_ in BOTH_IDS.items()),
        (CancelStopOrder, {**BTC, **BOTH_IDS}),
        *((SetPositionTpsl, {**POSITION, name: LEG}) for name in ("take_profit", "stop_loss")),
        *((CreateOrder, {**LIMIT, "builder_code": code}) for code in ("abc", "A1b2C3d4E5f6G7h8")),
        *((FundingHistoryQuery, {**BTC, "limit": limit}) for limit in (1, 4000)),
    ],
)
def test_what_is_within_the_rules_is_taken(model: Any, fields: dict[str, Any]) -> None:
    made = model(**fields)
    assert all(getattr(made, name) is not None for name in fields)


EXACTLY_ONE = "exactly one of order_id and client_order_id"


@pytest.mark.parametrize(
    ("model", "fields", "words"),
    [
        *((CancelOrder, {**BTC, **ids}, EXACTLY_ONE) for ids in ({}, BOTH_IDS)),
        *((EditOrder, {**EDIT, **ids}, EXACTLY_ONE) for ids in ({}, BOTH_IDS)),
        (CancelStopOrder, BTC, "order_id or client_order_id is needed"),
        (SetPositionTpsl, POSITION, "take_profit or stop_loss is needed"),
        *(
            (CreateOrder, {**LIMIT, "builder_code": code}, "CreateOrder: 'builder_code' must match")
            for code in ("", "ab", "a" * 17, "ab-c", "abc\n", "äbc", "a b")
        ),
        *(
            (FundingHistoryQuery, {**BTC, "limit": limit}, "FundingHistoryQuery: 'limit' must be")
            for limit in (0, 4001)
        ),
        (TradeHistoryQuery, {"account": "A", "symbol": ""}, "Length of 'symbol' must be >= 1"),
        (TradeHistoryQuery, {"account": "A", "cursor": ""}, "Length of 'cursor' must be >= 1"),
        (TradeHistoryQuery, {"account": "A", "start_time": -1}, "'start_time' must be >= 0"),
    ],
)
def test_what_is_against_the_rules_is_refused(
    model: Any, fields: dict[str, Any], words: str
) -> None:
    with pytest.raises(RequestError) as caught:
        model(**fields)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("field", "value", "error", "words"),
    [
        ("price", 0.1, TypeError, "CreateOrder.price: a float like 0.1 is not exact"),
        ("amount", "1e-3", RequestError, "CreateOrder.amount: '1e-3' is not a plain decimal"),
        ("side", "buy", RequestError, "CreateOrder.side: 'buy' is not one of 'bid', 'ask'"),
        ("tif", "gtc", RequestError, "'gtc' is not one of 'GTC', 'IOC', 'ALO', 'TOB'"),
        ("reduce_only", 0, TypeError, "CreateOrder.reduce_only: expected True or False"),
        ("symbol", 5, TypeError, "CreateOrder.symbol: expected a string"),
        ("client_order_id", "x", RequestError, "CreateOrder.client_order_id: 'x' is not a full"),
        ("take_profit", {"stop_price": 1.5}, TypeError, "take_profit: TpslConfig.stop_price: a"),
        ("take_profit", {"amount": 1}, RequestError, "unknown key 'amount'; a TpslConfig has"),
        ("stop_loss", {}, RequestError, "CreateOrder.stop_loss: 'stop_price' is missing"),
    ],
)
def test_a_wrong_argument_is_refused_where_it_stands(
    field: str, value: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as caught:
        CreateOrder(**{**LIMIT, field: value})
    assert words in str(caught.value)


def test_the_log_says_of_a_small_percentage_that_it_may_be_meant_as_a_fraction(
    caplog: pytest.LogCaptureFixture,
) -> None:
    order = {**MARKET, "slippage_percent": "0.099"}
    CreateMarketOrder(**order)
    assert caplog.messages == [
        "CreateMarketOrder.slippage_percent: 0.099 means 0.099 %; give a fraction times 100"
    ]
    for percent in ("0", "0.1", "0.5"):
        CreateMarketOrder(**{**order, "slippage_percent": percent})
    assert len(caplog.messages) == 1


def test_a_single_symbol_is_not_taken_for_its_letters() -> None:
    wrong: Any = "BTC"
    with pytest.raises(TypeError, match=r"AddLakeMaxLeverage\.symbols: expected a list of strings"):
        AddLakeMaxLeverage(lake="L", symbols=wrong, max_leverage=5)


def test_disabled_tells_absent_from_null() -> None:
    assert SetAutoLendDisabled().disabled is UNSET
    assert unstructure(SetAutoLendDisabled()) == {}
    assert unstructure(SetAutoLendDisabled(disabled=None)) == {"disabled": None}


def test_what_the_document_leaves_out_may_be_absent() -> None:
    assert attrs.fields(Order).price.default is None
    assert structure({}, AccountSettings) == AccountSettings()
    assert AccountSettings().margin_settings == ()


def test_attrs_compiles_no_repr_and_no_comparison_for_a_model() -> None:
    """Those of all models took a fifteenth of an import; `BaseModel` has them once."""
    made = [each for each in vars(trading_sdk.models).values() if attrs.has(each)]
    assert len(made) > 30
    for model in made:
        assert not {"__repr__", "__eq__", "__hash__"} & vars(model).keys(), model


@pytest.mark.parametrize("model", [CreateOrder, CancelOrder, EditOrder])
def test_a_model_whose_constructor_failed_can_be_shown(model: type[Any]) -> None:
    """As a traceback with local variables does, on an ordinary wrong argument."""
    name = model.__name__
    assert repr(object.__new__(model)) == f"{name}(unfinished)"
    with pytest.raises(TypeError, match="symbol") as caught:
        CreateOrder(
            symbol=cast(Any, 5), side="bid", price="1", amount="1", tif="ALO", reduce_only=True
        )
    shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    assert "CreateOrder(unfinished)" in "".join(shown.format())
    order = CancelOrder(symbol="BTC", order_id=1)
    assert repr(order) == "CancelOrder(symbol='BTC', order_id=1, client_order_id=None)"
