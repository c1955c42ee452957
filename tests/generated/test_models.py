"""What a user meets in the generated models: arguments, defaults, limits, and results."""

from __future__ import annotations

from enum import Enum
from typing import Any

import pytest

import trading_sdk
from tests.interface import ENUMS
from trading_sdk import ApiKey, RevokeApiKey


def test_the_enums_hold_the_documented_values() -> None:
    for name, values in ENUMS.items():
        enum: type[Enum] = getattr(trading_sdk, name)
        assert tuple(member.value for member in enum) == values
        assert [member.name for member in enum] == [value.upper() for value in values]


@pytest.mark.parametrize("model", [ApiKey, RevokeApiKey])
def test_a_model_that_is_printed_shows_no_api_key(model: Any) -> None:
    held = model(api_key="AbCdEfGh_2VfUX1kcVgDnUyZ7xLqNbP")

    assert repr(held) == f"{model.__name__}()"
    assert held.api_key == "AbCdEfGh_2VfUX1kcVgDnUyZ7xLqNbP"
