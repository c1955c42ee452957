"""Warnings of what is deprecated: one for each line of the user that uses it. Generated code makes them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from typing_extensions import deprecated

GENERATED = """
from attrs import field, frozen
from trading_runtime import UNSET, OpenEnum, located, to_member, warn_if_given, warned
from trading_runtime import to_optional_text, to_model

class Side(OpenEnum):
    BID = "bid"
    BUY = "buy"

def to_side(value):
    return warned(to_member(Side, value), "buy")

@frozen(kw_only=True, field_transformer=located)
class Leg:
    side: Side = field(default=None, converter=to_side)
    note: str | None = field(default=None, converter=to_optional_text, validator=warn_if_given)
    memo: str | None = field(default=UNSET, validator=[warn_if_given, lambda *_: None])

@frozen(kw_only=True, field_transformer=located)
class Order:
    leg: Leg = field(converter=lambda value: to_model(Leg, value))

def place(**fields):
    return Order(leg=fields)
"""


@pytest.fixture(scope="module")
def sdk() -> Iterator[Any]:
    """A generated package."""
    made = ModuleType("some_sdk")
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "some_sdk", made)  # where attrs looks for the globals of a class
        exec(compile(GENERATED, "some_sdk.py", "exec"), vars(made))
        yield made


def warned_of(sdk: Any, **fields: Any) -> list[tuple[str, str]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        side = fields.pop("side", "bid")
        assert sdk.place(side=side, **fields).leg.side == side
    assert all(each.category is DeprecationWarning for each in caught)
    return [(str(each.message), each.filename) for each in caught]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, None),
        ({"side": "buy"}, "Side.BUY is deprecated"),
        ({"note": "a"}, "Leg.note is deprecated"),
        ({"note": None}, None),
        ({"memo": None}, "Leg.memo is deprecated"),
    ],
)
def test_what_is_used_is_warned_of_at_the_line_of_the_user(
    sdk: Any, given: dict[str, Any], told: str | None
) -> None:
    assert warned_of(sdk, **given) == ([(told, __file__)] if told else [])


def test_a_warning_is_shown_once_for_each_line(sdk: Any) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            sdk.place(side="buy")
        sdk.place(side="buy")

    lines = [each.lineno for each in caught]
    assert len(lines) == 2
    assert lines[1] - lines[0] == 1


def test_a_program_that_is_part_of_the_package_is_warned_at_its_outermost_line(sdk: Any) -> None:
    program = compile("place(side='buy')", "program.py", "exec")

    with pytest.warns(DeprecationWarning, match="Side.BUY is deprecated") as caught:
        exec(program, vars(sdk))

    assert caught[0].filename == __file__


def test_what_a_deprecated_method_is_given_is_warned_of_at_the_line_that_calls_it(
    sdk: Any,
) -> None:
    place = deprecated("place is deprecated")(sdk.place)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        place(side="buy")

    assert [each.filename for each in caught] == [__file__] * 2
    assert {str(each.message) for each in caught} == {
        "place is deprecated",
        "Side.BUY is deprecated",
    }
