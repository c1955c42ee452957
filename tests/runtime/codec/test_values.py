"""Values in: a typed value for each JSON value, or what is wrong and where."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Union
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.runtime.codec.things import (
    ANY,
    DEEP,
    GET,
    ID,
    KEYED,
    LIST,
    THING,
    Colour,
    Leg,
    Thing,
    response,
    thing,
    unusable,
)
from tests.runtime.reading import decode
from trading_runtime.codec.decoder import structure
from trading_runtime.codec.fields import UNSET
from trading_runtime.codec.parser import parse
from trading_runtime.errors import ApiError, DecodeError
from trading_runtime.operation import (
    Operation,
)


def test_an_answer_becomes_a_typed_result() -> None:
    found = thing(mood="blue", id=ID, legs=[{"size": "1.50"}], flag=None, new={"x": 1})
    assert found == Thing(
        name="a",
        count=1,
        ready=True,
        colour=Colour.RED,
        mood=Colour.BLUE,
        id=UUID(ID),
        legs=(Leg(size=Decimal("1.50"), made=None),),
        flag=None,
    )
    assert type(found.colour) is type(found.mood) is Colour
    assert thing().flag is UNSET


def test_what_the_sender_did_not_mint_is_not_minted_by_the_reader() -> None:
    assert Leg(size=Decimal(1)).made == UUID(int=1)
    assert structure({"size": "1"}, Leg).made is None
    assert structure({"size": "1", "made": ID}, Leg).made == UUID(ID)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.50", "1.50"),
        ("-0", "-0"),
        ("+1", "1"),
        ("9" * 100, None),
        ("9.99e999", "9.99E+999"),
        ("1e-999", "1E-999"),
    ],
)
def test_a_decimal_keeps_every_digit(text: str, value: str | None) -> None:
    assert str(structure(text, Decimal)) == (value or text)


@pytest.mark.parametrize("text", ["1.50", "-1.0e2", "12345678901234567890.10", "7"])
def test_a_number_in_the_place_of_a_decimal_is_read_from_its_own_digits(text: str) -> None:
    body = b'{"size":%s}' % text.encode()
    assert repr(structure(parse(body), Leg).size) == repr(Decimal(text))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"count": "1"}, "expected an integer, not a string @ $.count"),
        ({"count": 1.0}, "expected an integer, not another number @ $.count"),
        ({"count": 2**63}, "expected an integer of 64 bits @ $.count"),
        ({"count": -(2**63) - 1}, "expected an integer of 64 bits @ $.count"),
        ({"count": True}, "expected an integer, not a boolean @ $.count"),
        ({"name": 1}, "expected a string, not an integer @ $.name"),
        ({"ready": "true"}, "expected a boolean, not a string @ $.ready"),
        ({"colour": None}, "expected a string, not null @ $.colour"),
        ({"mood": {}}, "expected a string, not an object @ $.mood"),
        ({"flag": "x"}, "expected a boolean, not a string @ $.flag"),
        ({"id": 1}, "expected a string, not an integer @ $.id"),
        ({"id": "x"}, "badly formed hexadecimal UUID string @ $.id"),
        ({"legs": {}}, "expected a list, not an object @ $.legs"),
        ({"legs": [[]]}, "expected an object, not a list @ $.legs[0]"),
        ({"legs": [{"size": "1"}, {}]}, "required field missing @ $.legs[1].size"),
        ({"legs": [{"size": True}]}, "expected a string, not a boolean @ $.legs[0].size"),
        ({"legs": [{"size": 10**100}]}, f"'1{'0' * 59}' is not a decimal @ $.legs[0].size"),
        *(
            ({"legs": [{"size": text}]}, f"{text!r} is not a decimal @ $.legs[0].size")
            for text in (
                *("", "NaN", "sNaN", "-NaN7", "Infinity", "-inf", "0x1", "1,0", "--1", "1e", "."),
                *("1e1000", "1e-1000", "0e1000", "1e9999999999999999999"),
            )
        ),
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


def test_types_that_no_answer_holds_are_refused() -> None:
    with pytest.raises(ValueError, match=r"no answer holds a <class 'dict'> @ \$"):
        structure({}, dict)
