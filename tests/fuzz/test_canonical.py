"""The canonical text: what json.dumps writes of what may be signed, and nothing of the rest."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from typing import Any

from hypothesis import given, strategies as st

from tests.fuzz.mutations import values
from trading_runtime.errors import SigningError
from trading_runtime.signing.canonical import canonical_text

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


def expected(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        items: list[Any] = [(key, shuffled(item, chance)) for key, item in value.items()]
        return dict(chance.sample(items, len(items)))
    if isinstance(value, (list, tuple)):
        return type(value)(shuffled(item, chance) for item in value)
    return value


@given(allowed, st.integers())
def test_what_may_be_signed_is_written_as_json_dumps_does_in_any_order(
    value: object, seed: int
) -> None:
    text = canonical_text(shuffled(value, random.Random(seed)))
    assert text == expected(value)
    assert canonical_text(json.loads(text)) == text


@given(values | st.sampled_from([1.5, b"a", {1}, {1: 2}, object(), Decimal(1)]))
def test_any_json_is_written_the_same_as_by_json_dumps_or_refused(value: Any) -> None:
    try:
        text = canonical_text(value)
    except SigningError as error:
        assert not is_allowed(value)
        assert error.__cause__ is None and error.__context__ is None
        assert str(error).isascii()
        return
    assert is_allowed(value)
    assert text == expected(value)


def is_allowed(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_allowed([key, each]) for key, each in value.items())
    if isinstance(value, list):
        return all(map(is_allowed, value))
    if isinstance(value, str):
        return value.isascii() and value.isprintable()
    return value is None or isinstance(value, int)
