"""Lists of an answer: where a bad item stands, and that nonsense is not read to its end."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from attrs import field, frozen

from tests.runtime.reading import decode
from trading_runtime.codec.decoder import MAX_ERRORS
from trading_runtime.errors import DecodeError
from trading_runtime.http.transport import Response
from trading_runtime.operation import Batch, BatchOperation, ListOperation, Operation, Pagination

MANY = 20_000


READ: list[object] = []


def weighed(value: int) -> int:
    """What a parcel does with its weight, so that each reading of one can be counted."""
    READ.append(value)
    if value < 0:
        raise ValueError("not a weight")
    return value


@frozen(kw_only=True)
class Leg:
    size: int


@frozen(kw_only=True)
class Parcel:
    name: str
    weight: int = field(converter=weighed)
    legs: Sequence[Leg] = ()


PARCELS: ListOperation[Parcel] = ListOperation(
    name="parcels.list",
    method="GET",
    path="/parcels",
    result=Parcel,
    pagination=Pagination(items="data", cursor="at", next_cursor="then", has_more="more"),
)
SHELF: Operation[Sequence[Parcel]] = Operation(
    name="parcels.shelf",
    method="GET",
    path="/shelf",
    result=Sequence[Parcel],
    result_key="parcels",
)
SEND: BatchOperation[Parcel] = BatchOperation(
    name="parcels.send",
    method="POST",
    path="/send",
    result=Parcel,
    result_key="parcels",
    batch=Batch(field="parcels", max_items=2, actions={}),
)
GOOD: dict[str, Any] = {"name": "a", "weight": 1, "legs": [{"size": 1}]}


def response(payload: Any) -> Response:
    return Response(200, {}, json.dumps(payload).encode())


def page(items: Any) -> Response:
    return response({"success": True, "data": items, "then": None, "more": False})


def reason(items: Any) -> str:
    with pytest.raises(DecodeError) as caught:
        decode(PARCELS, page(items))
    return caught.value.reason


def test_a_list_keeps_its_items_and_their_order() -> None:
    items = [{**GOOD, "name": name} for name in ("c", "a", "b")]
    found = decode(PARCELS, page(items)).items
    assert [each.name for each in found] == ["c", "a", "b"]
    assert found[0] == Parcel(name="c", weight=1, legs=(Leg(size=1),))
    assert decode(PARCELS, page([])).items == ()


def test_of_each_bad_item_its_own_place_is_named_whatever_stands_between() -> None:
    items = [GOOD, {**GOOD, "name": 1}, GOOD, None, {**GOOD, "weight": -1}, GOOD]
    assert reason([*[GOOD] * 11, {"weight": 1}]) == "required field missing @ $.data[11].name"
    assert reason(items) == (
        "expected a string, not an integer @ $.data[1].name; "
        "expected an object, not null @ $.data[3]; "
        "not a weight @ $.data[4]"
    )


def test_a_list_within_a_list_is_named_by_both_places() -> None:
    legs = [{"size": 1}, {"size": 1}, {"size": "1"}]
    assert reason([GOOD, {**GOOD, "legs": legs}]) == (
        "expected an integer, not a string @ $.data[1].legs[2].size"
    )
    assert reason([{**GOOD, "legs": [{"size": 1}, []]}]) == (
        "expected an object, not a list @ $.data[0].legs[1]"
    )


@pytest.mark.parametrize("items", [{}, None, "parcels", 5, {"0": GOOD}])
def test_what_is_no_list_is_not_taken_for_one(items: Any) -> None:
    assert reason(items).startswith("expected a list, not ")
    assert reason(items).endswith(" @ $.data")


def test_a_list_is_not_read_beyond_its_third_bad_item_wherever_they_stand() -> None:
    bad = {**GOOD, "weight": -1}
    assert MAX_ERRORS == 3
    for items, places, read in (
        ([bad] * MANY, (0, 1, 2), 3),
        ([GOOD, bad, GOOD, bad, GOOD, GOOD, bad, *[GOOD] * MANY], (1, 3, 6), 7),
        ([bad, *[GOOD] * 5, bad], (0, 6), 7),
    ):
        READ.clear()
        assert reason(items) == "; ".join(f"not a weight @ $.data[{index}]" for index in places)
        assert len(READ) == read


def test_each_list_within_a_list_ends_by_itself() -> None:
    nonsense = {**GOOD, "legs": [{}] * MANY}
    said = reason([nonsense] * 5)
    first = [f"required field missing @ $.data[0].legs[{index}].size" for index in range(3)]
    assert said == "; ".join(first) + "; and 6 more"


@pytest.mark.parametrize("items", [[{}] * MANY, [None] * MANY, [[]] * MANY, [5] * MANY])
def test_whatever_a_page_is_full_of_three_items_are_named(items: list[Any]) -> None:
    said = reason(items)
    assert "$.data[0]" in said
    assert "$.data[3]" not in said
    assert len(said) < 300


def test_the_results_of_a_call_and_of_a_batch_end_like_a_page() -> None:
    bad = response({"parcels": [{**GOOD, "weight": -1}] * 1_000})
    for operation in (SHELF, SEND):
        READ.clear()
        with pytest.raises(DecodeError, match=r"not a weight @ \$\.parcels\[2\]"):
            decode(operation, bad)
        assert READ == [-1] * 3
