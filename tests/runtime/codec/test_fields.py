"""What a caller may pass as an argument, what it becomes, and how a wrong one is refused.

tests/end_to_end/mistakes.txt has what newcomers get wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any
from uuid import UUID

import pytest
from attrs import define, field

from tests.runtime.codec.things import ID
from trading_runtime.codec import fields as convert
from trading_runtime.codec.fields import UNSET
from trading_runtime.codec.models import OpenEnum
from trading_runtime.codec.requests import to_model
from trading_runtime.errors import RequestError


class Colour(OpenEnum):
    RED = "red"
    BLUE = "blue"


def to_colour(value: Colour | str) -> Colour:
    return convert.to_member(Colour, value)


@define(kw_only=True, field_transformer=convert.located)
class Leg:
    size: Decimal = field(converter=convert.to_decimal)
    note: str | None = field(default=None, converter=convert.to_optional_text)
    free: Any = None


def to_leg(value: Leg | Mapping[str, Any]) -> Leg:
    return to_model(Leg, value)


# Values of other libraries, as numpy has them (tests/frames has those), and subclasses.


class Index:
    """An integer that is no int."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


class NoIndex:
    def __index__(self) -> int:
        raise TypeError("only an integer scalar array can be an index")

    def __repr__(self) -> str:
        return "[1 2]"


class Single:
    """A float that is no float."""

    def __str__(self) -> str:
        return "0.1"

    def __repr__(self) -> str:
        return "single(0.1)"


Real.register(Single)


def made_in(name: str, module: str) -> Any:
    """An object of a class of this name."""
    return type(name, (), {"__module__": module, "__repr__": lambda _: "it"})()


EXACT = ("0", "100", "100.50", "-0.10", "0.00000001", "-0", "1" + "0" * 99)
OF_MANY_DIGITS = (
    *("0.5", "1234567890.0009765625", "1267650600228229401496703205376"),
    *("1267650600228229401496703205376.00000000", "0.1000000000000000000000000000000000001"),
    "0.5000000000000000000000000000000000000",
)
TAKEN: list[tuple[Callable[[Any], Any], Any, Any]] = [
    *((convert.to_decimal, text, Decimal(text)) for text in EXACT),
    *((convert.to_decimal, Decimal(text), Decimal(text)) for text in OF_MANY_DIGITS),
    *((convert.to_decimal, number, Decimal(7)) for number in (7, Index(7))),
    (convert.to_decimal, -(10**100), Decimal(-(10**100))),
    (convert.to_optional_decimal, "1.0", Decimal("1.0")),
    *((convert.to_uuid, id_, UUID(ID)) for id_ in (ID, ID.upper(), UUID(ID))),
    *((each, ID, UUID(ID)) for each in (convert.to_optional_uuid, convert.to_minted_uuid)),
    *((each, "text", "text") for each in (convert.to_text, convert.to_optional_text)),
    (convert.to_text, "", ""),
    (convert.to_texts, ["b", "a", "b"], ("b", "a", "b")),
    (convert.to_texts, (), ()),
    *((convert.to_integer, number, number) for number in (2**63 - 1, -(2**63), -1)),
    (convert.to_optional_integer, 5, 5),
    *((each, Index(7), 7) for each in (convert.to_integer, convert.to_optional_integer)),
    (convert.to_json, Index(7), 7),
    *((convert.to_boolean, each, each) for each in (True, False)),
    (convert.to_optional_boolean, False, False),
    *((convert.to_nullable_boolean, each, each) for each in (False, None, UNSET)),
    *((to_colour, each, Colour.RED) for each in ("red", Colour.RED)),
]


@pytest.mark.parametrize(("converter", "value", "becomes"), TAKEN)
def test_a_value_is_taken(converter: Callable[[Any], Any], value: Any, becomes: Any) -> None:
    made = converter(value)

    # By the text, too: the digits of a decimal and the type of a number show there alone.
    assert (made, type(made), str(made)) == (becomes, type(becomes), str(becomes))


