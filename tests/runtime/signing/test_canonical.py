"""The canonical text: the same for everybody, or refused with the path of what is not."""

from __future__ import annotations

import enum
from collections import OrderedDict
from decimal import Decimal
from types import MappingProxyType
from uuid import UUID

import pytest

from trading_runtime.errors import SigningError
from trading_runtime.signing.canonical import canonical_text


class Side(str, enum.Enum):
    BID = "bid"


class Shouting(str):
    def __str__(self) -> str:
        return "LOUD"


class Level(enum.IntEnum):
    LOW = 1


def refusal(value: object) -> str:
    with pytest.raises(SigningError) as caught:
        canonical_text(value)
    assert caught.value.__context__ is None
    return str(caught.value)


def test_a_subclass_counts_by_its_value_and_every_mapping_is_an_object() -> None:
    value = {Side.BID: Side.BID, Shouting("quiet"): Shouting("text")}
    assert canonical_text(value) == '{"bid":"bid","quiet":"text"}'
    for kind in (MappingProxyType[str, int], OrderedDict[str, int]):
        assert canonical_text({"x": kind({"b": 1, "a": 2})}) == '{"x":{"a":2,"b":1}}'


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (1.5, 'is a float; give a decimal string such as "0.1"'),
        (float("nan"), "is a float"),
        (Decimal("1"), "is a Decimal; give its plain decimal text"),
        (b"1", "is a bytes; give ASCII text"),
        (UUID(int=1), "is a UUID; give its text"),
        (Level.LOW, "is a Level; give text, a plain int or a bool"),
        (object(), "is a object"),
        *(
            (text, "is not printable ASCII")
            for text in ("BTC\u00e9", "\ud800", "\x80", "\x7f", "\n", "\0")
        ),
    ],
)
def test_anything_else_is_refused_by_its_path(bad: object, says: str) -> None:
    assert f"data.take_profit.stop_price {says}" in refusal(
        {"data": {"take_profit": {"stop_price": bad}}}
    )
    assert f"data.symbols[2] {says}" in refusal({"data": {"symbols": ["a", "b", bad]}})
    assert f"data.legs[0][1].a {says}" in refusal({"data": {"legs": [["x", {"a": bad}]]}})
    assert f"data['a b'] {says}" in refusal({"data": {"a b": bad}})
    assert f"message: it {says}" in refusal(bad)


@pytest.mark.parametrize(
    ("key", "says"),
    [
        (1, "has a key of type int"),
        (b"a", "has a key of type bytes"),
        ("pre\u00e7o", r"has the key 'pre\xe7o', which is not printable ASCII"),
        ("a\nb", r"has the key 'a\nb', which is not printable ASCII"),
    ],
)
def test_a_bad_key_is_refused_by_the_path_of_its_object(key: object, says: str) -> None:
    assert f"data.stop_loss {says}" in refusal({"data": {"stop_loss": {"a": 1, key: 2}}})
    assert f"it {says}" in refusal({key: 1})


def test_a_refusal_is_ascii_and_shows_no_value() -> None:
    text = refusal({"data": {"\u00e9": "secret"}}) + refusal({"data": {"note": "secret\u00e9"}})
    assert text.isascii()
    assert "secret" not in text


def test_a_value_that_contains_itself_is_refused() -> None:
    ring: list[object] = []
    ring.append(ring)
    assert refusal(ring) == "cannot sign the message: nested too deeply, or contains itself"


def test_a_value_that_is_nested_too_deeply_is_refused() -> None:
    deep: object = "x"
    for _ in range(100_000):
        deep = {"a": deep}
    try:
        assert "nested too deeply" in refusal(deep)
    finally:
        # Freed level by level: freeing all at once would recurse in C.
        while isinstance(deep, dict):
            deep = deep.pop("a")


def test_an_integer_beyond_what_python_writes_is_refused() -> None:
    assert refusal({"data": {"n": 10**5000}}).startswith(
        "cannot sign the message: Exceeds the limit (4300"
    )
