"""The canonical text: what json.dumps writes of what may be signed, and nothing of the rest."""

from __future__ import annotations

import enum
import json
import random
import re
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.fuzz import fuzzed
from tests.fuzz.mutations import places, values
from trading_runtime.errors import SigningError
from trading_runtime.signing.canonical import canonical_text


class Level(enum.IntEnum):
    LOW = 1


printable = st.characters(min_codepoint=32, max_codepoint=126)
ascii_text = st.text(printable, max_size=12)
allowed = st.recursive(
    st.none() | st.booleans() | st.integers() | ascii_text,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(ascii_text, inner, max_size=3)
    ),
    max_leaves=8,
)
names = st.text(printable, min_size=1, max_size=8)
objects = st.dictionaries(
    names,
    st.recursive(
        st.none() | st.booleans() | st.integers() | ascii_text,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
        max_leaves=8,
    ),
    min_size=1,
    max_size=3,
)
others = st.characters(min_codepoint=127) | st.characters(max_codepoint=31)
not_ascii = st.builds(str.__add__, ascii_text, others)
refused = (
    st.floats()
    | st.decimals()
    | st.binary(max_size=5)
    | st.uuids()
    | not_ascii
    | st.complex_numbers()
    | st.sampled_from([Level.LOW, {1}, frozenset[int](), object(), range(3), Level, iter([])])
)
not_a_name = st.none() | st.integers() | st.floats() | st.binary(max_size=3) | not_ascii


def expected(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        items: list[Any] = [(key, shuffled(item, chance)) for key, item in value.items()]
        return dict(chance.sample(items, len(items)))
    if isinstance(value, (list, tuple)):
        return type(value)(shuffled(item, chance) for item in value)
    return value


def path_of(root: Any, place: tuple[Any, Any]) -> str:
    """The path of a place in an object, as an error of signing writes it."""
    holder, key = place
    plain = isinstance(key, str) and re.fullmatch(r"[\w-]+", key, re.ASCII)
    step = f".{key}" if plain else f"[{key!a}]"
    for above in places(root):
        if above[0][above[1]] is holder:
            return path_of(root, above) + step
    return step.removeprefix(".")


def refusal(value: object) -> str:
    with pytest.raises(SigningError) as caught:
        canonical_text(value)
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None
    assert str(error).isascii()
    return str(error)


@fuzzed
@given(allowed, st.integers())
def test_what_may_be_signed_is_written_as_json_dumps_does_in_any_order(
    value: object, seed: int
) -> None:
    text = canonical_text(shuffled(value, random.Random(seed)))
    assert text == expected(value)
    assert canonical_text(json.loads(text)) == text


@fuzzed
@given(objects, refused, st.data())
def test_what_may_not_be_signed_is_refused_by_its_path(
    value: Any, bad: object, data: st.DataObject
) -> None:
    found = places(value)
    holder, key = place = found[data.draw(st.integers(0, len(found) - 1))]
    path = path_of(value, place)
    holder[key] = bad
    kind = "is not printable ASCII" if isinstance(bad, str) else f"is a {type(bad).__name__}"
    assert refusal(value).startswith(f"cannot sign the message: {path} {kind}; ")


@fuzzed
@given(objects, not_a_name, st.data())
def test_a_key_that_is_no_ascii_text_is_refused_by_the_path_of_its_object(
    value: Any, bad: object, data: st.DataObject
) -> None:
    found = places(value)
    holder, key = place = found[data.draw(st.integers(0, len(found) - 1))]
    path = path_of(value, place)
    holder[key] = {"a": 1, bad: 2}
    assert refusal(value).startswith(f"cannot sign the message: {path} has ")


@fuzzed
@given(values)
def test_any_json_is_written_the_same_as_by_json_dumps_or_refused(value: Any) -> None:
    try:
        text = canonical_text(value)
    except SigningError:
        assert not is_allowed(value)
        return
    assert is_allowed(value)
    assert text == expected(value)


def is_allowed(value: Any) -> bool:
    if isinstance(value, dict):
        return all(is_allowed(part) for item in value.items() for part in item)
    if isinstance(value, list):
        return all(map(is_allowed, value))
    if isinstance(value, str):
        return value.isascii() and value.isprintable()
    return not isinstance(value, float)
