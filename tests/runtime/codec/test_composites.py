"""Fields that hold other values: lists, maps and tuples, as they are given and as they are received."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

import attrs
import pytest
from attrs import field, frozen
from attrs.exceptions import FrozenInstanceError
from attrs.validators import min_len
from hypothesis import given
from hypothesis import strategies as st

from tests.runtime.codec.things import response, unusable
from tests.runtime.reading import decode
from trading_runtime import UNSET, RequestError, to_decimal, to_integer
from trading_runtime.codec.fields import if_given, to_json, to_list, to_map, to_tuple
from trading_runtime.codec.json_types import FrozenMap
from trading_runtime.codec.requests import unstructure
from trading_runtime.operation import Operation


def amounts(value: Any) -> tuple[Decimal, ...]:
    return to_list(value, to_decimal)


def levels(value: Any) -> tuple[tuple[Decimal, ...], ...]:
    return to_list(value, amounts)


def limits(value: Any) -> dict[str, int]:
    return to_map(value, to_integer)


def pair(value: Any) -> tuple[Any, ...]:
    return to_tuple(value, to_decimal, to_integer)


@frozen
class Asked:
    levels: Any = field(converter=levels)
    limits: Any = field(factory=dict, converter=limits)
    names: Any = field(default=UNSET, validator=if_given(min_len(1)))


@frozen
class Told:
    levels: Sequence[tuple[Decimal, int]]
    rates: Mapping[str, Decimal | None]


BOOK: Operation[Told] = Operation(name="book", method="GET", path="/book", result=Told)


def test_what_is_given_is_converted_item_by_item_and_sent_as_plain_json() -> None:
    asked = Asked([["1.50", 2], [Decimal("3")]], {"BTC": 5})

    assert asked.levels == ((Decimal("1.50"), Decimal(2)), (Decimal(3),))
    assert unstructure(asked) == {"levels": [["1.50", "2"], ["3"]], "limits": {"BTC": 5}}


NOT_JSON: list[Any] = [{1}, Decimal(1), b"a"]
REFUSED: list[tuple[Callable[[Any], Any], Any, type[Exception], str]] = [
    (levels, ["1.5"], TypeError, "item 0: expected a list, not '1.5'"),
    (levels, "1.5", TypeError, "expected a list, not '1.5'"),
    (levels, [["1", 1.5]], TypeError, "item 0: item 1: a float"),
    (levels, [["1", "x"]], RequestError, "item 0: item 1: 'x'"),
    (limits, [], TypeError, "expected a mapping, not []"),
    (limits, {"BTC": "5"}, TypeError, "'BTC': expected an integer"),
    (limits, {5: 5}, TypeError, "expected a string, not 5"),
    (pair, ["1"], RequestError, "expected 2 members, not 1"),
    (pair, ["1", 2, 3], RequestError, "expected 2 members, not 3"),
    *(
        (pair, other, TypeError, "expected a list of 2, not")
        for other in ("12", b"12", {"1": 2}, 12)
    ),
    *((to_json, other, TypeError, "expected parsed JSON, not") for other in NOT_JSON),
    (to_json, {1: 1}, TypeError, "expected a string, not 1"),
    (to_json, {"a": [0.5]}, TypeError, "'a': item 0: a float like 0.5 is not exact; give a string"),
    (to_json, [2**63], RequestError, "item 0: an integer of more than 64 bits"),
]


@pytest.mark.parametrize(("convert", "value", "error", "says"), REFUSED)
def test_what_cannot_be_sent_is_told_with_its_place(
    convert: Callable[[Any], Any], value: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error) as caught:
        convert(value)
    assert str(caught.value).startswith(says)
    assert type(caught.value) is error


def test_a_tuple_has_a_converter_for_each_member() -> None:
    assert pair(["1.50", 2]) == (Decimal("1.50"), 2)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_parsed_json_is_sent_as_it_is_given(value: Any) -> None:
    assert unstructure(Asked([], names=[to_json(value)]))["names"] == [value]


def test_parsed_json_is_copied_and_holds_json_alone() -> None:
    inner: list[Any] = [1]
    copied = to_json({"a": inner})
    inner.append(2)

    assert copied == {"a": (1,)}
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(RequestError, match="nested too deep, or contains itself"):
        to_json(endless)


def test_limits_hold_for_what_is_given_and_for_nothing_else() -> None:
    assert (Asked([], names=None).names, Asked([]).names) == (None, UNSET)
    with pytest.raises(ValueError):
        Asked([], names=())
    seen: list[Any] = []
    validate = if_given(lambda *given: seen.append(given), lambda *given: seen.append(given[2]))

    for value in (None, UNSET, "", 5):
        validate("the model", "the field", value)

    assert seen == [("the model", "the field", ""), "", ("the model", "the field", 5), 5]


def test_tuples_and_maps_are_received_with_the_type_of_each_part() -> None:
    payload = {"levels": [["1.50", 2], ["3", 4, "new"]], "rates": {"success": "0.1", "ETH": None}}

    told = decode(BOOK, response({"success": True, "data": payload}))

    assert told == Told(
        levels=((Decimal("1.50"), 2), (Decimal(3), 4)),
        rates={"success": Decimal("0.1"), "ETH": None},
    )
    assert type(told.levels) is tuple and attrs.asdict(told)["rates"]["ETH"] is None


def test_a_received_map_is_frozen_hashable_and_equal_to_a_dict() -> None:
    payload = {"levels": [], "rates": {"BTC": "0.1", "ETH": None}}
    told, same = (decode(BOOK, response({"data": payload})) for _ in range(2))
    rates: Any = told.rates

    assert rates == {"ETH": None, "BTC": Decimal("0.1")} == dict(rates)
    assert repr(rates) == "FrozenMap({'BTC': Decimal('0.1'), 'ETH': None})"
    assert list(rates) == ["BTC", "ETH"] and len(rates) == 2 and "SOL" not in rates
    assert {told, same} == {told} and told.rates is not same.rates
    turned = FrozenMap({"ETH": None, "BTC": Decimal("0.1")})
    assert (rates == turned, hash(rates)) == (True, hash(turned))
    other = FrozenMap({"BTC": None})
    assert rates != other != {} and hash(rates) != hash(other)
    assert unstructure(told) == payload
    for copied in (copy.copy(told), copy.deepcopy(told), pickle.loads(pickle.dumps(told))):
        assert (copied, repr(copied)) == (told, repr(told))


def test_nothing_of_a_received_map_can_be_changed() -> None:
    given = {"a": 1}
    made: Any = FrozenMap(given)
    given["a"] = 2
    with pytest.raises(TypeError):
        made["a"] = 3
    with pytest.raises(TypeError):
        del made["a"]
    with pytest.raises(FrozenInstanceError):
        made._items = {}
    with pytest.raises(FrozenInstanceError):
        del made._items
    with pytest.raises(AttributeError):
        made.other = 1
    made.__reduce__()[1][0]["a"] = 4
    assert made == {"a": 1}


def test_a_part_of_another_type_cannot_be_used_and_its_place_is_told() -> None:
    changes: list[tuple[dict[str, Any], str]] = [
        ({"levels": [["1.50"]]}, "expected 2 members, not 1 @ $.data.levels[0]"),
        ({"levels": [["1.50", "2"]]}, "levels[0][1]"),
        ({"levels": {}}, "$.data.levels"),
        ({"rates": {"ETH": "x"}}, "rates['ETH']"),
        ({"rates": []}, "$.data.rates"),
    ]
    for change, place in changes:
        payload = {"success": True, "data": {"levels": [], "rates": {}, **change}}
        assert place in unusable(BOOK, payload).reason
