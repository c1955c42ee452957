"""Values in: what is wrong with a value, in which words and where; spec/vectors/decode says which values are wrong."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Union
from uuid import UUID

import pytest
from attrs import evolve, field, frozen
from hypothesis import given
from hypothesis import strategies as st

from tests.runtime.codec.things import (
    ANY,
    BATCH,
    DEEP,
    GET,
    ID,
    KEYED,
    LIST,
    THING,
    Colour,
    Leg,
    response,
    unusable,
)
from tests.runtime.reading import decode
from trading_runtime.codec.decoder import MAX_ERRORS, structure
from trading_runtime.errors import ApiError, DecodeError
from trading_runtime.operation import (
    Operation,
)


def test_what_the_sender_did_not_mint_is_not_minted_by_the_reader() -> None:
    assert Leg(size=Decimal(1)).made == UUID(int=1)
    assert structure({"size": "1"}, Leg).made is None
    assert structure({"size": "1", "made": ID}, Leg).made == UUID(ID)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"count": "1"}, "expected an integer, not a string @ $.count"),
        ({"count": 1.0}, "expected an integer, not another number @ $.count"),
        ({"count": 2**63}, "expected an integer of 64 bits @ $.count"),
        ({"count": True}, "expected an integer, not a boolean @ $.count"),
        ({"name": 1}, "expected a string, not an integer @ $.name"),
        ({"ready": "true"}, "expected a boolean, not a string @ $.ready"),
        ({"colour": None}, "expected a string, not null @ $.colour"),
        ({"mood": {}}, "expected a string, not an object @ $.mood"),
        ({"id": "x"}, "badly formed hexadecimal UUID string @ $.id"),
        ({"legs": {}}, "expected a list, not an object @ $.legs"),
        ({"legs": [[]]}, "expected an object, not a list @ $.legs[0]"),
        ({"legs": [{"size": "1"}, {}]}, "required field missing @ $.legs[1].size"),
        ({"legs": [{"size": 10**100}]}, f"'1{'0' * 59}' is not a decimal @ $.legs[0].size"),
        ({"legs": [{"size": "sNaN"}]}, "'sNaN' is not a decimal @ $.legs[0].size"),
    ],
)
def test_a_field_of_the_wrong_shape_is_named(fields: dict[str, Any], reason: str) -> None:
    assert unusable(GET, {**THING, **fields}).reason == reason


def test_up_to_three_faults_are_listed_each_with_its_place() -> None:
    names = ["name", "count", "ready", "colour"]
    faults = [f"required field missing @ $.{name}" for name in names]
    assert unusable(GET, {"colour": "red"}).reason == "; ".join(faults[:3])
    assert unusable(GET, {}).reason == "; ".join(faults[:3]) + "; and 1 more"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b'{"count":1', "truncated"),
        (b'{"count":1} x', "trailing characters"),
        (b"\xff\xfe", "can't decode byte 0xff"),
        (b'\xef\xbb\xbf{"count":1}', "invalid character (byte 0)"),
        (b'{"new":' + DEEP + b"}", "nested too deep"),
        (b'{"new":NaN}', "invalid character (byte 7)"),
        (b'{"new":"\\ud800"}', "truncated"),
        (b"null", "expected an object, not null"),
        (b"[]", "expected an object, not a list"),
    ],
    ids=range(9),
)
@pytest.mark.parametrize("operation", [GET, KEYED, LIST])
def test_a_body_that_cannot_be_used_is_kept_whole(
    operation: Operation[Any], body: bytes, reason: str
) -> None:
    error = unusable(operation, body)
    assert error.body == body
    assert error.operation == operation.name
    assert reason in error.reason
    assert error.is_json == reason.startswith("expected")
    assert len(str(error)) < 400
    assert error.__cause__ is None and error.__suppress_context__


@given(st.binary(max_size=40) | st.text(alphabet='{}[]":,0123456789.eE-ntfurlas ').map(str.encode))
def test_no_body_escapes_the_error_tree(body: bytes) -> None:
    for status in (200, 400, 503):
        try:
            decode(ANY, response(body, status))
        except (ApiError, DecodeError) as error:
            assert error.body == body


def test_types_written_as_unions_are_read_alike() -> None:
    either: Any = Union[Colour, str]  # noqa: UP007
    assert structure("red", either) is Colour.RED


def test_the_enums_of_a_request_are_closed() -> None:
    assert structure("red", Colour) is Colour.RED
    with pytest.raises(ValueError, match=r"'green' is not one of 'red', 'blue' @ \$"):
        structure("green", Colour)


# Lists: where a bad item stands, and that nonsense is not read to its end

MANY = 20_000
READ: list[int] = []
"""The weights that were read."""


def weighed(value: int) -> int:
    READ.append(value)
    if value < 0:
        raise ValueError("not a weight")
    return value


@frozen(kw_only=True)
class Parcel:
    weight: int = field(converter=weighed)
    legs: Sequence[Leg] = ()


PARCELS = evolve(LIST, result=Parcel)
GOOD, BAD = {"weight": 1}, {"weight": -1}


def reason(items: list[Any]) -> str:
    READ.clear()
    return unusable(PARCELS, {"rows": items, "more": False}).reason


def test_of_each_bad_item_its_own_place_is_named_whatever_stands_between() -> None:
    assert reason([GOOD, {}, GOOD, None, BAD, GOOD]) == (
        "required field missing @ $.rows[1].weight; "
        "expected an object, not null @ $.rows[3]; "
        "not a weight @ $.rows[4]"
    )
    legs = [{"size": "1"}, {"size": True}]
    assert reason([GOOD, {**GOOD, "legs": legs}]) == (
        "expected a string, not a boolean @ $.rows[1].legs[1].size"
    )


def test_a_list_is_not_read_beyond_its_third_bad_item_wherever_they_stand() -> None:
    assert MAX_ERRORS == 3
    for items, places, read in (
        ([BAD] * MANY, (0, 1, 2), 3),
        ([GOOD, BAD, GOOD, BAD, GOOD, GOOD, BAD, *[GOOD] * MANY], (1, 3, 6), 7),
        ([BAD, *[GOOD] * 5, BAD], (0, 6), 7),
    ):
        assert reason(items) == "; ".join(f"not a weight @ $.rows[{index}]" for index in places)
        assert len(READ) == read


def test_each_list_within_a_list_ends_by_itself() -> None:
    said = reason([{**GOOD, "legs": [{}] * MANY}] * 5)
    first = [f"required field missing @ $.rows[0].legs[{index}].size" for index in range(3)]
    assert said == "; ".join(first) + "; and 6 more"


def test_the_results_of_a_call_and_of_a_batch_end_like_a_page() -> None:
    shelf = evolve(KEYED, result=Sequence[Parcel])
    for operation, name in ((shelf, "things"), (evolve(BATCH, result=Parcel), "results")):
        READ.clear()
        assert f"not a weight @ $.{name}[2]" in unusable(operation, {name: [BAD] * 1_000}).reason
        assert READ == [-1] * 3
