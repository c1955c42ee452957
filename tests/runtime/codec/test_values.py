"""Values in: what is wrong with a value, in which words and where; spec/vectors/decode says which values are wrong."""

from __future__ import annotations

import copy
import decimal
import json
import pickle
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from attrs import evolve, frozen

from tests.runtime.codec.things import (
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
    thing,
    unusable,
)
from tests.runtime.reading import decode
from trading_runtime import RequestError, to_member
from trading_runtime.codec import decoder
from trading_runtime.codec.decoder import MAX_DEPTH, parse
from trading_runtime.codec.pages import PageReader
from trading_runtime.errors import DecodeError
from trading_runtime.operation import Operation

LONG = 10**100


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"count": "1"}, "Expected int, got str @ $.count"),
        ({"count": 1.0}, "Expected int, got float @ $.count"),
        ({"count": 2**63}, "expected an integer of 64 bits @ $.count"),
        ({"count": True}, "Expected int, got bool @ $.count"),
        ({"name": 1}, "Expected str, got int @ $.name"),
        ({"ready": "true"}, "Expected bool, got str @ $.ready"),
        ({"colour": None}, "Expected str, got null @ $.colour"),
        ({"mood": {}}, "Expected str | null, got object @ $.mood"),
        ({"id": "x"}, "Invalid UUID @ $.id"),
        ({"id": "\uff15f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"}, "Invalid UUID @ $.id"),
        ({"legs": {}}, "Expected array, got object @ $.legs"),
        ({"legs": [[]]}, "Expected object, got array @ $.legs[0]"),
        ({"legs": [{"size": "1"}, {}]}, "missing required field size @ $.legs[1]"),
        ({"legs": [{"size": LONG}]}, f"'{str(LONG)[:60]}' is not a decimal @ $.legs[0].size"),
        *(
            ({"legs": [{"size": text}]}, f"{text!r} is not a decimal @ $.legs[0].size")
            for text in ("sNaN", "Infinity", "1_0", "_1", " 1 ", "1 ", "\u0661", "x", "", "1e1000")
        ),
    ],
)
def test_a_value_of_the_wrong_shape_is_named_with_what_stood_there(
    fields: dict[str, Any], reason: str
) -> None:
    assert unusable(GET, {**THING, **fields}).reason == reason
    rows = [THING, {**THING, **fields}]
    told = unusable(LIST, {"rows": rows, "more": False}).reason
    assert told == reason.replace("$", "$.rows[1]")
    # Without spaces, and in UTF-8, too.
    body = json.dumps({**THING, **fields}, separators=(",", ":"), ensure_ascii=False).encode()
    assert unusable(GET, body).reason == reason


@pytest.mark.parametrize("text", ["1.50", "-0", "+1", ".5", "5.", "1e-999", "12E+3", "0" * 100])
def test_a_decimal_is_every_digit_that_was_sent(text: str) -> None:
    assert repr(thing(legs=[{"size": text}]).legs) == repr((Leg(size=Decimal(text)),))


def test_a_number_of_json_is_as_exact_as_a_text() -> None:
    body = json.dumps({**THING, "legs": [{"size": 0}]}).replace("0}", "0.1000000000000000055511}")
    (leg,) = decode(GET, response(body.encode())).legs
    assert leg.size == Decimal("0.1000000000000000055511")


def test_no_decimal_context_changes_what_is_read_or_refused() -> None:
    with decimal.localcontext(decimal.Context(prec=3, Emax=5, traps=[], clamp=1)):
        (leg,) = thing(legs=[{"size": "123456789.10e5"}]).legs
        assert repr(leg.size) == "Decimal('1.2345678910E+13')"
        assert "is not a decimal" in unusable(GET, {**THING, "legs": [{"size": "x"}]}).reason
    with decimal.localcontext(decimal.Context(prec=3, traps=[decimal.Inexact])):
        assert thing(legs=[{"size": "1.23456"}]).legs[0].size == Decimal("1.23456")


def test_of_duplicate_keys_the_last_one_wins_with_every_digit() -> None:
    body = json.dumps({**THING, "legs": "LEGS"}).replace(
        '"LEGS"', '[{"size":null,"size":0.10000000000000000001}]'
    )
    (leg,) = decode(GET, response(body.encode())).legs
    assert leg.size == Decimal("0.10000000000000000001")


