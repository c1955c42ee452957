"""Names that are not there: the nearest one is named, in any case, and no value is shown."""

from __future__ import annotations

import pytest

from trading_runtime import BaseClient, Group
from trading_runtime.checks import refuse_unknown
from trading_sdk.groups.orders import Orders

SECRET = "5KaWUF2sVb8TnUSJ9i4YsZkCwEXpRq7hLmDgNo3vBtQyPe1fHjAxWzMrUc6GdS2k"


def test_an_option_that_there_is_not_is_named_without_its_value() -> None:
    with pytest.raises(TypeError) as far:
        refuse_unknown("Thing", {"zzz": SECRET}, ["size", "age"], {"weight": "size=..."})
    with pytest.raises(TypeError) as meant:
        refuse_unknown("Thing", {"weight": SECRET}, ["size", "age"], {"weight": "size=..."})
    assert str(far.value) == "Thing has no option 'zzz'; it has size, age"
    assert str(meant.value) == "Thing has no option 'weight'; write size=..."


def test_a_client_of_no_api_and_a_group_of_none_have_no_such_name_either() -> None:
    class Bare(BaseClient):
        pass

    for owner in (Bare.__new__(Bare), Group.__new__(Group), Orders.__new__(Orders)):
        assert not hasattr(owner, "zzz")
        assert not hasattr(owner, "_caller")