NOT_PLAIN = (
    *("", " 1", "1\n", "+1", ".5", "5.", "01", "-01", "1e5", "1_000", "1,5", "0x10", "NaN"),
    *("Infinity", "\u0661", "--1"),
)
NO_UUID = ("", ID[:-1], ID.replace("-", ""), f"{{{ID}}}", f"{ID}\n", "x" * 36)
NO_MONEY: list[Any] = [True, None, b"1", [], Fraction(1, 3), NoIndex()]
NO_COLOUR: list[Any] = ["", "green", None, 5, []]
MONEY = "expected a Decimal, a string or an integer, not"
INEXACT = "is not exact; give a Decimal or a string, like"
REFUSED: list[tuple[Callable[[Any], Any], Any, type[Exception], str]] = [
    *((convert.to_decimal, text, RequestError, f"{text!r} is not a plain") for text in NOT_PLAIN),
    (convert.to_decimal, "9" * 101, RequestError, "... is not a plain decimal like '100.5'"),
    *(
        (convert.to_decimal, Decimal(text), RequestError, f"{text} is not a finite number")
        for text in ("NaN", "sNaN", "Infinity")
    ),
    *(
        (convert.to_decimal, value, TypeError, f"a float like {value!r} {INEXACT} '{value}'")
        for value in (0.1, 1e23, float("nan"), Single())
    ),
    *(
        (
            *(convert.to_decimal, Decimal(value), RequestError),
            f"a Decimal made of the float {text} is not exact; give Decimal('{text}'), of its text",
        )
        for value, text in ((-0.3, "-0.3"), (1e-9, "0.000000001"), (65e3 + 0.1, "65000.1"))
    ),
    *(
        (convert.to_decimal, value, RequestError, "a number of more than 100 digits cannot be sent")
        for value in (Decimal("1E+101"), Decimal("1E-101"), Decimal("1E+999999"), 10**5000)
    ),
    *(
        (convert.to_decimal, value, TypeError, f"{MONEY} {value!r} ({type(value).__name__})")
        for value in NO_MONEY
    ),
    *((convert.to_uuid, text, RequestError, f"{text!r} is not a full UUID") for text in NO_UUID),
    (convert.to_text, [1] * 99, TypeError, f"not {('[' + '1, ' * 19)[:57]}... (list)"),
    (convert.to_texts, {"BTC"}, TypeError, "expected a list of strings, not {'BTC'} (set)"),
    (convert.to_texts, ["BTC", 5], TypeError, "expected a string, not 5 (int)"),
    *(
        (convert.to_integer, value, TypeError, f"expected an integer, not {value!r} (")
        for value in (True, NoIndex(), NoIndex)
    ),
    *(
        (convert.to_integer, value, RequestError, "an integer of more than 64 bits cannot be sent")
        for value in (2**63, -(2**63) - 1, 10**5000, Index(2**63))
    ),
    *((to_colour, value, RequestError, f"{value!r} is not one of") for value in NO_COLOUR),
    (to_colour, "x" * 99, RequestError, f"'{'x' * 56}... is not one of 'red', 'blue'"),
    # A class of a known name is told apart.
    (to_leg, made_in("bool", "numpy"), TypeError, "with its keys, not it (numpy.bool)"),
    (to_leg, made_in("Leg", "elsewhere"), TypeError, "with its keys, not it (elsewhere.Leg)"),
    (to_leg, made_in("Other", "elsewhere"), TypeError, "with its keys, not it (Other)"),
]


@pytest.mark.parametrize(("converter", "value", "error", "says"), REFUSED, ids=range(len(REFUSED)))
def test_a_wrong_value_is_refused_in_words_that_show_it(
    converter: Callable[[Any], Any], value: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error) as caught:
        converter(value)
    assert says in str(caught.value)
    assert type(caught.value) is error and len(str(caught.value)) < 150


# Enums and UNSET


# Models


def test_a_field_without_a_converter_has_what_it_was_given() -> None:
    assert Leg(size=1, free=0.1).free == 0.1
