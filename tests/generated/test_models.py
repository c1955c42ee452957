"""What a user meets in the generated models: arguments, defaults, limits, and results."""

from __future__ import annotations

import copy
import inspect
import pickle
from decimal import Decimal
from enum import Enum
from typing import Any

import attrs
import pytest

import trading_sdk
from tests.interface import ENUMS
from tests.interface.samples import LIMIT
from trading_sdk import (
    ApiKey,
    CreateOrder,
    RevokeApiKey,
)

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


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_model_is_frozen_takes_keywords_and_is_explained(model: Any) -> None:
    assert model.__doc__.strip()
    assert all(field.kw_only for field in attrs.fields(model))
    assert model.__setattr__ is not object.__setattr__


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
