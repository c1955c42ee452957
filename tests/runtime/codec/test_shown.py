"""Models and data of the runtime are shown, compared and hashed as attrs would do it."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import field, frozen

from trading_runtime import BaseModel


@frozen
class Own:
    """What attrs writes for a class of its own."""

    symbol: str
    amount: int | None = None
    secret: str = field(default="s", repr=False)


@frozen(eq=False, repr=False)
class Shared(BaseModel):
    """The same fields, with what all models share."""

    symbol: str
    amount: int | None = None
    secret: str = field(default="s", repr=False)


@frozen(eq=False, repr=False)
class Other(BaseModel):
    symbol: str
    amount: int | None = None
    secret: str = field(default="s", repr=False)


@frozen(eq=False, repr=False)
class Empty(BaseModel):
    """A model without a field."""


VALUES: list[tuple[Any, ...]] = [("BTC",), ("BTC", 1), ("BTC", 2), ("'", None), ("BTC", 1, "t")]


@pytest.mark.parametrize("given", VALUES)
def test_a_model_is_shown_compared_and_hashed_as_attrs_does_it(given: tuple[Any, ...]) -> None:
    assert repr(Shared(*given)) == repr(Own(*given)).replace("Own", "Shared")
    for other in VALUES:
        assert (Shared(*given) == Shared(*other)) is (Own(*given) == Own(*other))
        assert (Shared(*given) != Shared(*other)) is (Own(*given) != Own(*other))
    assert len({Shared(*given), Shared(*given)}) == 1


def test_models_of_two_classes_are_never_equal() -> None:
    assert Shared("BTC") != Other("BTC")
    assert Shared("BTC") != ("BTC", None, "s")
    assert len({Shared("BTC"), Other("BTC")}) == 2
    assert (repr(Empty()), hash(Empty())) == ("Empty()", hash(Empty()))
    assert Empty() == Empty()
    with pytest.raises(TypeError, match="unhashable"):
        hash(Shared("BTC", amount=[]))  # type: ignore[arg-type]
