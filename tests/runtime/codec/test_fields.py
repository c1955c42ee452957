"""What a caller may pass as an argument, what it becomes, and how a wrong one is refused."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from numbers import Real
from typing import Any
from uuid import UUID

import pytest
from attrs import define, field
from attrs.validators import matches_re, optional
from hypothesis import given, settings
from hypothesis import strategies as st

from trading_runtime.checks import multiple_of
from trading_runtime.codec import fields as convert
from trading_runtime.codec import integers
from trading_runtime.codec.composites import to_json
from trading_runtime.codec.conditions import at_least_one, exactly_one, needs
from trading_runtime.codec.enums import OpenEnum, OpenIntEnum
from trading_runtime.codec.fields import UNSET, Unset
from trading_runtime.errors import RequestError

ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"


class Colour(OpenEnum):
    RED = "red"
    BLUE = "blue"


class Level(OpenIntEnum):
    LOW = 1
    HIGH = 2


def to_colour(value: Colour | str) -> Colour:
    return convert.to_member(Colour, value)


@define(kw_only=True, field_transformer=convert.located)
class Leg:
    size: Decimal = field(converter=convert.to_decimal)
    note: str | None = field(default=None, converter=convert.to_optional_text)


def to_leg(value: Leg | Mapping[str, Any]) -> Leg:
    return convert.to_model(Leg, value)


@define(kw_only=True, field_transformer=convert.located)
class Thing:
    leg: Leg = field(converter=to_leg)
    colour: Colour = field(default=Colour.RED, converter=to_colour)
    code: str | None = field(default=None, validator=optional(matches_re("^[a-z]{3}$")))
    free: Any = None


def test_an_enum_that_is_asked_for_no_member_names_those_that_there_are() -> None:
    for value, near in (("RED", "; did you mean 'red'?"), ("pink", ""), (None, "")):
        with pytest.raises(ValueError) as caught:
            Colour(value)
        assert str(caught.value) == f"{value!r} is not one of 'red', 'blue'{near}"
    assert Colour("red") is Colour.RED


# Money


@pytest.mark.parametrize(
    "text", ["0", "100", "100.50", "-0.10", "0.00000001", "-0", "1" + "0" * 99]
)
def test_a_string_of_money_is_kept_to_the_letter(text: str) -> None:
    assert format(convert.to_decimal(text), "f") == text


@settings(deadline=None)
@given(st.decimals(allow_nan=False, allow_infinity=False, places=8))
def test_a_decimal_is_kept_as_it_is(value: Decimal) -> None:
    assert convert.to_decimal(value) is value


@settings(deadline=None)
@given(st.integers(min_value=-(10**100), max_value=10**100))
def test_an_integer_of_money_is_exact(value: int) -> None:
    assert int(convert.to_decimal(value)) == value


@pytest.mark.parametrize("value", [0.1, 1e23, float("nan"), float("inf")])
def test_a_float_is_refused_with_the_reason_and_what_to_give_instead(value: Any) -> None:
    with pytest.raises(TypeError) as caught:
        convert.to_decimal(value)
    assert str(caught.value) == (
        f"a float like {value!r} is not exact; give a Decimal or a string, like '{value}'"
    )


@pytest.mark.parametrize("value", [0.1, -0.3, 1e-9, 65_000.1, 123_456_789.1])
def test_a_decimal_that_was_made_of_a_float_is_refused_with_what_was_meant(value: float) -> None:
    meant = format(Decimal(str(value)), "f")
    with pytest.raises(RequestError) as caught:
        convert.to_decimal(Decimal(value))
    assert str(caught.value) == (
        f"a Decimal made of the float {meant} is not exact; give Decimal('{meant}'), of its text"
    )


@pytest.mark.parametrize(
    "text",
    [
        "0.5",
        "1234567890.0009765625",
        "1267650600228229401496703205376",
        "1267650600228229401496703205376.00000000",
        "0.1000000000000000000000000000000000001",
        "0.5000000000000000000000000000000000000",
    ],
)
def test_a_decimal_of_many_digits_is_kept(text: str) -> None:
    assert format(convert.to_decimal(Decimal(text)), "f") == text


@pytest.mark.parametrize(
    ("name", "module", "named"),
    [
        ("bool", "numpy", "numpy.bool"),
        ("Leg", "elsewhere.models", "elsewhere.models.Leg"),
        ("Other", "elsewhere", "Other"),
    ],
)
def test_a_class_of_a_known_name_is_told_apart(name: str, module: str, named: str) -> None:
    value: Any = type(name, (), {"__module__": module, "__repr__": lambda _: "it"})()
    with pytest.raises(TypeError) as caught:
        convert.to_model(Leg, value)
    assert str(caught.value) == f"expected a Leg or a mapping with its keys, not it ({named})"


@pytest.mark.parametrize(
    "text",
    [
        *("", " 1", "1 ", "1\n", "+1", ".5", "5.", "01", "-01", "1e5", "1E-5", "1_000", "1,5"),
        *("0x10", "NaN", "Infinity", "-inf", "\u0661", "--1", "9" * 101),
    ],
)
def test_a_string_that_is_no_plain_decimal_is_refused(text: str) -> None:
    with pytest.raises(RequestError, match=r"is not a plain decimal like '100\.5'"):
        convert.to_decimal(text)


@pytest.mark.parametrize("value", [Decimal("NaN"), Decimal("sNaN"), Decimal("Infinity")])
def test_a_decimal_that_is_no_number_is_refused(value: Decimal) -> None:
    with pytest.raises(RequestError, match="is not a finite number"):
        convert.to_decimal(value)


@pytest.mark.parametrize(
    "value",
    [Decimal("1E+101"), Decimal("1E-101"), Decimal("1E+999999"), pytest.param(10**5000, id="huge")],
)
def test_a_number_too_long_to_be_written_is_refused(value: Any) -> None:
    with pytest.raises(RequestError, match="more than 100 digits"):
        convert.to_decimal(value)


@pytest.mark.parametrize("value", [True, None, b"1", [], object, Fraction(1, 3)])
def test_what_is_no_money_at_all_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match="expected a Decimal, a string or an integer"):
        convert.to_decimal(value)


# Integers that are no int, and floats that are no float, as numpy has them (tests/frames has those)


class Index:
    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class NoIndex:
    def __index__(self) -> int:
        raise TypeError("only an integer scalar array can be an index")


class Single:
    def __str__(self) -> str:
        return "0.1"

    def __repr__(self) -> str:
        return "single(0.1)"


Real.register(Single)


@pytest.mark.parametrize(
    ("converter", "becomes"),
    [
        (integers.to_integer, 7),
        (integers.to_optional_integer, 7),
        (integers.to_int32, 7),
        (integers.to_integer_text, integers.IntegerText(7)),
        (convert.to_decimal, Decimal(7)),
        (to_json, 7),
    ],
)
def test_what_has_an_index_is_the_integer_that_it_stands_for(
    converter: Callable[[Any], Any], becomes: Any
) -> None:
    made = converter(Index(7))
    assert made == becomes
    assert type(made) is type(becomes)


def test_what_has_an_index_names_a_member_of_an_enum_of_integers() -> None:
    assert convert.to_member(Level, Index(1)) is Level.LOW
    with pytest.raises(RequestError, match="is not one of 1, 2"):
        convert.to_member(Level, Index(3))


@pytest.mark.parametrize("value", [NoIndex(), NoIndex])
def test_what_has_no_index_after_all_is_no_integer(value: Any) -> None:
    with pytest.raises(TypeError, match="expected an integer"):
        integers.to_integer(value)
    with pytest.raises(TypeError, match="expected a Decimal, a string or an integer"):
        convert.to_decimal(value)


def test_an_index_of_too_many_bits_is_refused() -> None:
    with pytest.raises(RequestError, match="more than 64 bits"):
        integers.to_integer(Index(2**63))


def test_a_real_number_that_is_not_exact_is_refused_like_a_float() -> None:
    wrong: Any = Single()
    with pytest.raises(TypeError) as caught:
        convert.to_decimal(wrong)
    assert str(caught.value) == (
        "a float like single(0.1) is not exact; give a Decimal or a string, like '0.1'"
    )


# Ids


@pytest.mark.parametrize("value", [ID, ID.upper(), UUID(ID)])
def test_a_uuid_is_given_as_itself_or_as_its_full_text(value: Any) -> None:
    assert convert.to_uuid(value) == UUID(ID)


@pytest.mark.parametrize(
    "text", ["", ID[:-1], ID.replace("-", ""), f"{{{ID}}}", f"urn:uuid:{ID}", f"{ID}\n", "x" * 36]
)
def test_an_id_that_is_no_full_uuid_is_refused(text: str) -> None:
    with pytest.raises(RequestError, match="is not a full UUID"):
        convert.to_uuid(text)


def test_an_id_of_another_type_is_a_type_error() -> None:
    wrong: Any = 7
    with pytest.raises(TypeError, match=re.escape("expected a UUID or its text, not 7 (int)")):
        convert.to_uuid(wrong)


def test_an_id_is_minted_unless_it_is_given_or_waived() -> None:
    minted = {convert.to_minted_uuid(UNSET) for _ in range(3)}
    assert len(minted) == 3
    assert all(isinstance(one, UUID) and one.version == 4 for one in minted)
    assert convert.to_minted_uuid(ID) == UUID(ID)
    assert convert.to_minted_uuid(None) is None


# Plain types


@pytest.mark.parametrize(
    ("converter", "value"),
    [
        (convert.to_text, "text"),
        (convert.to_text, ""),
        (integers.to_integer, 2**63 - 1),
        (integers.to_integer, -1),
        (convert.to_boolean, True),
        (convert.to_boolean, False),
        (convert.to_nullable_boolean, False),
        (convert.to_nullable_boolean, None),
        (convert.to_nullable_boolean, UNSET),
    ],
)
def test_a_value_of_the_right_type_is_kept(converter: Callable[[Any], Any], value: Any) -> None:
    assert converter(value) is value


@pytest.mark.parametrize(
    ("converter", "value", "message"),
    [
        (convert.to_text, 5, "expected a string, not 5 (int)"),
        (convert.to_text, b"x", "expected a string, not b'x' (bytes)"),
        (convert.to_text, None, "expected a string, not None (NoneType)"),
        (integers.to_integer, "5", "expected an integer, not '5' (str)"),
        (integers.to_integer, 5.0, "expected an integer, not 5.0 (float)"),
        (integers.to_integer, True, "expected an integer, not True (bool)"),
        (convert.to_boolean, 1, "expected True or False, not 1 (int)"),
        (convert.to_boolean, "true", "expected True or False, not 'true' (str)"),
        (convert.to_nullable_boolean, 0, "expected True or False, not 0 (int)"),
        (convert.to_texts, "BTC", "expected a list of strings, not 'BTC' (str)"),
        (convert.to_texts, {"BTC"}, "expected a list of strings, not {'BTC'} (set)"),
        (convert.to_texts, ["BTC", 5], "expected a string, not 5 (int)"),
        (
            convert.to_text,
            [1] * 99,
            f"expected a string, not {('[' + '1, ' * 19)[:57]}... (list)",
        ),
    ],
)
def test_a_value_of_another_type_is_a_type_error_that_shows_it(
    converter: Callable[[Any], Any], value: Any, message: str
) -> None:
    with pytest.raises(TypeError) as caught:
        converter(value)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("converter", "given_value", "kept"),
    [
        (convert.to_optional_decimal, "1.0", Decimal("1.0")),
        (convert.to_optional_uuid, ID, UUID(ID)),
        (convert.to_optional_text, "x", "x"),
        (integers.to_optional_integer, 5, 5),
        (convert.to_optional_boolean, False, False),
    ],
)
def test_an_optional_value_is_none_or_what_it_would_be_anyway(
    converter: Callable[[Any], Any], given_value: Any, kept: Any
) -> None:
    assert converter(None) is None
    assert converter(given_value) == kept


@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**5000], ids=int.bit_length)
def test_an_integer_of_more_than_64_bits_is_refused(value: int) -> None:
    with pytest.raises(RequestError, match="more than 64 bits"):
        integers.to_integer(value)


def test_a_subclass_is_taken_by_its_value_and_not_by_how_it_writes_itself() -> None:
    class Odd(Decimal):
        def __format__(self, spec: str, *_: Any) -> str:
            return "999"

    class Level(IntEnum):
        ONE = 1

    class Named(UUID):
        def __str__(self) -> str:
            return "a name"

    assert str(convert.to_uuid(Named(ID))) == ID
    assert f"{convert.to_decimal(Odd(1)):f}" == "1"
    assert repr(integers.to_integer(Level.ONE)) == "1"


def test_several_strings_become_a_tuple_in_their_order() -> None:
    assert convert.to_texts(["b", "a", "b"]) == ("b", "a", "b")
    assert convert.to_texts(()) == ()


# Enums and UNSET


@pytest.mark.parametrize("value", ["red", Colour.RED])
def test_a_member_is_named_by_itself_or_by_its_string(value: Any) -> None:
    assert to_colour(value) is Colour.RED


@pytest.mark.parametrize("value", ["RED", "", "green", None, 5, [], "x" * 99])
def test_a_value_that_is_no_member_is_refused_naming_those_that_are(value: Any) -> None:
    near = r"; did you mean 'red'\?" if value == "RED" else ""
    with pytest.raises(RequestError, match=rf"is not one of 'red', 'blue'{near}$") as caught:
        to_colour(value)
    assert len(str(caught.value)) < 100


def test_a_member_reads_as_its_string() -> None:
    assert (str(Colour.RED), f"{Colour.RED:>5}", Colour.RED) == ("red", "  red", "red")
    assert {"red": 1}[Colour.RED] == 1


def test_unset_is_one_thing_that_stays_itself() -> None:
    assert repr(UNSET) == "UNSET"
    assert copy.deepcopy(UNSET) is UNSET
    assert pickle.loads(pickle.dumps(UNSET)) is UNSET
    assert Unset("UNSET") is UNSET


# Models


@pytest.mark.parametrize("leg", [Leg(size="1.0"), {"size": "1.0"}, {"size": 1, "note": None}])
def test_a_nested_model_is_given_as_itself_or_as_a_mapping(leg: Any) -> None:
    assert Thing(leg=leg).leg == Leg(size="1.0")


@pytest.mark.parametrize(
    ("leg", "error", "message"),
    [
        ({"size": "1", "x": 2}, RequestError, "Thing.leg: unknown key 'x'; a Leg has size, note"),
        ({}, RequestError, "Thing.leg: 'size' is missing; a Leg needs it"),
        (
            {"size": "x"},
            RequestError,
            "Thing.leg: Leg.size: 'x' is not a plain decimal like '100.5'",
        ),
        (
            {"size": None},
            TypeError,
            "Thing.leg: Leg.size: expected a Decimal, a string or an integer, not None (NoneType)",
        ),
        ("1.0", TypeError, "Thing.leg: expected a Leg or a mapping with its keys, not '1.0' (str)"),
    ],
)
def test_a_wrong_nested_model_is_refused_where_it_stands(
    leg: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as caught:
        Thing(leg=leg)
    assert str(caught.value) == message
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_a_validator_names_the_class_and_the_field() -> None:
    with pytest.raises(RequestError, match=r"^Thing: 'code' must match regex '\^\[a-z\]\{3\}\$'"):
        Thing(leg={"size": 1}, code="abcd")


def test_a_wrong_enum_names_the_class_and_the_field() -> None:
    wrong: Any = "green"
    with pytest.raises(RequestError, match=r"^Thing\.colour: 'green' is not one of"):
        Thing(leg={"size": 1}, colour=wrong)


def test_a_float_names_the_class_and_the_field() -> None:
    wrong: Any = 0.1
    with pytest.raises(TypeError, match=r"^Leg\.size: a float like 0\.1 is not exact"):
        Leg(size=wrong)


def test_a_field_without_converter_or_validator_takes_anything() -> None:
    assert Thing(leg={"size": 1}, free=0.1).free == 0.1


@define
class Ids:
    a: int | None = None
    b: int | None = None


def test_exactly_one_of_the_named_fields_is_needed() -> None:
    exactly_one(Ids(a=0), "a", "b")
    exactly_one(Ids(b=1), "a", "b")
    with pytest.raises(
        RequestError, match=r"^Ids: exactly one of a and b is needed, none was given$"
    ):
        exactly_one(Ids(), "a", "b")
    with pytest.raises(
        RequestError, match=r"^Ids: exactly one of a and b is needed, both were given$"
    ):
        exactly_one(Ids(a=0, b=0), "a", "b")


def test_at_least_one_of_the_named_fields_is_needed() -> None:
    at_least_one(Ids(a=0), "a", "b")
    at_least_one(Ids(a=0, b=0), "a", "b")
    with pytest.raises(RequestError, match=r"^Ids: a or b is needed$"):
        at_least_one(Ids(), "a", "b")


@define
class Stop:
    kind: str | None = None
    until: int | None = None
    note: str | None = None


def test_a_field_that_is_given_may_need_others() -> None:
    for whole in (Stop(), Stop(note="a"), Stop(until=0, note="a")):
        needs(whole, "until", None, "note")
    with pytest.raises(RequestError, match=r"^Stop: note must be given if until is given$"):
        needs(Stop(until=0), "until", None, "note")


def test_a_value_of_a_field_may_need_others() -> None:
    for whole in (Stop(), Stop(kind="mark"), Stop(kind="last", until=0, note="a")):
        needs(whole, "kind", "last", "until", "note")
    with pytest.raises(
        RequestError, match=r"^Stop: until and note must be given if kind is 'last'$"
    ):
        needs(Stop(kind="last"), "kind", "last", "until", "note")


@define(kw_only=True, field_transformer=convert.located)
class Step:
    size: int = field(converter=integers.to_integer, validator=multiple_of(5))


def test_an_integer_may_have_to_be_a_multiple() -> None:
    assert [Step(size=size).size for size in (-5, 0, 10)] == [-5, 0, 10]
    with pytest.raises(RequestError, match=r"^Step: 'size' must be a multiple of 5: 7$"):
        Step(size=7)