# Enums are open where they are received, and closed where they are sent


def test_an_unknown_value_is_a_member_that_equals_its_text_and_is_never_sent() -> None:
    colour = thing(colour="green").colour

    assert (colour, type(colour), hash(colour), str(colour)) == (
        "green",
        Colour,
        hash("green"),
        "green",
    )
    assert not colour.is_known and Colour.RED.is_known
    assert thing(colour="red").colour is Colour.RED
    for copied in (copy.copy(colour), copy.deepcopy(colour), pickle.loads(pickle.dumps(colour))):
        assert (copied, type(copied), copied.is_known) == ("green", Colour, False)
    assert [*Colour] == [Colour.RED, Colour.BLUE]
    for given_ in (colour, "green", Colour("green")):
        with pytest.raises(RequestError, match=r"'green' is not one of 'red', 'blue'"):
            to_member(Colour, given_)


# Bodies


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
        (b"null", "Expected object, got null"),
        (b"[]", "Expected object, got array"),
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
    assert error.is_json == reason.startswith("Expected")
    assert len(str(error)) < 400
    assert error.__cause__ is None and error.__suppress_context__


@pytest.mark.parametrize("text", ["", '\\"[' * 500])
def test_a_hundred_levels_are_read_whatever_stands_in_texts_and_beside_them(text: str) -> None:
    beside = f'"text":"{text}","all":[{",".join(["[]"] * 500)}]'
    for levels, is_read in ((MAX_DEPTH - 1, True), (MAX_DEPTH, False)):
        body = f'{{{beside},"new":{"[" * levels}{"]" * levels}}}'.encode()
        if is_read:
            assert parse(body)["text"] == json.loads(body)["text"]
        else:
            with pytest.raises(ValueError, match="nested too deep"):
                parse(body)


@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000])
def test_a_field_that_nobody_reads_may_hold_an_integer_of_thousands_of_digits(number: str) -> None:
    texts = ["9" * 5000, "a\\" + "9" * 5000, '"' + "9" * 5000]
    body = f'{{"new":{number},"texts":{json.dumps(texts)},{json.dumps(THING)[1:]}'.encode()
    assert decode(GET, response(body)) == thing()
    assert parse(body)["texts"] == texts


# Records that cannot be read, one by one


@frozen
class Stand:
    """What stands for a record that cannot be read."""

    data: Any
    why: str


def test_a_page_with_a_bad_record_is_read_record_by_record() -> None:
    body = json.dumps({"rows": [THING, {**THING, "count": "1"}, None], "more": False}).encode()

    page = PageReader(LIST, instead=Stand).read(200, body)

    assert page.items == (
        thing(),
        Stand({**THING, "count": "1"}, "Expected int, got str @ $.rows[1].count"),
        Stand(None, "Expected object, got null @ $.rows[2]"),
    )
    with pytest.raises(DecodeError, match=r"Expected array, got object @ \$\.rows "):
        PageReader(LIST, instead=Stand).read(200, b'{"rows":{},"more":false}')


def test_the_results_of_a_call_and_of_a_batch_name_the_place_too() -> None:
    assert (
        "@ $.things[1].count"
        in unusable(KEYED, {"things": [THING, {**THING, "count": 1.5}]}).reason
    )
    wrong = {"results": [{"size": "1"}, {"size": "x"}]}
    assert "@ $.results[1].size" in unusable(evolve(BATCH, result=Leg), wrong).reason


def test_a_uuid_is_one_like_any_other() -> None:
    for text in (ID, ID.upper()):
        assert thing(id=text).id == UUID(ID)


@pytest.mark.parametrize(
    "text", ["5e9999", "5E-9999", "5.e9999", "nan", "-sNaN7", "Infinity", "-INF", "1" * 101]
)
def test_short_json_hides_no_decimal_that_nobody_can_compute_with(text: str) -> None:
    for type_ in (tuple[Decimal, ...], tuple[Decimal, Decimal]):
        for data in (f'["1.5","{text}"]'.encode(), f'["1.5","{text}"]'):
            with pytest.raises(ValueError, match="is not a decimal"):
                decoder.reader(type_)(data, "$")
        assert decoder.reader(type_)(b'["1.5","2e3"]', "$") == (Decimal("1.5"), 2000)
