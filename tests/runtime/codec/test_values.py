"""Values in: what is wrong with a value, in which words and where; spec/vectors/decode says which values are wrong."""

from __future__ import annotations

import copy
import decimal
import json
import pickle
from decimal import Decimal
from typing import Any

import pytest

from tests.runtime.codec.things import DEEP, GET, KEYED, LIST, THING, Colour, thing, unusable
from trading_runtime import RequestError, to_member
from trading_runtime.codec import decoder
from trading_runtime.operation import Operation

LONG = 10**100


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"count": 1.0}, "Expected int, got float @ $.count"),
        ({"count": 2**63}, "expected an integer of 64 bits @ $.count"),
        ({"colour": None}, "Expected str, got null @ $.colour"),
        ({"mood": {}}, "Expected str | null, got object @ $.mood"),
        ({"id": "\uff15f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"}, "Invalid UUID @ $.id"),
        ({"legs": [{"size": "1"}, {}]}, "missing required field size @ $.legs[1]"),
        ({"legs": [{"size": LONG}]}, f"'{str(LONG)[:60]}' is not a decimal @ $.legs[0].size"),
        *(
            ({"legs": [{"size": text}]}, f"{text!r} is not a decimal @ $.legs[0].size")
            for text in ("sNaN", "1_0", "\u0661", "", "1e1000")
        ),
    ],
)
def test_a_value_of_the_wrong_shape_is_named_by_place(fields: dict[str, Any], reason: str) -> None:
    assert unusable(GET, {**THING, **fields}).reason == reason
    rows = [THING, {**THING, **fields}]
    told = unusable(LIST, {"rows": rows, "more": False}).reason
    assert told == reason.replace("$", "$.rows[1]")
    # Without spaces, and in UTF-8, too.
    body = json.dumps({**THING, **fields}, separators=(",", ":"), ensure_ascii=False).encode()
    assert unusable(GET, body).reason == reason


def test_no_decimal_context_changes_what_is_read_or_refused() -> None:
    with decimal.localcontext(decimal.Context(prec=3, Emax=5, traps=[], clamp=1)):
        (leg,) = thing(legs=[{"size": "123456789.10e5"}]).legs
        assert repr(leg.size) == "Decimal('1.2345678910E+13')"
        assert "is not a decimal" in unusable(GET, {**THING, "legs": [{"size": "x"}]}).reason
    with decimal.localcontext(decimal.Context(prec=3, traps=[decimal.Inexact])):
        assert thing(legs=[{"size": "1.23456"}]).legs[0].size == Decimal("1.23456")


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
    with pytest.raises(ValueError, match=r"^5 is not a valid Colour$"):
        Colour(5)


# Bodies


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b'{"count":1', "truncated"),
        (b"\xff\xfe", "can't decode byte 0xff"),
        (b'{"new":' + DEEP + b"}", "nested too deep"),
        (b'{"new":NaN}', "invalid character (byte 7)"),
        (b"[]", "Expected object, got array"),
    ],
    ids=range(5),
)
@pytest.mark.parametrize("operation", [GET, KEYED, LIST])
def test_an_unusable_body_is_kept(operation: Operation[Any], body: bytes, reason: str) -> None:
    error = unusable(operation, body)
    assert error.body == body
    assert error.operation == operation.name
    assert reason in error.reason
    assert error.is_json == reason.startswith("Expected")
    assert len(str(error)) < 400
    assert error.__cause__ is None and error.__suppress_context__


def test_no_decimal_of_a_pair_is_one_that_nobody_can_compute_with() -> None:
    read = decoder.reader(tuple[Decimal, Decimal])
    assert read(b'["1.5","2e3"]', "$") == (Decimal("1.5"), 2000)
    with pytest.raises(ValueError, match="is not a decimal"):
        read(b'["1.5","5e9999"]', "$")
